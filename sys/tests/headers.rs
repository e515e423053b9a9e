//! The two steps of the build script that need no VPP: finding headers, and saying what they have otherwise.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "../build"]
#[allow(dead_code, reason = "the build script uses the rest")]
mod steps {
    pub mod compare;
    pub mod find;
}
use steps::compare::{differences, questions};
use steps::find::{Headers, Places};

/// What the steps use of the crate, where they look for it.
mod mirrored {
    pub use vppkit_sys::{SizeInC, constants, records};
}
use vppkit_sys::release;

/// A directory of this test's own, with what look like headers of VPP in `include/` of each of `installed`.
fn machine(name: &str, installed: &[(&str, &str)]) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("headers").join(name);
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).unwrap();
    for (prefix, version_h) in installed {
        let include = root.join(prefix).join("include");
        fs::create_dir_all(include.join("vlib")).unwrap();
        fs::create_dir_all(include.join("vpp/app")).unwrap();
        fs::write(include.join("vlib/vlib.h"), "").unwrap();
        fs::write(include.join("vpp/app/version.h"), version_h).unwrap();
    }
    root
}

fn version_h(version: &str) -> String {
    format!("#define VPP_BUILD_USER \"root\"\n#define VPP_BUILD_VER \"{version}\"\n")
}

fn nowhere() -> Places {
    Places { prefix: None, pkg_config: Vec::new(), include: Vec::new() }
}

#[test]
fn the_prefix_comes_first_then_vpp_pc_then_the_usual_directories() {
    let (a, b, c) = (version_h("26.06-release"), version_h("26.02-release"), version_h("25.10-release"));
    let root = machine("order", &[("a", &a), ("b", &b), ("c", &c)]);
    let pc = root.join("pkgconfig");
    fs::create_dir_all(&pc).unwrap();
    let text = format!("prefix={}\nincludedir = ${{prefix}}/include\n", root.join("b").display());
    fs::write(pc.join("vpp.pc"), text).unwrap();

    let prefix = Some(OsString::from(root.join("a")));
    let include = vec![root.join("empty"), root.join("c/include")];
    for (places, expected, version) in [
        (Places { prefix, pkg_config: vec![pc.clone()], include: include.clone() }, "a", "26.06-release"),
        (
            Places { prefix: None, pkg_config: vec![root.clone(), pc], include: include.clone() },
            "b",
            "26.02-release",
        ),
        (Places { prefix: None, pkg_config: vec![root.clone()], include }, "c", "25.10-release"),
    ] {
        let expected = Headers { include: root.join(expected).join("include"), version: version.to_owned() };
        assert_eq!(places.find(), Ok(expected));
    }
}

#[test]
fn without_headers_there_is_one_sentence_that_says_what_to_do() {
    let root = machine("none", &[("no-version", "#define VPP_BUILD_USER \"root\"\n")]);
    let root = root.display();
    for (prefix, expected) in [
        (
            None,
            "the feature `bindgen` needs the headers of VPP, and there are none: install them (Debian: vpp-dev and \
             libvppinfra-dev) or set VPP_PREFIX to the directory that holds include/vlib/vlib.h"
                .to_owned(),
        ),
        (
            Some(format!("{root}/x")),
            format!(
                "VPP_PREFIX is {root}/x, but {root}/x/include/vlib/vlib.h does not exist: set it to the directory \
                 that holds include/vlib/vlib.h"
            ),
        ),
        (
            Some(format!("{root}/x:{root}/y")),
            format!(
                "VPP_PREFIX is {root}/x:{root}/y, but {root}/x:{root}/y/include/vlib/vlib.h does not exist: set it to \
                 the directory that holds include/vlib/vlib.h; a build takes one prefix"
            ),
        ),
        (
            Some(format!("{root}/no-version")),
            format!(
                "{root}/no-version/include/vpp/app/version.h has no VPP_BUILD_VER, which says which VPP the headers \
                 are of"
            ),
        ),
    ] {
        let places = Places { prefix: prefix.map(OsString::from), ..nowhere() };
        assert_eq!(places.find(), Err(expected));
    }
}

#[test]
fn headers_of_a_release_that_is_not_supported_are_refused() {
    assert_eq!(
        questions("24.10-release", true).unwrap_err(),
        "built for VPP 25.10, 26.02 and 26.06, this is VPP 24.10-release"
    );
}

#[test]
fn the_headers_are_asked_for_everything_that_is_mirrored() {
    for release in release::known() {
        let questions = questions(release.name, true).unwrap();
        let asked = |subject: &str, property: &str| {
            questions.iter().any(|question| question.subject == subject && question.property == property)
        };
        for record in vppkit_sys::records() {
            assert!(asked(record.name, "alignment"), "{}", record.name);
            assert!(record.prefix || asked(record.name, "size"), "{}", record.name);
            for field in record.named_fields() {
                let subject = format!("{}.{}", record.name, field.name);
                let bits = ["vlib_plugin_registration_t.default_disabled", "vec_header_t.log2_align"];
                assert!(asked(&subject, "offset") || bits.contains(&subject.as_str()), "{subject}");
            }
        }
        for (name, _) in vppkit_sys::constants() {
            assert!(asked(name, "value"), "{name}");
        }
        for table in release.tables() {
            assert!(asked(table.record, "size"), "{}", table.record);
            for (field, _) in table.rows {
                assert!(asked(&format!("{}.{field}", table.record), "offset"), "{}.{field}", table.record);
            }
        }
    }
}

#[test]
fn a_difference_names_the_field_both_numbers_and_the_vpp() {
    let headers = Headers { include: PathBuf::from("/usr/include"), version: "26.06-release".to_owned() };
    let questions = questions(&headers.version, true).unwrap();
    let question = |subject: &str, property: &str| {
        questions.iter().position(|q| q.subject == subject && q.property == property).unwrap()
    };
    let mut answers: Vec<_> = questions.iter().map(|question| Ok(question.expected)).collect();
    assert_eq!(differences(&headers, &questions, &answers), [""; 0]);

    answers[question("vlib_buffer_t.flow_id", "offset")] = Ok(12);
    answers[question("vnet_config_main_t.start_node_indices", "offset")] = Ok(24);
    answers[question("VLIB_FRAME_SIZE", "value")] = Ok(128);
    // A field that is gone has neither offset nor size.
    for property in ["offset", "size"] {
        answers[question("vlib_node_t.protocol_hint", property)] =
            Err("no member named 'protocol_hint'".to_owned());
    }
    assert_eq!(
        differences(&headers, &questions, &answers),
        [
            "vlib_buffer_t.flow_id: the mirror has offset 8, the headers in /usr/include (VPP 26.06-release) have 12",
            "vlib_node_t.protocol_hint: the mirror has it, the headers in /usr/include (VPP 26.06-release) do not: \
             no member named 'protocol_hint'",
            "VLIB_FRAME_SIZE: the mirror has value 256, the headers in /usr/include (VPP 26.06-release) have 128",
            "vnet_config_main_t.start_node_indices: the table of 26.06 has offset 32, the headers in /usr/include \
             (VPP 26.06-release) have 24",
        ]
    );
}
