//! State of the window: the contents of each view, the flow of game time, and the commands that change them. Nothing
//! here draws or knows screen positions.

mod apply;
pub mod best_setting;
pub mod command;
pub mod compare;
pub mod frame;
pub mod game_limits;
pub mod grid;
pub mod interface;
pub mod saver;
pub mod tour;
pub mod view;

pub use super::capsules::ColourMode;
use super::platform::event_log::Log;
use compare::CompareState;
use game_limits::GameLimits;
use grid::{GridState, WindowMachine};
use headless::experiment::loop_comparison::LoopComparison;
use headless::experiment::sweep::Limit;
use headless::sim::lane::{ChangedSlots, Lane};
use headless::sim::machine::Host;
use headless::sim::settings::Settings;
use headless::sim::world::HeavyTask;
use interface::Interface;
use saver::{Recording, Saver};
use timeslicer::strategy::knobs::BUDGET;
use timeslicer::time::{ClockTime, Nanos};
use tour::Tour;
use view::View;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Running,
    Paused,
    /// Pauses after one more frame.
    Stepping,
}

/// Everything that the program knows while it runs, except its graphics.
pub struct State {
    pub view: View,
    /// Settings that Grid and Compare share. Only commands change them; the lanes of the view on screen follow them, and
    /// the other lanes once their view is shown.
    pub settings: Settings,
    pub grid: GridState,
    pub compare: CompareState,
    /// Each frame loop on a fast and a slow machine.
    pub loop_comparison: LoopComparison,
    /// Whether this computer is too slow to simulate the experiment on screen in real time.
    pub lags: bool,
    /// Monotonic time of the last picture, if an experiment was running in it.
    advanced_at: Option<ClockTime>,
    pub flow: Flow,
    /// Meaning of the capsules' colours.
    pub colours: ColourMode,
    pub interface: Interface,
    pub tour: Option<Tour>,
    pub saver: Saver,
    recording: Option<Recording>,
    /// A text to copy: lines of code, or on a page the part of a link from the question mark on, with what the link
    /// lacks in a second line.
    pub clipboard: Option<String>,
    /// Whether the user has given any command yet.
    pub was_used: bool,
    pub quits: bool,
    /// Monotonic time until which another Escape quits.
    escape_quits_until: ClockTime,
    log: Log,
    /// Number of frames to make before pausing, at each start of a still; `None` if the game is not a still.
    still: Option<u64>,
}

impl State {
    /// Returns the state of a running game on this computer.
    pub fn new(settings: Settings, view: View, log: Log) -> Self {
        Self::on(WindowMachine::Host(Host::new()), settings, view, log)
    }

    /// Returns the state of a still: a game on a simulated machine, paused after `frames` frames. The same arguments
    /// always give the same picture, and a restart returns to that picture.
    pub fn still(frames: u64, settings: Settings, view: View, log: Log) -> Self {
        let machine = WindowMachine::simulated(&settings.knobs);
        let mut state = Self::on(machine, settings, view, log);
        state.still = Some(frames);
        state.make_still_frames();
        state
    }

    fn on(machine: WindowMachine, settings: Settings, view: View, log: Log) -> Self {
        let budget = settings.knobs.span(&BUDGET);
        let mut state = Self {
            view,
            grid: GridState::new(settings.clone(), machine),
            compare: CompareState::new(GameLimits::new(budget, None, None)),
            loop_comparison: LoopComparison::new(&settings.knobs),
            settings,
            lags: false,
            advanced_at: None,
            flow: Flow::Running,
            colours: ColourMode::default(),
            interface: Interface::default(),
            tour: None,
            saver: Saver::default(),
            recording: None,
            clipboard: None,
            was_used: false,
            quits: false,
            escape_quits_until: ClockTime::START,
            log,
            still: None,
        };
        state.begin_experiment();
        state
    }

    /// Switches on the limits of the game that have a value.
    pub fn limit(&mut self, near: Option<Nanos>, longest: Option<Nanos>) {
        let limits = &mut self.compare.best_setting.limits;
        let given = [(Limit::Near, near), (Limit::Longest, longest)];
        for (limit, value) in given {
            if let Some(value) = value {
                limits.set(limit, value);
            }
        }
    }

    /// Returns true if Grid shows the projectile's strip. Under the default frame loop, the projectile is always where
    /// real time puts it.
    pub fn shows_projectile(&self) -> bool {
        let frame_loop = self.settings.frame_loop;
        let is_usual = frame_loop == Settings::default().frame_loop;
        self.interface.projectile.unwrap_or(!is_usual)
    }

    /// Returns true if the lanes in view have dropped to a lower display rate.
    pub fn has_slow_display(&self) -> bool {
        match self.view {
            View::Grid => self.grid.lane.has_slow_display(),
            View::Compare => self.compare.comparison.has_slow_display(),
            View::Loops => self.loop_comparison.has_slow_display(),
        }
    }

    /// Returns the heavy task of the lanes in view.
    pub fn heavy_task(&self) -> Option<HeavyTask> {
        match self.view {
            View::Grid => self.grid.lane.world().heavy_task(),
            View::Compare => self.compare.comparison.heavy_task(),
            View::Loops => self.loop_comparison.heavy_task(),
        }
    }

    /// Takes the places that have changed since the last call, for each lane in view.
    pub fn take_changed_slots(&mut self) -> Vec<ChangedSlots> {
        match self.view {
            View::Grid => vec![self.grid.lane.take_changed_slots()],
            View::Compare => {
                let lanes = self.compare.comparison.lanes_mut().iter_mut();
                lanes.map(Lane::take_changed_slots).collect()
            }
            View::Loops => Vec::new(),
        }
    }

    /// File name for saves, without extension. Names the view and the time of an experiment, or else the strategy and
    /// the frame number.
    fn picture_name(&self) -> String {
        let time = match self.view {
            View::Grid => {
                let strategy = self.grid.lane.settings().strategy.key;
                let frame = self.grid.lane.last_frame().number;
                return format!("timeslice-lab-{strategy}-{frame}");
            }
            View::Compare => self.compare.comparison.time(),
            View::Loops => self.loop_comparison.time(),
        };
        let view = self.view.name().to_lowercase();
        format!("timeslice-lab-{view}-{:.2}s", time.as_secs_f64())
    }

    /// Logs an event that changes the picture.
    pub fn note(&mut self, what: impl std::fmt::Display) {
        self.log.note(self.grid.next_frame(), what);
    }

    /// Logs that a picture has been laid out, and the input that it responds to: the number of events since the start, and
    /// the pointer's position in pixels.
    pub fn log_picture(&mut self, input_count: usize, x: f32, y: f32) {
        let what = format_args!("picture input {input_count} pointer {x:.0} {y:.0}");
        self.log.line(self.grid.next_frame(), what);
    }

    /// Call after the display has shown a picture.
    pub fn displayed(&mut self) {
        if self.flow == Flow::Paused {
            self.log.displayed(self.grid.next_frame());
        }
    }
}

#[cfg(test)]
pub mod tests;
