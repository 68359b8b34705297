//! Frames of a lane, made as a whole or in parts.

use super::{FrameEnded, FrameRecord, Lane, Observer};
use crate::sim::machine::Machine;
use crate::sim::projectile::Picture;
use timeslicer::frame_loop::{Frame, Pace};
use timeslicer::time::{ClockTime, Nanos};

/// Frame that has made its updates; next, draw its picture and call [`Lane::drawn`].
///
/// The tokens of a frame's parts cannot be copied, so no part comes twice or out of order. If a token is dropped, its
/// frame never ends, and the lane's next frame gets the same number.
///
/// ```
/// use headless::sim::lane::Lane;
/// use headless::sim::machine::Simulated;
/// use headless::sim::settings::Settings;
///
/// let mut lane: Lane<Simulated> = Lane::new(Settings::default(), Simulated::default());
/// let updated = lane.begin_frame();
/// let drawn = lane.drawn(updated);
/// let waited = lane.wait(drawn);
/// assert_eq!(lane.finish(waited).number, 0);
/// ```
///
/// ```compile_fail,E0382
/// # use headless::sim::{lane::Lane, machine::Simulated, settings::Settings};
/// # let mut lane: Lane<Simulated> = Lane::new(Settings::default(), Simulated::default());
/// let updated = lane.begin_frame();
/// lane.drawn(updated);
/// lane.drawn(updated);
/// ```
#[must_use = "pass it to `Lane::drawn`"]
#[derive(Debug)]
pub struct Updated {
    start: ClockTime,
}

/// Frame whose picture has been drawn; next, call [`Lane::wait`].
#[must_use = "pass it to `Lane::wait`"]
#[derive(Debug)]
pub struct Drawn {
    start: ClockTime,
    drawn_at: ClockTime,
}

/// Frame that has waited as its frame loop demands; next, call [`Lane::finish`].
#[must_use = "pass it to `Lane::finish`"]
#[derive(Debug)]
pub struct Waited {
    drawn_at: ClockTime,
}

impl<M: Machine, O: Observer> Lane<M, O> {
    /// Makes a whole frame, including drawing and waiting.
    pub fn frame(&mut self) -> &FrameRecord {
        let updated = self.begin_frame();
        self.game.machine.render();
        let drawn = self.drawn(updated);
        let waited = self.wait(drawn);
        self.finish(waited)
    }

    /// Begins the next frame now, and makes its updates.
    pub fn begin_frame(&mut self) -> Updated {
        self.begin_frame_at(self.game.machine.clock())
    }

    /// Begins the next frame at `start` and makes its updates. `start` must be the machine's current time or just
    /// before it. Use this function for exact deltas.
    pub fn begin_frame_at(&mut self, start: ClockTime) -> Updated {
        let number = self.finished;
        self.begun = number + 1;
        let delta = if number == 0 {
            Nanos::ZERO
        } else {
            start - self.frame.start
        };
        self.clear_events();
        self.game.begin_frame();
        self.stalled = std::mem::take(&mut self.stall_ahead);
        if !self.stalled.is_zero() {
            self.game.machine.stall(self.stalled);
        }
        self.game.step = self.frame_loop.step().unwrap_or(self.display.own_period);
        self.game.observer.frame_began(start, self.game.now);

        let passed = if std::mem::take(&mut self.loop_begins) {
            Nanos::ZERO
        } else {
            delta
        };
        let mut frame = Frame::new(start, passed, &mut self.game);
        let alpha = self.frame_loop.updates(&mut frame);
        let (updates, debt_dropped) = (frame.updates(), frame.debt_dropped());
        let lag = frame.lag();
        self.drawn_for = frame.drawn_for();
        let step = self.frame_loop.step().unwrap_or(passed);
        self.projectile.draw(Picture {
            now: self.game.now,
            step,
            alpha,
            start,
            drawn_for: self.drawn_for,
            lag,
        });
        let stalest = self.game.world.stalest();
        let stalest = stalest.map(|task| (task, self.worst_staleness()));
        self.game.observer.updates_ended(stalest);

        self.frame = FrameRecord {
            number,
            start,
            delta,
            updates,
            step,
            debt: self.frame_loop.debt(),
            debt_dropped,
            runs: self.game.events.run_count as u32,
            backlog: self.game.strategy.backlog(),
            task_time: self.game.task_time,
            scheduling: self.game.scheduling,
            stopped: self.game.stopped,
            stall: self.stalled,
            looking_wrong: self.looking_wrong(),
            alpha,
            ..FrameRecord::default()
        };
        Updated { start }
    }

    /// Records that the frame's picture has been drawn.
    pub fn drawn(&mut self, Updated { start }: Updated) -> Drawn {
        let drawn_at = self.game.machine.clock();
        let busy = self.frame.task_time + self.frame.scheduling;
        self.frame.drawing = (drawn_at - start) - busy - self.stalled;
        Drawn { start, drawn_at }
    }

    /// Waits until the frame loop's pace allows the next frame.
    pub fn wait(&mut self, Drawn { start, drawn_at }: Drawn) -> Waited {
        let machine = &mut self.game.machine;
        let earliest = start + machine.least_frame();
        self.pace = self.frame_loop.pace();
        match self.pace {
            Pace::Display => machine.wait_for_display(start),
            Pace::Until(time) => machine.wait_until(time.max(earliest)),
            Pace::Nothing => machine.wait_until(earliest),
        }
        Waited { drawn_at }
    }

    /// Ends the frame and returns its complete record.
    pub fn finish(&mut self, Waited { drawn_at }: Waited) -> &FrameRecord {
        let end = self.game.machine.clock();
        self.frame.waiting = (end - drawn_at) + self.stalled;
        self.frame.length = end - self.frame.start;
        self.finished += 1;
        let ended = FrameEnded {
            record: &self.frame,
            target: self.target_period(),
            worst_staleness: self.worst_staleness(),
        };
        self.game.observer.frame_ended(&ended);
        &self.frame
    }

    fn looking_wrong(&mut self) -> Option<f64> {
        self.gazes.as_mut()?.looking_wrong(&self.game.world)
    }
}
