//! The guide holds together: chapters, includes, links, and the listings that are shown in two places.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn book() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All chapters, relative to `src/`, without SUMMARY.md.
fn chapters() -> BTreeSet<PathBuf> {
    fn walk(folder: &Path, found: &mut BTreeSet<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.insert(path.strip_prefix(book().join("src")).unwrap().to_owned());
            }
        }
    }
    let mut found = BTreeSet::new();
    walk(&book().join("src"), &mut found);
    assert!(found.remove(Path::new("SUMMARY.md")));
    found
}

/// What stands between each `open` and the next `close`.
fn between<'a>(text: &'a str, open: &str, close: char) -> Vec<&'a str> {
    text.split(open).skip(1).filter_map(|rest| rest.split_once(close)).map(|(inside, _)| inside).collect()
}

/// The targets of the links and pictures of a chapter. Listings have none.
fn links(text: &str) -> Vec<&str> {
    // Every second part is inside a fence.
    text.split("```").step_by(2).flat_map(|prose| between(prose, "](", ')')).collect()
}

/// What GitHub and mdBook make of a heading.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

fn headings(text: &str) -> Vec<String> {
    let prose = text.split("```").step_by(2).flat_map(str::lines);
    prose.filter(|line| line.starts_with('#')).map(|line| slug(line.trim_start_matches('#'))).collect()
}

#[test]
fn every_chapter_is_in_the_summary_and_once() {
    let summary = read(&book().join("src/SUMMARY.md"));
    let mut listed: Vec<_> = links(&summary).into_iter().map(PathBuf::from).collect();
    listed.sort();
    assert_eq!(listed, Vec::from_iter(chapters()));
}

#[test]
fn every_chapter_is_a_documentation_test() {
    let tested = read(&book().join("doctests/lib.rs"));
    for chapter in chapters() {
        let line = format!("\"{}\";", chapter.display());
        assert!(tested.contains(&line), "doctests/lib.rs does not have {}", chapter.display());
    }
}

#[test]
fn includes_exist_with_their_anchors() {
    for chapter in chapters() {
        let path = book().join("src").join(&chapter);
        for include in between(&read(&path), "{{#include ", '}') {
            let (file, anchor) = include.split_once(':').map_or((include, None), |(file, a)| (file, Some(a)));
            let included = path.parent().unwrap().join(file);
            let what = format!("{}: {include}", chapter.display());
            assert!(included.is_file(), "{what}: no such file");
            let Some(anchor) = anchor else { continue };
            let text = read(&included);
            for marker in [format!("ANCHOR: {anchor}"), format!("ANCHOR_END: {anchor}")] {
                let found = text.lines().filter(|line| line.trim_end().ends_with(&marker)).count();
                assert_eq!(found, 1, "{what}: `{marker}` is there {found} times");
            }
        }
    }
}

#[test]
fn relative_links_resolve() {
    for chapter in chapters() {
        let path = book().join("src").join(&chapter);
        let text = read(&path);
        for link in links(&text) {
            if link.contains("://") {
                continue;
            }
            let (file, fragment) = link.split_once('#').map_or((link, None), |(file, f)| (file, Some(f)));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.is_file(), "{}: {link}: no such file", chapter.display());
            if let Some(fragment) = fragment {
                let known = headings(&read(&target));
                assert!(
                    known.iter().any(|slug| slug == fragment),
                    "{}: {link}: {known:?}",
                    chapter.display()
                );
            }
        }
    }
}

/// A reader has the repository beside the plugin, as `../vppkit`.
#[test]
fn paths_into_the_repository_exist() {
    for chapter in chapters() {
        let text = read(&book().join("src").join(&chapter));
        for rest in text.split("../vppkit/").skip(1) {
            let path = rest.split(['"', ' ', '\n', '`']).next().unwrap();
            let target = book().join("..").join(path);
            assert!(target.exists(), "{}: ../vppkit/{path} does not exist", chapter.display());
        }
    }
}

#[test]
fn the_readme_shows_the_example() {
    let readme = read(&book().join("../README.md"));
    let example = read(&book().join("../examples/drop-icmp/src/lib.rs"));
    let listings: Vec<_> = readme.split("```rust\n").skip(1).collect();
    let [listing] = listings[..] else {
        panic!("the README has {} listings in Rust, not one", listings.len())
    };
    let (listing, _) = listing.split_once("```").unwrap();
    assert_eq!(listing, example, "README.md and examples/drop-icmp/src/lib.rs differ");
}
