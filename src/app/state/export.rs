//! Data exports of each view: figures for other programs, and the settings behind them.

use super::State;
use super::grid::GridState;
use super::view::View;
use headless::experiment::comparison::Comparison;
use headless::io::commands::{RankStyle, comparison_text};
use headless::io::export::{NamedFile, Snapshot};
use headless::io::settings_file;
use headless::sim::machine;

pub type MakeFiles = Box<dyn FnOnce() -> Vec<NamedFile> + Send>;

impl State {
    /// Copies the data of the view. Returns a closure that turns the copy into files, because that may take a while.
    pub fn export(&mut self) -> MakeFiles {
        match self.view {
            View::Grid => history(&self.grid),
            View::Compare => comparison(&mut self.compare.comparison),
            View::Loops => {
                let json = format!("{:#}\n", self.race.to_json());
                let text = settings_file::of_race(&self.race);
                Box::new(|| vec![NamedFile::new("loops.json", json), settings_file(text)])
            }
        }
    }
}

fn history(grid: &GridState) -> MakeFiles {
    let lane = &grid.lane;
    let snapshot = Snapshot::of(&grid.history, lane.settings());
    let (machine, mut settings) = (lane.machine(), lane.settings().clone());
    for knob in machine::KNOBS {
        settings.knobs.set(knob, machine.knobs().get(knob));
    }
    let (made, kept) = (lane.frames(), snapshot.frames());
    let is_simulated = machine.is_simulated();
    let text = settings_file::of_frames(&settings, made, kept, is_simulated, &grid.history);
    Box::new(move || {
        let [csv, trace] = snapshot.files();
        vec![csv, trace, settings_file(text)]
    })
}

fn comparison(comparison: &mut Comparison) -> MakeFiles {
    comparison.even_out();
    let (settings, reports) = (comparison.settings().clone(), comparison.final_reports());
    let text = settings_file::of_comparison(comparison);
    Box::new(move || {
        let table = |json| comparison_text(&settings, &reports, json, RankStyle::None);
        vec![
            NamedFile::new("compare.json", table(true)),
            NamedFile::new("compare.txt", table(false)),
            settings_file(text),
        ]
    })
}

fn settings_file(text: String) -> NamedFile {
    NamedFile::new("settings.txt", text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::platform::event_log::Log;
    use crate::app::state::command::Command;
    use headless::io::cli::{Invocation, parse};
    use headless::io::export::FRAMES_HEADER;
    use headless::sim::disturbance::Disturbance;
    use headless::sim::settings::Settings;
    use headless::sim::world::{CHURN, COST_SPREAD, ENTITIES};
    use timeslicer::frame_loop::FRAME_LOOPS;
    use timeslicer::knob::KnobValues;
    use timeslicer::strategy::knobs::INTERVAL;

    fn still(frames: u64, view: View, entities: f64) -> State {
        let set = [(&ENTITIES, entities), (&CHURN, 20.0), (&COST_SPREAD, 0.7)];
        let settings = Settings {
            knobs: KnobValues::with(&set),
            seed: 7,
            ..Settings::default()
        };
        State::still(frames, settings, view, Log::default())
    }

    /// Returns the files of the view on screen, by name.
    fn exported(state: &mut State) -> impl Fn(&str) -> String + use<> {
        let files = state.export()();
        move |name: &str| {
            let file = files.iter().find(|file| file.name == name);
            let file = file.unwrap_or_else(|| panic!("no {name}"));
            String::from_utf8(file.bytes.clone()).expect("text")
        }
    }

    /// Returns the command lines, without the remarks.
    fn lines(settings: &str) -> Vec<&str> {
        let lines = settings.lines();
        lines.filter(|line| !line.starts_with('#')).collect()
    }

    /// Returns the indented remarks: the user's changes, and the two machines of a race.
    fn listed(settings: &str) -> Vec<&str> {
        let lines = settings.lines();
        lines.filter_map(|line| line.strip_prefix("#   ")).collect()
    }

    #[test]
    fn export_before_the_first_frame_has_only_a_header() {
        for entities in [0.0, 10.0] {
            let file = exported(&mut still(0, View::Grid, entities));
            assert_eq!(file("frames.csv"), format!("{FRAMES_HEADER}\n"));
            let text = file("settings.txt");
            assert!(lines(&text)[0].ends_with(" --frames 0"), "{text}");
            assert!(listed(&text).is_empty(), "{text}");
        }
    }

    #[test]
    fn the_last_frames_are_exported_whatever_is_shown() {
        let mut state = still(5000, View::Grid, 5.0);
        state.apply(Command::Turn(&INTERVAL, 0.2));
        let file = exported(&mut state);
        let csv = file("frames.csv");
        let mut rows = csv.lines().skip(1);
        assert!(rows.next().is_some_and(|row| row.starts_with("904,")));
        assert_eq!(rows.count(), 4095);
        let text = file("settings.txt");
        for figure in ["4,096", "5,000 frames", "a simulated machine"] {
            assert!(text.contains(figure), "{text}");
        }
        let [change] = listed(&text)[..] else {
            panic!("{text}");
        };
        assert!(change.ends_with("5000: Interval 0.2 s"), "{change}");
        assert!(lines(&text)[0].contains("--interval-s 0.2"), "{text}");
        state.apply(Command::Walk(-20));
        assert!(state.grid.past().is_some());
        let of_the_past = exported(&mut state);
        for name in ["frames.csv", "trace.json", "settings.txt"] {
            assert_eq!(of_the_past(name), file(name));
        }
    }

    #[test]
    fn command_repeats_an_unchanged_comparison() {
        let mut state = still(200, View::Compare, 60.0);
        let file = exported(&mut state);
        let text = file("settings.txt");
        let [line] = lines(&text)[..] else {
            panic!("{text}");
        };
        let Ok(Invocation::Compare(settings, options)) = parse(line.split(' ')) else {
            panic!("{line}");
        };
        let mut command = Comparison::new(&settings, &options.strategies);
        assert!(command.advance_to(options.length.length(), u64::MAX));
        let reports = command.reports();
        for (name, json) in [("compare.json", true), ("compare.txt", false)] {
            let printed = comparison_text(&settings, &reports, json, RankStyle::None);
            assert_eq!(file(name), printed);
        }
    }

    #[test]
    fn changed_comparison_lists_changes_until_a_restart() {
        let mut state = still(60, View::Compare, 60.0);
        state.apply(Command::Disturb(Disturbance::Stall));
        state.apply(Command::Turn(&INTERVAL, 0.2));
        let file = exported(&mut state);
        let text = file("settings.txt");
        for change in ["0.99999996 s: Stall", "--interval-s 0.2"] {
            let is_listed = |line: &&str| line.contains(change);
            assert!(listed(&text).iter().any(is_listed), "{text}");
        }
        state.apply(Command::Restart);
        let file = exported(&mut state);
        let text = file("settings.txt");
        assert!(listed(&text).is_empty() && lines(&text)[0].contains("--interval-s 0.2"));
    }

    #[test]
    fn race_is_exported_with_its_machines() {
        let mut state = still(300, View::Grid, 60.0);
        state.apply(Command::View(View::Loops));
        let file = exported(&mut state);
        assert!(!file("settings.txt").is_empty(), "before the first frame");
        state = still(300, View::Loops, 60.0);
        let file = exported(&mut state);
        let json = file("loops.json");
        assert!(json.contains("\"verdict\"") && json.contains(FRAME_LOOPS[0].key));
        let text = file("settings.txt");
        assert_eq!(lines(&text), ["timeslice-lab --view loops"]);
        let [_, slow] = listed(&text)[..] else {
            panic!("{text}");
        };
        assert_eq!(slow, "slow: Display 60 Hz, Speed 0.5 x, Render 50 ms");
        state.apply(Command::Disturb(Disturbance::Stall));
        let file = exported(&mut state);
        let text = file("settings.txt");
        let change = listed(&text).last().copied();
        assert!(change.is_some_and(|change| change.ends_with("s: Stall 500 ms")));
    }
}
