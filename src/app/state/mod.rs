//! The state of the window: the contents of each view, the flow of game time, and the commands that change them. This
//! module draws nothing and knows no screen positions.

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
    /// The game runs for one more frame, then pauses.
    Stepping,
}

/// Everything that the program knows while it runs, except its graphics.
pub struct State {
    pub view: View,
    /// The settings that the Grid and Compare views share. Only commands change them. The lanes of the view on screen
    /// follow them at once, other lanes as soon as their view is shown.
    pub settings: Settings,
    pub grid: GridState,
    pub compare: CompareState,
    /// The comparison of all frame loops, each on a fast and a slow machine.
    pub loop_comparison: LoopComparison,
    /// Whether this computer is too slow to simulate the experiment on screen in real time.
    pub lags: bool,
    /// The monotonic time of the last rendered frame, if an experiment was running in it.
    advanced_at: Option<ClockTime>,
    pub flow: Flow,
    /// What the colours of the capsules mean.
    pub colours: ColourMode,
    pub interface: Interface,
    pub tour: Option<Tour>,
    pub saver: Saver,
    recording: Option<Recording>,
    /// A string to copy to the clipboard. It is either code or, on a page, the query of a link, with a second line that
    /// says what the link leaves out.
    pub clipboard: Option<String>,
    /// Whether the user has given any command yet.
    pub was_used: bool,
    pub quits: bool,
    /// The monotonic time until which another press of Escape quits.
    escape_quits_until: ClockTime,
    log: Log,
    /// For a still image, the number of frames to make before pausing; `None` for a normal game.
    still: Option<u64>,
}

impl State {
    /// Creates the state of a running game on this computer.
    pub fn new(settings: Settings, view: View, log: Log) -> Self {
        Self::on(WindowMachine::Host(Host::new()), settings, view, log)
    }

    /// Creates the state for a still image: a game on a simulated machine that is paused after `frames` frames. The
    /// same arguments always produce the same image, and a restart returns to it.
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

    /// Sets these limits of the user's game and switches them on. `None` leaves a limit unchanged.
    pub fn limit(&mut self, near: Option<Nanos>, longest: Option<Nanos>) {
        let limits = &mut self.compare.best_setting.limits;
        let given = [(Limit::Near, near), (Limit::Longest, longest)];
        for (limit, value) in given {
            if let Some(value) = value {
                limits.set(limit, value);
            }
        }
    }

    /// Returns true if the Grid view shows the strip with the projectile. Unless the user has chosen otherwise, the
    /// strip is hidden under the default frame loop, because there the projectile is always where real time puts it.
    pub fn shows_projectile(&self) -> bool {
        let frame_loop = self.settings.frame_loop;
        let is_usual = frame_loop == Settings::default().frame_loop;
        self.interface.projectile.unwrap_or(!is_usual)
    }

    /// Returns true if a disturbance has lowered the display rate of the lanes in view.
    pub fn has_slow_display(&self) -> bool {
        match self.view {
            View::Grid => self.grid.lane.has_slow_display(),
            View::Compare => self.compare.comparison.has_slow_display(),
            View::Loops => self.loop_comparison.has_slow_display(),
        }
    }

    /// Returns the expensive task that a disturbance has added to the lanes in view, if any.
    pub fn heavy_task(&self) -> Option<HeavyTask> {
        match self.view {
            View::Grid => self.grid.lane.world().heavy_task(),
            View::Compare => self.compare.comparison.heavy_task(),
            View::Loops => self.loop_comparison.heavy_task(),
        }
    }

    /// Takes the slots whose capsules have changed since the last call, for each lane in view.
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

    /// Returns a file name without extension. The name contains the view and the time of the experiment, or in the Grid
    /// view, the strategy and the frame number.
    fn screenshot_name(&self) -> String {
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

    /// Logs an event that changes what is on screen.
    pub fn note(&mut self, what: impl std::fmt::Display) {
        self.log.note(self.grid.next_frame(), what);
    }

    /// Logs that a frame has been laid out, and the input that it responds to: the number of input events since the
    /// start, and the pointer position in pixels.
    pub fn log_frame(&mut self, input_count: usize, x: f32, y: f32) {
        let what = format_args!("picture input {input_count} pointer {x:.0} {y:.0}");
        self.log.line(self.grid.next_frame(), what);
    }

    /// Logs the time that the updates and the layouts of a frame took.
    pub fn log_work(&mut self, time: Nanos) {
        let what = format_args!("updated and laid out in {time} ms");
        self.log.line(self.grid.next_frame(), what);
    }

    /// Tells the log that a frame has been displayed. The log counts only frames of a paused game.
    pub fn displayed(&mut self) {
        if self.flow == Flow::Paused {
            self.log.displayed(self.grid.next_frame());
        }
    }
}

#[cfg(test)]
pub mod tests;
