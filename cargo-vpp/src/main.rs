//! `cargo vpp`: build and run VPP plugins written with vppkit.
//!
//! Exit codes: 0 for success; 1 if the plugin could not be built, loaded or run, or broke a rule while it ran, or if
//! something that is needed is missing; 2 for a command line that makes no sense; 130 if it was interrupted.

mod args;
mod build;
mod doctor;
mod inspect;
mod run;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cargo, Command};

fn main() -> ExitCode {
    let Cargo::Vpp(vpp) = Cargo::parse();
    let result = match vpp.command {
        Command::Run(args) => run::run(&args),
        Command::Inspect(args) => inspect::inspect(&args),
        Command::Doctor(args) => doctor::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
