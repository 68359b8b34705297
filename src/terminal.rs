//! The program as a terminal starts it: reads the command line, opens the window, or does what a command asks for
//! without one.

use std::io::{self, Write};
use std::process::ExitCode;
use timeslice_lab::io::atomic_file::Failure;
use timeslice_lab::io::cli::{self, Invocation, WindowOptions};
use timeslice_lab::io::headless;
use timeslice_lab::sim::settings::Settings;

/// Does what the command line asks for.
pub fn main() -> ExitCode {
    match cli::parse(std::env::args_os()) {
        Ok(Invocation::Run(settings, options)) => ended(headless::run(&settings, &options)),
        Ok(Invocation::Compare(settings, options)) => ended(headless::compare(&settings, &options)),
        Ok(Invocation::List { json }) => ended(headless::list(json)),
        Ok(Invocation::Window(settings, options)) => match open_window(settings, options) {
            Ok(()) => ExitCode::SUCCESS,
            Err(sentence) => failed(&sentence),
        },
        Err(exit) if exit.status == 0 => {
            say(io::stdout().lock(), &exit.text);
            ExitCode::SUCCESS
        }
        Err(exit) => {
            say(io::stderr().lock(), &exit.text);
            ExitCode::from(2)
        }
    }
}

fn ended(command: Result<(), Failure>) -> ExitCode {
    match command {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failed(&failure.to_string());
            ExitCode::from(failure.status())
        }
    }
}

fn failed(sentence: &str) -> ExitCode {
    say(io::stderr().lock(), &format!("timeslice-lab: {sentence}\n"));
    ExitCode::FAILURE
}

fn say(mut out: impl Write, text: &str) {
    // Where nobody listens any more there is nobody to tell.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

#[cfg(feature = "window")]
fn open_window(settings: Settings, options: WindowOptions) -> Result<(), String> {
    timeslice_lab::app::open(settings, options)
}

#[cfg(not(feature = "window"))]
fn open_window(_: Settings, _: WindowOptions) -> Result<(), String> {
    let sentence = "this program was built without its window (feature `window`); \
                    `timeslice-lab run`, `compare` and `list` need none";
    Err(sentence.to_owned())
}
