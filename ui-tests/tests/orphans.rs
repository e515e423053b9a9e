//! A misuse without its message, or a message without its misuse, is a mistake in this directory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn each_misuse_has_its_message_and_each_message_its_misuse() {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let files = |extension: &str| -> BTreeSet<PathBuf> {
        let folders =
            std::fs::read_dir(&ui).expect("ui/ is there").map(|folder| folder.expect("readable").path());
        let files = folders.flat_map(|folder| std::fs::read_dir(folder).expect("ui/ holds folders only"));
        let files = files.map(|file| file.expect("readable").path());
        files
            .filter(|file| file.extension().is_some_and(|e| e == extension))
            .map(|file| file.with_extension(""))
            .collect()
    };
    let (misuses, messages) = (files("rs"), files("stderr"));
    assert!(!misuses.is_empty());
    let orphans: Vec<&PathBuf> = misuses.symmetric_difference(&messages).collect();
    assert!(orphans.is_empty(), "only one of .rs and .stderr: {orphans:#?}");
}
