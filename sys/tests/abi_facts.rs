//! What this crate says of VPP is what the headers of every supported release say: `facts/*.json`.

mod facts;

use std::fs;
use std::path::Path;

use facts::{Differences, Facts, Layout};
use vppkit_sys::SizeInC;
use vppkit_sys::release::{ArcHeap, MarchVariant, Release, known};

/// Compares with the facts of each release and reports every difference.
fn for_each_release(compare: impl Fn(&'static Release, &Facts, &mut Differences)) {
    let mut differences = Differences::default();
    for release in known() {
        compare(release, &Facts::of(release), &mut differences);
    }
    differences.assert_none();
}

#[test]
fn the_supported_releases_have_facts_and_no_other_has() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("facts");
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    found.sort();
    assert_eq!(found, known().map(|release| release.name));
}

#[test]
fn every_field_of_a_mirror_is_where_each_release_has_it() {
    for_each_release(|release, facts, differences| {
        for record in vppkit_sys::records() {
            for field in record.named_fields() {
                let size = match SizeInC::of(record, field) {
                    SizeInC::Mirrored(size) => size,
                    SizeInC::OfRecord(record) => facts.record_size(record),
                    SizeInC::Bits => 1,
                    SizeInC::Rest => 0,
                };
                let ours = Layout { offset: field.offset, size };
                let what = format!("{} {}.{}", release.name, record.name, field.name);
                differences.expect(what, ours, facts.field(record.name, field.name));
            }
        }
    });
}

#[test]
fn an_array_without_a_length_is_mirrored_up_to_the_end_of_the_record() {
    for record in vppkit_sys::records() {
        for field in record.named_fields().filter(|field| SizeInC::of(record, field) == SizeInC::Rest) {
            assert_eq!(field.offset + field.size, record.size, "{}.{}", record.name, field.name);
        }
    }
}

#[test]
fn a_mirror_has_the_size_and_alignment_that_each_release_gives_the_record() {
    for_each_release(|release, facts, differences| {
        for record in vppkit_sys::records() {
            let what = |property| format!("{} {property} of {}", release.name, record.name);
            differences.expect(what("alignment"), record.align, facts.record_align(record.name));
            if !record.prefix {
                differences.expect(what("size"), record.size, facts.record_size(record.name));
            }
        }
    });
}

#[test]
fn a_prefix_says_the_smallest_size_of_the_record() {
    let mut differences = Differences::default();
    let facts = known().map(Facts::of);
    for record in vppkit_sys::records().filter(|record| record.prefix) {
        let smallest = facts.iter().map(|facts| facts.record_size(record.name)).min();
        differences.expect(format_args!("size of {}", record.name), Some(record.size), smallest);
    }
    differences.assert_none();
}

#[test]
fn every_constant_has_its_value_in_each_release() {
    for_each_release(|release, facts, differences| {
        for (name, value) in vppkit_sys::constants() {
            differences.expect(format_args!("{} {name}", release.name), *value, facts.constant(name));
        }
    });
}

#[test]
fn every_row_of_a_release_table_is_where_that_release_has_the_field() {
    for_each_release(|release, facts, differences| {
        for table in release.tables() {
            let what = format!("{} size of {}", release.name, table.record);
            differences.expect(what, table.size, facts.record_size(table.record));
            for (field, offset) in table.rows {
                let what = format!("{} {}.{field}", release.name, table.record);
                differences.expect(what, offset, facts.field(table.record, field).offset);
            }
        }
    });
}

#[test]
fn a_field_that_only_some_releases_have_is_where_the_table_says_and_nowhere_else() {
    for_each_release(|release, facts, differences| {
        for field in release.optional_fields() {
            let what = format!("{} {}.{}", release.name, field.record, field.name);
            differences.expect(what, field.offset, facts.offset_if_any(field.record, field.name));
        }
    });
}

/// The dispatch loop steps a packet along its arc in one of two ways.
#[test]
fn the_heap_of_the_arcs_became_shared_in_26_06() {
    for_each_release(|release, facts, differences| {
        let shared = facts.offset_if_any("vnet_feature_main_t", "shared_feature_config_heap").is_some();
        let per_arc = facts.offset_if_any("vnet_buffer_opaque_t", "feature_arc_index").is_some();
        differences.expect(release.name, matches!(release.arc_heap, ArcHeap::Shared { .. }), shared);
        differences.expect(release.name, matches!(release.arc_heap, ArcHeap::PerArc { .. }), per_arc);
        differences.expect(release.name, !["25.10", "26.02"].contains(&release.name), shared);
    });
}

#[test]
fn a_release_has_exactly_the_march_variants_of_its_table() {
    for_each_release(|release, facts, differences| {
        let count = (MarchVariant::COUNT.to_owned(), release.march_variants.len() as i64);
        let variants = release.march_variants.iter().map(|variant| (variant.c_name(), variant.index.into()));
        let mut ours: Vec<_> = variants.chain([count]).collect();
        ours.sort();
        let mut fact = facts.march_variants();
        fact.sort();
        differences.expect(format_args!("{} march variants", release.name), ours, fact);
    });
}

#[test]
fn march_variants_stand_in_the_order_of_their_indices() {
    for release in known() {
        for (position, variant) in release.march_variants.iter().enumerate() {
            assert_eq!(variant.index as usize, position, "{} {}", release.name, variant.suffix);
        }
    }
}
