//! Checks as lines or as data.

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use serde_json::json;

use super::check::{Check, Purpose, Status};

/// Colours are left out where standard output is no terminal.
pub(super) fn text(checks: &[Check]) {
    let width = checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    for purpose in Purpose::ALL {
        let bold = Style::new().bold();
        anstream::println!("{bold}{}{bold:#}", purpose.title());
        for Check { name, status, found, fix, .. } in checks.iter().filter(|check| check.purpose == purpose) {
            let style = style(*status);
            anstream::println!("  {style}{:<7}{style:#}  {name:<width$}  {found}", status.name());
            if let Some(fix) = fix {
                anstream::println!("           {:<width$}  mend: {fix}", "");
            }
        }
    }
}

fn style(status: Status) -> Style {
    let colour = match status {
        Status::Ok => AnsiColor::Green,
        Status::Missing => AnsiColor::Red,
        Status::Note => AnsiColor::Yellow,
    };
    colour.on_default()
}

pub(super) fn json(checks: &[Check], ready: bool) -> Result<()> {
    let checks = checks.iter().map(|check| {
        json!({
            "purpose": check.purpose.name(),
            "name": check.name,
            "status": check.status.name(),
            "found": check.found,
            "fix": check.fix,
        })
    });
    let value = json!({ "ready": ready, "checks": checks.collect::<Vec<_>>() });
    anstream::println!("{}", serde_json::to_string_pretty(&value)?);
    Ok(())
}
