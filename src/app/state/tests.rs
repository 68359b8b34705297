//! Tests of what commands do to the state.

use super::command::{Command, CompareCommand, GridCommand};
use super::compare::OutcomeValue;
use super::grid::LowerTab;
use super::*;
use crate::app::platform::dropped_files::DroppedFile;
use lab::catalog::frame_loop::FRAME_LOOPS;
use lab::catalog::frame_loop::knobs::{DROP_DEBT, STEP};
use lab::catalog::knob::{Knob, KnobValues};
use lab::catalog::strategy::knobs::BUDGET;
use lab::catalog::strategy::{STRATEGIES, all_at_once, every_frame, fixed_interval, request_list};
use lab::comparison::loops::Side;
use lab::comparison::strategies::Comparison;
use lab::recommend::Limit;
use lab::sim::disturbance::Disturbance;
use lab::sim::machine::SPEED;
use lab::sim::settings::{Owner, all_knobs};
use lab::sim::world::{CHURN, COST, ENTITIES, REQUESTS};
use timeslicer::time::{Nanos, monotonic};

fn settings(set: &[(&Knob, f64)]) -> Settings {
    Settings {
        knobs: KnobValues::with(set),
        ..Settings::default()
    }
}

/// Returns limits whose task time is the budget, as on the command line.
fn limits(settings: &Settings) -> Limits {
    Limits {
        tasks: Some(settings.knobs.span(&BUDGET)),
        ..Limits::default()
    }
}

/// Returns a state with ten entities whose tasks cost nothing.
pub fn state() -> State {
    let settings = settings(&[(&ENTITIES, 10.0), (&COST, 0.0)]);
    let limits = limits(&settings);
    State::new(settings, None, limits, View::Grid, Log::default())
}

/// Returns the state of a simulated game with these knob values, which is paused after this many frames.
pub fn still(frames: u64, view: View, set: &[(&Knob, f64)]) -> State {
    let settings = settings(set);
    let limits = limits(&settings);
    State::new(settings, Some(frames), limits, view, Log::default())
}

/// Drops files with these names and contents, and waits until the first one is read.
pub fn drop_files(state: &mut State, files: &[(&str, &str)]) {
    let files = files.iter().map(|(name, text)| DroppedFile {
        name: (*name).to_owned(),
        bytes: (*text).into(),
    });
    state.open_dropped(files.collect());
    while state.opening.progress().is_some() {
        std::thread::yield_now();
        state.continue_opening();
    }
}

#[test]
fn link_holds_the_view_and_its_settings() {
    let mut state = still(1, View::Grid, &[(&ENTITIES, 50.0)]);
    assert_eq!(state.link(), "entities=50");
    state.apply(Command::Strategy(&every_frame::ENTRY));
    state.apply(Command::View(View::Compare));
    state.apply(Command::SetKnob(&CHURN, 7.0));
    state.apply(Command::SetKnob(&SPEED, 0.5));
    assert_eq!(
        state.link(),
        "strategy=every-frame&entities=50&churn-per-s=7&speed=0.5&view=compare"
    );
    state.apply(Command::View(View::Grid));
    assert_eq!(
        state.link(),
        "strategy=every-frame&entities=50&churn-per-s=7"
    );
    state.apply(Command::View(View::Loops));
    state.frame();
    for (knob, value) in [(&STEP, 5.0), (&COST, 500.0)] {
        state.apply(Command::SetMachineKnob(Side::Left, knob, value));
    }
    assert_eq!(
        state.link(),
        "strategy=every-frame&entities=50&cost-us=500&churn-per-s=7&step-ms=5&view=loops"
    );
}

#[test]
fn limits_survive_a_restart_and_travel_in_the_link() {
    let mut state = still(1, View::Compare, &[(&ENTITIES, 10.0), (&BUDGET, 3.0)]);
    let ms = Nanos::from_millis;
    let tasks = |state: &State| state.compare.best_setting.limits.in_effect.tasks;
    assert_eq!(tasks(&state), Some(ms(3)), "that of the command line");
    let link = "entities=10&budget-ms=3";
    assert_eq!(state.link(), format!("{link}&view=compare"));
    state.apply(CompareCommand::SetLimit(Limit::Near, ms(80)).into());
    state.apply(CompareCommand::SetLimit(Limit::Longest, ms(1500)).into());
    state.apply(CompareCommand::SwitchLimit(Limit::Hitches).into());
    let link = format!("{link}&near-ms=80&worst-s=1.5&allow-slow-frames=1&view=compare");
    assert_eq!(state.link(), link);
    let limits = state.compare.best_setting.limits;
    state.apply(Command::Restart);
    assert_eq!(state.compare.best_setting.limits, limits);
    assert!(limits.in_effect.allows_slow_frames && tasks(&state) == Some(ms(3)));

    state.apply(CompareCommand::SetLimit(Limit::Tasks, ms(5)).into());
    let budget = state.settings.knobs.get(&BUDGET);
    assert_eq!(budget, 3.0, "the strategies' budget is apart");
    state.apply(Command::CopyLink);
    let link = link.replace("&near-ms", "&tasks-ms=5&near-ms");
    assert_eq!(state.clipboard, Some(format!("?{link}\n")));
}

/// Returns a state that shows Grid after Compare has been shown once.
fn state_with_comparison() -> State {
    let mut state = state();
    state.frame();
    state.apply(Command::View(View::Compare));
    state.apply(Command::View(View::Grid));
    state
}

fn comparison(state: &State) -> &Comparison {
    &state.compare.comparison
}

#[test]
fn every_knob_set_in_one_view_is_seen_in_the_other() {
    let mut state = state_with_comparison();
    for (owner, knob) in all_knobs() {
        let [one, other] = [knob.min, knob.max.min(20.0)].map(|value| knob.nearest(value));
        let in_grid = |state: &State| state.grid.lane.settings().knobs.get(knob);
        let in_compare = |state: &State| comparison(state).settings().knobs.get(knob);
        if owner != Owner::Machine {
            state.apply(Command::SetKnob(knob, one));
            state.apply(Command::View(View::Compare));
            assert_eq!(state.settings.knobs.get(knob), one, "{}", knob.key);
            if owner != Owner::Window {
                assert_eq!(in_compare(&state), one, "{}", knob.key);
            }
        }
        state.apply(Command::View(View::Compare));
        state.apply(Command::SetKnob(knob, other));
        state.apply(Command::View(View::Grid));
        assert_eq!(state.settings.knobs.get(knob), other, "{}", knob.key);
        if owner != Owner::Machine {
            assert_eq!(in_grid(&state), other, "{}", knob.key);
        }
    }
}

#[test]
fn a_loop_set_in_any_view_is_seen_in_the_others() {
    let mut state = state_with_comparison();
    let views = [View::Compare, View::Grid, View::Loops].into_iter();
    for (view, entry) in views.cycle().zip(FRAME_LOOPS) {
        state.apply(Command::View(view));
        state.apply(Command::FrameLoop(entry));
        state.apply(Command::View(View::Grid));
        assert_eq!(state.grid.lane.settings().frame_loop, *entry);
        state.apply(Command::View(View::Compare));
        assert_eq!(comparison(&state).settings().frame_loop, *entry);
    }
}

#[test]
fn disturbances_change_the_entities_of_both_views() {
    let mut state = state_with_comparison();
    state.apply(Command::Disturb(Disturbance::Births));
    state.apply(Command::View(View::Compare));
    assert_eq!(comparison(&state).lanes[0].world().tasks().len(), 110);
    state.apply(Command::Disturb(Disturbance::Births));
    state.apply(Command::View(View::Grid));
    assert_eq!(state.grid.lane.world().tasks().len(), 210);
    assert_eq!(state.settings.knobs.get(&ENTITIES), 210.0);

    let mut state = still(0, View::Loops, &[]);
    state.apply(Command::Disturb(Disturbance::Stall));
    assert!(!state.link().contains("entities"), "the knob was not set");
}

#[test]
fn the_size_of_a_disturbance_holds_in_all_views_and_in_the_link() {
    let mut state = still(1, View::Loops, &[]);
    let births = Disturbance::Births.size();
    state.apply(Command::SetKnob(births, 7.0));
    assert_eq!(state.link(), "disturb-births=7&view=loops");
    state.apply(Command::Disturb(Disturbance::Births));
    assert_eq!(state.loop_comparison.tasks_per_update(), 8);
    state.apply(Command::View(View::Compare));
    state.apply(Command::Disturb(Disturbance::Births));
    let recovery = comparison(&state).lanes[0].observer().recoveries.last();
    assert_eq!(recovery.expect("a disturbance").name, "7 births");
    state.compare.sort(Some(OutcomeValue::Effect));
    let longest = |lane: usize| state.compare.value(lane, OutcomeValue::Effect);
    let rows = state.compare.rows().into_iter().map(longest);
    assert!(rows.map(|it| it.unwrap_or(Nanos::MAX)).is_sorted());
    let before = state.settings.knobs.get(&ENTITIES);
    state.apply(Command::View(View::Grid));
    state.apply(Command::Disturb(Disturbance::Births));
    assert_eq!(state.settings.knobs.get(&ENTITIES), before + 7.0);
}

#[test]
fn lanes_keep_running_when_they_take_over_changes() {
    let mut state = state_with_comparison();
    state.apply(Command::View(View::Compare));
    state.apply(Command::Step);
    state.frame();
    let frames = comparison(&state).lanes[0].frames();
    assert!(frames > 0);
    state.apply(Command::View(View::Grid));
    let made = state.grid.lane.frames();
    state.apply(Command::SetKnob(&ENTITIES, 30.0));
    state.apply(Command::View(View::Compare));
    assert_eq!(comparison(&state).lanes[0].frames(), frames);
    assert_eq!(comparison(&state).lanes[0].world().tasks().len(), 30);
    state.apply(Command::Strategy(STRATEGIES[0]));
    assert_eq!(state.grid.lane.frames(), made);
    assert_eq!(state.grid.lane.settings().strategy, STRATEGIES[0]);
}

#[test]
fn commands_of_another_view_are_ignored() {
    let mut state = state();
    state.apply(Command::View(View::Loops));
    state.apply(Command::Grid(GridCommand::LowerTab(LowerTab::Timeline)));
    state.apply(Command::ShowStaleness);
    assert_eq!(state.grid.lower, LowerTab::Plots);
    assert!(!state.interface.shows_staleness());
    state.apply(Command::Strategy(&every_frame::ENTRY));
    assert_eq!(state.view, View::Grid, "strategies are shown in Grid");
}

#[test]
fn a_dropped_capture_is_used_once_the_user_agrees() {
    let costs = "name,exec_time_ns\nthink,2000\nmove,9000\nthink,4000\n";
    let times = "FrameTime,Busy\n16,5\n17,6\n";
    let mut state = state();
    let files = [("tracy.csv", costs), ("frames.csv", times)];
    drop_files(&mut state, &files);
    // The trace has two zones, so the user must choose one.
    assert_eq!(state.opening.file_name(), Some("tracy.csv"));
    assert!(state.opening.preview.is_none());
    let (candidates, _) = state.opening.candidates.as_ref().expect("a choice");
    let think = candidates
        .names
        .iter()
        .position(|(name, _)| name == "think");
    state.apply(Command::ChooseCandidate(think.expect("a zone")));
    drop_files(&mut state, &[]);
    let preview = state.opening.preview.as_ref().expect("a preview");
    let note = "column exec_time_ns of think, in ns: 2 task costs";
    assert!(preview.text.starts_with(note), "{}", preview.text);
    assert!(state.settings.own_costs.is_none());
    state.apply(Command::UseCapture);
    drop_files(&mut state, &[]);
    assert_eq!(state.settings.mean_cost(), Nanos::from_micros(3));

    assert_eq!(state.opening.file_name(), Some("frames.csv"));
    state.apply(Command::Escape);
    assert_eq!(state.opening.file_name(), None);
    assert!(state.settings.frame_times.is_none());
    drop_files(&mut state, &[("frames.csv", "FrameTime\n16\n17\n")]);
    state.apply(Command::UseCapture);
    drop_files(&mut state, &[]);
    let used = state.settings.frame_times.as_ref().expect("frame times");
    assert_eq!(used.mean, Nanos::from_micros(16_500));
}

#[test]
fn dropped_costs_are_used_by_all_lanes_and_a_bad_file_changes_nothing() {
    let mut state = state();
    drop_files(&mut state, &[("zombies.txt", "# zombies\n20\n40\n8940\n")]);
    let mean = Nanos::from_millis(3);
    assert_eq!(state.grid.lane.settings().mean_cost(), mean);
    state.apply(Command::Restart);
    assert_eq!(state.grid.lane.settings().mean_cost(), mean);
    state.apply(Command::View(View::Compare));
    let lane = &comparison(&state).lanes[0];
    assert_eq!(lane.settings().mean_cost(), mean);
    let before = state.settings.clone();
    drop_files(&mut state, &[("bad.txt", "5\nmany\n")]);
    let notice = state.saver.notice().expect("a reason");
    let words =
        "bad.txt: line 2: a cost must be a number of microseconds from 0 to 10000000, not 'many'";
    assert!(notice.failed && notice.text == words, "{}", notice.text);
    assert_eq!(state.settings, before);
    state.apply(Command::CopyLink);
    let copied = state.clipboard.as_deref();
    let expected = "?entities=10&cost-us=0&view=compare\nthe task costs from your file";
    assert_eq!(copied, Some(expected));
    state.apply(Command::CostsByKnobs);
    assert_eq!(state.settings.mean_cost(), Nanos::ZERO);
}

#[test]
fn switches_and_knobs_are_each_marked_once() {
    let mut state = state();
    state.frame();
    state.apply(Command::Strategy(&all_at_once::ENTRY));
    state.apply(Command::Strategy(&all_at_once::ENTRY));
    state.apply(Command::SetKnob(&ENTITIES, 20.0));
    state.apply(Command::SetKnob(&DROP_DEBT, 0.0));
    let labels: Vec<&str> = state
        .grid
        .history
        .changes()
        .iter()
        .map(|mark| mark.label.as_str())
        .collect();
    let off = format!("{} off", DROP_DEBT.label);
    assert_eq!(labels, ["All at once", "Entities 20", &off]);
}

#[test]
fn requests_are_ignored_in_the_past() {
    let mut state = state();
    state.apply(Command::Strategy(&request_list::ENTRY));
    state.apply(Command::SetKnob(&REQUESTS, 0.0));
    (0..3).for_each(|_| state.frame());
    state.apply(Command::Pause);
    state.apply(Command::Grid(GridCommand::Walk(-1)));
    state.apply(Command::Grid(GridCommand::Request(0)));
    state.apply(Command::Step);
    state.frame();
    assert_eq!(state.grid.lane.last_frame().runs, 0);
    state.apply(Command::Grid(GridCommand::Request(0)));
    state.apply(Command::Grid(GridCommand::Request(1_000_000))); // this slot is empty
    state.apply(Command::Step);
    state.frame();
    assert_eq!(state.grid.lane.last_frame().runs, 1);
}

#[test]
fn escape_closes_help_then_unpins_then_asks_then_quits() {
    let mut state = state();
    state.apply(Command::Help);
    state.apply(Command::Escape);
    assert!(!state.interface.help && !state.quits);
    state.apply(Command::Grid(GridCommand::Pin(Some(3))));
    state.apply(Command::Escape);
    assert!(state.grid.pin.is_none() && !state.quits);
    assert!(state.saver.notice().is_none());
    state.apply(Command::Escape);
    let notice = state.saver.notice().map(|it| it.text.as_str());
    assert_eq!(
        (notice, state.quits),
        (Some("press Esc again to quit"), false)
    );
    state.escape_quits_until = monotonic();
    state.apply(Command::Escape);
    assert!(!state.quits);
    state.apply(Command::Escape);
    assert!(state.quits);
}

#[test]
fn lanes_with_a_published_form_switch_to_it_and_back() {
    let mut state = state();
    for entry in [&fixed_interval::ENTRY, &every_frame::ENTRY] {
        state.apply(Command::Strategy(entry));
        for published in [true, false] {
            state.apply(Command::AsPublished);
            let runs_as_published = state.grid.lane.strategy().defect().is_some();
            let expected = published && entry.published.is_some();
            assert_eq!(runs_as_published, expected, "{}", entry.key);
            assert_eq!(state.link().contains("as-published=1"), expected);
        }
    }
    state.apply(Command::View(View::Compare));
    state.apply(Command::AsPublished);
    for lane in &comparison(&state).lanes {
        let has_both = lane.settings().strategy.published.is_some();
        assert_eq!(lane.strategy().defect().is_some(), has_both);
    }
}
