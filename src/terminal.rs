//! The entry point on a desktop computer: parses the command line, then runs a command or opens the window.

use lab::cli::{self, Invocation};
use lab::files::output::Failure;
use std::io::{self, Write};
use std::process::ExitCode;

pub fn main() -> ExitCode {
    let done = match cli::parse(std::env::args_os()) {
        Ok((settings, Invocation::Run(options))) => cli::run(&settings, &options),
        Ok((settings, Invocation::Compare(options))) => cli::compare(&settings, &options),
        Ok((settings, Invocation::Sweep(options))) => cli::sweep(&settings, &options),
        Ok((_, Invocation::List { json })) => cli::list(json),
        Ok((_, Invocation::Capture(options))) => cli::capture(&options),
        Ok((settings, Invocation::Window(options))) => {
            let opened = timeslice_lab::app::open(settings, options);
            opened.map_err(|message| Failure::new(message, 1))
        }
        Err(exit) if exit.status == 0 => {
            print(io::stdout().lock(), &exit.to_string());
            Ok(())
        }
        Err(exit) => {
            print(io::stderr().lock(), &exit.to_string());
            return ExitCode::from(exit.status);
        }
    };
    let Err(failure) = done else {
        return ExitCode::SUCCESS;
    };
    print(io::stderr().lock(), &format!("timeslice-lab: {failure}\n"));
    ExitCode::from(failure.status)
}

fn print(mut out: impl Write, text: &str) {
    // Ignore errors, which mean that the reader has closed the pipe.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
