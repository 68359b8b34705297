//! The app's state: what each view shows, how game time goes, and what a command changes. Nothing here draws or
//! knows where anything is on the screen.

mod apply;
pub mod command;
pub mod experiments;
pub mod export;
pub mod frame;
pub mod grid;
mod journal;
mod link;
pub mod machine;
mod save;
pub mod saver;
pub mod selection;
pub mod ui_scale;
pub mod view;

use super::platform::event_log::Log;
use crate::experiment::comparison::Comparison;
use crate::experiment::loop_race::Race;
use crate::sim::machine::Host;
use crate::sim::settings::Settings;
use experiments::{CompareState, ExperimentClock, LoopsState};
use grid::GridState;
use journal::Journal;
use machine::WindowMachine;
use saver::Saver;
use timeslice::time::Nanos;
use ui_scale::UiScale;
use view::View;

/// How game time goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// With the clock.
    Running,
    /// Paused.
    Paused,
    /// Paused after one more frame.
    Stepping,
}

/// What the colours of capsules mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourMode {
    /// A run flashes and fades.
    #[default]
    Flash,
    /// The time since the last run.
    Staleness,
}

/// What is shown around and over every view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interface {
    /// Whether the panels are shown.
    pub panels: bool,
    /// Whether the list of keys covers the view.
    pub help: bool,
    /// How large the interface is.
    pub scale: UiScale,
}

/// Everything that the program knows while it runs, except its picture.
pub struct State {
    /// The view that is shown.
    pub view: View,
    /// What the main view shows.
    pub grid: GridState,
    /// What the view that compares strategies shows.
    pub compare: CompareState,
    /// What the view of frame loops shows.
    pub loops: LoopsState,
    /// The time of the experiment that is shown.
    pub experiment_clock: ExperimentClock,
    /// How game time goes.
    pub flow: Flow,
    /// What the colours of capsules mean.
    pub colours: ColourMode,
    /// What is shown around and over the view.
    pub interface: Interface,
    /// What the keys save.
    pub saver: Saver,
    /// Whether to quit after this frame.
    pub quits: bool,
    journal: Journal,
    /// Number of frames made at once at each start, after which the game is paused; none if it runs.
    still: Option<u64>,
}

impl State {
    /// A running lane on this computer.
    pub fn new(settings: Settings, view: View, log: Log) -> Self {
        Self::on(WindowMachine::Host(Host::new()), settings, view, log)
    }

    /// Paused after this many frames on a simulated machine: the picture depends on nothing else, and a restart
    /// returns to it.
    pub fn still(frames: u64, settings: Settings, view: View, log: Log) -> Self {
        let mut state = Self::on(WindowMachine::simulated(), settings, view, log);
        state.still = Some(frames);
        state.go_ahead();
        state
    }

    fn on(machine: WindowMachine, settings: Settings, view: View, log: Log) -> Self {
        Self {
            view,
            grid: GridState::new(settings, machine),
            compare: CompareState::default(),
            loops: LoopsState::default(),
            experiment_clock: ExperimentClock::default(),
            flow: Flow::Running,
            colours: ColourMode::default(),
            interface: Interface {
                panels: true,
                help: false,
                scale: UiScale::USUAL,
            },
            saver: Saver::default(),
            quits: false,
            journal: Journal::new(log),
            still: None,
        }
    }

    /// Whether the display of the lanes in view has dropped to a lower rate.
    pub fn has_slow_display(&self) -> bool {
        match self.view {
            View::Grid => self.grid.lane.has_slow_display(),
            View::Compare => {
                let comparison = self.compare.comparison.as_ref();
                comparison.is_some_and(Comparison::has_slow_display)
            }
            View::Loops => {
                let race = self.loops.race.as_ref();
                race.is_some_and(Race::has_slow_display)
            }
        }
    }

    /// The time of the experiment in view, once it has begun.
    fn experiment_time(&self) -> Option<Nanos> {
        match self.view {
            View::Grid => None,
            View::Compare => self.compare.comparison.as_ref().map(Comparison::time),
            View::Loops => self.loops.race.as_ref().map(Race::time),
        }
    }

    /// Name of a saved picture, without its ending: what it shows, and when.
    fn picture_name(&self) -> String {
        if let Some(time) = self.experiment_time() {
            let view = self.view.name().to_lowercase();
            return format!("timeslice-lab-{view}-{:.2}s", time.as_secs_f64());
        }
        let strategy = self.grid.lane.settings().strategy.key;
        let frame = self.grid.lane.last_frame().number;
        format!("timeslice-lab-{strategy}-{frame}")
    }

    /// Notes, at the end, how long frames were and what the interface cost in processor time.
    pub fn sum_up(&mut self, interface: Nanos, pictures: u64) {
        let lengths = self.grid.lane.totals().lengths();
        let (median, p99) = (lengths.quantile(0.5), lengths.quantile(0.99));
        let interface = Nanos::from_nanos(interface.as_nanos() / pictures.max(1));
        self.note(format_args!(
            "in all: frames of {median} ms at the median, {p99} ms at p99; the interface took {interface} ms of processor time a picture"
        ));
    }

    /// Notes what happened in the event log.
    pub fn note(&mut self, what: impl std::fmt::Display) {
        self.journal.note(self.grid.next_frame(), what);
    }

    /// Call after the display has taken a picture.
    pub fn displayed(&mut self) {
        if self.flow == Flow::Paused {
            self.journal.displayed(self.grid.next_frame());
        }
    }
}

#[cfg(test)]
pub mod tests;
