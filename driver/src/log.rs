//! What a VPP printed, for messages about one that failed.

use std::path::Path;

/// The last lines of a file, without empty ones and colours. After a crash, they are those from its cause on.
pub(crate) fn tail(file: &Path, lines: usize) -> String {
    let Ok(bytes) = std::fs::read(file) else { return String::new() };
    let text = plain(&String::from_utf8_lossy(&bytes));
    let all: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let start = crash(&all).unwrap_or(all.len().saturating_sub(lines));
    all[start..].iter().take(lines).copied().collect::<Vec<_>>().join("\n")
}

/// Where a crash starts to be told: VPP prints a long list of calls after the signal, Rust a panic before it.
fn crash(lines: &[&str]) -> Option<usize> {
    let signal = lines.iter().rposition(|line| line.contains("received signal"))?;
    let panic = lines[..signal].iter().rposition(|line| line.contains(" panicked at "));
    Some(panic.unwrap_or(signal.saturating_sub(3)))
}

/// The text without what colours it on a terminal: an escape, `[`, numbers, `m`.
fn plain(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        plain.push_str(rest.strip_prefix('m').unwrap_or(rest));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_left_out() {
        for (text, expected) in [
            ("plain", "plain"),
            ("\x1b[91mreceived signal\x1b[39m", "received signal"),
            ("Code:\x1b[1;36m 48\x1b[0m\n", "Code: 48\n"),
            ("", ""),
        ] {
            assert_eq!(plain(text), expected);
        }
    }

    #[test]
    fn a_crash_is_told_from_its_start() {
        for (lines, expected) in [
            (&["a", "b"][..], None),
            (&["a", "b", "c", "d", "received signal SIGSEGV, PC 0x1", "#0 x"], Some(1)),
            (
                &[
                    "a",
                    "thread '<unnamed>' panicked at src/lib.rs:1:1:",
                    "why",
                    "x",
                    "y",
                    "z",
                    "received signal SIGABRT",
                ],
                Some(1),
            ),
        ] {
            assert_eq!(crash(lines), expected, "{lines:?}");
        }
    }
}
