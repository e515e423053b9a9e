//! The plugin as a whole: its init function, and errors that VPP is told of.

use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;

use vppkit_sys::vlib::main::vlib_main_t;

/// Proof that this is the main thread and that no worker runs: as in an init function.
///
/// It cannot be sent to another thread or kept.
pub struct MainBarrier<'call> {
    vm: NonNull<vlib_main_t>,
    /// Neither `Send` nor `Sync`.
    call: PhantomData<(&'call mut vlib_main_t, *mut ())>,
}

impl MainBarrier<'_> {
    /// # Safety
    /// The caller is the main thread, the workers wait at the barrier or do not exist, and stays so while the value
    /// lives. `vm` is the main thread's.
    pub(crate) unsafe fn new(vm: NonNull<vlib_main_t>) -> Self {
        Self { vm, call: PhantomData }
    }

    /// Turns of the main loop so far: `vlib_main_t::main_loop_count`. 0 in an init function.
    pub fn main_loop_count(&self) -> u32 {
        // SAFETY: `vm` is valid while the value lives.
        unsafe { (*self.vm.as_ptr()).main_loop_count }
    }
}

impl fmt::Debug for MainBarrier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MainBarrier")
    }
}

/// An error that VPP prints: `clib_error_t`. Any error converts into it with `?`.
pub struct Error(String);

/// A result whose error VPP prints.
pub type Result<T, E = Error> = core::result::Result<T, E>;

impl Error {
    /// An error with this text.
    pub fn new(text: impl fmt::Display) -> Self {
        Self(text.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: core::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            text = format!("{text}: {cause}");
            source = cause.source();
        }
        Self(text)
    }
}
