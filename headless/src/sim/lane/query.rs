//! Accessors of a lane: parts, frames, last frame.

use super::{Change, FrameRecord, Lane, Length, Observer, Run, Update};
use crate::sim::gaze_error::Gazes;
use crate::sim::machine::Machine;
use crate::sim::projectile::{Body, Projectile};
use crate::sim::settings::Settings;
use crate::sim::world::World;
use timeslicer::frame_loop::Pace;
use timeslicer::strategy::Inspect;
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Parts of the lane.
impl<M: Machine, O: Observer> Lane<M, O> {
    /// Returns the lane's settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the lane's machine.
    #[must_use]
    pub fn machine(&self) -> &M {
        &self.game.machine
    }

    /// Returns the lane's strategy.
    #[must_use]
    pub fn strategy(&self) -> &dyn Inspect {
        &*self.game.strategy
    }

    /// Returns the lane's world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.game.world
    }

    /// Returns the lane's observer.
    #[must_use]
    pub fn observer(&self) -> &O {
        &self.game.observer
    }
}

/// Frames of the lane.
impl<M: Machine, O: Observer> Lane<M, O> {
    /// Returns the game time: the sum of all deltas.
    #[must_use]
    pub fn now(&self) -> GameTime {
        self.game.now
    }

    /// Returns the number of completed frames.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.finished
    }

    /// Returns the number of frames that have begun. A change made now takes effect in the frame with this number.
    #[must_use]
    pub fn frames_begun(&self) -> u64 {
        self.begun
    }

    /// Returns true if the lane's next frame is within `length`.
    #[must_use]
    pub fn is_within(&self, length: Length) -> bool {
        match length {
            Length::Frames(frames) => self.finished < frames,
            Length::Time(time) => self.game.machine.clock().since_start() < time,
        }
    }

    /// Returns the last frame, or the incomplete record of the frame in progress.
    #[must_use]
    pub fn last_frame(&self) -> &FrameRecord {
        &self.frame
    }

    /// Returns the injected stall at the start of this frame, before its first update. The frame's record counts it as
    /// waiting.
    #[must_use]
    pub fn stalled(&self) -> Nanos {
        self.stalled
    }

    /// Returns the pace of the last frame.
    #[must_use]
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Returns the target length of frames: the frame loop's own if it has one, else the display's period.
    #[must_use]
    pub fn target_period(&self) -> Nanos {
        let own = self.frame_loop.target_period();
        own.unwrap_or(self.display.period())
    }

    /// Returns the game time of each update if the frame loop keeps it fixed; `None` if updates follow real time.
    #[must_use]
    pub fn fixed_step(&self) -> Option<Nanos> {
        self.frame_loop.step()
    }

    /// Returns true if the display has dropped to a lower rate.
    #[must_use]
    pub fn has_slow_display(&self) -> bool {
        self.display.is_slow
    }
}

/// Last frame, and its picture.
impl<M: Machine, O: Observer> Lane<M, O> {
    /// Returns the moment of the machine's clock that the last picture shows: the start of the picture's frame, or a
    /// later moment if the frame loop reads the clock after its updates.
    #[must_use]
    pub fn drawn_for(&self) -> ClockTime {
        self.drawn_for
    }

    /// Returns the projectile that crosses the picture.
    #[must_use]
    pub fn projectile(&self) -> &Projectile {
        &self.projectile
    }

    /// Returns the body that is integrated by this lane's updates.
    #[must_use]
    pub fn body(&self) -> &Body {
        &self.game.body
    }

    /// Returns the runs of this frame, in order of execution, up to the limit of [`Lane::list_runs`]; empty after
    /// [`Lane::clear_events`].
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.game.events.runs
    }

    /// Returns true if [`Lane::runs`] lists all runs since [`Lane::clear_events`].
    #[must_use]
    pub fn lists_all_runs(&self) -> bool {
        self.game.events.unlisted == 0
    }

    /// Returns the updates of this frame, in order; empty after [`Lane::clear_events`].
    #[must_use]
    pub fn updates(&self) -> &[Update] {
        &self.game.events.updates
    }

    /// Returns births and deaths since the last frame began, or since [`Lane::clear_events`], in order.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.game.events.changes
    }

    /// Returns the staleness of the stalest entity; zero without entities.
    #[must_use]
    pub fn worst_staleness(&self) -> Nanos {
        let world = &self.game.world;
        let last_run = world
            .stalest()
            .and_then(|task| world.tasks().last_run(task));
        last_run.map_or(Nanos::ZERO, |last_run| self.game.now - last_run)
    }

    /// Returns the fixed cost of simulating a frame, expressed as a number of runs.
    pub(crate) fn steps_per_frame(&self) -> u64 {
        1 + self.gazes.as_ref().map_or(0, Gazes::len) as u64 / 4
    }
}
