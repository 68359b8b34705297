//! The commands, which are everything that a user can ask the program to do.

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

/// What a key, a click or a drag asks for. Commands are the only way to change the state; drawing only reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    View(View),
    Strategy(&'static StrategyEntry),
    /// Switch to the strategy this many positions after the current one, wrapping around.
    StepStrategy(isize),
    FrameLoop(&'static FrameLoopEntry),
    /// Switch to the frame loop this many positions after the current one, wrapping around.
    StepFrameLoop(isize),
    Pause,
    /// Advance the game by one frame, then pause.
    Step,
    /// While paused, move forward through the recorded frames by this many, or back if negative.
    Walk(i64),
    /// Pause and show the recorded frame with this number.
    LookAt(u64),
    /// Show all capsules if the view is zoomed in. Otherwise, while paused, show the oldest recorded frame.
    Home,
    Zoom(Zoom),
    /// Show this tab below the capsules, or the plots if this tab is already shown.
    LowerTab(LowerTab),
    /// Colour the capsules in this mode, or in the default mode if this one is already selected.
    Colours(ColourMode),
    /// Reset all statistics.
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
    /// Show or hide the list of keys.
    Help,
    Tour,
    /// Move forward in the tour by this many steps, or back if negative.
    WalkTour(isize),
    Screenshot,
    /// Record the next few seconds as an animation, or stop the current recording. Not available on a page.
    Record,
    /// Save a screenshot and the data of the view on screen to a folder.
    Export,
    /// Show the strategy's code in this programming language.
    Language(Language),
    /// Copy code that uses this strategy with the current knobs, as some lines of Rust or as a complete C# file.
    CopyCode(&'static StrategyEntry, Language),
    CopyLink,
    Quit,
    /// Close the help if it is open; otherwise end the tour; otherwise unpin the entity; otherwise ask for a second
    /// press, which quits.
    Escape,
    /// Set a knob for all lanes in view.
    SetKnob(&'static Knob, f64),
    /// Go back from task costs that come from a file to task costs that follow from the knobs.
    CostsByKnobs,
    /// In the Loops view, set a knob of one of the two machines.
    SetMachineKnob(Side, &'static Knob, f64),
    /// Switch a limit of the user's game off, or on with its former value.
    SwitchLimit(Limit),
    /// Set a limit of the user's game and switch it on.
    SetLimit(Limit, Nanos),
    /// Apply what the advice card at this index offers: knobs of its strategy, and possibly a limit or the number of
    /// entities.
    SetRecommended(usize),
    /// Copy code that uses the recommended strategy with its best setting.
    CopyRecommended,
    /// Switch the strategy between its published form and ours. In the Compare view, this switches all strategies that
    /// have both forms.
    AsPublished,
    /// Sort the compared lanes by this metric, or reverse the order if they are sorted by it. `None` restores the order
    /// of the registry.
    Sort(Option<&'static Metric>),
    /// Show this metric of the compared lanes, or hide it if it is shown.
    ToggleMetric(&'static Metric),
    /// Switch the trade-off chart between the mean and the worst weighted staleness.
    TradeOff,
    /// Show this chart below the compared lanes, or the trade-off chart if this chart is already shown.
    Chart(Chart),
    /// Switch the trade-off chart between absolute times and multiples of a minimum.
    Absolute,
    /// Find the crossovers between strategies as this knob varies.
    Over(&'static Knob),
    /// Select the compared lane at this index.
    SelectLane(usize),
    /// Select the lane this many rows below the selected one, or above it if negative.
    StepLane(isize),
    OpenSelected,
    /// Request a run for the entity in this slot.
    Request(u32),
    /// Pin the entity in this slot, or unpin it if it is pinned. `None` unpins.
    Pin(Option<u32>),
    /// Move the target to this point, unless the target is pinned. `None` returns it to its orbit.
    Point(Option<Point>),
    /// Pin the target at its current position, or release it if it is pinned.
    PinTarget,
    /// Pin the target at this point. `None` releases it.
    PinTargetAt(Option<Point>),
}

impl Command {
    /// Returns true if holding the key down repeats the command. [`Command::Home`] does not repeat, because its first
    /// press may show all capsules, and the next one would leave the current frame.
    pub fn repeats(self) -> bool {
        matches!(self, Self::Step | Self::Walk(_) | Self::StepLane(_))
    }
}
