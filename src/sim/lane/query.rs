//! Answers about a lane: its parts, its frames, its last frame.

use super::{Change, FrameRecord, Lane, Length, Observer, Run, Update};
use crate::sim::gaze_error::Gazes;
use crate::sim::machine::Machine;
use crate::sim::projectile::{Body, Projectile};
use crate::sim::settings::Settings;
use crate::sim::world::World;
use timeslice::frame_loop::Pace;
use timeslice::strategy::Strategy;
use timeslice::time::{ClockTime, GameTime, Nanos};

/// Its parts.
impl<M: Machine, O: Observer> Lane<M, O> {
    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Its machine.
    #[must_use]
    pub fn machine(&self) -> &M {
        &self.game.machine
    }

    /// Its strategy.
    #[must_use]
    pub fn strategy(&self) -> &dyn Strategy {
        &*self.game.strategy
    }

    /// Its world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.game.world
    }

    /// Its observer.
    #[must_use]
    pub fn observer(&self) -> &O {
        &self.game.observer
    }
}

/// Its frames.
impl<M: Machine, O: Observer> Lane<M, O> {
    /// The game time: the sum of all deltas.
    #[must_use]
    pub fn now(&self) -> GameTime {
        self.game.now
    }

    /// Number of frames that are over.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.finished
    }

    /// Number of frames that have begun. A change now takes effect with the frame of this number.
    #[must_use]
    pub fn frames_begun(&self) -> u64 {
        self.begun
    }

    /// True if its next frame starts within `length` of its own start.
    #[must_use]
    pub fn is_within(&self, length: Length) -> bool {
        match length {
            Length::Frames(frames) => self.finished < frames,
            Length::Time(time) => self.game.machine.clock().since_start() < time,
        }
    }

    /// The last frame, or what is known of the one in progress.
    #[must_use]
    pub fn last_frame(&self) -> &FrameRecord {
        &self.frame
    }

    /// How long this frame was stalled before its first update. Its record counts that as waiting.
    #[must_use]
    pub fn stalled(&self) -> Nanos {
        self.stalled
    }

    /// The pace of the last frame.
    #[must_use]
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// The length that frames are to have: the frame loop's own if it keeps one, else the display's period.
    #[must_use]
    pub fn target_period(&self) -> Nanos {
        let own = self.frame_loop.target_period();
        own.unwrap_or(self.display.period())
    }

    /// The game time of each update if the frame loop keeps it fixed; `None` if it is the real time that has passed.
    #[must_use]
    pub fn fixed_step(&self) -> Option<Nanos> {
        self.frame_loop.step()
    }

    /// Whether the display has dropped to a lower rate.
    #[must_use]
    pub fn has_slow_display(&self) -> bool {
        self.display.is_slow
    }
}

/// Its last frame, and what it shows.
impl<M: Machine, O: Observer> Lane<M, O> {
    /// The moment of the machine's clock that the last picture is of: its frame's start, or later if the frame loop reads
    /// the clock after its updates.
    #[must_use]
    pub fn drawn_for(&self) -> ClockTime {
        self.drawn_for
    }

    /// The projectile that crosses the picture.
    #[must_use]
    pub fn projectile(&self) -> &Projectile {
        &self.projectile
    }

    /// The body that flies by this lane's updates.
    #[must_use]
    pub fn body(&self) -> &Body {
        &self.game.body
    }

    /// Runs of this frame, in order of execution, up to the limit of [`Lane::list_runs`]; empty after
    /// [`Lane::clear_events`].
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.game.events.runs
    }

    /// Whether [`Lane::runs`] lists all runs since [`Lane::clear_events`].
    #[must_use]
    pub fn lists_all_runs(&self) -> bool {
        self.game.events.unlisted == 0
    }

    /// Updates of this frame, in order; empty after [`Lane::clear_events`].
    #[must_use]
    pub fn updates(&self) -> &[Update] {
        &self.game.events.updates
    }

    /// Births and deaths since the last frame's updates began, or since [`Lane::clear_events`], in order.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.game.events.changes
    }

    /// Game time since the last run, or birth, of the stalest entity; zero without entities.
    #[must_use]
    pub fn worst_staleness(&self) -> Nanos {
        let world = &self.game.world;
        let last_run = world
            .stalest()
            .and_then(|task| world.tasks().last_run(task));
        last_run.map_or(Nanos::ZERO, |last_run| self.game.now - last_run)
    }

    /// What a frame costs besides its runs, as a number of runs.
    pub(crate) fn steps_per_frame(&self) -> u64 {
        1 + self.gazes.as_ref().map_or(0, Gazes::len) as u64 / 4
    }
}
