//! Declarations of the flags and commands.

use super::VIEWS;
use crate::sim::settings::{Owner, Settings, all_knobs};
use crate::sim::world::{HEIGHT, Point, WIDTH};
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, Command, value_parser};
use std::path::PathBuf;
use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::knob::Knob;
use timeslicer::strategy::STRATEGIES;
use timeslicer::time::Nanos;

/// Longest side of the window in pixels; no display is larger.
const MAX_SIDE: u32 = 16_384;

/// Most frames to simulate before the window opens: half an hour of game time.
const MOST_STILL: u64 = 108_000;

/// Examples at the end of each command's help. Each purpose is a comment above its line, so that a line can be copied.
const WINDOW_EXAMPLES: &str = "\
Examples:
  # Open the window
  timeslice-lab
  # See hitches: all tasks in one frame
  timeslice-lab --strategy all-at-once --entities 2000
  # See every strategy on the same work
  timeslice-lab --view compare --entities 2000 --cost-us 50
  # See frame loops with 25 updates per second
  timeslice-lab --view loops --step-ms 40";

const RUN_EXAMPLES: &str = "\
Examples:
  # Save a line per frame
  timeslice-lab run --entities 100 > frames.csv
  # Print the figures, too
  timeslice-lab run --strategy all-at-once --csv frames.csv --summary
  # Save each run of a task, too
  timeslice-lab run --strategy time-budget --seconds 60 --events runs.csv > frames.csv
  # See the updates of a fixed step
  timeslice-lab run --loop fixed-step --display-hz 144 --frames 20";

const COMPARE_EXAMPLES: &str = "\
Examples:
  # Compare every strategy
  timeslice-lab compare
  # Compare on more work, for a minute
  timeslice-lab compare --entities 2000 --cost-us 50 --seconds 60
  # Compare two on a fast display
  timeslice-lab compare --strategy fixed-interval --strategy stagger-groups --display-hz 144
  # Save every figure
  timeslice-lab compare --json > compare.json";

const LIST_EXAMPLES: &str = "\
Examples:
  # Show strategies, frame loops and knobs
  timeslice-lab list
  # Find what has a budget
  timeslice-lab list | grep budget
  # Print JSON
  timeslice-lab list --json
  # Save JSON for a script
  timeslice-lab list --json > list.json";

/// Returns the program's command line with all of its commands.
pub(super) fn command() -> Command {
    let run = Command::new("run")
        .about("Run one strategy on a simulated machine and print a CSV line per frame")
        .args(setting_args())
        .args(length_args(0))
        .args(run_args())
        .after_help(RUN_EXAMPLES);
    let compare = Command::new("compare")
        .about(
            "Run every strategy on the same work, each on its own simulated machine, and print a table and verdicts",
        )
        .args(setting_args())
        .mut_arg("strategy", |strategy| {
            strategy
                .action(ArgAction::Append)
                .help("Compare only this strategy; can be repeated [default: all]")
        })
        .args(length_args(1))
        .arg(flag("json", "Print every figure and verdict as JSON"))
        .after_help(COMPARE_EXAMPLES);
    let list = Command::new("list")
        .about("List strategies, frame loops, and knobs with their ranges, units and defaults")
        .arg(flag("json", "Print JSON"))
        .after_help(LIST_EXAMPLES);
    Command::new("timeslice-lab")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Show and measure strategies that spread game work over frames")
        .args_conflicts_with_subcommands(true)
        .subcommand_help_heading("Commands without a window")
        .args(setting_args())
        .args(window_args())
        .subcommands([run, compare, list])
        .after_help(WINDOW_EXAMPLES)
}

fn setting_args() -> Vec<Arg> {
    let defaults = Settings::default();
    let strategies = STRATEGIES.iter().map(|entry| entry.key);
    let frame_loops = FRAME_LOOPS.iter().map(|entry| entry.key);
    let lane = [
        value("strategy", "KEY")
            .value_parser(PossibleValuesParser::new(strategies))
            .help(format!(
                "Strategy that picks the tasks of each update [default: {}]",
                defaults.strategy.key
            )),
        value("loop", "KEY")
            .value_parser(PossibleValuesParser::new(frame_loops))
            .help(format!(
                "Frame loop that decides when updates happen [default: {}]",
                defaults.frame_loop.key
            )),
        number("seed", "N").value_parser(parse_seed).help(format!(
            "Seed of all random numbers [default: {}]",
            defaults.seed
        )),
        number("target", "X,Y")
            .value_parser(parse_target)
            .help(format!(
                "Point where the target rests, in a world {WIDTH} wide and {HEIGHT} high [default: it moves]"
            )),
    ];
    let lane = lane.map(|arg| arg.help_heading("Lane"));
    let mut knobs = all_knobs();
    knobs.sort_by_key(|(owner, _)| *owner == Owner::Machine); // last in the help
    let knobs = knobs.into_iter().map(|(owner, knob)| knob_arg(owner, knob));
    lane.into_iter().chain(knobs).collect()
}

fn knob_arg(owner: Owner, knob: &'static Knob) -> Arg {
    let help = knob.help.trim_end_matches('.');
    let range = format!("{} to {} {}", knob.min, knob.max, knob.unit);
    let range = range.trim_end();
    number(knob.key, if knob.whole { "N" } else { "X" })
        .value_parser(|text: &str| knob.parse(text))
        .help(format!("{help} [{range}] [default: {}]", knob.default))
        .help_heading(owner.name())
}

fn window_args() -> Vec<Arg> {
    vec![
        value("size", "WxH")
            .value_parser(parse_size)
            .help("Window size in pixels [default: 1280x800]"),
        value("view", "NAME")
            .value_parser(PossibleValuesParser::new(VIEWS))
            .help(format!("View to open [default: {}]", VIEWS[0])),
        value("vsync", "on|off")
            .value_parser(PossibleValuesParser::new(["on", "off"]))
            .help("Wait for the display's refresh [default: on]"),
        number("still", "N")
            .value_parser(parse_still)
            .help("Open paused after N frames on a simulated machine, for a reproducible picture"),
        number("frames", "N")
            .value_parser(|text: &str| parse_frames(text, 1))
            .help("Quit after N frames"),
        path("screenshot", "Save the last frame to FILE as PNG"),
        path(
            "record",
            "Record all frames, at most a minute, to FILE as animated GIF",
        )
        .value_name("FILE.gif")
        .value_parser(PathBufValueParser::new().try_map(parse_record)),
        path("log", "Log events to FILE, one per line; - is stdout"),
    ]
}

/// The length of a run, of at least this many frames.
fn length_args(least_frames: u64) -> Vec<Arg> {
    vec![
        number("frames", "N")
            .value_parser(move |text: &str| parse_frames(text, least_frames))
            .conflicts_with("seconds")
            .help("Number of frames to run"),
        number("seconds", "X")
            .value_parser(move |text: &str| parse_seconds(text, least_frames))
            .help("Simulated time to run, in seconds [default: 10]"),
    ]
}

fn run_args() -> Vec<Arg> {
    vec![
        path("csv", "Write the CSV of frames to FILE [default: stdout]"),
        path(
            "events",
            "Write a CSV line per task run to FILE; - is stdout, in place of the frames",
        ),
        path(
            "trace",
            "Write a Chrome trace to FILE, for https://ui.perfetto.dev; - is stdout, in place of the frames",
        ),
        flag("summary", "Print all figures and a verdict on stderr"),
    ]
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    let flag = Arg::new(name).long(name).action(ArgAction::SetTrue);
    flag.help(help)
}

fn value(name: &'static str, placeholder: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(placeholder)
}

/// A flag that takes one or more numbers, which may be negative by mistake.
fn number(name: &'static str, placeholder: &'static str) -> Arg {
    value(name, placeholder).allow_hyphen_values(true)
}

fn path(name: &'static str, help: &'static str) -> Arg {
    let path = value(name, "FILE").value_parser(value_parser!(PathBuf));
    path.help(help)
}

/// Returns the value, or an error that says what the flag takes.
fn or_error<T>(value: Option<T>, flag: &str, takes: &str, text: &str) -> Result<T, String> {
    value.ok_or_else(|| format!("--{flag} takes {takes}, not '{text}'"))
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let pixels = |text: &str| {
        let pixels = text.parse::<u32>().ok();
        pixels.filter(|pixels| (1..=MAX_SIDE).contains(pixels))
    };
    let size = text
        .split_once(['x', 'X'])
        .and_then(|(width, height)| pixels(width).zip(pixels(height)));
    let takes = format!("WIDTHxHEIGHT in pixels, each from 1 to {MAX_SIDE} (for example 1280x800)");
    or_error(size, "size", &takes, text)
}

fn parse_record(path: PathBuf) -> Result<PathBuf, String> {
    let is_gif = path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("gif"));
    let name = path.display().to_string();
    let path = is_gif.then_some(path);
    or_error(path, "record", "a file whose name ends in .gif", &name)
}

fn parse_seed(text: &str) -> Result<u64, String> {
    let takes = format!("a whole number from 0 to {}", u64::MAX);
    or_error(text.parse().ok(), "seed", &takes, text)
}

fn parse_target(text: &str) -> Result<Point, String> {
    let number = |text: &str| text.parse::<f32>().ok();
    let point = text
        .split_once(',')
        .and_then(|(x, y)| number(x).zip(number(y)))
        .map(|(x, y)| Point { x, y })
        .filter(|point| point.is_in_plane());
    let takes =
        format!("X,Y with X from 0 to {WIDTH} and Y from 0 to {HEIGHT} (for example 0.5,0.25)");
    or_error(point, "target", &takes, text)
}

fn parse_frames(text: &str, least: u64) -> Result<u64, String> {
    let frames = text.parse().ok().filter(|&frames| frames >= least);
    let takes = format!("a whole number of at least {least}");
    or_error(frames, "frames", &takes, text)
}

fn parse_still(text: &str) -> Result<u64, String> {
    let frames = text.parse().ok().filter(|&frames| frames <= MOST_STILL);
    let takes = format!("a whole number from 0 to {MOST_STILL}");
    or_error(frames, "still", &takes, text)
}

fn parse_seconds(text: &str, least_frames: u64) -> Result<Nanos, String> {
    const WEEK: f64 = 7.0 * 24.0 * 3600.0;
    let from = match least_frames {
        0 => "from 0",
        _ => "above 0 and up",
    };
    let seconds = text.parse().ok();
    let span = seconds
        .filter(|seconds| (0.0..=WEEK).contains(seconds))
        .map(Nanos::from_secs_f64)
        .filter(|&span| least_frames == 0 || !span.is_zero());
    or_error(
        span,
        "seconds",
        &format!("a number {from} to {WEEK} s"),
        text,
    )
}
