//! `cargo vpp inspect` as a user meets it.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn inspect(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cargo-vpp"))
        .args(["vpp", "inspect"])
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .output()
        .unwrap()
}

#[test]
fn the_example_in_words() {
    let output = inspect(&["examples/drop-icmp", "--debug"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    for expected in [
        "\n  version      0.1.0\n  description  Drop ICMP\n  releases     25.10, 26.02, 26.06\n",
        "\nnode drop-icmp (internal)\n  next nodes   error-drop\n",
        "\n  counter      icmp (info): ICMP packets dropped\n",
        "\nfeature drop-icmp on ip4-unicast\n  before       ip4-lookup\n",
        "\n  looked up    vlib_global_main: 25.10, 26.02, 26.06\n",
    ] {
        assert!(text.contains(expected), "no {expected:?} in\n{text}");
    }
}

#[test]
fn the_example_as_data() {
    let output = inspect(&["examples/drop-icmp", "--debug", "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["releases"], json!(["25.10", "26.02", "26.06"]));
    assert_eq!(json["refused"], json!([]));
    assert_eq!(json["nodes"][0]["name"], "drop-icmp");
    assert_eq!(
        json["features"][0],
        json!({
            "arc": "ip4-unicast", "node": "drop-icmp", "before": ["ip4-lookup"], "after": [],
        })
    );
    assert_eq!(json["imports"], json!([]), "the linker leaves nothing open but libc");
}

#[test]
fn what_is_no_plugin_is_said_to_be_none() {
    let output = inspect(&["Cargo.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("error: Cargo.toml: no shared object"), "{stderr}");
}
