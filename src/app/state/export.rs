//! Data exports of each view: figures for other programs, and the settings behind them.

use super::State;
use super::grid::GridState;
use super::view::View;
use headless::experiment::comparison::Comparison;
use headless::experiment::loop_race::Race;
use headless::io::commands::{RankStyle, comparison_text};
use headless::io::export::{NamedFile, Snapshot};
use headless::io::settings_file;
use headless::sim::machine;
use headless::sim::settings::Settings;
use headless::text::format;

pub struct Export {
    pub files: Vec<NamedFile>,
    /// Short summary of the contents, such as `512 frames`.
    pub summary: String,
}

pub type MakeExport = Box<dyn FnOnce() -> Export + Send>;

impl State {
    /// Copies the data of the view. Returns a closure that turns the copy into files, because that may take a while.
    /// `None` before the first frame of an experiment.
    pub fn export(&mut self) -> Option<MakeExport> {
        match self.view {
            View::Grid => Some(history(&self.grid)),
            View::Compare => self.compare.comparison.as_mut().map(comparison),
            View::Loops => self.race.as_ref().map(race),
        }
    }
}

fn history(grid: &GridState) -> MakeExport {
    let snapshot = Snapshot::of(&grid.history, grid.lane.settings());
    let text = grid_settings(grid, snapshot.frames());
    Box::new(move || {
        let frames = format::counted(snapshot.frames(), "frame");
        let summary = match snapshot.frames_without_tasks() {
            0 => frames,
            count => format!(
                "{frames}, {} without tasks in the trace",
                format::grouped(count)
            ),
        };
        let [csv, trace] = snapshot.files();
        let files = vec![csv, trace, settings_file(text)];
        Export { files, summary }
    })
}

/// Returns the text of `settings.txt` for the main view, whose history has the last `kept` frames.
fn grid_settings(grid: &GridState, kept: u64) -> String {
    let lane = &grid.lane;
    let knobs = lane.machine().knobs();
    let mut settings: Settings = lane.settings().clone();
    for knob in machine::KNOBS {
        settings.knobs.set(knob, knobs.get(knob));
    }
    let is_simulated = lane.machine().is_simulated();
    settings_file::of_frames(&settings, lane.frames(), kept, is_simulated, &grid.history)
}

fn comparison(comparison: &mut Comparison) -> MakeExport {
    comparison.even_out();
    let (settings, reports) = (comparison.settings().clone(), comparison.final_reports());
    let is_changed = !comparison.edit_log().lines().is_empty();
    let text = settings_file::of_comparison(comparison);
    Box::new(move || {
        let table = |json| comparison_text(&settings, &reports, json, RankStyle::None);
        let changed = if is_changed {
            ", changed during the run"
        } else {
            ""
        };
        let files = vec![
            NamedFile::new("compare.json", table(true)),
            NamedFile::new("compare.txt", table(false)),
            settings_file(text),
        ];
        Export {
            files,
            summary: format!("{} strategies{changed}", reports.len()),
        }
    })
}

fn race(race: &Race) -> MakeExport {
    let json = format!("{:#}\n", race.to_json());
    let loops = race.rows().len() as u64;
    let text = settings_file::of_race(race);
    Box::new(move || Export {
        files: vec![NamedFile::new("loops.json", json), settings_file(text)],
        summary: format::counted(loops, "loop"),
    })
}

fn settings_file(text: String) -> NamedFile {
    NamedFile::new("settings.txt", text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::platform::event_log::Log;
    use crate::app::state::command::{Command, Lanes};
    use headless::io::cli::{Invocation, parse};
    use headless::io::export::FRAMES_HEADER;
    use headless::sim::disturbance::Disturbance;
    use headless::sim::world::{CHURN, COST_SPREAD, ENTITIES};
    use timeslicer::frame_loop::FRAME_LOOPS;
    use timeslicer::knob::KnobValues;
    use timeslicer::strategy::STRATEGIES;
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

    /// Returns the files of the view on screen, by name, and their summary.
    fn exported(state: &mut State) -> (impl Fn(&str) -> String + use<>, String) {
        let Export { files, summary } = state.export().expect("the view has begun")();
        let file = move |name: &str| {
            let file = files.iter().find(|file| file.name == name);
            let file = file.unwrap_or_else(|| panic!("no {name}"));
            String::from_utf8(file.bytes.clone()).expect("text")
        };
        (file, summary)
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
            let (file, summary) = exported(&mut still(0, View::Grid, entities));
            assert_eq!(summary, "0 frames");
            assert_eq!(file("frames.csv"), format!("{FRAMES_HEADER}\n"));
            let text = file("settings.txt");
            assert!(lines(&text)[0].ends_with(" --frames 0"), "{text}");
            assert!(listed(&text).is_empty(), "{text}");
        }
    }

    #[test]
    fn the_last_frames_are_exported_whatever_is_shown() {
        let mut state = still(5000, View::Grid, 5.0);
        state.apply(Command::Turn(Lanes::InView, &INTERVAL, 0.2));
        let (file, summary) = exported(&mut state);
        assert_eq!(summary, "4,096 frames");
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
        let (of_the_past, _) = exported(&mut state);
        for name in ["frames.csv", "trace.json", "settings.txt"] {
            assert_eq!(of_the_past(name), file(name));
        }
    }

    #[test]
    fn command_repeats_an_unchanged_comparison() {
        let mut state = still(200, View::Compare, 60.0);
        let (file, summary) = exported(&mut state);
        assert_eq!(summary, format!("{} strategies", STRATEGIES.len()));
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
        state.apply(Command::Turn(Lanes::InView, &INTERVAL, 0.2));
        let (file, summary) = exported(&mut state);
        let count = STRATEGIES.len();
        assert_eq!(
            summary,
            format!("{count} strategies, changed during the run")
        );
        let text = file("settings.txt");
        for change in ["0.99999996 s: Stall", "--interval-s 0.2"] {
            let is_listed = |line: &&str| line.contains(change);
            assert!(listed(&text).iter().any(is_listed), "{text}");
        }
        state.apply(Command::Restart);
        let (file, summary) = exported(&mut state);
        assert_eq!(summary, format!("{count} strategies"));
        let text = file("settings.txt");
        assert!(listed(&text).is_empty() && lines(&text)[0].contains("--interval-s 0.2"));
    }

    #[test]
    fn race_is_exported_with_its_machines() {
        let mut state = still(300, View::Grid, 60.0);
        state.apply(Command::View(View::Loops));
        let (file, _) = exported(&mut state);
        assert!(!file("settings.txt").is_empty(), "before the first frame");
        state = still(300, View::Loops, 60.0);
        let (file, summary) = exported(&mut state);
        assert_eq!(summary, format!("{} loops", FRAME_LOOPS.len()));
        let json = file("loops.json");
        assert!(json.contains("\"verdict\"") && json.contains(FRAME_LOOPS[0].key));
        let text = file("settings.txt");
        assert_eq!(lines(&text), ["timeslice-lab --view loops"]);
        let [_, slow] = listed(&text)[..] else {
            panic!("{text}");
        };
        assert_eq!(slow, "slow: Display 60 Hz, Speed 0.5 x, Render 50 ms");
        state.apply(Command::Disturb(Disturbance::Stall));
        let (file, _) = exported(&mut state);
        let text = file("settings.txt");
        let change = listed(&text).last().copied();
        assert!(change.is_some_and(|change| change.ends_with("s: Stall 500 ms")));
    }
}
