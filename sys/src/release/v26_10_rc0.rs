//! The development line of VPP 26.10: what differs from 26.06.

use super::{Release, v26_06};

pub(super) static RELEASE: Release = Release { name: "26.10-rc0", vlib_main_size: 1472, ..v26_06::RELEASE };
