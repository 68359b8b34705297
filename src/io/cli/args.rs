//! What may stand on the command line.

use super::VIEWS;
use crate::sim::settings::{Owner, all_knobs};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command, value_parser};
use std::path::PathBuf;
use timeslice::frame_loop::FRAME_LOOPS;
use timeslice::knob::Knob;
use timeslice::strategy::STRATEGIES;
use timeslice::time::Nanos;

/// The window's largest side in pixels; what is larger is no display's.
const MAX_SIDE: u32 = 16_384;

/// The most frames that are made before the window opens: half an hour of game time.
const MOST_STILL: u64 = 108_000;

/// The program's, with all of its commands.
pub(super) fn command() -> Command {
    let run = Command::new("run")
        .about(
            "Runs one lane on a simulated machine, without a window; a CSV line a frame on stdout",
        )
        .args(setting_args())
        .args(machine_args())
        .args(length_args())
        .args(run_args())
        .after_help("Tasks cost nothing unless --cost-us is set.");
    let compare = Command::new("compare")
        .about(
            "Runs every strategy on the same work, each on a simulated machine; a table on stdout, and a verdict each",
        )
        .args(setting_args())
        .mut_arg("strategy", |strategy| {
            strategy
                .action(ArgAction::Append)
                .help("Only this strategy; may be given several times")
        })
        .args(machine_args())
        .args(length_args())
        .arg(flag("json", "Prints every figure and the verdicts, as JSON"));
    let list = Command::new("list")
        .about("Lists strategies, frame loops, and knobs with their ranges, units and defaults")
        .arg(flag("json", "Prints JSON"));
    Command::new("timeslice-lab")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Shows and measures how game work can be spread over frames")
        .args_conflicts_with_subcommands(true)
        .subcommand_help_heading("Commands that need no window")
        .args(setting_args())
        .args(machine_args()) // of the lanes that view Compare shows
        .args(window_args())
        .subcommands([run, compare, list])
}

fn setting_args() -> Vec<Arg> {
    let mut args = vec![
        Arg::new("strategy")
            .long("strategy")
            .value_name("KEY")
            .value_parser(PossibleValuesParser::new(
                STRATEGIES.iter().map(|entry| entry.key),
            ))
            .help("Which tasks run in an update")
            .help_heading("What runs"),
        Arg::new("loop")
            .long("loop")
            .value_name("KEY")
            .value_parser(PossibleValuesParser::new(
                FRAME_LOOPS.iter().map(|entry| entry.key),
            ))
            .help("When updates happen")
            .help_heading("What runs"),
        Arg::new("seed")
            .long("seed")
            .value_name("N")
            .value_parser(parse_seed)
            .allow_hyphen_values(true)
            .help("What all chance comes from [default: 0]")
            .help_heading("What runs"),
    ];
    args.extend(knob_args(|owner| owner != Owner::Machine));
    args
}

fn machine_args() -> Vec<Arg> {
    knob_args(|owner| owner == Owner::Machine)
}

fn knob_args(wanted: impl Fn(Owner) -> bool) -> Vec<Arg> {
    let wanted = all_knobs().into_iter().filter(|&(owner, _)| wanted(owner));
    wanted.map(|(owner, knob)| knob_arg(owner, knob)).collect()
}

fn knob_arg(owner: Owner, knob: &'static Knob) -> Arg {
    let help = format!(
        "{} [{} to {}, default {}]",
        knob.help, knob.min, knob.max, knob.default
    );
    Arg::new(knob.key)
        .long(knob.key)
        .value_name(if knob.whole { "N" } else { "X" })
        .allow_hyphen_values(true)
        .value_parser(move |text: &str| knob.parse(text))
        .help(help)
        .help_heading(owner.name())
}

fn window_args() -> Vec<Arg> {
    vec![
        Arg::new("size")
            .long("size")
            .value_name("WxH")
            .value_parser(parse_size)
            .help("The window's size in pixels [default: 1280x800]"),
        Arg::new("view")
            .long("view")
            .value_name("NAME")
            .value_parser(PossibleValuesParser::new(VIEWS))
            .help("The view to open with"),
        Arg::new("vsync")
            .long("vsync")
            .value_name("on|off")
            .value_parser(PossibleValuesParser::new(["on", "off"]))
            .help("Whether frames wait for the display's refresh [default: on]"),
        Arg::new("still")
            .long("still")
            .value_name("N")
            .value_parser(parse_still)
            .allow_hyphen_values(true)
            .help("Opens at rest after N frames on a simulated machine: always the same picture"),
        Arg::new("frames")
            .long("frames")
            .value_name("N")
            .value_parser(parse_window_frames)
            .allow_hyphen_values(true)
            .help("Leaves after N frames"),
        path("screenshot", "Writes the last frame to FILE, as PNG"),
        path(
            "log",
            "Writes a line to FILE for each thing that happens; - is stdout",
        ),
    ]
}

fn length_args() -> Vec<Arg> {
    vec![
        Arg::new("frames")
            .long("frames")
            .value_name("N")
            .value_parser(parse_frames)
            .allow_hyphen_values(true)
            .conflicts_with("seconds")
            .help("Runs N frames"),
        Arg::new("seconds")
            .long("seconds")
            .value_name("X")
            .value_parser(parse_seconds)
            .allow_hyphen_values(true)
            .help(
                "Runs the frames that start within X seconds of the machine's time [default: 10]",
            ),
    ]
}

fn run_args() -> Vec<Arg> {
    vec![
        path(
            "csv",
            "Writes the CSV to FILE instead of stdout; - is stdout",
        ),
        path(
            "events",
            "Writes a CSV line for each run of a task to FILE; - is stdout, instead of the frames'",
        ),
        path(
            "trace",
            "Writes a trace to FILE that https://ui.perfetto.dev opens (Chrome trace events); - is stdout",
        ),
        flag(
            "summary",
            "Prints all figures, and what they mean, on stderr",
        ),
    ]
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .action(ArgAction::SetTrue)
        .help(help)
}

fn path(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .allow_hyphen_values(false)
        .help(help)
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| {
        text.parse::<u32>()
            .ok()
            .filter(|side| (1..=MAX_SIDE).contains(side))
    };
    text.split_once(['x', 'X'])
        .and_then(|(width, height)| side(width).zip(side(height)))
        .ok_or_else(|| {
            format!(
                "--size takes WIDTHxHEIGHT, each a whole number of pixels from 1 to {MAX_SIDE}, as in 1280x800, not '{text}'"
            )
        })
}

fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        format!(
            "--seed takes a whole number from 0 to {}, not '{text}'",
            u64::MAX
        )
    })
}

fn parse_frames(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("--frames takes a whole number from 0 up, not '{text}'"))
}

fn parse_window_frames(text: &str) -> Result<u64, String> {
    parse_frames(text)
        .ok()
        .filter(|&frames| frames > 0)
        .ok_or_else(|| format!("--frames takes a whole number from 1 up, not '{text}'"))
}

fn parse_still(text: &str) -> Result<u64, String> {
    parse_frames(text)
        .ok()
        .filter(|&frames| frames <= MOST_STILL)
        .ok_or_else(|| format!("--still takes a whole number from 0 to {MOST_STILL}, not '{text}'"))
}

fn parse_seconds(text: &str) -> Result<Nanos, String> {
    const WEEK: f64 = 7.0 * 24.0 * 3600.0;
    text.parse()
        .ok()
        .filter(|seconds| (0.0..=WEEK).contains(seconds))
        .map(Nanos::from_secs_f64)
        .ok_or_else(|| format!("--seconds takes a number from 0 to {WEEK}, not '{text}'"))
}
