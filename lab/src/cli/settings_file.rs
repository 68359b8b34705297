//! Generates the file `settings.txt`, which is saved next to other exported files. It contains comments, and the
//! command lines that reproduce the other files.

use crate::catalog::strategy::knobs::BUDGET;
use crate::catalog::strategy::{STRATEGIES, StrategyEntry};
use crate::comparison::loops::{LoopComparison, Side, shared_knobs};
use crate::comparison::strategies::Comparison;
use crate::history::History;
use crate::judge::Limits;
use crate::measure::Objective;
use crate::sim::machine;
use crate::sim::settings::{Owner, SAVED_COSTS, Settings};
use crate::text::format;
use std::fmt::Display;
use timeslicer::time::Nanos;

/// Returns the contents of `settings.txt` for a simulation of `frame_count` frames. Its last `saved_count` frames are
/// saved in other files. `is_simulated` is true if the frames ran on a simulated machine. It affects only the comments,
/// because the `run` command in the file always uses a simulated machine. `limits` are those of the user's game.
pub fn of_frames(
    settings: &Settings,
    frame_count: u64,
    saved_count: u64,
    is_simulated: bool,
    history: &History,
    limits: &Limits,
) -> String {
    let machine = if is_simulated {
        "a simulated machine"
    } else {
        "this computer"
    };
    let saved = if saved_count == frame_count {
        "all frames".to_owned()
    } else {
        format!("the last {}", format::counted(saved_count, "frame"))
    };
    let changes = history.change_log();
    let changes = changes.lines(|frame| format!("before frame {frame}"));
    format!(
        "{}# frames.csv and trace.json contain {saved}, which were recorded on {machine}.\n{}\
         # This command runs the same settings on a simulated machine:\n{}\n\
         # This command opens the window with the same settings:\n{}{}\n{}",
        heading("Grid", &format::counted(frame_count, "frame")),
        own_costs_text(settings),
        run_line(settings, frame_count),
        window_line(settings),
        window_limit_flags(settings, limits),
        changes_text(&changes, "the settings above are the ones at the end")
    )
}

/// Returns the contents of `settings.txt` for a comparison. `selected` is the strategy of the Grid view, `limits` are those of the user's game, `objective` is what the
/// recommendation minimizes, and `recommends_for_others` says that the recommendation in the other files is for previous
/// settings.
pub fn of_comparison(
    comparison: &Comparison,
    selected: &'static StrategyEntry,
    limits: &Limits,
    objective: Objective,
    recommends_for_others: bool,
) -> String {
    let changes = comparison.changes();
    let purpose = if changes.is_empty() {
        "This command prints the metrics of compare.txt (or compare.json with --json)"
    } else {
        "This command runs the same settings, but its metrics will differ because of the changes below"
    };
    let outdated = if recommends_for_others {
        "# The advice in compare.txt and compare.json is for the previous settings.\n"
    } else {
        ""
    };
    let advice = match objective {
        Objective::WeightedMean => "This command prints the same advice",
        _ => {
            "This command prints advice for the mean staleness, while the view's advice is for the worst"
        }
    };
    let shown = Settings {
        strategy: selected,
        ..comparison.settings().clone()
    };
    // The limit on task time is that of the budget, unless the user has set another.
    let budget = comparison.settings().knobs.span(&BUDGET);
    let has_other = limits.tasks.is_some_and(|tasks| tasks != budget);
    let own_limits = if has_other {
        String::new()
    } else {
        limit_flags(limits)
    };
    format!(
        "{}{}# {purpose}:\n{}{own_limits}\n# {advice}:\n{}\n{outdated}\
         # This command opens the view again:\n{}\n{}",
        heading("Compare", &time(comparison.time())),
        own_costs_text(comparison.settings()),
        compare_line(comparison),
        sweep_line(comparison.settings(), limits),
        compare_window_line(&shown, limits),
        changes_text(
            &changes,
            "the metrics cover the time before and after these changes"
        )
    )
}

/// Returns the command that recommends a setting for the workload in these settings. The knobs of the strategies are
/// left out, because the command varies them, but the limit on task time is one of them.
pub fn sweep_line(settings: &Settings, limits: &Limits) -> String {
    let mut settings = Settings {
        strategy: Settings::default().strategy,
        ..settings.clone()
    };
    let own = STRATEGIES.iter().flat_map(|entry| entry.own_knobs());
    for knob in own {
        settings.knobs.set(knob, knob.default);
    }
    if let Some(tasks) = limits.tasks {
        settings.knobs.set(&BUDGET, tasks.as_millis_f64());
    }
    let flags = flags(&settings, None);
    format!("timeslice-lab sweep{flags}{}", limit_flags(limits))
}

/// Returns the command that opens the Compare view with these settings and limits.
fn compare_window_line(settings: &Settings, limits: &Limits) -> String {
    let flags = flags(settings, Some(Owner::Drawing));
    let limits = window_limit_flags(settings, limits);
    format!("timeslice-lab --view compare{flags}{limits}")
}

/// Returns the window's flags of all limits. The one on task time has a flag of its own if it differs from the budget.
fn window_limit_flags(settings: &Settings, limits: &Limits) -> String {
    let budget = settings.knobs.span(&BUDGET);
    let other = limits.tasks.filter(|tasks| *tasks != budget);
    let other = other.map(|tasks| flag("tasks-ms", tasks.as_millis_f64()));
    limit_flags(limits) + &other.unwrap_or_default()
}

/// Returns the flags of all limits but the one on task time, which is set by the budget.
fn limit_flags(limits: &Limits) -> String {
    let flags = limits.flags().into_iter();
    let words = flags.map(|(name, value)| match value {
        Some(value) => flag(name, value),
        None => format!(" --{name}"),
    });
    words.collect()
}

pub fn of_loops(loop_comparison: &LoopComparison) -> String {
    let machine = |side| {
        let knobs = machine::KNOBS.iter();
        let values = knobs.map(|knob| {
            let value = format::knob(knob, loop_comparison.knob(side, knob));
            format!("{} {value}", knob.label)
        });
        values.collect::<Vec<_>>().join(", ")
    };
    format!(
        "{}# This command opens the view with the same work and the same frame loops:\n{}\n\
         # The settings of the two machines have no flags:\n#   fast: {}\n#   slow: {}\n{}",
        heading("Loops", &time(loop_comparison.time())),
        loops_line(loop_comparison),
        machine(Side::Fast),
        machine(Side::Slow),
        changes_text(
            &loop_comparison.changes(),
            "the metrics cover the time before and after these changes"
        )
    )
}

fn heading(view: &str, length: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("# Timeslice Lab {version} saved this folder in the {view} view after {length}.\n")
}

fn time(time: Nanos) -> String {
    time.in_seconds() + " s of simulated time"
}

/// Returns a comment that explains where the task costs come from, or an empty string if the user has not loaded any.
fn own_costs_text(settings: &Settings) -> String {
    settings.own_costs.as_ref().map_or_else(String::new, |own| {
        let name = own.name();
        format!("# The task costs come from {name} and are saved in {SAVED_COSTS}, so run the commands in this \
         folder.\n")
    })
}

fn changes_text(changes: &[String], remark: &str) -> String {
    if changes.is_empty() {
        return String::new();
    }
    let changes = changes.join("\n#   ");
    format!("# These changes were made by hand during the run, and {remark}:\n#   {changes}\n")
}

fn flag(name: &str, value: impl Display) -> String {
    format!(" --{name} {value}")
}

fn flags(settings: &Settings, ignored: Option<Owner>) -> String {
    let defaults = Settings::default();
    let changes = defaults.changes_to(settings, ignored).into_iter();
    let flags = changes
        .filter_map(|change| change.flag())
        .map(|(name, value)| flag(name, value));
    let seed = (settings.seed != defaults.seed).then(|| flag("seed", settings.seed));
    seed.into_iter().chain(flags).collect()
}

/// Returns the command that runs these settings on a simulated machine for `frames` frames.
pub fn run_line(settings: &Settings, frames: u64) -> String {
    format!(
        "timeslice-lab run{} --frames {frames}",
        flags(settings, None)
    )
}

/// Returns the command that opens the window with these settings. The knobs of the simulated machine are left out,
/// because the window runs on this computer instead.
pub fn window_line(settings: &Settings) -> String {
    format!("timeslice-lab{}", flags(settings, Some(Owner::Machine)))
}

/// Returns the command that repeats a comparison for as long as it has run so far. If the comparison has not started
/// yet, the command runs for the default time.
pub fn compare_line(comparison: &Comparison) -> String {
    let mut line = "timeslice-lab compare".to_owned();
    if comparison.strategies() != STRATEGIES {
        let strategies = comparison.strategies().iter();
        line.extend(strategies.map(|entry| flag("strategy", entry.key)));
    }
    let settings = Settings {
        strategy: Settings::default().strategy,
        ..comparison.settings().clone()
    };
    line += &flags(&settings, None);
    let time = comparison.time();
    if !time.is_zero() {
        line += &flag("seconds", time.in_seconds());
    }
    line
}

/// Returns the command that opens the Loops view with the task cost and the frame loop knobs of `loop_comparison`. The
/// knobs of the two simulated machines are left out, because they have no flags.
pub fn loops_line(loop_comparison: &LoopComparison) -> String {
    let default = LoopComparison::default();
    let value = |loop_comparison: &LoopComparison, knob| loop_comparison.knob(Side::Fast, knob);
    let changed =
        shared_knobs().filter(|knob| value(loop_comparison, knob) != value(&default, knob));
    let flags: String = changed
        .map(|knob| flag(knob.key, value(loop_comparison, knob)))
        .collect();
    format!("timeslice-lab --view loops{flags}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::knob::KnobValues;
    use crate::cli::{Invocation, parse};
    use crate::sim::disturbance::Disturbance;
    use crate::sim::lane::Length;
    use crate::sim::machine::SPEED;
    use crate::sim::settings::Setting;
    use crate::sim::world::{COST, COST_SPREAD, OwnCosts};
    use crate::testing::settings;

    fn of_budget() -> Limits {
        let tasks = Some(Settings::default().knobs.span(&BUDGET));
        Limits {
            tasks,
            ..Limits::default()
        }
    }

    fn exported(comparison: &Comparison, limits: &Limits, recommends_for_others: bool) -> String {
        let selected = comparison.settings().strategy;
        let objective = Objective::WeightedMean;
        of_comparison(
            comparison,
            selected,
            limits,
            objective,
            recommends_for_others,
        )
    }

    /// Asserts that the text has exactly these command lines, and that its comments contain these words.
    fn assert_has(text: &str, lines: &[&str], words: &[&str]) {
        let commands = text.lines().filter(|line| !line.starts_with('#'));
        assert!(commands.eq(lines.iter().copied()), "{text}");
        for words in words {
            assert!(text.contains(words), "no {words} in {text}");
        }
    }

    #[test]
    fn texts_have_the_command_lines_and_the_changes() {
        let mut history = History::default();
        let settings = Settings::default();
        assert_has(
            &of_frames(&settings, 5_000, 4_096, false, &history, &of_budget()),
            &["timeslice-lab run --frames 5000", "timeslice-lab"],
            &[
                "in the Grid view after 5,000 frames.",
                "the last 4,096 frames, which were recorded on this computer.",
            ],
        );
        history.mark(7, None, "Stall".to_owned());
        assert_has(
            &of_frames(&settings, 9, 9, true, &history, &of_budget()),
            &["timeslice-lab run --frames 9", "timeslice-lab"],
            &[
                "all frames, which were recorded on a simulated machine.",
                ":\n#   before frame 7: Stall\n",
            ],
        );

        let mut comparison = Comparison::new(&settings, STRATEGIES);
        comparison.advance(Nanos::from_millis(500));
        let limits = Limits {
            tasks: Some(Nanos::from_millis(3)),
            longest: Some(Nanos::SECOND),
            ..Limits::default()
        };
        assert_has(
            &exported(&comparison, &limits, false),
            &[
                "timeslice-lab compare --seconds 0.5",
                "timeslice-lab sweep --budget-ms 3 --worst-s 1",
                "timeslice-lab --view compare --worst-s 1 --tasks-ms 3",
            ],
            &["prints the metrics of compare.txt"],
        );
        comparison.set(Setting::Knob(&SPEED, 2.0));
        let text = exported(&comparison, &limits, true);
        assert!(!text.contains("prints the metrics"), "{text}");
        let lines = [
            "timeslice-lab compare --speed 2 --seconds 0.5",
            "timeslice-lab sweep --budget-ms 3 --speed 2 --worst-s 1",
            "timeslice-lab --view compare --speed 2 --worst-s 1 --tasks-ms 3",
        ];
        let words = [
            "by hand",
            "at 0.5 s: --speed 2",
            "for the previous settings",
        ];
        assert_has(&text, &lines, &words);

        let mut loop_comparison = LoopComparison::default();
        loop_comparison.set_knob(Side::Fast, &SPEED, 3.0);
        loop_comparison.disturb(Disturbance::Stall);
        assert_has(
            &of_loops(&loop_comparison),
            &["timeslice-lab --view loops"],
            &[
                "#   fast: Display 144 Hz, Speed 3 x, ",
                "#   slow: ",
                "s: Stall 500 ms",
            ],
        );
    }

    fn read(line: &str) -> (Settings, Invocation) {
        parse(line.split(' ')).unwrap_or_else(|refusal| panic!("{line}: {}", refusal.text))
    }

    #[test]
    fn own_costs_are_named_and_read_from_the_same_folder() {
        let own_costs = OwnCosts::new("zombies.csv", vec![Nanos::from_micros(30)]);
        let settings = Settings {
            knobs: KnobValues::with(&[(&COST, 7.0)]),
            own_costs,
            ..Settings::default()
        };
        let flags = "--cost-us 7 --costs costs.txt";
        let remark = "# The task costs come from zombies.csv and are saved in costs.txt, so";
        assert_has(
            &of_frames(&settings, 2, 2, true, &History::default(), &of_budget()),
            &[
                &format!("timeslice-lab run {flags} --frames 2"),
                &format!("timeslice-lab {flags}"),
            ],
            &[remark],
        );
        let mut comparison = Comparison::new(&settings, &[]);
        let lines = |flags: &str| {
            ["compare ", "sweep ", "--view compare "].map(|it| format!("timeslice-lab {it}{flags}"))
        };
        let limits = Limits {
            tasks: Some(Nanos::from_millis(4)),
            ..Limits::default()
        };
        let own = lines(flags);
        let text = exported(&comparison, &limits, false);
        assert_has(&text, &own.each_ref().map(String::as_str), &[remark]);
        comparison.set(Setting::OwnCosts(None));
        let text = exported(&comparison, &limits, false);
        let own = lines("--cost-us 7");
        let change = "at 0 s: task costs from --cost-us and --cost-spread";
        assert_has(&text, &own.each_ref().map(String::as_str), &[change]);
    }

    #[test]
    fn compare_lines_reproduce_settings_time_and_strategies() {
        let settings = Settings {
            seed: u64::MAX,
            ..settings("fixed-interval", "fixed-step", &[(&COST_SPREAD, 0.1 + 0.2)])
        };
        for strategies in [STRATEGIES, &STRATEGIES[1..]] {
            let mut comparison = Comparison::new(&settings, strategies);
            comparison.advance(Nanos::from_nanos(1));
            let line = compare_line(&comparison);
            let (read_back, Invocation::Compare(options)) = read(&line) else {
                panic!("{line}");
            };
            assert_eq!(read_back.seed, settings.seed, "{line}");
            assert_eq!(read_back.knobs, settings.knobs, "{line}");
            assert_eq!(read_back.frame_loop, settings.frame_loop, "{line}");
            assert_eq!(options.length.length(), Length::Time(comparison.time()));
            assert_eq!(options.strategies, strategies, "{line}");
            assert_eq!(line.contains("--strategy"), strategies != STRATEGIES);
        }
    }
}
