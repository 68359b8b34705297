//! Declarations of the flags and commands.

use super::VIEWS;
use super::examples;
use super::registry_key::RegistryKey;
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

/// Returns the program's command line with all of its commands.
pub(super) fn command() -> Command {
    let run = Command::new("run")
        .about("Run one strategy on a simulated machine and print a CSV line per frame")
        .args(setting_args())
        .args(machine_args())
        .args(length_args(Shortest::NoFrame))
        .args(run_args())
        .after_help(examples::text(&examples::RUN));
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
        .args(machine_args())
        .args(length_args(Shortest::OneFrame))
        .arg(flag("json", "Print every figure and verdict as JSON"))
        .after_help(examples::text(&examples::COMPARE));
    let list = Command::new("list")
        .about("List strategies, frame loops, and knobs with their ranges, units and defaults")
        .arg(flag("json", "Print JSON"))
        .after_help(examples::text(&examples::LIST));
    Command::new("timeslice-lab")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Show and measure strategies that spread game work over frames")
        .args_conflicts_with_subcommands(true)
        .subcommand_help_heading("Commands without a window")
        .args(setting_args())
        .args(machine_args()) // for the lanes of view Compare
        .args(window_args())
        .subcommands([run, compare, list])
        .after_help(examples::text(&examples::WINDOW))
}

fn setting_args() -> Vec<Arg> {
    let defaults = Settings::default();
    let mut args = vec![
        Arg::new("strategy")
            .long("strategy")
            .value_name("KEY")
            .value_parser(RegistryKey::new(
                "strategy",
                STRATEGIES.iter().map(|entry| entry.key),
            ))
            .help(format!(
                "Strategy that picks the tasks of each update [default: {}]",
                defaults.strategy.key
            ))
            .help_heading("Lane"),
        Arg::new("loop")
            .long("loop")
            .value_name("KEY")
            .value_parser(RegistryKey::new(
                "loop",
                FRAME_LOOPS.iter().map(|entry| entry.key),
            ))
            .help(format!(
                "Frame loop that decides when updates happen [default: {}]",
                defaults.frame_loop.key
            ))
            .help_heading("Lane"),
        Arg::new("seed")
            .long("seed")
            .value_name("N")
            .value_parser(parse_seed)
            .allow_hyphen_values(true)
            .help(format!(
                "Seed of all random numbers [default: {}]",
                defaults.seed
            ))
            .help_heading("Lane"),
        Arg::new("target")
            .long("target")
            .value_name("X,Y")
            .value_parser(parse_target)
            .allow_hyphen_values(true)
            .help(format!(
                "Point where the target rests, in a world {WIDTH} wide and {HEIGHT} high [default: it moves]"
            ))
            .help_heading("Lane"),
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
    Arg::new(knob.key)
        .long(knob.key)
        .value_name(if knob.whole { "N" } else { "X" })
        .allow_hyphen_values(true)
        .value_parser(move |text: &str| knob.parse(text))
        .help(knob_help(knob))
        .help_heading(owner.name())
}

fn knob_help(knob: &Knob) -> String {
    let help = knob.help.trim_end_matches('.');
    let range = format!("{} to {} {}", knob.min, knob.max, knob.unit);
    format!("{help} [{}] [default: {}]", range.trim_end(), knob.default)
}

fn window_args() -> Vec<Arg> {
    vec![
        Arg::new("size")
            .long("size")
            .value_name("WxH")
            .value_parser(parse_size)
            .help("Window size in pixels [default: 1280x800]"),
        Arg::new("view")
            .long("view")
            .value_name("NAME")
            .value_parser(PossibleValuesParser::new(VIEWS))
            .help(format!("View to open [default: {}]", VIEWS[0])),
        Arg::new("vsync")
            .long("vsync")
            .value_name("on|off")
            .value_parser(PossibleValuesParser::new(["on", "off"]))
            .help("Wait for the display's refresh [default: on]"),
        Arg::new("still")
            .long("still")
            .value_name("N")
            .value_parser(parse_still)
            .allow_hyphen_values(true)
            .help("Open paused after N frames on a simulated machine, for a reproducible picture"),
        Arg::new("frames")
            .long("frames")
            .value_name("N")
            .value_parser(|text: &str| parse_frames(text, 1))
            .allow_hyphen_values(true)
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

/// The shortest length that a command accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shortest {
    /// For `run`, which then prints nothing but headers.
    NoFrame,
    /// For `compare`, which has nothing to compare without a frame.
    OneFrame,
}

fn length_args(shortest: Shortest) -> Vec<Arg> {
    let least_frames = match shortest {
        Shortest::NoFrame => 0,
        Shortest::OneFrame => 1,
    };
    vec![
        Arg::new("frames")
            .long("frames")
            .value_name("N")
            .value_parser(move |text: &str| parse_frames(text, least_frames))
            .allow_hyphen_values(true)
            .conflicts_with("seconds")
            .help("Number of frames to run"),
        Arg::new("seconds")
            .long("seconds")
            .value_name("X")
            .value_parser(move |text: &str| parse_seconds(text, shortest))
            .allow_hyphen_values(true)
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
                "--size takes WIDTHxHEIGHT in pixels, each from 1 to {MAX_SIDE} (for example 1280x800), not '{text}'"
            )
        })
}

fn parse_record(path: PathBuf) -> Result<PathBuf, String> {
    let is_gif = path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("gif"));
    if is_gif {
        return Ok(path);
    }
    let name = path.display();
    Err(format!(
        "--record takes a file whose name ends in .gif, not '{name}'"
    ))
}

fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        format!(
            "--seed takes a whole number from 0 to {}, not '{text}'",
            u64::MAX
        )
    })
}

fn parse_target(text: &str) -> Result<Point, String> {
    let number = |text: &str| text.parse::<f32>().ok();
    text.split_once(',')
        .and_then(|(x, y)| number(x).zip(number(y)))
        .map(|(x, y)| Point { x, y })
        .filter(|point| point.is_in_plane())
        .ok_or_else(|| {
            format!(
                "--target takes X,Y with X from 0 to {WIDTH} and Y from 0 to {HEIGHT} (for example 0.5,0.25), not '{text}'"
            )
        })
}

fn parse_frames(text: &str, least: u64) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|&frames| frames >= least)
        .ok_or_else(|| format!("--frames takes a whole number of at least {least}, not '{text}'"))
}

fn parse_still(text: &str) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|&frames| frames <= MOST_STILL)
        .ok_or_else(|| format!("--still takes a whole number from 0 to {MOST_STILL}, not '{text}'"))
}

fn parse_seconds(text: &str, shortest: Shortest) -> Result<Nanos, String> {
    const WEEK: f64 = 7.0 * 24.0 * 3600.0;
    let (from, is_long_enough): (&str, fn(Nanos) -> bool) = match shortest {
        Shortest::NoFrame => ("from 0", |_| true),
        Shortest::OneFrame => ("above 0 and up", |span| !span.is_zero()),
    };
    text.parse()
        .ok()
        .filter(|seconds| (0.0..=WEEK).contains(seconds))
        .map(Nanos::from_secs_f64)
        .filter(|&span| is_long_enough(span))
        .ok_or_else(|| format!("--seconds takes a number {from} to {WEEK} s, not '{text}'"))
}
