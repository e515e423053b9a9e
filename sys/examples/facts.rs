//! Makes a facts file: what this crate mirrors, as one release of VPP has it.
//!
//! `cargo run -p vppkit-sys --example facts -- ABI.json SYMBOLS.txt INCLUDE > sys/facts/RELEASE.json`
//!
//! `facts/README.md` describes the three inputs. Anything that the crate mirrors and the inputs lack is an
//! error, so a facts file is never silently incomplete.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::{Map, Value, json};
use vppkit_sys::release::{OptionalField, known};
use vppkit_sys::symbols::{NAMES, VERSION_SYMBOL};

type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [abi, symbols, include] = arguments.as_slice() else {
        eprintln!("usage: facts ABI.json SYMBOLS.txt INCLUDE");
        return ExitCode::FAILURE;
    };
    match facts(abi, symbols, include) {
        Ok(facts) => {
            print!("{facts}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn facts(abi: &str, symbols: &str, include: &str) -> Result<String> {
    let read = |path: &str| fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let abi: Value = serde_json::from_str(&read(abi)?).map_err(|error| format!("{abi}: {error}"))?;
    let facts = json!({
        "vpp": abi["vpp"],
        "target": abi["target"],
        "records": records(&abi)?,
        "constants": constants(&abi, include)?,
        "march_variants": march_variants(&abi)?,
        "symbols": exports(&read(symbols)?)?,
    });
    let mut text = String::new();
    print_value(&facts, 0, &mut text);
    text.push('\n');
    Ok(text)
}

/// Every mirrored record, and every record of the release tables, with the fields that either names.
fn records(abi: &Value) -> Result<Value> {
    let mut wanted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for record in vppkit_sys::records() {
        wanted.entry(record.name).or_default().extend(record.named_fields().map(|field| field.name));
    }
    for table in known().into_iter().flat_map(|release| release.tables()) {
        wanted.entry(table.record).or_default().extend(table.rows.iter().map(|(name, _)| name));
    }
    // What a release lacks of these, its table must not have; the tests see to that.
    let optional = known()[0].optional_fields();

    let mut records = Map::new();
    for (name, fields) in wanted {
        let found = &abi["records"][name];
        if found.is_null() {
            return Err(format!("record {name} is not in the ABI file"));
        }
        let mut layout = Map::new();
        for field in fields {
            let fact =
                field_of(found, name, field)?.ok_or(format!("{name}.{field} is not in the ABI file"))?;
            layout.insert(field.to_owned(), fact);
        }
        for OptionalField { name: field, .. } in optional.iter().filter(|field| field.record == name) {
            if let Some(fact) = field_of(found, name, field)? {
                layout.insert((*field).to_owned(), fact);
            }
        }
        records.insert(
            name.to_owned(),
            json!({ "size": found["size"], "align": found["align"], "fields": layout }),
        );
    }
    Ok(records.into())
}

/// Offset and size of a field, and its bits if it is a bit-field. Two fields of that name are an error: the ABI
/// file flattens anonymous members.
fn field_of(record: &Value, record_name: &str, name: &str) -> Result<Option<Value>> {
    let fields = record["fields"].as_array().ok_or(format!("{record_name} has no fields"))?;
    let mut named = fields.iter().filter(|field| field["name"] == name);
    let Some(field) = named.next() else { return Ok(None) };
    if named.any(|other| other["offset"] != field["offset"]) {
        return Err(format!("{record_name} has several fields called {name}"));
    }
    let fact = ["offset", "size", "bit", "bits"]
        .into_iter()
        .filter(|key| !field[*key].is_null())
        .map(|key| (key.to_owned(), field[key].clone()))
        .collect::<Map<_, _>>();
    Ok(Some(fact.into()))
}

/// Every mirrored constant: enumerators from the ABI file, `#define`s from the headers.
fn constants(abi: &Value, include: &str) -> Result<Value> {
    let enums = abi["enums"].as_object().ok_or("the ABI file has no enums")?;
    let enumerator = |name: &str| {
        enums
            .values()
            .map(|found| &found["values"][name])
            .chain([&abi["constants"][name]])
            .find(|v| !v.is_null())
    };
    let mut constants = Map::new();
    let mut defines = Vec::new();
    for (name, _) in vppkit_sys::constants() {
        match enumerator(name) {
            Some(value) => drop(constants.insert((*name).to_owned(), value.clone())),
            None => defines.push(*name),
        }
    }
    for (name, value) in defines.iter().zip(evaluate(&defines, include)?) {
        constants.insert((*name).to_owned(), value.into());
    }
    Ok(constants.into())
}

/// The values of C expressions where `vlib/vlib.h` is included: a C program prints them.
fn evaluate(expressions: &[&str], include: &str) -> Result<Vec<i64>> {
    let directory = std::env::temp_dir().join(format!("vppkit-facts-{}", std::process::id()));
    fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let values = evaluate_in(&directory, expressions, include);
    // What is left behind in the temporary directory does no harm.
    let _ = fs::remove_dir_all(&directory);
    values
}

fn evaluate_in(directory: &Path, expressions: &[&str], include: &str) -> Result<Vec<i64>> {
    let (source, program) = (directory.join("defines.c"), directory.join("defines"));
    let prints: String = expressions
        .iter()
        .map(|expression| format!("  printf (\"%lld\\n\", (long long) ({expression}));\n"))
        .collect();
    let text = format!("#include <stdio.h>\n#include <vlib/vlib.h>\nint\nmain (void)\n{{\n{prints}}}\n");
    fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;

    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    // Inline functions of the headers name functions of VPP's libraries; none of them is called.
    let compiled = Command::new(&compiler)
        .args(["-w", "-O1", "-D_GNU_SOURCE", "-Wl,--unresolved-symbols=ignore-all", "-I", include, "-o"])
        .args([&program, &source])
        .output()
        .map_err(|error| format!("{compiler}: {error}"))?;
    if !compiled.status.success() {
        return Err(format!("{compiler} failed:\n{}", String::from_utf8_lossy(&compiled.stderr)));
    }
    let printed =
        Command::new(&program).output().map_err(|error| format!("{}: {error}", program.display()))?;
    String::from_utf8_lossy(&printed.stdout)
        .lines()
        .map(|line| line.parse().map_err(|error| format!("{line:?}: {error}")))
        .collect()
}

/// The whole enumeration of variants: a release has the ones that it has.
fn march_variants(abi: &Value) -> Result<Value> {
    let variants = &abi["enums"]["clib_march_variant_type_t"]["values"];
    if variants.is_null() {
        Err("the ABI file has no clib_march_variant_type_t".to_owned())
    } else {
        Ok(variants.clone())
    }
}

/// Every symbol that this crate looks up, and the libraries that export it.
fn exports(symbols: &str) -> Result<Value> {
    let mut exports = Map::new();
    for name in NAMES.iter().copied().chain([VERSION_SYMBOL]) {
        let name = name.to_str().expect("names are ASCII");
        let mut libraries: Vec<&str> = symbols
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter(|(_, rest)| rest.split_once(' ').is_some_and(|(_, symbol)| symbol == name))
            .map(|(library, _)| library)
            .collect();
        libraries.sort_unstable();
        libraries.dedup();
        if libraries.is_empty() {
            return Err(format!("no library exports {name}"));
        }
        exports.insert(name.to_owned(), libraries.into());
    }
    Ok(exports.into())
}

/// Prints JSON with keys in order, and what holds only numbers and words on one line.
fn print_value(value: &Value, depth: usize, out: &mut String) {
    let flat = |value: &Value| !value.is_object() && !value.is_array();
    match value {
        Value::Object(map) if !(map.len() <= 4 && map.values().all(flat)) => {
            let indent = "  ".repeat(depth);
            out.push_str("{\n");
            for (i, (key, value)) in map.iter().enumerate() {
                out.push_str(&format!("{indent}  {}: ", json!(key)));
                print_value(value, depth + 1, out);
                out.push_str(if i + 1 == map.len() { "\n" } else { ",\n" });
            }
            out.push_str(&format!("{indent}}}"));
        }
        Value::Object(map) => {
            let members: Vec<String> =
                map.iter().map(|(key, value)| format!("{}: {value}", json!(key))).collect();
            out.push_str(&format!("{{ {} }}", members.join(", ")));
        }
        other => out.push_str(&other.to_string()),
    }
}
