//! The state of the Grid view: the game that runs on this computer, the frames recorded so far, and the user's
//! selection.

use super::command::GridCommand;
use super::frame::FrameInProgress;
use super::{Flow, State};
use lab::catalog::knob::KnobValues;
use lab::history::{History, PastFrame};
use lab::measure::MeasuredLane;
use lab::sim::disturbance::{Disturbance, SIZES};
use lab::sim::machine::{ClockReading, Host, Machine, Simulated};
use lab::sim::recording::Recording;
use lab::sim::settings::{Owner, Setting, Settings};
use lab::sim::world::ENTITIES;
use lab::text::format;
use timeslicer::frame_loop::Pace;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{ClockTime, Nanos};

/// The maximum number of runs that are recorded per frame. Without it, a million entities could use up the memory.
pub(super) const MAX_LISTED_RUNS: usize = 1 << 21;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LowerTab {
    #[default]
    Plots,
    Timeline,
    Code,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    Rust,
    CSharp,
}

impl Language {
    pub const ALL: [Self; 2] = [Self::Rust, Self::CSharp];

    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::CSharp => "C#",
        }
    }
}

pub struct GridState {
    pub lane: MeasuredLane<WindowMachine>,
    pub history: History,
    pub lower: LowerTab,
    pub language: Language,
    /// The number of the recorded frame to show while the game is paused, or `None` to show the current frame.
    pub displayed_frame: Option<u64>,
    pub pin: Option<TaskId>,
    pub(super) in_progress: Option<FrameInProgress>,
    /// Whether the previous call of [`State::update`](super::State::update) did not advance this game. If so, the clock
    /// continues from the end of the latest frame, so that no game time passes during a pause or in another view.
    pub(super) was_paused: bool,
}

impl GridState {
    pub fn new(settings: Settings, machine: WindowMachine) -> Self {
        Self {
            lane: new_lane(settings, machine),
            history: History::default(),
            lower: LowerTab::default(),
            language: Language::default(),
            displayed_frame: None,
            pin: None,
            in_progress: None,
            was_paused: true,
        }
    }

    pub fn restart(&mut self) {
        let settings = self.lane.settings().clone();
        let machine = self.lane.machine().clone();
        // Free the old lane first, because a lane with a million entities takes half a gigabyte, and a page has at most
        // 4 GB.
        let empty = Settings {
            knobs: KnobValues::with(&[(&ENTITIES, 0.0)]),
            ..settings.clone()
        };
        self.lane = new_lane(empty, machine.clone());
        self.lane = new_lane(settings, machine);
        self.history = History::default();
        (self.displayed_frame, self.pin) = (None, None);
        self.in_progress = None;
    }

    /// Applies changed settings to the running game with the same seed. Knobs of simulated machines have no effect.
    pub(super) fn apply_settings(&mut self, settings: &Settings) {
        let (current, machine) = (self.lane.settings(), self.lane.machine());
        let ignored = (!machine.is_simulated()).then_some(Owner::Machine);
        for change in current.changes_to(settings, ignored) {
            self.lane.set(change.clone());
            let (subject, label) = match change {
                Setting::Strategy(entry) => (entry.key, entry.name.to_owned()),
                Setting::FrameLoop(entry) => (entry.key, entry.name.to_owned()),
                Setting::Target(Some(_)) => ("target", "Target pinned".to_owned()),
                Setting::Target(None) => ("target", "Target released".to_owned()),
                Setting::OwnCosts(Some(own)) => ("costs", format!("Costs from {}", own.name)),
                Setting::OwnCosts(None) => ("costs", "Costs from the sliders".to_owned()),
                Setting::FrameTimes(_) => ("frame-times", "Recorded frame times".to_owned()),
                Setting::Knob(knob, _) if SIZES.contains(knob) => continue,
                Setting::Knob(knob, value) => {
                    let value = format::knob(knob, value);
                    (knob.key, format!("{} {value}", knob.label))
                }
            };
            self.mark(Some(subject), label);
        }
    }

    pub fn past(&self) -> Option<&PastFrame> {
        self.history.frame(self.displayed_frame?)
    }

    /// Returns the number of places for capsules, now or in the past frame that the user is viewing.
    pub fn places(&self) -> u32 {
        let now = self.lane.world().tasks().end();
        self.past().map_or(now, |past| past.subject.entities as u32)
    }

    pub(super) fn disturb(&mut self, disturbance: Disturbance) {
        // A disturbance without effect has no label.
        if let Some(label) = self.lane.disturb(disturbance) {
            // Give each disturbance its own mark, even if it is repeated.
            self.mark(None, label);
        }
    }

    /// Marks the next frame, which is the one in which a change that is made now takes effect.
    fn mark(&mut self, subject: Option<&'static str>, label: String) {
        let next = self.lane.frames_begun();
        self.history.mark(next, subject, label);
    }
}

impl State {
    pub(super) fn apply_in_grid(&mut self, command: GridCommand) {
        match command {
            GridCommand::LowerTab(tab) => {
                let is_shown = self.grid.lower == tab;
                self.grid.lower = if is_shown { LowerTab::Plots } else { tab };
                self.note(format!("{:?} shown", self.grid.lower).to_lowercase());
            }
            GridCommand::Language(language) => {
                self.grid.language = language;
                self.note(format_args!("code in {}", language.name()));
            }
            GridCommand::Walk(by) => {
                let newest = self.grid.history.frames().back();
                if let Some(newest) = newest.filter(|_| self.flow != Flow::Running) {
                    let from = self.grid.displayed_frame.unwrap_or(newest.record.number);
                    self.look_at(from.saturating_add_signed(by));
                }
            }
            GridCommand::LookAt(number) => {
                if self.flow != Flow::Paused {
                    self.flow = Flow::Paused;
                    self.note("paused");
                }
                self.look_at(number);
            }
            GridCommand::Pin(place) => {
                let grid = &mut self.grid;
                let task = place.and_then(|slot| grid.lane.world().tasks().at(slot));
                grid.pin = task.filter(|_| task != grid.pin); // a second click unpins
                let entity = grid.pin.and_then(|task| grid.lane.world().entity(task));
                match entity.map(|entity| entity.number) {
                    Some(number) => self.note(format_args!("pinned {number}")),
                    None => self.note("unpinned"),
                }
            }
            GridCommand::Point(pointer) => self.grid.lane.set_pointer(pointer),
            GridCommand::Request(place) => {
                let task = self.grid.lane.world().tasks().at(place);
                if let Some(task) = task.filter(|_| self.grid.displayed_frame.is_none()) {
                    self.grid.lane.request(task);
                    self.note(format_args!("request {place}"));
                }
            }
        }
    }

    /// Shows the frame with this number, or the closest recorded frame.
    fn look_at(&mut self, number: u64) {
        let frames = self.grid.history.frames();
        if let (Some(first), Some(last)) = (frames.front(), frames.back()) {
            let (first, last) = (first.record.number, last.record.number);
            let to = number.clamp(first, last);
            self.grid.displayed_frame = (to < last).then_some(to);
            self.note(format_args!("look {to}"));
        }
    }
}

fn new_lane(settings: Settings, machine: WindowMachine) -> MeasuredLane<WindowMachine> {
    let mut lane = MeasuredLane::new(settings, machine);
    lane.measure_gazes();
    lane.list_runs(MAX_LISTED_RUNS);
    lane.collect_changed_slots();
    lane
}

/// The machine that runs the game in the Grid view. On a simulated one, frames are the same every time.
#[derive(Clone, Debug)]
pub enum WindowMachine {
    Host(Host),
    Simulated(Simulated),
}

macro_rules! on_either {
    ($self:ident, $machine:ident => $call:expr) => {
        match $self {
            WindowMachine::Host($machine) => $call,
            WindowMachine::Simulated($machine) => $call,
        }
    };
}

impl WindowMachine {
    pub fn host(&mut self) -> Option<&mut Host> {
        match self {
            Self::Host(host) => Some(host),
            Self::Simulated(_) => None,
        }
    }

    pub fn set_clock(&mut self, time: ClockTime) {
        on_either!(self, machine => machine.set_clock(time));
    }

    /// Excludes an interruption from the measurements of the frame. Nothing interrupts a simulated machine.
    pub fn leave_out(&mut self, time: Nanos) {
        if let Self::Host(host) = self {
            host.leave_out(time);
        }
    }
}

impl Machine for WindowMachine {
    fn tune(&mut self, knobs: &KnobValues) {
        on_either!(self, machine => machine.tune(knobs));
    }

    fn replay(&mut self, recorded: Option<Recording>) {
        on_either!(self, machine => machine.replay(recorded));
    }

    fn stall(&mut self, time: Nanos) {
        on_either!(self, machine => machine.stall(time));
    }

    fn slow_display(&mut self, hz: Option<f64>) {
        on_either!(self, machine => machine.slow_display(hz));
    }

    fn clock(&self) -> ClockTime {
        on_either!(self, machine => machine.clock())
    }

    fn has_time_for(&self, cost: impl FnOnce() -> Nanos) -> bool {
        on_either!(self, machine => machine.has_time_for(cost))
    }

    fn clock_reading(&self) -> Option<ClockReading> {
        on_either!(self, machine => machine.clock_reading())
    }

    fn work(&mut self, cost: Nanos) -> Nanos {
        on_either!(self, machine => machine.work(cost))
    }

    fn speed(&self) -> f64 {
        on_either!(self, machine => machine.speed())
    }

    fn render(&mut self) {
        on_either!(self, machine => machine.render());
    }

    fn wait(&mut self, frame_start: ClockTime, pace: Pace) {
        on_either!(self, machine => machine.wait(frame_start, pace));
    }
}

#[cfg(test)]
mod tests {
    use crate::app::state::command::{Command, GridCommand};
    use crate::app::state::tests::state;
    use lab::cli::View;
    use lab::sim::world::{CHURN, ENTITIES};

    #[test]
    fn the_key_pins_the_target_in_place_for_both_views() {
        let mut state = state();
        (0..9).for_each(|_| state.frame());
        let before = state.grid.lane.world().target();
        state.apply(Command::PinTarget);
        (0..9).for_each(|_| state.frame());
        let pinned = state.grid.lane.world().target();
        let (x, y) = before.towards(pinned);
        assert!(x.abs() < 0.001 && y.abs() < 0.001);
        assert_eq!(state.settings.target, Some(pinned));
        state.apply(Command::View(View::Compare));
        (0..3).for_each(|_| state.frame());
        let of_lanes = |state: &crate::app::state::State| {
            let mut lanes = state.compare.comparison.lanes.iter();
            lanes.all(|lane| lane.settings().target == state.settings.target)
        };
        assert!(of_lanes(&state), "pinned");
        state.apply(Command::PinTarget);
        assert_eq!(state.settings.target, None);
        assert!(of_lanes(&state), "released");
        state.apply(Command::View(View::Grid));
        assert_eq!(state.grid.lane.settings().target, None);
    }

    #[test]
    fn walking_needs_a_pause_and_ends_on_resume() {
        let mut state = state();
        (0..5).for_each(|_| state.frame());
        state.apply(Command::Grid(GridCommand::Walk(-1)));
        assert_eq!(state.grid.displayed_frame, None, "not while it runs");
        state.apply(Command::Pause);
        for (by, displayed_frame) in [
            (-1, Some(3)),
            (-1, Some(2)),
            (1, Some(3)),
            (1, None),
            (1, None),
        ] {
            state.apply(Command::Grid(GridCommand::Walk(by)));
            assert_eq!(state.grid.displayed_frame, displayed_frame);
        }
        state.apply(Command::Grid(GridCommand::Walk(-100)));
        assert_eq!(state.grid.displayed_frame, Some(0));
        state.apply(Command::Step);
        state.frame();
        assert_eq!(state.grid.displayed_frame, None);
    }

    #[test]
    fn a_past_frame_keeps_its_crowd() {
        let mut state = state();
        (0..5).for_each(|_| state.frame());
        let before = state.grid.places();
        state.apply(Command::Pause);
        state.apply(Command::Grid(GridCommand::Walk(-1)));
        state.apply(Command::SetKnob(&ENTITIES, 10.0));
        assert_eq!(state.grid.places(), before);
        state.apply(Command::Grid(GridCommand::Walk(1)));
        assert_eq!(state.grid.places(), 10);
    }

    #[test]
    fn a_second_click_or_a_death_unpins() {
        let mut state = state();
        state.frame();
        state.apply(Command::SetKnob(&CHURN, 1000.0));
        for pinned in [Some(3), None] {
            state.apply(Command::Grid(GridCommand::Pin(Some(3))));
            let pin = state.grid.pin;
            assert_eq!(pin.map(|task| task.index), pinned, "a second click unpins");
        }
        state.apply(Command::Grid(GridCommand::Pin(Some(3))));
        let pinned = state.grid.pin.unwrap();
        while state.grid.lane.world().tasks().contains(pinned) {
            assert_eq!(state.grid.pin, Some(pinned));
            state.apply(Command::Step);
            state.frame();
        }
        assert_eq!(state.grid.pin, None);
    }
}
