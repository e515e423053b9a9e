//! What moved between releases of VPP, and which release is running.
//!
//! To support a new release: add its module with the offsets from its headers, list it in [`SUPPORTED`], and
//! add its facts file, as `facts/README.md` says; the tests say what else differs.

use core::fmt;

mod v25_10;
mod v26_02;
mod v26_06;
mod v26_10_rc0;

/// The table of one record as data, for the tests and for the comparison with installed headers.
#[derive(Clone, Debug)]
pub struct Table {
    /// The record's name in C.
    pub record: &'static str,
    /// Its size, in bytes.
    pub size: usize,
    /// Each field's name in C, and its offset in bytes.
    pub rows: Vec<(&'static str, usize)>,
}

/// A field that only some releases have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionalField {
    /// The record's name in C.
    pub record: &'static str,
    /// The field's name in C.
    pub name: &'static str,
    /// Its offset in bytes, in a release that has it.
    pub offset: Option<usize>,
}

/// Declares a table of offsets of one record.
macro_rules! offsets {
    ($( $(#[$meta:meta])* struct $name:ident for $record:literal { $( $(#[$fmeta:meta])* $field:ident, )* } )*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug)]
            pub struct $name {
                /// Size of the record in bytes.
                pub size: usize,
                $( $(#[$fmeta])* pub $field: usize, )*
            }

            impl $name {
                /// The table as data.
                pub fn table(&self) -> Table {
                    Table {
                        record: $record,
                        size: self.size,
                        rows: vec![$( (stringify!($field), self.$field), )*],
                    }
                }
            }
        )*
    };
}

offsets! {
    /// Offsets in `vlib_global_main_t` (`vlib/main.h`), in bytes.
    struct VlibGlobalMain for "vlib_global_main_t" {
        /// `vlib_cli_main_t`.
        cli_main,
        /// List of [`vlib_node_registration_t`](crate::vlib::node::vlib_node_registration_t).
        node_registrations,
        /// List of [`_vlib_init_function_list_elt_t`](crate::vlib::init::_vlib_init_function_list_elt_t).
        init_function_registrations,
        /// Like `init_function_registrations`; called when the main loop starts.
        main_loop_enter_function_registrations,
        /// Like `init_function_registrations`; called when the main loop ends.
        main_loop_exit_function_registrations,
        /// Like `init_function_registrations`; called on each worker.
        worker_init_function_registrations,
        /// Like `init_function_registrations`; called when the number of workers changes.
        num_workers_change_function_registrations,
        /// Like `init_function_registrations`; called when the API starts.
        api_init_function_registrations,
        /// List of configuration functions.
        config_function_registrations,
        /// Hash of the init functions already called.
        init_functions_called,
    }

    /// Offsets in `vnet_feature_main_t` (`vnet/feature/feature.h`), in bytes.
    struct VnetFeatureMain for "vnet_feature_main_t" {
        /// Node names by arc, in order.
        feature_nodes,
        /// Bitmap by arc of the interfaces that have features.
        sw_if_index_has_features,
        /// Number of features by arc and interface.
        feature_count_by_sw_if_index,
        /// Index of the arc `device-input`.
        device_input_feature_arc_index,
        /// The main thread's `vlib_main_t`.
        vlib_main,
        /// The `vnet_main_t`.
        vnet_main,
    }

    /// Offsets in `vnet_feature_config_main_t` (`vnet/feature/feature.h`), in bytes.
    struct VnetFeatureConfigMain for "vnet_feature_config_main_t" {
        /// Start of the configuration by interface.
        config_index_by_sw_if_index,
    }

    /// Offsets in `vnet_config_main_t` (`vnet/config.h`), in bytes.
    struct VnetConfigMain for "vnet_config_main_t" {
        /// Node indices that start the arc.
        start_node_indices,
        /// Node indices that end it, by configuration.
        end_node_indices_by_user_index,
        /// The node that ends it by default.
        default_end_node_index,
        /// Node index by feature index.
        node_index_by_feature_index,
        /// Configuration by user.
        config_pool_index_by_user_index,
        /// Scratch vector.
        config_string_temp,
    }

    /// Offsets in `vlib_buffer_func_main_t` (`vlib/buffer_funcs.h`), in bytes.
    struct VlibBufferFuncMain for "vlib_buffer_func_main_t" {
        /// Hands buffers to other threads.
        buffer_enqueue_to_thread_fn,
        /// The same with aux data.
        buffer_enqueue_to_thread_with_aux_fn,
    }
}

/// Where the next index of a packet on a feature arc is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArcHeap {
    /// Each arc has its own heap; the packet says its arc in `vnet_buffer_opaque_t::feature_arc_index`,
    /// at this offset in bytes.
    PerArc {
        /// Offset of `feature_arc_index` in `vnet_buffer_opaque_t`.
        arc_index_offset: usize,
    },
    /// All arcs share one heap; its pointer is at this offset of `vnet_feature_main_t`, in bytes.
    Shared {
        /// Offset of `shared_feature_config_heap` in `vnet_feature_main_t`.
        heap_offset: usize,
    },
}

/// An instruction-set variant of a release: its suffix, and its index in VPP's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarchVariant {
    /// VPP's suffix, `"default"` for index 0.
    pub suffix: &'static str,
    /// `CLIB_MARCH_VARIANT_TYPE_*`.
    pub index: u32,
}

impl MarchVariant {
    /// The enumerator in C.
    pub fn c_name(&self) -> String {
        match self.suffix {
            "default" => "CLIB_MARCH_VARIANT_TYPE".to_owned(),
            suffix => format!("CLIB_MARCH_VARIANT_TYPE_{suffix}"),
        }
    }

    /// The enumerator that counts the variants.
    pub const COUNT: &str = "CLIB_MARCH_TYPE_N_VARIANTS";
}

/// What is special about one release.
#[derive(Debug)]
pub struct Release {
    /// Year and month, like `26.06`; a development line has `-rc0` behind it.
    pub name: &'static str,
    /// See [`VlibGlobalMain`].
    pub vlib_global_main: VlibGlobalMain,
    /// See [`VnetFeatureMain`].
    pub vnet_feature_main: VnetFeatureMain,
    /// See [`VnetFeatureConfigMain`].
    pub vnet_feature_config_main: VnetFeatureConfigMain,
    /// See [`VnetConfigMain`].
    pub vnet_config_main: VnetConfigMain,
    /// See [`VlibBufferFuncMain`].
    pub vlib_buffer_func_main: VlibBufferFuncMain,
    /// See [`ArcHeap`].
    pub arc_heap: ArcHeap,
    /// Offset of `external_string_heap_ptr` in `vnet_config_main_t`, in the releases that have it.
    pub config_heap_pointer: Option<usize>,
    /// Size of `vlib_main_t`, in bytes.
    pub vlib_main_size: usize,
    /// The variants that this release has on x86-64.
    pub march_variants: &'static [MarchVariant],
}

impl Release {
    /// Every table of offsets that the release has.
    pub fn tables(&self) -> Vec<Table> {
        vec![
            self.vlib_global_main.table(),
            self.vnet_feature_main.table(),
            self.vnet_feature_config_main.table(),
            self.vnet_config_main.table(),
            self.vlib_buffer_func_main.table(),
            Table { record: "vlib_main_t", size: self.vlib_main_size, rows: Vec::new() },
        ]
    }

    /// The fields that only some releases have.
    pub fn optional_fields(&self) -> [OptionalField; 3] {
        let (arc_index, shared_heap) = match self.arc_heap {
            ArcHeap::PerArc { arc_index_offset } => (Some(arc_index_offset), None),
            ArcHeap::Shared { heap_offset } => (None, Some(heap_offset)),
        };
        [
            OptionalField { record: "vnet_buffer_opaque_t", name: "feature_arc_index", offset: arc_index },
            OptionalField {
                record: "vnet_feature_main_t",
                name: "shared_feature_config_heap",
                offset: shared_heap,
            },
            OptionalField {
                record: "vnet_config_main_t",
                name: "external_string_heap_ptr",
                offset: self.config_heap_pointer,
            },
        ]
    }
}

/// The releases that this build supports, oldest first.
pub static SUPPORTED: [&Release; 3] = [&v25_10::RELEASE, &v26_02::RELEASE, &v26_06::RELEASE];

/// Development lines that this build knows. Their layouts may still change, so a plugin is loaded in one only if its author
/// asked for that.
pub static DEVELOPMENT: [&Release; 1] = [&v26_10_rc0::RELEASE];

/// Every release that this build has a table of: [`SUPPORTED`] and [`DEVELOPMENT`], oldest first.
pub fn known() -> [&'static Release; 4] {
    let [a, b, c] = SUPPORTED;
    let [d] = DEVELOPMENT;
    [a, b, c, d]
}

/// VPP says a version that the plugin is not for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported<'a> {
    /// What VPP says.
    pub found: &'a str,
    /// The names of the releases that the plugin is for; empty for [`SUPPORTED`].
    pub wanted: &'a [&'a str],
}

impl fmt::Display for Unsupported<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = SUPPORTED.map(|release| release.name);
        let wanted = if self.wanted.is_empty() { &all[..] } else { self.wanted };
        f.write_str("built for VPP ")?;
        for (i, name) in wanted.iter().enumerate() {
            if i > 0 {
                f.write_str(if i + 1 == wanted.len() { " and " } else { ", " })?;
            }
            f.write_str(name)?;
        }
        write!(f, ", this is VPP {}", self.found)?;
        match identify(self.found) {
            Some(known) => write!(f, "; `releases = [\"{}\"]` in #[vlib_plugin] builds for it", known.name),
            None => Ok(()),
        }
    }
}

/// Which release a version string of VPP's stands for, like `26.06-release` or `26.06.1-rc0~3-gabc`.
///
/// The first two numbers decide: point releases and builds between tags have their release's layouts. `-rc1` and later are
/// the release to be; `-rc0` is the development line before it, which is a release of its own here, named like `26.10-rc0`.
pub fn identify(version: &str) -> Option<&'static Release> {
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    let (numbers, rest) = version.split_at(end);
    let mut parts = numbers.split('.');
    let (year, month) = (parts.next()?, parts.next()?);
    let is_point_release = parts.next().is_some();
    let development = rest.starts_with("-rc0") && !is_point_release;
    let is_it = |name: &str| {
        let number = if development { name.strip_suffix("-rc0") } else { Some(name) };
        number.and_then(|number| number.split_once('.')) == Some((year, month))
    };
    known().into_iter().find(|release| is_it(release.name))
}

/// The release of a version string, if it is one of [`SUPPORTED`].
pub fn find(version: &str) -> Result<&'static Release, Unsupported<'_>> {
    find_among(version, &[])
}

/// The release of a version string, if its name is among `wanted`; if that is empty, among [`SUPPORTED`].
pub fn find_among<'a>(version: &'a str, wanted: &'a [&'a str]) -> Result<&'static Release, Unsupported<'a>> {
    let is_wanted = |release: &Release| {
        if wanted.is_empty() {
            SUPPORTED.iter().any(|supported| supported.name == release.name)
        } else {
            wanted.contains(&release.name)
        }
    };
    identify(version).filter(|release| is_wanted(release)).ok_or(Unsupported { found: version, wanted })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_string_decides() {
        for (version, expected) in [
            ("25.10-release", Some("25.10")),
            ("26.02-release", Some("26.02")),
            ("26.06-release", Some("26.06")),
            ("26.06.0-release", Some("26.06")),
            ("26.06.1-rc0~3-gabcdef", Some("26.06")),
            ("26.06-rc2~14-g0123456", Some("26.06")),
            ("26.06", Some("26.06")),
            ("26.06-rc0~300-gabcdef", None),
            ("26.10-rc0~17-gabcdef", None),
            ("26.1", None),
            ("26.060-release", None),
            ("126.06", None),
            ("2606", None),
            ("", None),
            ("release-26.06", None),
        ] {
            assert_eq!(find(version).ok().map(|r| r.name), expected, "{version:?}");
        }
    }

    #[test]
    fn the_refusal_says_what_is_supported_and_what_was_found() {
        for (version, wanted, expected) in [
            ("24.10-release", &[][..], "built for VPP 25.10, 26.02 and 26.06, this is VPP 24.10-release"),
            (
                "26.10-rc0~17-gabcdef",
                &[],
                "built for VPP 25.10, 26.02 and 26.06, this is VPP 26.10-rc0~17-gabcdef; \
                 `releases = [\"26.10-rc0\"]` in #[vlib_plugin] builds for it",
            ),
            (
                "25.10-release",
                &["26.02", "26.06"],
                "built for VPP 26.02 and 26.06, this is VPP 25.10-release; \
                 `releases = [\"25.10\"]` in #[vlib_plugin] builds for it",
            ),
        ] {
            assert_eq!(find_among(version, wanted).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn a_development_line_is_taken_on_request_only() {
        for (version, wanted, expected) in [
            ("26.10-rc0~17-gabcdef", &["26.10-rc0"][..], Some("26.10-rc0")),
            ("26.10-rc0~17-gabcdef", &["26.06", "26.10-rc0"], Some("26.10-rc0")),
            ("26.10-rc0~17-gabcdef", &["26.06"], None),
            // What comes after the line was branched may have changed.
            ("26.10-rc1~3-gabcdef", &["26.10-rc0"], None),
            ("26.10-release", &["26.10-rc0"], None),
            ("26.06-rc0~300-gabcdef", &["26.06"], None),
            ("26.06-release", &["26.06"], Some("26.06")),
        ] {
            let found = find_among(version, wanted).ok().map(|release| release.name);
            assert_eq!(found, expected, "{version} among {wanted:?}");
        }
    }
}
