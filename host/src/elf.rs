//! What a plugin's file says before anything of it runs.

use std::collections::HashSet;
use std::mem::offset_of;
use std::path::Path;

use object::read::elf::{ElfFile64, FileHeader as _};
use object::{Architecture, Endianness, Object as _, ObjectSection as _, ObjectSymbol as _};
use vppkit_sys::vlib::plugin::vlib_plugin_registration_t;

use crate::error::PluginError;

const ARCHITECTURE: (Architecture, &str) = (Architecture::X86_64, "x86-64");

/// What VPP reads of a plugin without loading it.
#[derive(Clone, Debug)]
pub struct PluginFile {
    /// The version that the plugin gives itself.
    pub version: String,
    /// A prefix of the VPP version that it wants, or empty.
    pub version_required: String,
    /// Whether VPP loads it only when its configuration says so.
    pub default_disabled: bool,
    /// Symbols that it imports and that the C library does not have.
    pub imports: Vec<String>,
    /// Symbols that it looks up by name when it is loaded, if it was written with vppkit.
    pub looked_up: Vec<String>,
}

/// Libraries whose symbols are there in any process.
const SYSTEM: [&str; 7] =
    ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux"];

impl PluginFile {
    /// Reads the file at `path` and checks all that VPP's loader checks or should.
    pub fn read(path: &Path) -> Result<Self, PluginError> {
        let bytes = std::fs::read(path).map_err(PluginError::Read)?;
        Self::parse(&bytes)
    }

    /// The same for bytes in memory.
    pub fn parse(bytes: &[u8]) -> Result<Self, PluginError> {
        let not_elf = |why: &dyn std::fmt::Display| PluginError::NotElf(why.to_string());
        if bytes.len() < 20 || !bytes.starts_with(b"\x7fELF") {
            return Err(not_elf(&"the file does not start as an ELF file does"));
        }
        check_machine(bytes)?;
        let file: ElfFile64<'_, Endianness> = ElfFile64::parse(bytes).map_err(|e| not_elf(&e))?;
        if file.elf_header().e_type(file.endian()) != object::elf::ET_DYN {
            return Err(not_elf(&"an ELF file, but not a shared one; crate-type must be cdylib"));
        }

        let section = file.section_by_name(".vlib_plugin_registration").ok_or(PluginError::NoRegistration)?;
        let data = section.data().map_err(|e| not_elf(&e))?;
        let expected = size_of::<vlib_plugin_registration_t>();
        if data.len() != expected {
            return Err(PluginError::RegistrationSize { found: section.size(), expected });
        }
        if file.section_by_name(".rodata").is_none() {
            return Err(PluginError::NoRodata);
        }

        Ok(Self {
            version: c_string(&data[offset_of!(vlib_plugin_registration_t, version)..][..64]),
            version_required: c_string(
                &data[offset_of!(vlib_plugin_registration_t, version_required)..][..64],
            ),
            default_disabled: data[offset_of!(vlib_plugin_registration_t, default_disabled)..][..1][0] & 1
                != 0,
            imports: file
                .dynamic_symbols()
                .filter(|s| s.is_undefined() && !s.is_weak())
                .filter_map(|s| s.name().ok())
                .filter(|name| !name.is_empty())
                .map(String::from)
                .filter(|name| !in_system(name))
                .collect(),
            looked_up: file
                .section_by_name(".vppkit.imports")
                .and_then(|section| section.data().ok())
                .into_iter()
                .flat_map(|names| names.split(|&byte| byte == 0))
                .filter(|name| !name.is_empty())
                .map(|name| String::from_utf8_lossy(name).into_owned())
                .collect(),
        })
    }

    /// Imports that are not among `exported`.
    pub(crate) fn missing(&self, exported: &[String]) -> Vec<String> {
        let exported: HashSet<&str> = exported.iter().map(String::as_str).collect();
        self.imports.iter().filter(|name| !exported.contains(name.as_str())).cloned().collect()
    }
}

/// Whether every supported release of VPP exports a symbol, as far as vppkit knows.
pub fn is_in_every_release(symbol: &str) -> bool {
    let known = |name: &&std::ffi::CStr| name.to_bytes() == symbol.as_bytes();
    vppkit_sys::symbols::NAMES.iter().any(known)
        || vppkit_sys::symbols::VERSION_SYMBOL.to_bytes() == symbol.as_bytes()
}

/// The names that a shared object defines for others.
pub(crate) fn exported(bytes: &[u8]) -> Result<Vec<String>, object::read::Error> {
    let file: ElfFile64<'_, Endianness> = ElfFile64::parse(bytes)?;
    Ok(file
        .dynamic_symbols()
        .filter(|s| s.is_definition() || (!s.is_undefined() && s.is_global()))
        .filter_map(|s| s.name().ok())
        .filter(|name| !name.is_empty())
        .map(String::from)
        .collect())
}

fn check_machine(bytes: &[u8]) -> Result<(), PluginError> {
    let big_endian = bytes[5] == 2;
    let machine = if big_endian {
        u16::from_be_bytes([bytes[18], bytes[19]])
    } else {
        u16::from_le_bytes([bytes[18], bytes[19]])
    };
    let machine = object::elf::Machine(machine);
    let bits = if bytes[4] == 2 { 64 } else { 32 };
    let known = match machine {
        object::elf::EM_X86_64 if bits == 64 && !big_endian => Some((Architecture::X86_64, "x86-64")),
        object::elf::EM_AARCH64 if bits == 64 && !big_endian => Some((Architecture::Aarch64, "aarch64")),
        _ => None,
    };
    if known.is_some_and(|(architecture, _)| architecture == ARCHITECTURE.0) {
        return Ok(());
    }
    let found = match (known, machine) {
        (Some((_, name)), _) => String::from(name),
        (None, object::elf::EM_X86_64) => String::from("x32"),
        (None, object::elf::EM_386) => String::from("x86 (32 bits)"),
        (None, object::elf::EM_ARM) => String::from("arm (32 bits)"),
        (None, object::elf::EM_RISCV) => format!("riscv ({bits} bits)"),
        (None, object::elf::EM_PPC64) => String::from("ppc64"),
        (None, object::elf::EM_S390) => String::from("s390"),
        (None, other) => format!("another CPU (ELF machine {}, {bits} bits)", other.0),
    };
    Err(PluginError::Machine { found, expected: ARCHITECTURE.1 })
}

fn c_string(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// Whether the C library or the compiler's runtime defines `name`.
fn in_system(name: &str) -> bool {
    use std::sync::OnceLock;
    static NAMES: OnceLock<HashSet<String>> = OnceLock::new();
    NAMES
        .get_or_init(|| {
            let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
            let paths: HashSet<&str> = maps
                .lines()
                .filter_map(|line| line.split_whitespace().nth(5))
                .filter(|path| SYSTEM.iter().any(|lib| path.contains(lib)))
                .collect();
            let mut names: HashSet<String> = paths
                .into_iter()
                .filter_map(|path| std::fs::read(path).ok())
                .filter_map(|bytes| exported(&bytes).ok())
                .flatten()
                .collect();
            // libm may not be loaded yet, and is when a plugin needs it.
            for lib in ["libm.so.6", "libgcc_s.so.1"] {
                for dir in
                    ["/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"]
                {
                    let path = Path::new(dir).join(lib);
                    if let Ok(exported) =
                        std::fs::read(path).map_err(|_| ()).and_then(|b| exported(&b).map_err(|_| ()))
                    {
                        names.extend(exported);
                        break;
                    }
                }
            }
            names
        })
        .contains(name)
}
