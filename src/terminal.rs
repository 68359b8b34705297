//! The entry point on a desktop computer: parses the command line, then runs a command or opens the window.

use lab::cli::{self, Invocation};
use lab::files::output::Failure;
use std::io::{self, Write};
use std::process::ExitCode;

pub fn main() -> ExitCode {
    let failed = |failure: Failure| (failure.status, failure.to_string());
    let done = match cli::parse(std::env::args_os()) {
        Ok((settings, Invocation::Run(options))) => cli::run(&settings, &options).map_err(failed),
        Ok((settings, Invocation::Compare(options))) => {
            cli::compare(&settings, &options).map_err(failed)
        }
        Ok((settings, Invocation::Sweep(options))) => {
            cli::sweep(&settings, &options).map_err(failed)
        }
        Ok((_, Invocation::List { json })) => cli::list(json).map_err(failed),
        Ok((_, Invocation::Capture(options))) => cli::capture(&options).map_err(failed),
        Ok((settings, Invocation::Window(options))) => {
            timeslice_lab::app::open(settings, options).map_err(|message| (1, message))
        }
        Err(exit) if exit.status == 0 => {
            print(io::stdout().lock(), &exit.text);
            Ok(())
        }
        Err(exit) => {
            print(io::stderr().lock(), &exit.text);
            return ExitCode::from(exit.status);
        }
    };
    let Err((status, message)) = done else {
        return ExitCode::SUCCESS;
    };
    print(io::stderr().lock(), &format!("timeslice-lab: {message}\n"));
    ExitCode::from(status)
}

fn print(mut out: impl Write, text: &str) {
    // Ignore errors, which mean that the reader has closed the pipe.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
