//! Parses the command line. The parser does not run commands, and the only files that it reads are those passed to
//! `--costs` and `--frame-times`, with a progress bar if they are large.
//!
//! Each knob has a flag, which takes its name, range, default and help from the knob's declaration. The options of a
//! single command are declared in the command's file, and their doc comments are the help texts. The examples at the end
//! of the help texts are in `examples/`. Each explanation is a shell comment on a line of its own, so that the command
//! below it can be copied as it is.

pub(super) mod values;

use super::capture::{self, CaptureOptions};
use super::{CompareOptions, RunOptions, SweepOptions};
use crate::catalog::frame_loop::FrameLoopEntry;
use crate::catalog::knob::Knob;
use crate::catalog::strategy::knobs::BUDGET;
use crate::catalog::strategy::{STRATEGIES, StrategyEntry};
use crate::files::measured;
use crate::files::output::{self, Failure};
use crate::import::Choice;
use crate::recommend::{LONGEST_LIMIT, Limits, NEAR_LIMIT, WAIT_LIMIT};
use crate::sim::disturbance::{Disturbance, Scheduled};
use crate::sim::lane::Length;
use crate::sim::recording::Recording;
use crate::sim::settings::{Owner, Settings, all_knobs};
use crate::sim::world::{HEIGHT, WIDTH};
use crate::text::format::listed;
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand,
    ValueEnum, value_parser,
};
use std::error::Error;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::PathBuf;
use timeslicer::time::Nanos;

/// The three views of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum View {
    // One strategy on this computer, with plots and a table.
    Grid,
    // All strategies side by side, each on its own simulated machine.
    Compare,
    // All frame loops side by side, each on two simulated machines.
    Loops,
}

impl View {
    pub const ALL: [Self; 3] = [Self::Grid, Self::Compare, Self::Loops];

    /// Returns the name of the view in the interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grid => "Grid",
            Self::Compare => "Compare",
            Self::Loops => "Loops",
        }
    }

    /// Returns the name of the view on the command line.
    pub fn key(self) -> String {
        self.name().to_lowercase()
    }
}

/// The maximum number of frames to simulate before the window opens, which is half an hour of game time.
const MAX_STILL: u64 = 108_000;

/// Options for opening the window and for quitting.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct WindowOptions {
    /// Window size in pixels.
    #[arg(long, value_name = "WxH", value_parser = values::size())]
    #[arg(default_value = "1280x800")]
    pub size: (u32, u32),
    /// View to open.
    #[arg(long, value_name = "NAME", default_value = "grid")]
    pub view: View,
    /// Wait for the display's refresh.
    #[arg(long, value_name = "on|off", value_parser = values::switch("vsync"))]
    #[arg(default_value = "on", action = ArgAction::Set)]
    pub vsync: bool,
    /// Open paused after N frames on a simulated machine, for a reproducible image.
    #[arg(long, value_name = "N", value_parser = values::whole("still", 0..=MAX_STILL))]
    pub still: Option<u64>,
    /// Quit after N frames.
    #[arg(long, value_name = "N", value_parser = values::frames(1))]
    pub frames: Option<u64>,
    /// Save the last frame to FILE as a PNG.
    #[arg(long, value_name = "FILE")]
    pub screenshot: Option<PathBuf>,
    /// Record all frames, for at most a minute, to FILE as an animated GIF.
    #[arg(long, value_name = "FILE.gif", value_parser = values::gif())]
    pub record: Option<PathBuf>,
    /// Log events to FILE, one per line. Use - for stdout.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Limit on the task time per frame in the Compare view, if it differs from the budget. Used in links and in the
    /// commands of exported folders.
    #[arg(long, hide = true, value_name = "X", value_parser = values::span(&BUDGET))]
    pub tasks_ms: Option<Nanos>,
    /// Start the tour when the window opens. Used only in the address of a web page.
    #[arg(long, hide = true, value_parser = values::switch("tour"))]
    #[arg(default_value = "0", action = ArgAction::Set)]
    pub tour: bool,
}

impl WindowOptions {
    /// Returns the limits with which the Compare view begins.
    pub fn limits(&self, settings: &Settings) -> Limits {
        let limits = self.limits.limits(settings);
        Limits {
            tasks: self.tasks_ms.or(limits.tasks),
            ..limits
        }
    }
}

/// Options for the length of a simulation.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct LengthOptions {
    /// Number of frames to run.
    #[arg(long, value_name = "N", value_parser = values::frames(0))]
    #[arg(conflicts_with = "seconds")]
    frames: Option<u64>,
    /// Simulated time to run, in seconds.
    #[arg(long, value_name = "X", value_parser = values::seconds(0.0))]
    #[arg(default_value = "10")]
    seconds: Nanos,
}

impl LengthOptions {
    pub fn length(&self) -> Length {
        let time = Length::Time(self.seconds);
        self.frames.map_or(time, Length::Frames)
    }
}

/// The options that set the limits of a game.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(next_help_heading = Owner::Limit.name())]
pub struct LimitOptions {
    #[arg(long, value_name = "X", value_parser = values::span(&NEAR_LIMIT))]
    #[arg(help = knob_help(NEAR_LIMIT.help, &NEAR_LIMIT, "no limit"))]
    pub near_ms: Option<Nanos>,
    #[arg(long, value_name = "X", value_parser = values::span(&LONGEST_LIMIT))]
    #[arg(help = knob_help(LONGEST_LIMIT.help, &LONGEST_LIMIT, "no limit"))]
    pub worst_s: Option<Nanos>,
    #[arg(long, value_name = "X", value_parser = values::span(&WAIT_LIMIT))]
    #[arg(help = knob_help(WAIT_LIMIT.help, &WAIT_LIMIT, "no limit"))]
    pub wait_ms: Option<Nanos>,
    /// The work is done only when an entity requests it. Strategies are compared by how long requests wait, and only those
    /// that run tasks on request are considered.
    #[arg(long, conflicts_with_all = ["near_ms", "worst_s"])]
    pub on_request: bool,
    /// Lift the limit on the task time per frame.
    #[arg(long)]
    pub no_budget_limit: bool,
    /// Allow hitches and frames that are too long for the display.
    #[arg(long)]
    pub allow_slow_frames: bool,
}

impl LimitOptions {
    /// Returns the limits of the game. The limit on task time per frame is the budget in the settings.
    pub fn limits(&self, settings: &Settings) -> Limits {
        Limits {
            tasks: (!self.no_budget_limit).then(|| settings.knobs.span(&BUDGET)),
            near: self.near_ms,
            longest: self.worst_s,
            wait: self.wait_ms,
            on_request: self.on_request,
            allows_slow_frames: self.allow_slow_frames,
        }
    }

    /// Checks that `--on-request` suits the settings and the strategies, and that `--wait-ms` is not given without it.
    ///
    /// # Errors
    ///
    /// If entities make no requests, if no strategy runs tasks on request, or if `--wait-ms` lacks `--on-request`.
    pub(super) fn check(
        &self,
        settings: &Settings,
        strategies: &[&'static StrategyEntry],
    ) -> Result<(), String> {
        if !self.on_request {
            let words = "--wait-ms needs --on-request, because other work is not requested";
            return self.wait_ms.map_or(Ok(()), |_| Err(words.to_owned()));
        }
        if !settings.has_requests() {
            return Err(
                "--on-request needs requests: give --requests-per-s or --eager-percent a value above 0, or add --at SECONDS:requests=N"
                    .to_owned(),
            );
        }
        if !strategies.iter().any(|it| it.on_request()) {
            let able = STRATEGIES.iter().filter(|it| it.on_request());
            let able: Vec<&str> = able.map(|it| it.key).collect();
            return Err(format!(
                "--on-request needs a strategy that runs tasks on request, such as {}, not {}",
                listed(&able),
                listed(&strategies.iter().map(|it| it.key).collect::<Vec<_>>())
            ));
        }
        Ok(())
    }
}

/// Show and measure strategies that spread game work over frames.
#[derive(Parser)]
#[command(
    name = "timeslice-lab",
    bin_name = "timeslice-lab",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_help_heading = "Commands that do not open a window",
    after_help = include_str!("examples/window.txt")
)]
struct CommandLine {
    #[command(flatten)]
    window: WindowOptions,
    #[command(subcommand)]
    command: Option<Invocation>,
}

#[derive(Clone, Debug, Subcommand)]
pub enum Invocation {
    #[command(skip)]
    Window(WindowOptions),
    /// Run one strategy on a simulated machine and print a CSV line per frame.
    #[command(after_help = include_str!("examples/run.txt"))]
    Run(RunOptions),
    // This command ignores the strategy in the settings.
    /// Run every strategy on the same work, each on its own simulated machine, and print a table and verdicts.
    #[command(after_help = include_str!("examples/compare.txt"))]
    Compare(CompareOptions),
    // This command ignores the strategy in the settings, too.
    /// Try many settings of every strategy, print a CSV line per setting, and recommend the best one.
    #[command(after_help = include_str!("examples/sweep.txt"))]
    Sweep(SweepOptions),
    /// Summarise a file of task costs or frame times.
    Capture(CaptureOptions),
    /// List strategies, frame loops, and knobs with their ranges, units and defaults.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

fn command() -> Command {
    let with_settings = |command: Command, first: usize| {
        let command = command.args(setting_args().into_iter().skip(first));
        command.mut_args(|arg| {
            let takes_value = arg.get_action().takes_values();
            arg.allow_negative_numbers(takes_value) // lets the flag's own parser report a better error
        })
    };
    // Commands that run several strategies have their own `--strategy` flag, and must simulate at least one frame.
    let of_several = |command: Command| {
        with_settings(command, 1)
            .mut_arg("frames", |arg| arg.value_parser(values::frames(1)))
            .mut_arg("seconds", |arg| arg.value_parser(values::seconds(1e-9)))
    };
    let with_budget_limit = |command: Command| {
        let help = knob_help(BUDGET_LIMIT_HELP, &BUDGET, BUDGET.default);
        command.mut_arg(BUDGET.key, |arg| {
            arg.help(help).help_heading(Owner::Limit.name())
        })
    };
    with_budget_limit(with_settings(CommandLine::command(), 0))
        .mut_subcommand("run", |run| with_settings(run, 0))
        .mut_subcommand("compare", |compare| with_budget_limit(of_several(compare)))
        .mut_subcommand("sweep", |sweep| with_budget_limit(of_several(sweep)))
        .mut_subcommand("capture", |capture| capture.args(choice_args()))
}

const BUDGET_LIMIT_HELP: &str = "Maximum time that a frame may spend on tasks with any strategy, and the budget of \
    each update for strategies that have one";

const COSTS_HELP: &str = "Task costs of your game: a text file with one cost in µs per line, a table such as CSV, JSON or \
    a Chrome trace. Each entity gets one of these costs at random, and --cost-us and --cost-spread are ignored";

const FRAME_TIMES_HELP: &str = "Frame times of your game: a text file with one time in ms per line, a table such as CSV, \
    JSON or a Chrome trace. Frames of the simulated machine last this long, or longer if their work does. --display-hz \
    and --adaptive-sync are ignored";

const COLUMN_HELP: &str = "Column that contains your own times. If this flag is repeated, each file uses the column \
    that it contains";

const UNIT_HELP: &str =
    "Unit of your own times (ns, us, ms or s), if the name of the column does not state it";

const NAME_HELP: &str = "Zone of a trace, or application of a log, that your own times belong to. * matches any text. \
    This flag can be repeated";

/// Lists the kinds of disturbances with the ranges of their values.
fn at_help() -> String {
    let kinds = Disturbance::ALL.map(|it| format!("{} ({})", it.key(), it.size().range()));
    format!(
        "Disturb the game at a time on the machine's clock. KIND is one of {}. This flag can be repeated",
        kinds.join(", ")
    )
}

fn setting_args() -> Vec<Arg> {
    let defaults = Settings::default();
    let arg = |name, placeholder, help: &str| {
        let arg = Arg::new(name).long(name).value_name(placeholder);
        arg.help(help.to_owned()).help_heading("Lane")
    };
    let target = format!(
        "Point at which the target rests, in a world that is {WIDTH} wide and {HEIGHT} high \
         [default: the target moves]"
    );
    let mut args = vec![
        arg(
            "strategy",
            "KEY",
            "Strategy that picks the tasks to run in each update",
        )
        .value_parser(values::strategy())
        .default_value(defaults.strategy.key),
        arg("loop", "KEY", "Frame loop that decides when updates happen")
            .value_parser(values::frame_loop())
            .default_value(defaults.frame_loop.key),
        arg("seed", "N", "Seed of all random numbers [default: 0]")
            .value_parser(values::whole("seed", 0..=u64::MAX)),
        arg("target", "X,Y", &target)
            .value_parser(values::target())
            .allow_hyphen_values(true),
        arg("at", "SECONDS:KIND=VALUE", &at_help())
            .value_parser(values::scheduled)
            .allow_hyphen_values(true)
            .action(ArgAction::Append),
    ];
    let mut knobs = all_knobs();
    knobs.sort_by_key(|(owner, _)| *owner == Owner::Machine); // lists machine knobs last in the help
    let file = |name: &'static str, owner: Owner, help: &'static str| {
        let arg = Arg::new(name).long(name).value_name("FILE");
        arg.value_parser(value_parser!(PathBuf))
            .help(help)
            .help_heading(owner.name())
    };
    args.push(file("costs", Owner::Workload, COSTS_HELP));
    args.push(file("frame-times", Owner::Machine, FRAME_TIMES_HELP));
    args.extend(choice_args());
    args.extend(knobs.into_iter().map(|(owner, knob)| knob_arg(owner, knob)));
    args
}

/// Returns the flags that select which column and which zones of a file to read, and their unit.
fn choice_args() -> [Arg; 3] {
    let arg = |name, placeholder, help| {
        let arg = Arg::new(name).long(name).value_name(placeholder);
        arg.help(help).help_heading("Your own times")
    };
    [
        arg("column", "NAME", COLUMN_HELP).action(ArgAction::Append),
        arg("unit", "UNIT", UNIT_HELP).value_parser(values::unit()),
        arg("name", "NAME", NAME_HELP).action(ArgAction::Append),
    ]
}

fn choice(matches: &ArgMatches) -> Choice {
    let all = |flag| matches.get_many(flag).into_iter().flatten().cloned();
    let is_given = |flag| matches.try_contains_id(flag).is_ok_and(|given| given);
    Choice {
        columns: all("column").collect(),
        unit: matches.get_one("unit").copied(),
        names: all("name").collect(),
        is_for_one_file: !["costs", "frame-times"].into_iter().all(is_given),
    }
}

/// Returns the flags that reproduce a choice, with their values.
fn choice_flags(choice: &Choice) -> impl Iterator<Item = (&'static str, String)> {
    let columns = choice.columns.iter().map(|name| ("column", name.clone()));
    let names = choice.names.iter().map(|name| ("name", name.clone()));
    let unit = choice.unit.map(|unit| ("unit", unit.name().to_owned()));
    columns.chain(names).chain(unit)
}

fn knob_arg(owner: Owner, knob: &'static Knob) -> Arg {
    Arg::new(knob.key)
        .long(knob.key)
        .value_name(if knob.whole { "N" } else { "X" })
        .value_parser(values::knob(knob))
        .help(knob_help(knob.help, knob, knob.default))
        .help_heading(owner.name())
}

/// Returns the help text of a knob's flag: what the knob does, its range and its default.
fn knob_help(help: &str, knob: &Knob, default: impl Display) -> String {
    let help = help.trim_end_matches('.');
    let range = if knob.is_switch() {
        "1 or 0, on or off".to_owned()
    } else {
        knob.range()
    };
    format!("{help} [{range}] [default: {default}]")
}

/// Parses a command line that begins with the program's name, and reads the files that are passed to `--costs` and
/// `--frame-times`. Returns the settings of the simulation, and the command to run.
///
/// # Errors
///
/// If the command line asks for help or the version, if an argument is invalid, or if a file cannot be read. The text
/// of an error names the flag, its value and the allowed values.
pub fn parse<I, T>(arguments: I) -> Result<(Settings, Invocation), Failure>
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    let matches = command().try_get_matches_from(arguments);
    let matches = matches.map_err(|error| exit(&error))?;
    let parsed = CommandLine::from_arg_matches(&matches).map_err(|error| exit(&error))?;
    let mut invocation = parsed.command.unwrap_or(Invocation::Window(parsed.window));
    let of_command = matches.subcommand().map(|(_, of_command)| of_command);
    let matches = of_command.unwrap_or(&matches);
    match &mut invocation {
        Invocation::Window(options) => check_outputs([
            ("--screenshot", &options.screenshot),
            ("--record", &options.record),
            ("--log", &options.log),
        ])?,
        Invocation::Run(options) => check_outputs([
            ("--csv", &options.csv),
            ("--events", &options.events),
            ("--trace", &options.trace),
        ])?,
        Invocation::Compare(options) => {
            let named = std::mem::take(&mut options.strategies);
            for entry in if named.is_empty() { STRATEGIES } else { &named } {
                if !options.strategies.contains(entry) {
                    options.strategies.push(entry);
                }
            }
        }
        Invocation::Sweep(options) => {
            let named = std::mem::take(&mut options.strategies);
            let is_swept = |entry: &&_| named.is_empty() || named.contains(entry);
            options.strategies = STRATEGIES.iter().copied().filter(is_swept).collect();
        }
        Invocation::Capture(options) => {
            options.choice = choice(matches);
            return Ok((Settings::default(), invocation));
        }
        Invocation::List { .. } => return Ok((Settings::default(), invocation)),
    }
    let mut settings = settings(matches);
    // The window does not need the paths, because its exports include copies of these files.
    let needs_paths = of_command.is_some();
    settings.own_costs = recording(matches, &measured::COSTS, needs_paths)?;
    settings.frame_times = recording(matches, &measured::FRAME_TIMES, needs_paths)?;
    match &invocation {
        Invocation::Sweep(options) => options.check(&settings),
        Invocation::Compare(options) => options.limits.check(&settings, &options.strategies),
        _ => Ok(()),
    }
    .map_err(bad_argument)?;
    Ok((settings, invocation))
}

fn settings(matches: &ArgMatches) -> Settings {
    let mut settings = Settings::default();
    let strategy: Option<&&StrategyEntry> = matches.get_one("strategy");
    let frame_loop: Option<&&FrameLoopEntry> = matches.get_one("loop");
    settings.strategy = strategy.unwrap_or(&settings.strategy);
    settings.frame_loop = frame_loop.unwrap_or(&settings.frame_loop);
    settings.seed = matches.get_one("seed").copied().unwrap_or_default();
    settings.target = matches.get_one("target").copied();
    settings.scheduled = matches
        .get_many("at")
        .into_iter()
        .flatten()
        .copied()
        .collect();
    settings.scheduled.sort_by_key(|it: &Scheduled| it.at);
    settings.scheduled.dedup_by(|next, last| last.absorb(*next));
    for (_, knob) in all_knobs() {
        if let Some(&value) = matches.get_one(knob.key) {
            settings.knobs.set(knob, value);
        }
    }
    settings
}

/// Reads the file that is passed to a flag. Returns `None` if the flag is not given.
fn recording(
    matches: &ArgMatches,
    kind: &'static measured::Kind,
    needs_path: bool,
) -> Result<Option<Recording>, Failure> {
    let flag = kind.flag;
    let Some(path) = matches.get_one::<PathBuf>(flag) else {
        return Ok(None);
    };
    let choice = choice(matches);
    let capture = capture::open(path, Some(kind), &choice);
    let capture = capture.map_err(|failure| {
        let text = error_text(format_args!("--{flag} {failure}"));
        Failure::new(text, failure.status)
    })?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let mut recording = capture.recording(&name.to_string_lossy());
    if needs_path {
        recording.path = path.display().to_string().into();
        recording.flags = choice_flags(&choice).collect();
    }
    Ok(Some(recording))
}

fn exit(error: &clap::Error) -> Failure {
    // Our own parsers return complete sentences. Clap wraps each of them in an error of its own, so look inside.
    let text = error.source().map_or_else(|| error.to_string(), error_text);
    Failure::new(text, if error.use_stderr() { 2 } else { 0 })
}

fn bad_argument(message: impl Display) -> Failure {
    Failure::new(error_text(message), 2)
}

fn error_text(message: impl Display) -> String {
    format!("error: {message}\n\nFor more information, try '--help'.\n")
}

fn check_outputs(outputs: [(&str, &Option<PathBuf>); 3]) -> Result<(), Failure> {
    let mut files: Vec<(&str, PathBuf)> = Vec::new();
    for (flag, path) in outputs {
        let Some(path) = path else { continue };
        let file = output::resolved(path);
        if let Some((other, _)) = files.iter().find(|(_, earlier)| *earlier == file) {
            let path = path.display();
            let words = format!("{other} and {flag} cannot both write to '{path}'");
            return Err(bad_argument(words));
        }
        files.push((flag, file));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
