//! VPP's log: what plugins write to it during a run.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt;
use std::sync::Mutex;

use vppkit_sys::vppinfra::error::clib_error_t;

use crate::vec;

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// How grave it is; 1 is an emergency, 8 is debugging.
    pub level: u8,
    /// Class and subclass, like `my-plugin/rules`.
    pub class: String,
    /// What was written.
    pub text: String,
}

const LEVELS: [&str; 9] = ["unknown", "emerg", "alert", "crit", "error", "warn", "notice", "info", "debug"];

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = LEVELS.get(usize::from(self.level)).unwrap_or(&"unknown");
        write!(f, "{level:<6} {}: {}", self.class, self.text)
    }
}

#[derive(Default)]
struct Log {
    classes: Vec<String>,
    lines: Vec<LogLine>,
}

/// Constructors write here before the graph exists, so it is not part of a run's state.
static LOG: Mutex<Log> = Mutex::new(Log { classes: Vec::new(), lines: Vec::new() });

/// Lines beyond this are dropped; a node may write one per packet.
const MAX_LINES: usize = 10_000;

fn with<R>(f: impl FnOnce(&mut Log) -> R) -> R {
    f(&mut LOG.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Empties the log.
pub(crate) fn reset() {
    with(|log| *log = Log::default());
}

/// Takes all lines.
pub(crate) fn take() -> Vec<LogLine> {
    with(|log| std::mem::take(&mut log.lines))
}

pub(crate) fn add(level: u8, class: &str, text: &str) {
    with(|log| {
        if log.lines.len() < MAX_LINES {
            log.lines.push(LogLine { level, class: class.into(), text: text.into() });
        }
    });
}

/// The text behind a C string, empty for NULL.
///
/// # Safety
/// `text` is NULL or a C string.
pub(crate) unsafe fn c_text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: by contract.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// VPP's `vlib_log_register_class`.
///
/// # Safety
/// Both are C strings or NULL.
pub(crate) unsafe extern "C" fn register_class(class: *const c_char, subclass: *const c_char) -> u32 {
    // SAFETY: a plugin passes C strings or NULL.
    let (class, subclass) = unsafe { (c_text(class), c_text(subclass)) };
    let name = if subclass.is_empty() { class } else { format!("{class}/{subclass}") };
    with(|log| {
        log.classes.push(name);
        (log.classes.len() - 1) as u32
    })
}

/// What the stub's `vlib_log` and `_clib_error` make of their arguments.
///
/// # Safety
/// `text` is NULL or has `len` bytes.
pub(crate) unsafe extern "C" fn write(level: c_int, class: u32, text: *const u8, len: usize) {
    let bytes = if text.is_null() {
        &[]
    } else {
        // SAFETY: the stub passes a vector and its length.
        unsafe { std::slice::from_raw_parts(text, len) }
    };
    let text = String::from_utf8_lossy(bytes);
    let class = with(|log| log.classes.get(class as usize).cloned()).unwrap_or_else(|| String::from("vlib"));
    add(u8::try_from(level).unwrap_or(0), &class, text.trim_end_matches(['\n', '\0']));
}

/// VPP's `_clib_error_report`.
///
/// # Safety
/// `errors` is a vector of errors.
pub(crate) unsafe extern "C" fn report(errors: *mut c_void) {
    // SAFETY: `_clib_error_report` takes a vector of errors.
    let text = unsafe { error_text(errors.cast()) };
    add(4, "vlib", &text);
}

/// An error as VPP logs it.
///
/// # Safety
/// `errors` is a vector of errors.
pub(crate) unsafe fn error_text(errors: *const clib_error_t) -> String {
    // SAFETY: by contract; `what` is a vector of characters or NULL, `where` a C string or NULL.
    let parts: Vec<String> = unsafe {
        vec::slice(errors)
            .iter()
            .filter(|e| !e.what.is_null())
            .map(|e| {
                let what = vec::text(e.what);
                match c_text(e.r#where.cast()) {
                    place if place.is_empty() => what,
                    place => format!("{place}: {what}"),
                }
            })
            .collect()
    };
    parts.join("\n")
}
