//! The version that a `vpp` binary carries, read from the file: `vlib_plugin_app_version`, which plugins see too.

use std::path::Path;

use object::{Object as _, ObjectSegment as _, ObjectSymbol as _, RelocationTarget};
use vppkit_sys::symbols::VERSION_SYMBOL;

/// Reads it. An error says what is not as it should be.
pub(crate) fn read(vpp: &Path) -> Result<String, String> {
    let bytes = std::fs::read(vpp).map_err(|error| error.to_string())?;
    let file = object::File::parse(&*bytes).map_err(|error| format!("it is no program: {error}"))?;
    let name = VERSION_SYMBOL.to_str().unwrap_or_default();
    let symbol = file.dynamic_symbols().find(|symbol| symbol.name() == Ok(name) && symbol.is_definition());
    let symbol = symbol.ok_or_else(|| format!("it does not define {name}"))?;
    // The variable is a pointer. In a program that can be anywhere, a relocation says where it points.
    let relocated = file.dynamic_relocations().into_iter().flatten().find_map(|(address, relocation)| {
        let is_it = address == symbol.address() && relocation.target() == RelocationTarget::Absolute;
        is_it.then(|| relocation.addend() as u64)
    });
    let pointer = relocated.or_else(|| {
        let bytes = at(&file, symbol.address())?.first_chunk::<8>()?;
        Some(u64::from_le_bytes(*bytes))
    });
    let text =
        pointer.and_then(|pointer| at(&file, pointer)).and_then(|bytes| bytes.split(|&b| b == 0).next());
    match text.map(str::from_utf8) {
        Some(Ok(text)) if !text.is_empty() => Ok(text.to_owned()),
        _ => Err(format!("{name} points to no text")),
    }
}

/// What the file holds from an address on.
fn at<'data>(file: &object::File<'data>, address: u64) -> Option<&'data [u8]> {
    file.segments().find_map(|segment| {
        let offset = address.checked_sub(segment.address())?;
        segment.data().ok()?.get(usize::try_from(offset).ok()?..)
    })
}
