//! The parser of the command line. It runs and prints nothing.
//!
//! The declaration of each knob gives the name, range, default and help of its flag. The registries give the keys of
//! strategies and frame loops.

mod args;
mod render;

pub use render::{compare_line, loops_line, run_line, window_line};

use super::atomic_file;
use super::commands::{CompareOptions, RunOptions};
use crate::sim::lane::Length;
use crate::sim::settings::{Settings, all_knobs};
use crate::sim::world::Point;
use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue};
use std::error::Error;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use timeslicer::frame_loop;
use timeslicer::strategy;
use timeslicer::strategy::{STRATEGIES, StrategyEntry};
use timeslicer::time::Nanos;

#[derive(Clone, Debug)]
pub enum Invocation {
    Window(Settings, WindowOptions),
    Run(Settings, RunOptions),
    /// Run each strategy in the options on the same work, and ignore the strategy in the settings.
    Compare(Settings, CompareOptions),
    List {
        json: bool,
    },
}

/// How to open the window, and when to quit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowOptions {
    /// Width and height in logical pixels.
    pub size: (u32, u32),
    /// The view to open with, one of [`VIEWS`].
    pub view: &'static str,
    pub vsync: bool,
    /// Open paused after this many frames on a simulated machine, for a picture that is always the same.
    pub still: Option<u64>,
    pub frames: Option<u64>,
    pub screenshot: Option<PathBuf>,
    pub record: Option<PathBuf>,
    /// Log events to this file, one per line: for tests and scripts.
    pub log: Option<PathBuf>,
    /// Open with the tour. Only the address of a page sets this.
    pub tour: bool,
}

impl Default for WindowOptions {
    fn default() -> Self {
        Self {
            size: (1280, 800),
            view: VIEWS[0],
            vsync: true,
            still: None,
            frames: None,
            screenshot: None,
            record: None,
            log: None,
            tour: false,
        }
    }
}

pub static VIEWS: &[&str] = &["grid", "compare", "loops"];

/// Help, the version or an error: the program prints it and exits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlyExit {
    /// Text for standard output if `status` is 0, else for standard error.
    pub text: String,
    /// The exit status: 0 for help, 2 for a bad argument.
    pub status: i32,
}

/// Parses a command line, whose first word is the program's name.
///
/// # Errors
/// If the command line asks for help or the version, or an argument is invalid. An error's text names the flag, the
/// value and the allowed values.
pub fn parse<I, T>(arguments: I) -> Result<Invocation, EarlyExit>
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    let matches = args::command()
        .try_get_matches_from(arguments)
        .map_err(|error| exit(&error))?;
    Ok(match matches.subcommand() {
        Some(("run", run)) => Invocation::Run(settings(run), run_options(run)?),
        Some(("compare", compare)) => {
            Invocation::Compare(settings(compare), compare_options(compare))
        }
        Some(("list", list)) => Invocation::List {
            json: list.get_flag("json"),
        },
        _ => Invocation::Window(settings(&matches), window_options(&matches)?),
    })
}

fn exit(error: &clap::Error) -> EarlyExit {
    // Our own parsers return complete sentences. Clap wraps each in an error of its own, so look inside.
    let text = match (number_for_key(error), error.source()) {
        (Some(own), _) => error_text(own),
        (None, Some(own)) => error_text(own),
        (None, None) => error.to_string(),
    };
    EarlyExit {
        text,
        status: error.exit_code(),
    }
}

/// Returns the error for a number instead of a strategy or frame loop. The error names the key that the user may mean,
/// because strategies have numbers in the window and in `list`.
fn number_for_key(error: &clap::Error) -> Option<String> {
    let text = |kind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.as_str()),
        _ => None,
    };
    let flag = text(ContextKind::InvalidArg)?.strip_suffix(" <KEY>")?;
    let value = text(ContextKind::InvalidValue)?;
    let number: usize = value.parse().ok()?;
    let ContextValue::Strings(keys) = error.get(ContextKind::ValidValue)? else {
        return None;
    };
    let meant = number.checked_sub(1).and_then(|index| keys.get(index));
    let hint = meant.map(|key| format!("; number {number} of them is {key}"));
    let (keys, hint) = (keys.join(", "), hint.unwrap_or_default());
    Some(format!("{flag} takes one of {keys}, not '{value}'{hint}"))
}

fn error_text(message: impl Display) -> String {
    format!("error: {message}\n\nFor more information, try '--help'.\n")
}

fn settings(matches: &ArgMatches) -> Settings {
    let mut settings = Settings::default();
    let chosen = |name| matches.get_one::<String>(name);
    if let Some(entry) = chosen("strategy").and_then(|key| strategy::by_key(key)) {
        settings.strategy = entry;
    }
    if let Some(entry) = chosen("loop").and_then(|key| frame_loop::by_key(key)) {
        settings.frame_loop = entry;
    }
    if let Some(&seed) = matches.get_one::<u64>("seed") {
        settings.seed = seed;
    }
    settings.target = matches.get_one::<Point>("target").copied();
    for (_, knob) in all_knobs() {
        if let Some(&value) = matches.get_one::<f64>(knob.key) {
            settings.knobs.set(knob, value);
        }
    }
    settings
}

fn window_options(matches: &ArgMatches) -> Result<WindowOptions, EarlyExit> {
    let default = WindowOptions::default();
    let view = matches.get_one::<String>("view");
    let options = WindowOptions {
        size: matches.get_one("size").copied().unwrap_or(default.size),
        view: view
            .and_then(|name| VIEWS.iter().find(|view| *view == name))
            .unwrap_or(&default.view),
        vsync: matches
            .get_one::<String>("vsync")
            .is_none_or(|vsync| vsync == "on"),
        still: matches.get_one("still").copied(),
        frames: matches.get_one("frames").copied(),
        screenshot: matches.get_one("screenshot").cloned(),
        record: matches.get_one("record").cloned(),
        log: matches.get_one("log").cloned(),
        tour: false,
    };
    if let (Some(record), Some(_)) = (&options.record, options.still) {
        return Err(bad_argument(format_args!(
            "--record {} cannot be combined with --still: a still is paused; --screenshot saves its picture",
            record.display()
        )));
    }
    check_outputs(&[
        ("--screenshot", &options.screenshot),
        ("--record", &options.record),
        ("--log", &options.log),
    ])?;
    Ok(options)
}

fn length(matches: &ArgMatches) -> Length {
    match (matches.get_one("frames"), matches.get_one("seconds")) {
        (Some(&frames), _) => Length::Frames(frames),
        (None, Some(&seconds)) => Length::Time(seconds),
        (None, None) => Length::Time(Nanos::from_secs(10)),
    }
}

fn compare_options(matches: &ArgMatches) -> CompareOptions {
    let chosen = matches.get_many::<String>("strategy").unwrap_or_default();
    let mut strategies: Vec<&StrategyEntry> = Vec::new();
    for entry in chosen.filter_map(|key| strategy::by_key(key)) {
        if !strategies.contains(&entry) {
            strategies.push(entry);
        }
    }
    if strategies.is_empty() {
        strategies = STRATEGIES.to_vec();
    }
    CompareOptions {
        strategies,
        length: length(matches),
        json: matches.get_flag("json"),
    }
}

fn run_options(matches: &ArgMatches) -> Result<RunOptions, EarlyExit> {
    let options = RunOptions {
        length: length(matches),
        csv: matches.get_one("csv").cloned(),
        events: matches.get_one("events").cloned(),
        trace: matches.get_one("trace").cloned(),
        summary: matches.get_flag("summary"),
    };
    check_outputs(&[
        ("--csv", &options.csv),
        ("--events", &options.events),
        ("--trace", &options.trace),
    ])?;
    Ok(options)
}

/// Checks that no two of these flags write to the same file.
fn check_outputs(outputs: &[(&str, &Option<PathBuf>)]) -> Result<(), EarlyExit> {
    let outputs: Vec<(&str, &PathBuf)> = outputs
        .iter()
        .filter_map(|(flag, path)| Some((*flag, path.as_ref()?)))
        .collect();
    for (number, (flag, path)) in outputs.iter().enumerate() {
        let mut earlier = outputs[..number].iter();
        if let Some((other, _)) = earlier.find(|(_, other)| is_same_file(path, other)) {
            return Err(bad_argument(format_args!(
                "{other} and {flag} cannot both write to '{}'",
                path.display()
            )));
        }
    }
    Ok(())
}

fn bad_argument(message: impl Display) -> EarlyExit {
    EarlyExit {
        text: error_text(message),
        status: 2,
    }
}

/// Returns true if two outputs would overwrite each other.
fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other
        || atomic_file::resolved(one).is_some_and(|one| atomic_file::resolved(other) == Some(one))
}

#[cfg(test)]
mod tests;
