//! The state of the program, and the commands that change it. This module draws nothing and knows no screen positions.

mod apply;
mod background_plan;
pub mod best_setting;
pub mod command;
pub mod compare;
mod export;
pub mod frame;
pub mod game_limits;
pub mod grid;
pub mod opening;
pub mod saver;
pub mod tour;

pub use super::crowd::ColourMode;
use super::platform::event_log::Log;
use compare::CompareState;
use grid::{GridState, WindowMachine};
use lab::cli::View;
use lab::comparison::loops::LoopComparison;
use lab::recommend::Limits;
use lab::sim::disturbance::Disturbance;
use lab::sim::lane::{ChangedSlots, Lane};
use lab::sim::machine::{Host, Simulated};
use lab::sim::settings::Settings;
use opening::Opening;
use saver::Saver;
use timeslicer::time::ClockTime;
use tour::Tour;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Running,
    Paused,
    /// The game runs for one more frame, then pauses.
    Stepping,
}

/// Which parts of the interface are visible, and how large everything is.
#[derive(Clone, Copy)]
pub struct Interface {
    pub panels: bool,
    /// Whether the window is large enough to show the knobs next to the view.
    pub has_room_for_knobs: bool,
    /// Whether the user wants to see the knobs. If `None`, they are visible if there is room for them.
    pub knobs: Option<bool>,
    pub help: bool,
    pub colours: ColourMode,
    /// The factor by which the user has enlarged the interface.
    pub scale: f32,
}

impl Interface {
    pub fn shows_staleness(&self) -> bool {
        self.colours == ColourMode::Staleness
    }

    pub fn shows_knobs(&self) -> bool {
        self.panels && self.knobs.unwrap_or(self.has_room_for_knobs)
    }
}

pub struct State {
    pub view: View,
    /// The settings that Grid and Compare share, which are applied to a view when the user switches to it.
    pub settings: Settings,
    pub grid: GridState,
    pub compare: CompareState,
    pub loop_comparison: LoopComparison,
    /// Whether this computer is too slow to simulate the comparison on screen in real time.
    pub lags: bool,
    /// The real time at which the comparison on screen last advanced. `None` if there is none or it is paused.
    advanced_at: Option<ClockTime>,
    /// How often the comparisons have advanced. While one is on screen, the log uses this as the frame number.
    advances: u64,
    pub flow: Flow,
    pub interface: Interface,
    pub tour: Option<Tour>,
    pub saver: Saver,
    pub opening: Opening,
    /// Text to copy to the clipboard, which is either code or the query of a link. A query may be followed by a second
    /// line, which lists the settings that the link leaves out.
    pub clipboard: Option<String>,
    pub was_used: bool,
    pub quits: bool,
    /// If Escape is pressed again before this time, the program quits.
    escape_quits_until: ClockTime,
    log: Log,
    /// If the program was started with `--still`, the number of frames to run before the game pauses. Otherwise `None`.
    still: Option<u64>,
}

impl State {
    /// Creates the state of a game that uses the clock of this computer. If `still` is given, as with `--still`, the
    /// game runs on a simulated machine instead, and is paused after this number of frames. The image is then always
    /// the same.
    pub fn new(
        settings: Settings,
        still: Option<u64>,
        limits: Limits,
        view: View,
        log: Log,
    ) -> Self {
        let machine = match still {
            Some(_) => WindowMachine::Simulated(Simulated::default()),
            None => WindowMachine::Host(Host::measured()),
        };
        let mut state = Self {
            view,
            grid: GridState::new(settings.clone(), machine),
            compare: CompareState::new(limits),
            loop_comparison: LoopComparison::new(&settings.knobs),
            settings,
            lags: false,
            advanced_at: None,
            advances: 0,
            flow: Flow::Running,
            interface: Interface {
                panels: true,
                has_room_for_knobs: true,
                knobs: None,
                help: false,
                colours: ColourMode::Flash,
                scale: 1.0,
            },
            tour: None,
            saver: Saver::default(),
            opening: Opening::default(),
            clipboard: None,
            was_used: false,
            quits: false,
            escape_quits_until: ClockTime::START,
            log,
            still,
        };
        state.begin_experiment();
        state.make_still_frames();
        state
    }

    /// Returns true if the effect of a disturbance lasts in the current view.
    pub fn is_disturbed(&self, disturbance: Disturbance) -> bool {
        use Disturbance::{Heavy, SlowDisplay};
        match (disturbance, self.view) {
            (SlowDisplay, View::Grid) => self.grid.lane.has_slow_display(),
            (SlowDisplay, View::Compare) => self.compare.comparison.has_slow_display(),
            (SlowDisplay, View::Loops) => self.loop_comparison.has_slow_display(),
            (Heavy, View::Grid) => self.grid.lane.world().heavy().is_some(),
            (Heavy, View::Compare) => self.compare.comparison.has_heavy_task(),
            (Heavy, View::Loops) => self.loop_comparison.has_heavy_task(),
            _ => false,
        }
    }

    /// For each lane on screen, returns which capsules have changed since the last call.
    pub fn take_changed_slots(&mut self) -> Vec<ChangedSlots> {
        match self.view {
            View::Grid => vec![self.grid.lane.take_changed_slots()],
            View::Compare => {
                let lanes = self.compare.comparison.lanes.iter_mut();
                lanes.map(Lane::take_changed_slots).collect()
            }
            View::Loops => Vec::new(),
        }
    }

    fn frames(&self) -> u64 {
        match self.view {
            View::Grid => self.grid.lane.frames_begun(),
            View::Compare | View::Loops => self.advances,
        }
    }

    /// Logs an event that changes what is on screen.
    pub fn note(&mut self, what: impl std::fmt::Display) {
        self.log.note(self.frames(), what);
    }

    /// Logs an event that does not change what is on screen.
    pub fn log(&mut self, what: impl std::fmt::Display) {
        self.log.line(self.frames(), what);
    }

    /// Tells the log that a frame was displayed. Only frames of a paused game count, as they look the same.
    pub fn displayed(&mut self) {
        if self.flow == Flow::Paused {
            self.log.displayed(self.frames());
        }
    }
}

#[cfg(test)]
pub mod tests;
