//! Commands, through `vppctl`.

use std::os::unix::process::CommandExt as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::log::tail;
use crate::process::Vpp;

/// How long one command may take.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Why a command has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CliError {
    /// VPP is gone or does not answer.
    #[error("VPP does not answer `{command}`: {why}\nthe end of its log:\n{log}")]
    NoAnswer {
        /// The command.
        command: String,
        /// What went wrong.
        why: String,
        /// VPP's last lines.
        log: String,
    },
    /// VPP refuses.
    #[error("VPP refuses `{command}`: {answer}")]
    Refused {
        /// The command.
        command: String,
        /// What VPP says.
        answer: String,
    },
    /// The flag of [`Config::cancel`](crate::Config::cancel) was set.
    #[error("interrupted")]
    Interrupted,
}

impl Vpp {
    /// Gives VPP a command and returns what it prints.
    ///
    /// # Errors
    /// If VPP does not answer. What it prints may still say that it refused; see [`command`](Self::command).
    pub fn cli(&self, command: &str) -> Result<String, CliError> {
        let no_answer = |why: String| CliError::NoAnswer {
            command: command.to_owned(),
            why,
            log: tail(&self.folder().join("output"), 20),
        };
        let child = self
            .installation()
            .command("vppctl")
            .arg("-s")
            .arg(self.socket())
            .arg(command)
            // What a terminal sends to this program's group is not for vppctl.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|error| no_answer(error.to_string()))?;
        // A thread reads, so that a long answer does not block vppctl while the clock is watched here.
        let stdout = child.stdout.take();
        let reader = std::thread::spawn(move || {
            let mut text = Vec::new();
            if let Some(mut stdout) = stdout {
                let _ = std::io::Read::read_to_end(&mut stdout, &mut text);
            }
            text
        });
        let start = Instant::now();
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if self.is_cancelled() => {
                    end(&mut child);
                    return Err(CliError::Interrupted);
                }
                Ok(None) if start.elapsed() < TIMEOUT => std::thread::sleep(Duration::from_millis(2)),
                Ok(None) => {
                    end(&mut child);
                    return Err(no_answer(format!("no end after {} seconds", TIMEOUT.as_secs())));
                }
                Err(error) => return Err(no_answer(error.to_string())),
            }
        };
        let text = reader.join().unwrap_or_default();
        if !status.success() {
            return Err(no_answer(format!("vppctl: {status}")));
        }
        Ok(String::from_utf8_lossy(&text).replace('\r', ""))
    }

    /// Gives VPP a command that prints nothing if it worked.
    ///
    /// # Errors
    /// If VPP does not answer, or prints something: that is why it refused.
    pub fn command(&self, command: &str) -> Result<(), CliError> {
        let answer = self.cli(command)?;
        match answer.trim() {
            "" => Ok(()),
            answer => Err(CliError::Refused { command: command.to_owned(), answer: answer.to_owned() }),
        }
    }
}

fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
