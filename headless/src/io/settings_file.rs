//! The text of `settings.txt`, which is saved with other files. It contains comments, and the command lines that
//! reproduce the other files.

use super::cli::{compare_line, loops_line, run_line, window_line};
use crate::experiment::comparison::Comparison;
use crate::experiment::loop_race::{Race, Side};
use crate::history::History;
use crate::sim::machine;
use crate::sim::settings::Settings;
use crate::text::format;
use timeslicer::time::Nanos;

/// Returns the text for a lane that has made `made` frames and saves the last `kept` of them. The machine knobs in
/// `settings` describe the simulated machine for the command line. `is_simulated` is false if the lane ran on this
/// computer.
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
    let saved = if kept == made {
        "all".to_owned()
    } else {
        format!("the last {}", format::grouped(kept))
    };
    let marks = history.marks().iter();
    let changes: Vec<String> = marks
        .map(|mark| format!("before frame {}: {}", mark.frame, mark.label))
        .collect();
    format!(
        "{}# frames.csv and trace.json contain {saved} of them, recorded on {machine}.\n\
         # To run these settings on a simulated machine:\n{}\n\
         # To open them in the window:\n{}\n{}",
        heading("Grid", &format::counted(made, "frame")),
        run_line(settings, made),
        window_line(settings),
        changes_text(&changes, "the settings above are the last ones")
    )
}

pub fn of_comparison(comparison: &Comparison) -> String {
    let changes = comparison.edit_log().lines();
    let purpose = if changes.is_empty() {
        "To print compare.txt, or with --json compare.json"
    } else {
        "To run these settings (the figures will differ, see below)"
    };
    format!(
        "{}# {purpose}:\n{}\n{}",
        heading("Compare", &time(comparison.time())),
        compare_line(comparison),
        changes_text(&changes, "the figures include these changes")
    )
}

pub fn of_race(race: &Race) -> String {
    let machine = |side| {
        let knobs = machine::KNOBS.iter();
        let values = knobs.map(|knob| {
            let value = format::knob(knob, race.knob(side, knob));
            format!("{} {value}", knob.label)
        });
        values.collect::<Vec<_>>().join(", ")
    };
    format!(
        "{}# To open the view with the same work and the same loops:\n{}\n\
         # The machines, which have no flags:\n#   fast: {}\n#   slow: {}\n{}",
        heading("Loops", &time(race.time())),
        loops_line(race),
        machine(Side::Fast),
        machine(Side::Slow),
        changes_text(
            &race.edit_log().lines(),
            "the figures include these changes"
        )
    )
}

fn heading(view: &str, length: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("# Timeslice Lab {version}, view {view}, after {length}.\n")
}

fn time(time: Nanos) -> String {
    time.in_seconds() + " s of simulated time"
}

fn changes_text(changes: &[String], remark: &str) -> String {
    if changes.is_empty() {
        return String::new();
    }
    let changes: String = changes
        .iter()
        .map(|change| format!("#   {change}\n"))
        .collect();
    format!("# Changed by hand during the run; {remark}:\n{changes}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::disturbance::Disturbance;
    use crate::sim::machine::SPEED;
    use crate::sim::settings::Setting;
    use timeslicer::strategy::STRATEGIES;

    /// Asserts that the text has these command lines, and these words in its comments.
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
            &of_frames(&settings, 5_000, 4_096, false, &history),
            &["timeslice-lab run --frames 5000", "timeslice-lab"],
            &[
                "view Grid, after 5,000 frames.",
                "the last 4,096 of them, recorded on this computer.",
            ],
        );
        history.mark(7, None, "Stall".to_owned());
        assert_has(
            &of_frames(&settings, 9, 9, true, &history),
            &["timeslice-lab run --frames 9", "timeslice-lab"],
            &[
                "all of them, recorded on a simulated machine.",
                ":\n#   before frame 7: Stall\n",
            ],
        );

        let mut comparison = Comparison::new(&settings, STRATEGIES);
        comparison.advance(Nanos::from_millis(500));
        let line = "timeslice-lab compare --seconds 0.5";
        assert_has(&of_comparison(&comparison), &[line], &["To print"]);
        comparison.set(Setting::Knob(&SPEED, 2.0));
        let text = of_comparison(&comparison);
        assert!(!text.contains("To print"), "{text}");
        let line = "timeslice-lab compare --speed 2 --seconds 0.5";
        assert_has(&text, &[line], &["by hand", "at 0.5 s: --speed 2"]);

        let mut race = Race::default();
        race.set_knob(Side::Fast, &SPEED, 3.0);
        race.disturb(Disturbance::Stall);
        assert_has(
            &of_race(&race),
            &["timeslice-lab --view loops"],
            &[
                "#   fast: Display 144 Hz, Speed 3 x, ",
                "#   slow: ",
                "s: Stall 500 ms",
            ],
        );
    }
}
