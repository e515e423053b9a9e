//! `cargo vpp`: build and run VPP plugins written with vppkit.
//!
//! Exit codes: 0 for success; 1 if the plugin could not be built, loaded or run, or broke a rule while it ran; 2 for a
//! command line that makes no sense.

mod args;
mod build;
mod inspect;
mod print;
mod run;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cargo, Command};

fn main() -> ExitCode {
    let Cargo::Vpp(vpp) = Cargo::parse();
    let result = match vpp.command {
        Command::Run(args) => run::run(&args),
        Command::Inspect(args) => inspect::inspect(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
