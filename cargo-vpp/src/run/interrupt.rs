//! Ctrl-C and the signals that mean the same, while a VPP runs that must be stopped.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// What a shell gives for a program that was interrupted.
pub(super) const EXIT_CODE: u8 = 130;

/// Becomes true when the user wants an end.
#[derive(Clone, Debug)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on the signals do not end this program.
    pub(super) fn listen() -> Result<Self> {
        let set = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            flag::register(signal, Arc::clone(&set)).context("cannot listen for Ctrl-C")?;
        }
        Ok(Self(set))
    }

    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The exit code, if there was a signal. Whatever failed afterwards failed because of it.
    pub(super) fn exit_code(&self) -> Option<ExitCode> {
        self.is_set().then(|| {
            eprintln!("interrupted; VPP was stopped");
            ExitCode::from(EXIT_CODE)
        })
    }
}
