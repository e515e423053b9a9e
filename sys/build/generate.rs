//! Runs bindgen over VPP's headers: for `raw.rs` and, in the same run, for the answers to the questions.
//!
//! Each question is an enumerator of an enumeration that stands behind the includes. So libclang evaluates it, as
//! it would in VPP's own code: members of anonymous structs and unions are found, nothing has to be compiled or
//! run, and another target is no different.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bindgen::callbacks::{EnumVariantCustomBehavior, EnumVariantValue, ParseCallbacks};
use bindgen::{BindgenError, Bindings, Formatter};
use syn::{Attribute, Item, ItemStruct, ItemUnion};

use super::compare::Question;
use super::find::Headers;

/// What `raw` is made of, and what the questions need.
const INCLUDES: [&str; 15] = [
    "stddef.h",
    "vlib/vlib.h",
    "vlib/unix/unix.h",
    "vlib/unix/plugin.h",
    "vlib/log.h",
    "vppinfra/pool.h",
    "vppinfra/hash.h",
    "vnet/vnet.h",
    "vnet/buffer.h",
    "vnet/config.h",
    "vnet/feature/feature.h",
    "vnet/interface.h",
    "vnet/ethernet/ethernet.h",
    "vnet/ip/ip.h",
    "vlibapi/api.h",
];

/// The header that bindgen reads; it is only in memory.
const HEADER: &str = "vppkit.h";
/// An enumerator is called this and the number of its question.
const PROBE: &str = "vppkit_probe_";

/// VPP's own headers, wherever they are; with the prefix `/usr` they stand among everyone's. What they use of others
/// comes along.
const FILES: &str = ".*/(svm|vlib|vlibapi|vlibmemory|vnet|vppinfra)/.*";

/// Records that Rust cannot express: packed, with members that are aligned. They are bytes in `raw`.
const OPAQUE: &str = "ip6_address_t|[iuf](8x8|16x4|32x2)_union_t";

/// Writes the bindings to `output`. An answer is a number, or what libclang says against the question.
pub fn generate(
    headers: &Headers,
    questions: &[Question],
    output: &Path,
) -> Result<Vec<Result<i64, String>>, String> {
    require_libclang()?;
    let mut refused: BTreeMap<usize, String> = BTreeMap::new();
    let (bindings, answers) = loop {
        let answers = Answers::default();
        match run(headers, &header(questions, &refused), &answers) {
            Ok(bindings) => break (bindings, answers),
            Err(BindgenError::ClangDiagnostic(text)) => {
                // What the headers lack is left out, so that the rest can still be compared.
                let before = refused.len();
                refused.extend(refusals(&text, questions.len()));
                if refused.len() == before {
                    return Err(format!(
                        "libclang cannot read the headers in {}:\n{text}",
                        headers.include.display()
                    ));
                }
            }
            Err(error) => return Err(format!("bindgen: {error}")),
        }
    };
    let file = mend(&bindings.to_string())?;
    fs::write(output, prettyplease::unparse(&file))
        .map_err(|error| format!("{}: {error}", output.display()))?;

    let answers = answers.0.lock().expect("nothing panics with the lock held");
    let answer = |question| match (answers.get(&question), refused.remove(&question)) {
        (Some(value), _) => Ok(*value),
        (None, Some(reason)) => Err(reason),
        (None, None) => Err("bindgen did not come across the question".to_owned()),
    };
    Ok((0..questions.len()).map(answer).collect())
}

/// bindgen panics without libclang, so it is asked for something small first.
fn require_libclang() -> Result<(), String> {
    println!("cargo::rerun-if-env-changed=LIBCLANG_PATH");
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let version = panic::catch_unwind(bindgen::clang_version);
    panic::set_hook(hook);
    version.map(drop).map_err(|_| {
        "the feature `bindgen` needs libclang, and there is none: install it (Debian: libclang-dev) or set \
         LIBCLANG_PATH to the directory that holds libclang.so"
            .to_owned()
    })
}

/// The includes, then the questions, one a line.
fn header(questions: &[Question], refused: &BTreeMap<usize, String>) -> String {
    let mut text = String::new();
    for include in INCLUDES {
        text += &format!("#include <{include}>\n");
    }
    text += "enum vppkit_probes {\n";
    for (i, question) in questions.iter().enumerate() {
        // A line is kept for each, so that its number says which one it is.
        if !refused.contains_key(&i) {
            text += &format!("{PROBE}{i} = {},", question.c);
        }
        text += "\n";
    }
    text += "};\n";
    text
}

/// The questions that libclang has an error for, and the error.
fn refusals(diagnostics: &str, n_questions: usize) -> BTreeMap<usize, String> {
    let first = INCLUDES.len() + 2;
    diagnostics
        .lines()
        .filter_map(|line| {
            let (place, error) = line.split_once(": error: ")?;
            let (_, place) = place.rsplit_once(&format!("{HEADER}:"))?;
            let line: usize = place.split(':').next()?.parse().ok()?;
            let question = line.checked_sub(first).filter(|question| *question < n_questions)?;
            Some((question, error.to_owned()))
        })
        .collect()
}

fn run(headers: &Headers, header: &str, answers: &Answers) -> Result<Bindings, BindgenError> {
    let include = headers.include.display();
    bindgen::Builder::default()
        .header_contents(HEADER, header)
        .clang_args([
            format!("-I{include}"),
            "-D_GNU_SOURCE".to_owned(),
            "-w".to_owned(),
            "-ferror-limit=0".to_owned(),
        ])
        .allowlist_file(FILES)
        .rust_edition(bindgen::RustEdition::Edition2024)
        .rust_target(bindgen::RustTarget::stable(89, 0).expect("bindgen knows the workspace's Rust version"))
        .use_core()
        .generate_comments(false)
        .formatter(Formatter::None)
        .opaque_type(OPAQUE)
        .derive_debug(false)
        .parse_callbacks(Box::new(answers.clone()))
        .parse_callbacks(Box::new(bindgen::CargoCallbacks::new().rerun_on_header_files(true)))
        .generate()
}

/// Mends what Rust does not take.
///
/// VPP declares some records by a tag that it never completes and defines them under a `typedef` of the same name.
/// To C these are two types, to VPP one. bindgen gives both the one name; the declaration goes.
///
/// `repr(align(1))`, which bindgen gives packed records that it shows as bytes, says nothing, but no packed record may
/// hold one that has it.
fn mend(bindings: &str) -> Result<syn::File, String> {
    let mut file =
        syn::parse_file(bindings).map_err(|error| format!("bindgen gave what is no Rust: {error}"))?;
    let defined: BTreeSet<String> = file
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Struct(item) if !is_declaration(item) => Some(item.ident.to_string()),
            Item::Union(item) => Some(item.ident.to_string()),
            Item::Type(item) => Some(item.ident.to_string()),
            _ => None,
        })
        .collect();
    file.items.retain(|item| match item {
        Item::Struct(item) => !(is_declaration(item) && defined.contains(&item.ident.to_string())),
        _ => true,
    });

    let align_1: Attribute = syn::parse_quote!(#[repr(align(1))]);
    for item in &mut file.items {
        if let Item::Struct(ItemStruct { attrs, .. }) | Item::Union(ItemUnion { attrs, .. }) = item {
            attrs.retain(|attribute| *attribute != align_1);
        }
    }
    Ok(file)
}

/// How bindgen writes a record that is declared and not defined.
fn is_declaration(item: &ItemStruct) -> bool {
    item.fields.len() == 1
        && item.fields.iter().all(|field| field.ident.as_ref().is_some_and(|name| name == "_unused"))
}

/// The values of the enumerators, as bindgen comes across them.
#[derive(Clone, Debug, Default)]
struct Answers(Arc<Mutex<BTreeMap<usize, i64>>>);

impl ParseCallbacks for Answers {
    fn enum_variant_behavior(
        &self,
        _enum_name: Option<&str>,
        variant_name: &str,
        value: EnumVariantValue,
    ) -> Option<EnumVariantCustomBehavior> {
        let question = variant_name.strip_prefix(PROBE)?.parse().ok()?;
        let value = match value {
            EnumVariantValue::Boolean(value) => value.into(),
            EnumVariantValue::Signed(value) => value,
            EnumVariantValue::Unsigned(value) => value as i64,
        };
        self.0.lock().expect("nothing panics with the lock held").insert(question, value);
        None
    }
}
