//! The files that each view exports.

use super::State;
use super::compare::CompareState;
use super::grid::GridState;
use lab::cli::{Compared, View, settings_file};
use lab::comparison::strategies::compared_report;
use lab::files::export::{NamedFile, Snapshot};
use lab::files::measured;
use lab::measure::Report;
use lab::sim::machine::{self, Machine};
use lab::text::format;
use timeslicer::time::Nanos;

/// A function that creates the files of an export. It is called in the background, because it may take a while.
pub type MakeFiles = Box<dyn FnOnce() -> Vec<NamedFile> + Send>;

impl State {
    /// Copies the data of the view on screen. Returns a function that makes the files, because that may take long.
    pub(super) fn export(&mut self) -> MakeFiles {
        let limits = self.compare.best_setting.limits.in_effect;
        let (make, length, commands, changes) = match self.view {
            View::Grid => history(&self.grid),
            View::Compare => comparison(&mut self.compare),
            View::Loops => {
                let make: MakeFiles = Box::new(Vec::new);
                let length = simulated(self.loop_comparison.time());
                (make, length, Vec::new(), Vec::new())
            }
        };
        let settings = self.shown_settings();
        let text = settings_file::text(self.view, &length, &settings, &limits, &commands, &changes);
        let is_used = self.view != View::Loops;
        Box::new(move || {
            let mut files = make();
            files.push(NamedFile::new("settings.txt", text));
            let recordings = measured::of_settings(&settings).filter(|_| is_used);
            files.extend(recordings.map(|(kind, recording)| kind.saved(recording)));
            files
        })
    }
}

/// What a view exports: its files, how long it has run, command lines and what they do, and changes while it ran.
type Export = (MakeFiles, String, Vec<(&'static str, String)>, Vec<String>);

fn simulated(time: Nanos) -> String {
    time.in_seconds() + " s of simulated time"
}

fn history(grid: &GridState) -> Export {
    let lane = &grid.lane;
    let snapshot = Snapshot::of(&grid.history, lane.settings());
    let mut settings = lane.settings().clone();
    if !lane.machine().is_simulated() {
        // No simulated machine is equivalent to this computer, so the command line gets the default machine.
        for knob in machine::KNOBS {
            settings.knobs.set(knob, knob.default);
        }
    }
    let run = settings_file::run_line(&settings, lane.frames());
    (
        Box::new(move || snapshot.files().into()),
        format::counted(lane.frames(), "frame"),
        vec![("runs the same settings on a simulated machine", run)],
        grid.history.change_lines(),
    )
}

/// Exports what the Compare view shows. The recommendation is the one on screen, so nothing has to be simulated.
fn comparison(compare: &mut CompareState) -> Export {
    compare.comparison.even_out();
    let comparison = &compare.comparison;
    let settings = comparison.settings().clone();
    let lanes = comparison.lanes.iter();
    let reports = lanes.map(|lane| compared_report(lane.final_report(), lane));
    let reports: Vec<Report> = reports.collect();
    let best_setting = &compare.best_setting;
    let limits = &best_setting.limits.in_effect;
    let recommendation = best_setting.recommendation().cloned();
    let commands = vec![(
        "prints the metrics of compare.txt (or compare.json with --json), unless a setting was changed meanwhile",
        settings_file::compare_line(comparison, limits),
    )];
    let length = simulated(comparison.time());
    let make = move || {
        let compared = Compared {
            settings: &settings,
            reports: &reports,
            recommendation: recommendation.as_ref(),
        };
        vec![
            NamedFile::new("compare.json", compared.text(true)),
            NamedFile::new("compare.txt", compared.text(false)),
        ]
    };
    (Box::new(make), length, commands, Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::command::Command;
    use crate::app::state::tests::{drop_files, still};
    use lab::sim::world::ENTITIES;

    #[test]
    fn each_view_exports_its_files_and_the_own_costs() {
        let mut state = still(30, View::Grid, &[(&ENTITIES, 60.0)]);
        drop_files(&mut state, &[("zombies.txt", "12.5\n700\n0.001\n")]);
        for (view, expected) in [
            (
                View::Grid,
                &["frames.csv", "trace.json", "settings.txt", "costs.txt"][..],
            ),
            (
                View::Compare,
                &["compare.json", "compare.txt", "settings.txt", "costs.txt"],
            ),
            (View::Loops, &["settings.txt"]),
        ] {
            state.apply(Command::View(view));
            let files = state.export()();
            let names: Vec<&str> = files.iter().map(|file| &*file.name).collect();
            assert_eq!(names, expected);
        }
    }
}
