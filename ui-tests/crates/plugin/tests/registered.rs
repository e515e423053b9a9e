//! The registrations of a plugin are those of all crates that are linked into it.

use ui_tests_plugin as _;

/// The hidden module is for macros, and for this test of them.
#[test]
fn nodes_of_the_plugin_and_of_its_library_are_registered() {
    assert_eq!(vppkit::__private::VPPKIT_NODES.len(), 2);
    assert_eq!(vppkit::__private::VPPKIT_FEATURES.len(), 1);
}
