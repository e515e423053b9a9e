//! `cargo vpp doctor` as a user meets it.

mod common;

use serde_json::Value;

use common::{Run, code_of, text};

#[test]
fn what_builds_these_tests_is_there() {
    let output = Run::new(&["doctor"]).output();
    let stdout = text(&output.stdout);
    assert_eq!(code_of(output.status), 0, "{stdout}");
    for expected in
        ["to build plugins\n", "  ok       rustc ", "  ok       C linker ", "to run them in a real VPP\n"]
    {
        assert!(stdout.contains(expected), "no {expected:?} in\n{stdout}");
    }
    assert!(!stdout.contains('\x1b'), "colours are for terminals");
}

#[test]
fn a_machine_without_rust_is_told_what_mends_it() {
    let output = Run::new(&["doctor", "--json"]).env("PATH", "/no/such/folder").output();
    assert_eq!(code_of(output.status), 1);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["ready"], false);
    for name in ["rustc", "cargo", "C linker"] {
        let check = json["checks"].as_array().unwrap().iter().find(|check| check["name"] == name).unwrap();
        assert_eq!((&check["purpose"], &check["status"]), (&"build".into(), &"missing".into()), "{check}");
        assert!(check["fix"].is_string(), "{check}");
    }
}

#[test]
fn named_prefixes_are_looked_at() {
    let output =
        Run::new(&["doctor", "--vpp-prefix", "/no/such/one"]).env("VPP_PREFIX", "/no/other:").output();
    let stdout = text(&output.stdout);
    for expected in ["missing  VPP ", "/no/such/one holds no VPP", "/no/other holds no VPP"] {
        assert!(stdout.contains(expected), "no {expected:?} in\n{stdout}");
    }
    assert_eq!(code_of(output.status), 0, "a VPP is not needed: {stdout}");
}
