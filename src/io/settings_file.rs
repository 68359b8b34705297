//! The `settings.txt` beside what is saved: remarks on what was shown, and the command lines that bring it back.

use super::cli::{compare_line, loops_line, run_line, window_line};
use crate::experiment::comparison::Comparison;
use crate::experiment::loop_race::{Race, Side};
use crate::history::History;
use crate::sim::machine;
use crate::sim::settings::Settings;
use crate::text::format;
use std::fmt::Write;
use timeslice::knob::Knob;

/// Of a lane that has `made` so many frames, `kept` of which are saved with it. The settings have the knobs of a
/// simulated machine like its own, which `is_simulated` itself, or is this computer.
#[must_use]
pub fn of_frames(
    settings: &Settings,
    made: u64,
    kept: u64,
    is_simulated: bool,
    history: &History,
) -> String {
    let machine = if is_simulated {
        "a simulated machine"
    } else {
        "this computer"
    };
    let held = if kept == made {
        "all".to_owned()
    } else {
        format!("the last {}", format::grouped(kept))
    };
    let mut text = heading("Grid", &format::counted(made, "frame"));
    let _ = write!(
        text,
        "# frames.csv and trace.json hold {held} of them, made on {machine}.\n\
         # The same settings on a simulated machine:\n{}\n\
         # and in the window:\n{}\n",
        run_line(settings, made),
        window_line(settings)
    ); // a string takes everything
    let marks = history.marks();
    let mut changes: Vec<String> = marks
        .map(|mark| format!("before frame {}: {}", mark.frame, mark.label))
        .collect();
    if history.marks_forgotten() > 0 {
        let forgotten = format::counted(history.marks_forgotten(), "change");
        changes.insert(0, format!("{forgotten} longer ago"));
    }
    let remark = "the settings above are those at the end";
    text + &changed_by_hand(&changes, remark)
}

/// Of strategies that are compared.
#[must_use]
pub fn of_comparison(comparison: &Comparison) -> String {
    let changes = comparison.edit_log().lines();
    let mut text = heading("Compare", &time(comparison.time().in_seconds()));
    text += if changes.is_empty() {
        "# This prints compare.txt, and with --json compare.json:\n"
    } else {
        "# The settings, but not the figures, come back with:\n"
    };
    text = text + &compare_line(comparison) + "\n";
    text + &changed_by_hand(&changes, "the figures are of that, too")
}

/// Of frame loops on two machines.
#[must_use]
pub fn of_race(race: &Race) -> String {
    let mut text = heading("Loops", &time(race.time().in_seconds()));
    let line = loops_line(race);
    let _ = write!(
        text,
        "# This opens the view with the same work and the same loops:\n{line}\n\
         # The machines are set by their sliders:\n"
    );
    for (name, side) in [("fast", Side::Fast), ("slow", Side::Slow)] {
        let value = |knob: &Knob| {
            let value = format::knob(knob, race.knob(side, knob));
            format!("{} {value}", knob.label)
        };
        let values: Vec<String> = machine::KNOBS.iter().map(value).collect();
        let _ = writeln!(text, "#   {name}: {}", values.join(", "));
    }
    text + &changed_by_hand(&race.edit_log().lines(), "the figures are of that, too")
}

fn heading(view: &str, length: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("# Timeslice Lab {version}, view {view}, after {length}.\n")
}

fn time(seconds: String) -> String {
    seconds + " s of simulated time"
}

/// The changes in remarks of their own; nothing where there were none.
fn changed_by_hand(changes: &[String], remark: &str) -> String {
    if changes.is_empty() {
        return String::new();
    }
    let mut text = format!("# Changed by hand on the way; {remark}:\n");
    for change in changes {
        let _ = writeln!(text, "#   {change}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::disturbance::Disturbance;
    use crate::sim::machine::SPEED;
    use timeslice::strategy::STRATEGIES;
    use timeslice::strategy::knobs::INTERVAL;
    use timeslice::time::Nanos;

    /// The command lines among remarks.
    fn lines(text: &str) -> Vec<&str> {
        let lines = text.lines();
        lines.filter(|line| !line.starts_with('#')).collect()
    }

    #[test]
    fn of_frames_it_says_how_many_are_kept_and_what_was_changed() {
        let mut history = History::default();
        let text = of_frames(&Settings::default(), 5_000, 4_096, false, &history);
        let run = "timeslice-lab run --cost-us 100 --frames 5000";
        assert_eq!(lines(&text), [run, "timeslice-lab"]);
        let held = "hold the last 4,096 of them, made on this computer.";
        assert!(
            text.contains("view Grid, after 5,000 frames.") && text.contains(held),
            "{text}"
        );
        history.mark(7, "stall", "Stall".to_owned());
        let text = of_frames(&Settings::default(), 9, 9, true, &history);
        assert!(
            text.contains("hold all of them, made on a simulated machine."),
            "{text}"
        );
        assert!(
            text.ends_with("those at the end:\n#   before frame 7: Stall\n"),
            "{text}"
        );
    }

    #[test]
    fn of_a_comparison_it_promises_the_figures_only_where_nothing_was_changed() {
        let mut comparison = Comparison::new(&Settings::default(), STRATEGIES);
        comparison.advance(Nanos::from_millis(500));
        let text = of_comparison(&comparison);
        assert!(
            text.contains("This prints compare.txt") && !text.contains("by hand"),
            "{text}"
        );
        comparison.set_knob(&INTERVAL, 0.2);
        comparison.set_knob(&SPEED, 2.0);
        let text = of_comparison(&comparison);
        assert!(
            !text.contains("This prints") && text.contains("at 0.5 s: --speed 2"),
            "{text}"
        );
        let line = "timeslice-lab compare --interval-s 0.2 --speed 2 --seconds 0.5";
        assert_eq!(lines(&text), [line]);
    }

    #[test]
    fn of_a_race_it_says_how_the_machines_are_set() {
        let mut race = Race::default();
        race.set_knob(Side::Fast, &SPEED, 3.0);
        race.disturb(Disturbance::Stall);
        let text = of_race(&race);
        assert_eq!(lines(&text), ["timeslice-lab --view loops"]);
        for words in [
            "#   fast: Display 144 Hz, Speed 3 x, ",
            "#   slow: ",
            "s: Stall 500 ms",
        ] {
            assert!(text.contains(words), "{text}");
        }
    }
}
