//! All commands that the user can give with a key, a click or a drag.

use super::compare::{Offer, OutcomeValue};
use super::grid::{Language, LowerTab};
use lab::catalog::frame_loop::FrameLoopEntry;
use lab::catalog::knob::Knob;
use lab::catalog::strategy::StrategyEntry;
use lab::cli::View;
use lab::comparison::loops::{Machines, Side};
use lab::recommend::Limit;
use lab::sim::disturbance::Disturbance;
use lab::sim::world::Point;
use timeslicer::time::Nanos;

/// An action that the user has requested. The state changes only through commands, and drawing only reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    View(View),
    Strategy(&'static StrategyEntry),
    /// Move forward in the list of strategies by this many entries, or back if negative. The list wraps around.
    StepStrategy(isize),
    FrameLoop(&'static FrameLoopEntry),
    /// Move to the next frame loop in the list, which wraps around.
    NextFrameLoop,
    Pause,
    /// Advance the game by one frame, then pause.
    Step,
    /// Show the staleness of the capsules instead of flashes, or the flashes again.
    ShowStaleness,
    Disturb(Disturbance),
    Restart,
    /// Show or hide everything except the capsules.
    Panels,
    Knobs,
    /// Add this to the factor by which the interface is enlarged.
    Scale(f32),
    DefaultScale,
    Help,
    Tour,
    /// Move forward in the tour by this many steps, or back if negative.
    WalkTour(isize),
    Screenshot,
    /// Save a screenshot and the data of the view on screen to a folder.
    Export,
    /// Copy code for this strategy with the current knob values: a few lines of Rust or a complete C# file.
    CopyCode(&'static StrategyEntry, Language),
    CopyLink,
    Quit,
    /// Close the help, or else end the tour, or else unpin the entity, or else ask for another Escape to quit.
    Escape,
    SetKnob(&'static Knob, f64),
    /// Read the dropped file again with the column or zone at this index.
    ChooseCandidate(usize),
    /// Use the dropped file on screen.
    UseCapture,
    /// Do not use the dropped file on screen.
    CancelCapture,
    /// Stop using task costs from a file, so that the knobs determine the costs again.
    CostsByKnobs,
    Machines(Machines),
    SetMachineKnob(Side, &'static Knob, f64),
    /// Switch the current strategy, or all in Compare, between the published and the corrected version.
    AsPublished,
    /// Pin the target at its current position, or release it if it is pinned.
    PinTarget,
    /// Pin the target at this point. `None` releases it.
    PinTargetAt(Option<Point>),
    Grid(GridCommand),
    Compare(CompareCommand),
}

/// A command for the Grid view. In another view, it has no effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GridCommand {
    /// While the game is paused, move forward through the recorded frames by this many frames, or back if negative.
    Walk(i64),
    LookAt(u64),
    /// Show this tab below the capsules. If it is already shown, show the plots instead.
    LowerTab(LowerTab),
    Language(Language),
    /// Request a task run for the entity in this slot.
    Request(u32),
    /// Pin the entity in this slot, so that its details stay visible, or unpin it. `None` unpins the pinned entity.
    Pin(Option<u32>),
    /// Move the target to this point, unless the target is pinned. `None` makes the target continue on its orbit.
    Point(Option<Point>),
}

/// A command for the Compare view. In another view, it has no effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CompareCommand {
    /// Turn a limit of the user's game on or off. The limit keeps its value while it is off.
    SwitchLimit(Limit),
    /// Switch between work that is done only when it is requested, and work that is done again and again.
    OnRequest,
    /// Set one of the limits that the user's game must stay within, and turn this limit on.
    SetLimit(Limit, Nanos),
    /// Apply a setting that the recommendation offers, and select its strategy.
    Apply(Offer),
    CopyOffer(Offer, Language),
    /// Sort the table by this value, or reverse the order. `None` restores the order of the answer.
    Sort(Option<OutcomeValue>),
    /// Switch the trade-off chart between the mean and the worst weighted staleness.
    TradeOff,
    /// Show the other chart below the Compare table.
    SwitchChart,
    /// Choose the knob that varies in the crossovers chart.
    Over(&'static Knob),
    SelectLane(usize),
    /// In the Compare table, move the selection down by this many rows, or up if negative.
    StepLane(isize),
    OpenSelected,
}

impl From<GridCommand> for Command {
    fn from(command: GridCommand) -> Self {
        Self::Grid(command)
    }
}

impl From<CompareCommand> for Command {
    fn from(command: CompareCommand) -> Self {
        Self::Compare(command)
    }
}

impl Command {
    /// Returns true if the command is repeated while its key is held down.
    pub fn repeats(self) -> bool {
        matches!(
            self,
            Self::Step
                | Self::Grid(GridCommand::Walk(_))
                | Self::Compare(CompareCommand::StepLane(_))
        )
    }
}
