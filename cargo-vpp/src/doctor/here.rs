//! What the embedded host needs: nothing but a folder for temporary files.

use super::check::{Check, Purpose, Status};

pub(super) fn checks() -> Vec<Check> {
    vec![temporary_folder()]
}

fn temporary_folder() -> Check {
    let folder = std::env::temp_dir();
    let check = |status, found: String| Check::new(Purpose::Here, "temporary folder", status, found);
    match tempfile::tempdir() {
        Ok(_) => check(Status::Ok, format!("{} can be written", folder.display())),
        Err(error) => check(Status::Missing, error.to_string()).fix("export TMPDIR=/var/tmp"),
    }
}
