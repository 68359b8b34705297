//! What a user can tell the program.

use super::view::View;
use crate::experiment::loop_race::Side;
use crate::sim::disturbance::Disturbance;
use crate::sim::world::Point;
use timeslice::frame_loop::FrameLoopEntry;
use timeslice::knob::Knob;
use timeslice::strategy::StrategyEntry;

/// Everything that a key, a click or a drag can mean. Commands change the app; drawing only reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Show this view.
    View(View),
    /// Run this strategy.
    Strategy(&'static StrategyEntry),
    /// Run the strategy so many places further, round and round.
    StepStrategy(isize),
    /// Run this frame loop.
    FrameLoop(&'static FrameLoopEntry),
    /// Run the frame loop so many places further, round and round.
    StepFrameLoop(isize),
    /// Stop game time, or let it go on.
    Pause,
    /// Make exactly one frame of game time, then stop.
    Step,
    /// While game time stands: look at the frame so many further on, or back; no further than frames are
    /// remembered.
    Walk(i64),
    /// Show the timeline instead of the plots, or the plots again.
    Timeline,
    /// Show how stale the capsules are instead of their flash, or the flash again.
    Staleness,
    /// Measure anew from here on.
    Measure,
    /// Do this to all lanes in sight.
    Disturb(Disturbance),
    /// Start anew with the present settings.
    Restart,
    /// Show or hide everything but the capsules.
    Panels,
    /// Make the interface so many steps larger, or smaller.
    Scale(isize),
    /// Show or hide the keys.
    Help,
    /// Write the next picture to a file.
    Screenshot,
    /// Write all that is known of what is in sight to a folder.
    Export,
    /// On a page: copy a link to it with the present settings.
    CopyLink,
    /// Close what is open; where nothing is, leave.
    Escape,
    /// Turn a knob.
    Turn(&'static Knob, f64),
    /// Turn a knob of all lanes that are compared.
    TurnAll(&'static Knob, f64),
    /// Sort the lanes that are compared by the figure of that place in the registry; again: no more.
    SortBy(usize),
    /// Open the lane of that number, of those that are compared, in the main view.
    OpenLane(usize),
    /// Turn a knob of the race of frame loops: a machine's on that side, any other on both.
    TurnRace(Side, &'static Knob, f64),
    /// The entity at this place asks for a run.
    Request(u32),
    /// Pin the entity at this place, or unpin it where it is pinned already; none unpins.
    Pin(Option<u32>),
    /// The pointer leads the target to this point, or leaves it to its orbit.
    Point(Option<Point>),
}
