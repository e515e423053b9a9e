//! What the headers are asked, and what is said of their answers.

use std::collections::BTreeSet;

use super::find::Headers;
use crate::mirrored::{SizeInC, constants, records};
use crate::release::{self, MarchVariant};

/// A number that this crate knows and the headers know too.
#[derive(Debug)]
pub struct Question {
    /// What it is about, like `vlib_buffer_t.flow_id`.
    pub subject: String,
    /// Who says the number on our side.
    pub ours: String,
    /// What the number is, like `offset`.
    pub property: &'static str,
    /// The number that we have.
    pub expected: i64,
    /// The constant expression that gives it in C.
    pub c: String,
}

/// Everything that the headers of this version are asked.
pub fn questions(version: &str, x86_64: bool) -> Result<Vec<Question>, String> {
    let mut questions = Questions(Vec::new());
    questions.of_mirror();
    questions.of_release(version, x86_64)?;
    Ok(questions.0)
}

/// One sentence for each answer that is not ours. What the headers lack is said once.
pub fn differences(
    headers: &Headers,
    questions: &[Question],
    answers: &[Result<i64, String>],
) -> Vec<String> {
    let place = format!("the headers in {} (VPP {})", headers.include.display(), headers.version);
    let mut lacking = BTreeSet::new();
    let mut differences = Vec::new();
    for (Question { subject, ours, property, expected, .. }, answer) in questions.iter().zip(answers) {
        let record = subject.split('.').next().unwrap_or(subject);
        match answer {
            Ok(found) if found == expected => {}
            Ok(found) => {
                differences
                    .push(format!("{subject}: {ours} has {property} {expected}, {place} have {found}"));
            }
            Err(_) if lacking.contains(subject.as_str()) || lacking.contains(record) => {}
            Err(reason) => {
                lacking.insert(subject.as_str());
                differences.push(format!("{subject}: {ours} has it, {place} do not: {reason}"));
            }
        }
    }
    differences
}

struct Questions(Vec<Question>);

impl Questions {
    fn ask(&mut self, subject: &str, ours: &str, property: &'static str, expected: i64, c: String) {
        self.0.push(Question { subject: subject.to_owned(), ours: ours.to_owned(), property, expected, c });
    }

    /// Every mirrored record, field and constant.
    fn of_mirror(&mut self) {
        let ours = "the mirror";
        for record in records() {
            let name = record.name;
            self.ask(name, ours, "alignment", record.align as i64, format!("_Alignof ({name})"));
            if !record.prefix {
                self.ask(name, ours, "size", record.size as i64, format!("sizeof ({name})"));
            }
            for field in record.named_fields() {
                let subject = format!("{name}.{}", field.name);
                let in_c = SizeInC::of(record, field);
                // C has no offset of a bit-field. A test of `raw` sets the bit and looks where it is.
                if in_c != SizeInC::Bits {
                    self.ask(&subject, ours, "offset", field.offset as i64, offset(name, field.name));
                }
                let size_of_field = format!("sizeof ((({name} *) 0)->{})", field.name);
                match in_c {
                    // C has no size of a flexible array.
                    SizeInC::Mirrored(0) | SizeInC::Rest | SizeInC::Bits => {}
                    SizeInC::Mirrored(size) => self.ask(&subject, ours, "size", size as i64, size_of_field),
                    SizeInC::OfRecord(whole) => {
                        self.ask(
                            &subject,
                            ours,
                            "surplus over its type",
                            0,
                            format!("{size_of_field} - sizeof ({whole})"),
                        );
                    }
                }
            }
        }
        for (name, value) in constants() {
            self.ask(name, ours, "value", *value, (*name).to_owned());
        }
    }

    /// The tables of the release that the headers are of.
    fn of_release(&mut self, version: &str, x86_64: bool) -> Result<(), String> {
        let unsupported = || release::Unsupported { found: version, wanted: &[] }.to_string();
        let release = release::identify(version).ok_or_else(unsupported)?;
        let ours = &format!("the table of {}", release.name);
        for table in release.tables() {
            let record = table.record;
            self.ask(record, ours, "size", table.size as i64, format!("sizeof ({record})"));
            for (field, expected) in table.rows {
                self.ask(
                    &format!("{record}.{field}"),
                    ours,
                    "offset",
                    expected as i64,
                    offset(record, field),
                );
            }
        }
        for field in release.optional_fields() {
            if let Some(expected) = field.offset {
                let subject = format!("{}.{}", field.record, field.name);
                self.ask(&subject, ours, "offset", expected as i64, offset(field.record, field.name));
            }
        }
        // The variants of another architecture are others.
        if x86_64 {
            for variant in release.march_variants {
                let name = variant.c_name();
                self.ask(&name, ours, "value", variant.index.into(), name.clone());
            }
            let count = release.march_variants.len() as i64;
            self.ask(MarchVariant::COUNT, ours, "value", count, MarchVariant::COUNT.to_owned());
        }
        Ok(())
    }
}

fn offset(record: &str, field: &str) -> String {
    format!("offsetof ({record}, {field})")
}
