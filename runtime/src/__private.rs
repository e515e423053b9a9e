//! What macro output calls. Not public API: no stability, no documentation beyond these comments.
//!
//! | module | holds |
//! |---|---|
//! | `descriptor` | what the macros say of a node and of a feature: plain data |
//! | `plugin` | the registration section, constructor, destructor, early init |
//! | `register` | puts descriptors on VPP's lists and takes them off |
//! | `dispatch` | the node function that VPP calls |
//! | `march` | clones for instruction sets, and which of VPP's variants gets which |
//! | `buffer_memory` | from buffer indices to buffers |
//! | `arc` | a packet's step along a feature arc |
//! | `contain` | what happens to a frame whose node panics |
//! | `format` | trace records as text, through VPP's `format` |

pub(crate) mod arc;
pub(crate) mod buffer_memory;
pub(crate) mod contain;
pub(crate) mod descriptor;
pub(crate) mod dispatch;
pub(crate) mod format;
pub(crate) mod march;
pub(crate) mod plugin;
pub(crate) mod register;

pub use core::ffi::{CStr, c_void};
pub use linkme;

pub use descriptor::{FeatureDescriptor, NodeDescriptor};
pub use dispatch::{Call, decide};
pub use march::{IsaClone, NodeClone};
pub use plugin::{Plugin, PluginRegistration, early_init, known_release, load, unload};
pub use register::{VPPKIT_FEATURES, VPPKIT_NODES};

/// A string literal, or `env!` or `concat!` of some, as a C string. A NUL in it is a compile error.
#[doc(hidden)]
#[macro_export]
macro_rules! __c_str {
    ($text:expr) => {
        const {
            match $crate::__private::CStr::from_bytes_with_nul(::core::concat!($text, "\0").as_bytes()) {
                ::core::result::Result::Ok(text) => text,
                ::core::result::Result::Err(_) => {
                    ::core::panic!("the text holds a NUL byte, which ends a C string")
                }
            }
        }
    };
}
pub use crate::__c_str as c_str;
