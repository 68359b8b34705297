//! The program on a computer: reads the command line, then runs a command or opens the window.

use headless::io::atomic_file::Failure;
use headless::io::cli::{self, Invocation};
use headless::io::commands;
use std::io::{self, Write};
use std::process::ExitCode;

pub fn main() -> ExitCode {
    match cli::parse(std::env::args_os()) {
        Ok((settings, Invocation::Run(options))) => exit_code(commands::run(&settings, &options)),
        Ok((settings, Invocation::Compare(options))) => {
            exit_code(commands::compare(&settings, &options))
        }
        Ok((_, Invocation::List { json })) => exit_code(commands::list(json)),
        Ok((settings, Invocation::Window(options))) => {
            match timeslice_lab::app::open(settings, options) {
                Ok(()) => ExitCode::SUCCESS,
                Err(message) => {
                    print_error(&message);
                    ExitCode::FAILURE
                }
            }
        }
        Err(exit) if exit.status == 0 => {
            print(io::stdout().lock(), &exit.text);
            ExitCode::SUCCESS
        }
        Err(exit) => {
            print(io::stderr().lock(), &exit.text);
            ExitCode::from(2)
        }
    }
}

fn exit_code(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            print_error(&failure.to_string());
            ExitCode::from(failure.status)
        }
    }
}

fn print_error(message: &str) {
    print(io::stderr().lock(), &format!("timeslice-lab: {message}\n"));
}

fn print(mut out: impl Write, text: &str) {
    // Ignore failures: the reader has left.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
