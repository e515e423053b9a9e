//! One check: what was looked for, what was found, what mends it.

/// What something is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Build,
    Here,
    Vpp,
}

impl Purpose {
    pub(super) const ALL: [Self; 3] = [Self::Build, Self::Here, Self::Vpp];

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Build => "to build plugins",
            Self::Here => "to run them in the embedded host",
            Self::Vpp => "to run them in a real VPP",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Here => "run-here",
            Self::Vpp => "run-in-vpp",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It is there.
    Ok,
    /// It is needed.
    Missing,
    /// Good to know.
    Note,
}

impl Status {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Missing => "missing",
            Self::Note => "note",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Check {
    pub(super) purpose: Purpose,
    pub(super) name: &'static str,
    pub(super) status: Status,
    pub(super) found: String,
    /// A command.
    pub(super) fix: Option<String>,
}

impl Check {
    pub(super) fn new(
        purpose: Purpose,
        name: &'static str,
        status: Status,
        found: impl Into<String>,
    ) -> Self {
        Self { purpose, name, status, found: found.into(), fix: None }
    }

    pub(super) fn fix(mut self, command: impl Into<String>) -> Self {
        self.fix = Some(command.into());
        self
    }
}
