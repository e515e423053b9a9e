//! What a VPP printed, for messages about one that failed.

use std::path::Path;

/// The last lines of a file, without empty ones.
pub(crate) fn tail(file: &Path, lines: usize) -> String {
    let Ok(bytes) = std::fs::read(file) else { return String::new() };
    let text = String::from_utf8_lossy(&bytes);
    let lines_of: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines_of[lines_of.len().saturating_sub(lines)..].join("\n")
}
