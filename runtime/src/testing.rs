//! For tests that link a plugin's crate instead of loading its file.
//!
//! ```no_run
//! // With the crate `vppkit-host` as a dev-dependency:
//! // let report = Host::new().linked_plugin("my-plugin", testing::register, testing::withdraw)...
//! use vppkit::testing;
//!
//! testing::register().expect("the embedded host is there");
//! testing::withdraw();
//! ```

use crate::__private::{plugin, register};

/// Registers the nodes and features of all crates that are linked into this program in the VPP, or embedded host, that
/// the program holds. The plugin's init function is not called.
///
/// # Errors
/// A sentence that says why nothing was registered.
pub fn register() -> Result<(), String> {
    match plugin::try_load(None) {
        Ok(true) => Ok(()),
        Ok(false) => Err("this program holds no VPP and no embedded host".to_owned()),
        Err(reason) => Err(reason),
    }
}

/// Takes back what [`register`] did.
pub fn withdraw() {
    register::withdraw();
}
