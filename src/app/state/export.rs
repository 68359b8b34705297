//! The files that each view exports.

use super::State;
use super::compare::CompareState;
use super::grid::GridState;
use super::view::View;
use lab::catalog::strategy::StrategyEntry;
use lab::cli::{Compared, settings_file};
use lab::files::costs;
use lab::files::export::{NamedFile, Snapshot};
use lab::judge::Limits;
use lab::sim::machine;

/// A function that creates the files of an export. It is called in the background, because it may take a while.
pub type MakeFiles = Box<dyn FnOnce() -> Vec<NamedFile> + Send>;

impl State {
    /// Copies the data of the view on screen. Returns a function that creates the exported files, because creating them
    /// may take too long for one frame.
    pub(super) fn export(&mut self) -> MakeFiles {
        let (make, text): (MakeFiles, String) = match self.view {
            View::Grid => history(&self.grid, &self.compare.best_setting.limits.in_effect),
            View::Compare => comparison(&mut self.compare, self.grid.lane.settings().strategy),
            View::Loops => {
                let json = format!("{:#}\n", self.loop_comparison.to_json());
                let text = settings_file::of_loops(&self.loop_comparison);
                (Box::new(|| vec![NamedFile::new("loops.json", json)]), text)
            }
        };
        let uses_costs = self.view != View::Loops;
        let costs = self.settings.own_costs.clone().filter(|_| uses_costs);
        Box::new(move || {
            let mut files = make();
            files.push(NamedFile::new("settings.txt", text));
            files.extend(costs.as_ref().map(costs::saved));
            files
        })
    }
}

/// Exports the recorded frames. Returns the text of the file with the settings, too.
fn history(grid: &GridState, limits: &Limits) -> (MakeFiles, String) {
    let lane = &grid.lane;
    let snapshot = Snapshot::of(&grid.history, lane.settings());
    let (machine, mut settings) = (lane.machine(), lane.settings().clone());
    let is_simulated = machine.is_simulated();
    if !is_simulated {
        // No simulated machine is equivalent to this computer, so the command line gets the default machine.
        for knob in machine::KNOBS {
            settings.knobs.set(knob, knob.default);
        }
    }
    let (made, kept) = (lane.frames(), grid.history.frames().len() as u64);
    let text = settings_file::of_frames(&settings, made, kept, is_simulated, &grid.history, limits);
    (Box::new(move || snapshot.files().into()), text)
}

/// Exports what the Compare view shows. Nothing is simulated for this: the recommendation is the one on screen. Returns
/// the text of the file with the settings, too.
fn comparison(compare: &mut CompareState, selected: &'static StrategyEntry) -> (MakeFiles, String) {
    compare.comparison.even_out();
    let comparison = &compare.comparison;
    let (settings, reports) = (comparison.settings().clone(), comparison.final_reports());
    let best_setting = &compare.best_setting;
    let recommendation = best_setting.recommendation().cloned();
    let is_outdated = recommendation.is_some() && !best_setting.is_final();
    let objective = recommendation.as_ref().map(|it| it.objective);
    let text = settings_file::of_comparison(
        comparison,
        selected,
        &best_setting.limits.in_effect,
        objective.unwrap_or_default(),
        is_outdated,
    );
    let make = move || {
        let compared = Compared {
            settings: &settings,
            reports: &reports,
            recommendation: recommendation.as_ref(),
            costs: None,
        };
        vec![
            NamedFile::new("compare.json", compared.text(true)),
            NamedFile::new("compare.txt", compared.text(false)),
        ]
    };
    (Box::new(make), text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::platform::dropped_files::DroppedFile;
    use crate::app::platform::event_log::Log;
    use crate::app::state::command::Command;
    use lab::catalog::knob::KnobValues;
    use lab::cli::threads::run_on_threads;
    use lab::cli::{Invocation, parse};
    use lab::judge::{Question, Recommendation, Sweep};
    use lab::sim::settings::Settings;
    use lab::sim::world::{CHURN, COST_SPREAD, ENTITIES};
    use std::sync::atomic::AtomicBool;

    fn still(frames: u64, view: View, entities: f64) -> State {
        let set = [(&ENTITIES, entities), (&CHURN, 20.0), (&COST_SPREAD, 0.7)];
        let settings = Settings {
            knobs: KnobValues::with(&set),
            seed: 7,
            ..Settings::default()
        };
        State::still(frames, settings, view, Log::default())
    }

    #[test]
    fn the_exported_sweep_gives_the_answer_on_screen() {
        let mut state = still(200, View::Compare, 60.0);
        state.update(); // waits for the recommendation
        let files = state.export()();
        let file = files.iter().find(|file| file.name == "settings.txt");
        let text = String::from_utf8(file.unwrap().bytes.clone()).unwrap();
        let sweep = text.lines().find(|line| line.contains(" sweep ")).unwrap();
        let Ok((settings, Invocation::Sweep(options))) = parse(sweep.split(' ')) else {
            panic!("{sweep}");
        };
        let question = Question {
            steps: 0,
            ..options.question(&settings)
        };
        let sweep = Sweep::new(question);
        run_on_threads(&sweep, 2, &AtomicBool::new(false), |_, _| {});
        let answer = sweep.findings().recommendation;
        let shown = state.compare.best_setting.recommendation();
        assert!(shown.is_some());
        let text = |answer: &Recommendation| answer.full_text();
        assert_eq!(answer.as_ref().map(text), shown.map(text));
    }

    #[test]
    fn each_view_exports_its_files_and_the_own_costs() {
        let mut state = still(30, View::Grid, 60.0);
        state.open_dropped(&[DroppedFile {
            name: "zombies.txt".to_owned(),
            bytes: b"12.5\n700\n0.001\n".to_vec(),
        }]);
        for (view, expected) in [
            (
                View::Grid,
                &["frames.csv", "trace.json", "settings.txt", "costs.txt"][..],
            ),
            (
                View::Compare,
                &["compare.json", "compare.txt", "settings.txt", "costs.txt"],
            ),
            (View::Loops, &["loops.json", "settings.txt"]),
        ] {
            state.apply(Command::View(view));
            let files = state.export()();
            let names: Vec<&str> = files.iter().map(|file| &*file.name).collect();
            assert_eq!(names, expected);
        }
    }
}
