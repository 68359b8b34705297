//! Lane: one machine running one frame loop, one strategy and one world.
//!
//! - `frame`: makes frames, whole or in parts
//! - `game`: makes an update
//! - `change`: changes of settings while the lane runs
//! - `disturb`: disturbances
//! - `query`: accessors
//! - [`Observer`], [`Run`], [`Update`], [`FrameRecord`]: reports
//!
//! A lane keeps no statistics: its observer does.

mod change;
mod changed_places;
mod display;
mod disturb;
mod events;
mod frame;
mod frame_record;
mod game;
mod observer;
mod query;
mod runner;
mod stopwatch;
#[cfg(test)]
mod test_lane;
#[cfg(test)]
mod test_machine;
#[cfg(test)]
mod tests;

pub use changed_places::ChangedPlaces;
pub use events::{Change, Run, Update};
pub use frame::{Drawn, Updated, Waited};
pub use frame_record::FrameRecord;
pub use observer::{Disturbed, FrameEnded, Observer, UpdateBegun};

use super::gaze_error::Gazes;
use super::machine::Machine;
use super::projectile::Projectile;
use super::settings::Settings;
use super::world::ENTITIES;
use display::Display;
use game::LaneGame;
use timeslicer::frame_loop::{FrameLoop, Pace};
use timeslicer::time::{ClockTime, Nanos};

/// Limit of a lane's simulation, counted from the lane's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Number of frames.
    Frames(u64),
    /// Time on the machine's clock; all frames that start earlier are made.
    Time(Nanos),
}

/// One machine running one frame loop, one strategy and one world.
///
/// On a simulated machine [`Lane::frame`] makes a whole frame. On the host the window makes the frame in parts, because
/// it draws the picture: it calls [`Lane::begin_frame`], draws, calls [`Lane::drawn`] and [`Lane::wait`], and calls
/// [`Lane::finish`] once the display has taken the picture. Each part returns a token that the next part takes.
///
/// A lane reports everything to its [`Observer`], and measures nothing itself.
pub struct Lane<M, O = ()> {
    settings: Settings,
    frame_loop: Box<dyn FrameLoop>,
    /// True before the frame loop's first frame, whose delta is zero for the loop.
    loop_begins: bool,
    game: LaneGame<M, O>,
    /// Number of frames that have begun.
    begun: u64,
    finished: u64,
    /// Last frame, or the frame in progress.
    frame: FrameRecord,
    drawn_for: ClockTime,
    pace: Pace,
    /// Injected stall for the next frame.
    stall_ahead: Nanos,
    /// Stall of this frame.
    stalled: Nanos,
    display: Display,
    /// Sample for the gaze error, if it is measured.
    gazes: Option<Gazes>,
    /// Number of entities before the last of them were killed at once.
    population_before_none: Option<usize>,
    projectile: Projectile,
}

impl<M: Machine, O: Observer> Lane<M, O> {
    /// Creates a lane at its start: all entities are born, no task has run.
    #[must_use]
    pub fn new(settings: Settings, mut machine: M) -> Self
    where
        O: Default,
    {
        machine.slow_display(None); // another lane may have slowed it
        let mut frame_loop = (settings.frame_loop.make)();
        frame_loop.tune(&settings.knobs);
        let mut lane = Self {
            frame_loop,
            loop_begins: true,
            game: LaneGame::new(&settings, machine),
            display: Display::of(&settings),
            settings,
            frame: FrameRecord::default(),
            pace: Pace::Display,
            stall_ahead: Nanos::ZERO,
            stalled: Nanos::ZERO,
            gazes: None,
            population_before_none: None,
            drawn_for: ClockTime::START,
            begun: 0,
            finished: 0,
            projectile: Projectile::default(),
        };
        lane.pace = lane.frame_loop.pace();
        let count = lane.settings.knobs.get(&ENTITIES) as usize;
        lane.game.populate(count);
        lane
    }
}
