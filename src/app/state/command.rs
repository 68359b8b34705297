//! Commands: everything that a user can ask of the program.

use super::compare::Chart;
use super::grid::{Language, LowerTab};
use super::view::View;
use crate::app::capsules::{ColourMode, Zoom};
use headless::experiment::loop_comparison::Side;
use headless::experiment::sweep::Limit;
use headless::sim::disturbance::Disturbance;
use headless::sim::world::Point;
use headless::stats::Metric;
use timeslicer::frame_loop::FrameLoopEntry;
use timeslicer::knob::Knob;
use timeslicer::strategy::StrategyEntry;
use timeslicer::time::Nanos;

/// Meaning of a key, click or drag. Only commands change the state; drawing reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    View(View),
    Strategy(&'static StrategyEntry),
    /// Run the strategy this many places after the current one, wrapping around.
    StepStrategy(isize),
    FrameLoop(&'static FrameLoopEntry),
    /// Run the frame loop this many places after the current one, wrapping around.
    StepFrameLoop(isize),
    Pause,
    /// Run one frame of game time, then pause.
    Step,
    /// While paused: move this many frames forward in the recorded history, or back if negative.
    Walk(i64),
    /// Pause, and show the recorded frame with this number.
    LookAt(u64),
    /// Show all capsules if they are magnified; otherwise, while paused, the oldest recorded frame.
    Home,
    Zoom(Zoom),
    /// Show this tab below the capsules, or the plots if it is already shown.
    LowerTab(LowerTab),
    /// Give the capsules' colours this meaning, or the usual one if they already have it.
    Colours(ColourMode),
    /// Reset all figures.
    Measure,
    Disturb(Disturbance),
    Restart,
    /// Show or hide everything except the capsules.
    Panels,
    Knobs,
    Projectile,
    /// Enlarge the interface by this many steps, or shrink it if negative.
    Scale(isize),
    DefaultScale,
    /// Show or hide the key list.
    Help,
    Tour,
    /// Move this many steps forward in the tour, or back if negative.
    WalkTour(isize),
    Screenshot,
    /// Record the next seconds as an animation, or end the recording. Not on a page.
    Record,
    /// Save the picture and the data of the view in a folder.
    Export,
    /// Show the code in this language.
    Language(Language),
    /// Copy code that uses this strategy with the current knobs: lines of Rust, or a whole file of C#.
    CopyCode(&'static StrategyEntry, Language),
    CopyLink,
    Quit,
    /// Close the help, else end the tour, else unpin, else quit.
    Escape,
    /// Set a knob of all lanes in view.
    SetKnob(&'static Knob, f64),
    /// Let the task costs come from the knobs again instead of a file.
    CostsByKnobs,
    /// Set a machine's own knob in Loops.
    SetMachineKnob(Side, &'static Knob, f64),
    /// Switch a limit of the game off, or on with the value that it had.
    SwitchLimit(Limit),
    /// Set a limit of the game, and switch it on.
    SetLimit(Limit, Nanos),
    /// Set what the card at this index offers: knobs of its strategy, and a limit or the number of entities.
    SetAdvised(usize),
    /// Copy code that uses the advised strategy with its best setting.
    CopyAdvised,
    /// Run the strategy as published, or in our form if it already is; in Compare, all strategies that have both.
    AsPublished,
    /// Sort the compared lanes by this figure, or reverse their order if they are; `None` restores the registry's order.
    Sort(Option<&'static Metric>),
    /// Show this figure of the compared lanes, or hide it if it is shown.
    ToggleMetric(&'static Metric),
    /// Show the mean, or the worst, weighted staleness in the trade-off chart.
    TradeOff,
    /// Show this chart below the compared lanes, or the trade-off chart if it is already shown.
    Chart(Chart),
    /// Show times in the trade-off chart, or multiples if it shows times.
    Absolute,
    /// Seek crossovers over this knob.
    Over(&'static Knob),
    /// Select the compared lane at this index.
    SelectLane(usize),
    /// Select the lane this many rows below the selected one.
    StepLane(isize),
    OpenSelected,
    /// Request a run for the entity at this place.
    Request(u32),
    /// Pin the entity at this place, or unpin it if it is pinned; `None` unpins.
    Pin(Option<u32>),
    /// Move the target to this point unless it is pinned; `None` returns it to its orbit.
    Point(Option<Point>),
    /// Pin the target where it is, or release it if it is pinned.
    PinTarget,
    /// Pin the target at this point; `None` releases it.
    PinTargetAt(Option<Point>),
}

impl Command {
    /// Returns true if holding the command's key down repeats it. Not [`Command::Home`]: its first press may show all
    /// capsules, and the next one leaves the present.
    pub fn repeats(self) -> bool {
        matches!(self, Self::Step | Self::Walk(_) | Self::StepLane(_))
    }
}
