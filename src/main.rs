//! The `timeslice-lab` program: opens the window, or does what a command asks for without one.

use std::process::ExitCode;
use timeslice_lab::cli::{self, Invocation};
use timeslice_lab::headless;

fn main() -> ExitCode {
    let done = match cli::parse(std::env::args_os()) {
        Ok(Invocation::Run(settings, options)) => headless::run(&settings, &options),
        Ok(Invocation::List { json }) => headless::list(json),
        Ok(Invocation::Window(_settings, _options)) => return ExitCode::FAILURE,
        Err(refusal) if refusal.status == 0 => {
            print!("{}", refusal.text);
            return ExitCode::SUCCESS;
        }
        Err(refusal) => {
            eprint!("{}", refusal.text);
            return ExitCode::from(2);
        }
    };
    match done {
        Err(failure) if !failure.is_closed_pipe() => {
            eprintln!("timeslice-lab: {failure}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
