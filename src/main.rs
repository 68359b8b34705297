//! The `timeslice-lab` program: opens the window, or does what a command asks for without one.

#![deny(unsafe_code)]

#[cfg(feature = "window")]
mod app;

use std::process::ExitCode;
use timeslice_lab::cli::{self, Invocation, WindowOptions};
use timeslice_lab::headless;
use timeslice_lab::settings::Settings;

fn main() -> ExitCode {
    let done = match cli::parse(std::env::args_os()) {
        Ok(Invocation::Run(settings, options)) => headless::run(&settings, &options),
        Ok(Invocation::Compare(settings, options)) => headless::compare(&settings, &options),
        Ok(Invocation::List { json }) => headless::list(json),
        Ok(Invocation::Window(settings, options)) => return open_window(settings, options),
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

#[cfg(feature = "window")]
fn open_window(settings: Settings, options: WindowOptions) -> ExitCode {
    match app::open(settings, options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("timeslice-lab: {sentence}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(feature = "window"))]
fn open_window(_: Settings, _: WindowOptions) -> ExitCode {
    eprintln!(
        "timeslice-lab: this program was built without its window (feature `window`); \
         `timeslice-lab run`, `compare` and `list` need none"
    );
    ExitCode::FAILURE
}
