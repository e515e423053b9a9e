//! What a real VPP needs of the system.

use std::fs;
use std::process::{Command, Stdio};

use super::check::{Check, Purpose, Status};

/// What a VPP of `cargo vpp run` takes, in kB: its heap, its buffers and its libraries.
const MEMORY: u64 = 768 * 1024;

pub(super) fn checks() -> Vec<Check> {
    let meminfo = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    vec![timeout(), shared_memory(), memory(&meminfo), workers(), huge_pages(&meminfo)]
}

fn check(name: &'static str, status: Status, found: impl Into<String>) -> Check {
    Check::new(Purpose::Vpp, name, status, found)
}

/// VPP runs under it, so that it ends even if `cargo vpp` is killed.
fn timeout() -> Check {
    if runs("timeout", &["1", "true"]) {
        check("timeout", Status::Ok, "there")
    } else {
        check("timeout", Status::Missing, "does not run").fix("sudo apt-get install coreutils")
    }
}

fn shared_memory() -> Check {
    const FOLDER: &str = "/dev/shm";
    match tempfile::Builder::new().prefix("vppkit-doctor-").tempfile_in(FOLDER) {
        Ok(_) => check("shared memory", Status::Ok, format!("{FOLDER} can be written")),
        Err(error) => {
            let exists = fs::metadata(FOLDER).is_ok_and(|folder| folder.is_dir());
            let fix = if exists {
                "sudo chmod 1777 /dev/shm"
            } else {
                "sudo mkdir -p /dev/shm && sudo mount -t tmpfs -o mode=1777 tmpfs /dev/shm"
            };
            check("shared memory", Status::Missing, error.to_string()).fix(fix)
        }
    }
}

fn memory(meminfo: &str) -> Check {
    match field(meminfo, "MemAvailable") {
        Some(available) if available < MEMORY => {
            let text = format!("{} MB available; a VPP takes up to {} MB", available / 1024, MEMORY / 1024);
            check("memory", Status::Note, text)
        }
        Some(available) => check("memory", Status::Ok, format!("{} MB available", available / 1024)),
        None => check("memory", Status::Note, "/proc/meminfo does not say how much is available"),
    }
}

/// VPP has at most one thread on a core, unless it gets a view of the machine with more of them.
fn workers() -> Check {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = match cores - 1 {
        1 => "1 worker has a core of its own".to_owned(),
        own => format!("{own} workers have cores of their own"),
    };
    let (unshare, args) = vppkit_driver::own_mounts().split_first().unwrap_or((&"unshare", &[]));
    if runs(unshare, &[args, &["true"]].concat()) {
        check("workers", Status::Ok, format!("{workers}; more share them, in a mount namespace"))
    } else {
        let text = format!("{workers}; more need a mount namespace, which root may make");
        check("workers", Status::Note, text).fix("sudo --preserve-env=PATH,HOME cargo vpp run ...")
    }
}

fn huge_pages(meminfo: &str) -> Check {
    let size = field(meminfo, "Hugepagesize").unwrap_or(0);
    match field(meminfo, "HugePages_Total") {
        Some(pages) if pages > 0 => {
            let free = field(meminfo, "HugePages_Free").unwrap_or(0);
            check("huge pages", Status::Ok, format!("{pages} of {size} kB, {free} free"))
        }
        _ => check(
            "huge pages",
            Status::Note,
            "none; `cargo vpp run` uses pages of 4 kB, only a VPP in service wants them",
        )
        .fix("sudo sysctl -w vm.nr_hugepages=1024"),
    }
}

/// A number of `/proc/meminfo`.
fn field(meminfo: &str, name: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

fn runs(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMINFO: &str = "\
MemTotal:       16316412 kB
MemAvailable:     524288 kB
HugePages_Total:     512
HugePages_Free:      500
HugePages_Rsvd:        0
Hugepagesize:       2048 kB
Hugetlb:         1048576 kB
";

    #[test]
    fn numbers_of_meminfo() {
        for (name, expected) in [
            ("MemTotal", Some(16_316_412)),
            ("HugePages_Total", Some(512)),
            ("Hugepagesize", Some(2048)),
            ("HugePages", None),
            ("Nothing", None),
        ] {
            assert_eq!(field(MEMINFO, name), expected, "{name}");
        }
        assert_eq!(field("MemTotal:\nMemFree: many kB\n", "MemTotal"), None);
        assert_eq!(field("MemTotal:\nMemFree: many kB\n", "MemFree"), None);
    }

    #[test]
    fn huge_pages_are_a_note_without_any() {
        let some = huge_pages(MEMINFO);
        assert_eq!((some.status, &*some.found), (Status::Ok, "512 of 2048 kB, 500 free"));
        for meminfo in ["HugePages_Total: 0\nHugepagesize: 2048 kB\n", ""] {
            let none = huge_pages(meminfo);
            assert_eq!(none.status, Status::Note);
            assert!(none.fix.is_some());
        }
    }

    #[test]
    fn little_memory_is_a_note() {
        assert_eq!(memory(MEMINFO).status, Status::Note);
        assert_eq!(memory("MemAvailable: 9999999 kB\n").status, Status::Ok);
        assert_eq!(memory("").status, Status::Note);
    }
}
