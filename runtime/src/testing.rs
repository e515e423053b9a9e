//! For tests that link a plugin's crate instead of loading its file.
//!
//! ```
//! // With the crate `vppkit-host` as a dev-dependency:
//! // let report = Host::new().linked_plugin("my-plugin", testing::register, testing::withdraw)...
//! assert!(vppkit::testing::register().is_err(), "this program holds no embedded host");
//! ```

use crate::__private::{plugin, register};

/// Registers the nodes and features of all crates that are linked into this program in the embedded host that the program
/// holds. For `Host::linked_plugin` of `vppkit-host`, which calls it at the right moment. The plugin's init function is not
/// called.
///
/// # Errors
/// A sentence that says why nothing was registered: there is no embedded host, it is not loading plugins, or a name is
/// wrong.
pub fn register() -> Result<(), String> {
    if !plugin::host_is_loading() {
        return Err(
            "no embedded host of this program is loading plugins; call this through Host::linked_plugin"
                .into(),
        );
    }
    match plugin::try_load(None) {
        Ok(true) => Ok(()),
        Ok(false) => Err("the embedded host does not say which VPP it imitates".into()),
        Err(reason) => Err(reason),
    }
}

/// Takes back what [`register`] did. Does nothing while no embedded host closes plugins.
pub fn withdraw() {
    if plugin::host_is_loading() {
        register::withdraw();
    }
}
