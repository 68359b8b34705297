//! Runs one frame loop on one simulated machine, and computes statistics over the last second.

use super::projectile::{Body, LAP, Projectile, Sight};
use crate::catalog::frame_loop::FrameLoopEntry;
use crate::catalog::frame_loop::knobs::{self, INTERPOLATE};
use crate::catalog::knob::KnobValues;
use crate::catalog::strategy::every_frame;
use crate::measure::MeasuredLane;
use crate::measure::thresholds::SAME_SPEED;
use crate::sim::lane::FrameRecord;
use crate::sim::machine::{Machine, Simulated};
use crate::sim::settings::Settings;
use std::collections::VecDeque;
use timeslicer::frame_loop::BetweenUpdates;
use timeslicer::time::{ClockTime, Nanos};

const MEASURED: Nanos = Nanos::SECOND;
/// Frames that start within this time are merged into one sample, because a loop that never waits makes too many.
const MERGED_WITHIN: Nanos = Nanos::from_micros(500);

pub struct LoopMachine {
    pub lane: MeasuredLane<Simulated>,
    /// The frames of the last [`LAP`] plus one second, oldest first. The newest one may still be in progress.
    pub samples: VecDeque<Sample>,
    pub(super) body: Body,
    projectile: Projectile,
    frames_since_update: u32,
}

/// A frame, or several frames in quick succession that were merged.
pub struct Sample {
    /// The record of the latest frame. If frames were merged, it has the number and the start of the first one, and the
    /// total length, waiting time, updates and dropped time.
    pub frame: FrameRecord,
    game_time: Nanos,
    /// The projectile as it was drawn in the frame.
    pub sight: Sight,
    /// If this frame is the first to show a new update, the number of frames that showed the previous update. Otherwise
    /// `None`.
    repeats: Option<u32>,
    /// The game time of the state that the frame shows, in nanoseconds. Merged frames have the value of the last frame.
    shown_game_nanos: f64,
}

impl Sample {
    fn end(&self) -> ClockTime {
        self.frame.start + self.frame.length
    }

    /// Returns the time on the machine's clock at which the game was in the state that the frame shows. For merged
    /// frames, this is the time of the last one.
    fn seen(&self) -> ClockTime {
        self.frame.drawn_for.saturating_sub(self.frame.late)
    }
}

impl LoopMachine {
    /// Creates a machine whose clock starts at `start`. Each update runs all tasks, so that the results depend only on
    /// the frame loop and not on the strategy.
    pub(super) fn new(
        frame_loop: &'static FrameLoopEntry,
        knobs: &KnobValues,
        start: ClockTime,
    ) -> Self {
        let settings = Settings {
            strategy: &every_frame::ENTRY,
            frame_loop,
            knobs: knobs.clone(),
            ..Settings::default()
        };
        let mut machine = Simulated::default();
        machine.set_clock(start);
        let lane = MeasuredLane::new(settings, machine);
        Self {
            lane,
            samples: VecDeque::new(),
            body: Body::default(),
            projectile: Projectile::default(),
            frames_since_update: 0,
        }
    }

    pub(super) fn clock(&self) -> Nanos {
        self.lane.machine().clock().since_start()
    }

    /// Returns what frames show between two updates: the last update, or an extrapolated or interpolated state. Returns
    /// `None` if the frame loop has no setting for this.
    pub fn between_updates(&self) -> Option<BetweenUpdates> {
        let settings = self.lane.settings();
        let has_choice = settings.frame_loop.knobs.contains(&INTERPOLATE);
        has_choice.then(|| knobs::between_updates(&settings.knobs))
    }

    pub(super) fn frame(&mut self) {
        let now = self.lane.now();
        let frame = self.lane.frame().clone();
        for update in self.lane.updates() {
            self.body.update(update.delta);
        }
        let speed = self.lane.settings().game_speed();
        let sight = self.projectile.draw(&frame, speed);
        let ahead = frame.alpha * frame.step.as_nanos() as f64;
        let repeats = (frame.updates > 0).then(|| std::mem::take(&mut self.frames_since_update));
        self.frames_since_update += 1;
        let oldest = frame.start.saturating_sub(LAP + MEASURED);
        let mut sample = Sample {
            game_time: self.lane.now() - now,
            sight,
            repeats,
            shown_game_nanos: self.lane.now().since_start().as_nanos() as f64 + ahead,
            frame,
        };
        if let Some(last) = self.samples.back_mut()
            && sample.frame.start - last.frame.start < MERGED_WITHIN
            && sample.sight.lap == last.sight.lap
        {
            let (frame, first) = (&mut sample.frame, &last.frame);
            (frame.number, frame.start) = (first.number, first.start);
            frame.length += first.length;
            frame.waiting += first.waiting;
            frame.updates += first.updates;
            frame.debt_dropped += first.debt_dropped;
            frame.is_disturbed |= first.is_disturbed;
            sample.game_time += last.game_time;
            sample.repeats = sample.repeats.max(last.repeats);
            *last = sample;
        } else {
            self.samples.push_back(sample);
        }
        while self.samples.front().is_some_and(|old| old.end() < oldest) {
            self.samples.pop_front();
        }
    }

    /// Returns statistics over the last second, or over the last two frames if these take longer than a second. Returns
    /// `None` during the first second.
    pub fn stats(&self) -> Option<LoopStats> {
        let earlier = self.samples.len().checked_sub(1)?;
        let last = &self.samples[earlier];
        let end = last.end();
        if end.since_start() < MEASURED {
            return None;
        }
        let from = end - MEASURED;
        // Start with the frame that was in progress at `from`. If that is the last frame, start with the one before it,
        // because it takes two frames to measure a speed.
        let begun = self.samples.partition_point(|it| it.frame.start <= from);
        let begun = begun.min(earlier);
        let first = begun.checked_sub(1)?;
        let number = self.samples[first].frame.number;
        if number == 0 {
            return None; // A loop's first frame is not typical, because its delta is zero.
        }
        // After a stall, the frame that was in progress at `from` may show a much later game state. If the speed were
        // measured from that state, the time lost in the stall would not count.
        let from = last.seen().saturating_sub(MEASURED);
        let shown = self.samples.partition_point(|it| it.seen() <= from);
        let first_picture = &self.samples[shown.clamp(1, begun) - 1];

        let measured = || self.samples.range(first..);
        let span = end - self.samples[first].frame.start;
        let secs = span.as_secs_f64();
        let frames = (self.lane.frames() - number) as f64;
        let updates: u64 = measured().map(|it| u64::from(it.frame.updates)).sum();
        let game: Nanos = measured().map(|it| it.game_time).sum();
        let waiting: Nanos = measured().map(|it| it.frame.waiting).sum();
        let dropped: Nanos = measured().map(|it| it.frame.debt_dropped).sum();
        let later = || measured().skip(1);
        let mut by_updates = [0; 3];
        for sample in later() {
            by_updates[sample.frame.updates.min(2) as usize] += 1;
        }
        let passed = last.seen().saturating_since(first_picture.seen());
        let most_and_least = |counts: &mut dyn Iterator<Item = u32>| {
            counts.fold([u32::MAX, 0], |[least, most], it| {
                [least.min(it), most.max(it)]
            })
        };
        Some(LoopStats {
            error_nanos: last.sight.error_nanos,
            step: if updates > 0 {
                Nanos::from_nanos_f64(game.as_nanos() as f64 / updates as f64)
            } else {
                last.frame.step
            },
            updates: updates as f64 / frames,
            fps: frames / secs,
            speed: (last.shown_game_nanos - first_picture.shown_game_nanos)
                / passed.as_nanos() as f64,
            wanted_speed: self.lane.settings().game_speed(),
            busy: (span - waiting).as_secs_f64() / secs,
            dropped: dropped.as_secs_f64() / secs,
            by_updates: by_updates.map(|count| f64::from(count) / later().count().max(1) as f64),
            updates_in_frames: most_and_least(&mut later().map(|it| it.frame.updates)),
            repeats: most_and_least(&mut later().filter_map(|it| it.repeats)),
            overshoot: measured()
                .map(|it| it.sight.overshoot())
                .fold(0.0, f64::max),
            late: measured().map(|it| it.frame.late).max().unwrap_or_default(),
        })
    }
}

/// Statistics of a frame loop on one machine. They cover the last second, or the last two frames if these take longer
/// than a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopStats {
    /// How far the game state in the most recent frame is ahead of real time, in nanoseconds. Negative if it is behind.
    pub error_nanos: i64,
    /// How much game time passes in an update on average.
    pub step: Nanos,
    /// The mean number of updates per frame.
    pub updates: f64,
    pub fps: f64,
    /// The speed of the game as seen in the rendered frames. A value of 1 means real time.
    pub speed: f64,
    /// The speed that the game should have.
    pub wanted_speed: f64,
    /// The fraction of time (0 to 1) that the machine did not spend waiting.
    pub busy: f64,
    /// The fraction of real time that the loop dropped instead of simulating it.
    pub dropped: f64,
    /// The fractions of frames without an update, with one, and with several.
    pub by_updates: [f64; 3],
    /// The smallest and the largest number of updates per frame.
    pub updates_in_frames: [u32; 2],
    /// The smallest and the largest number of successive frames that show the same update. If no new update was shown,
    /// they are [`u32::MAX`] and 0.
    pub repeats: [u32; 2],
    /// The maximum distance below the floor at which the projectile was drawn, in metres. It is above zero if a frame
    /// extrapolates past a bounce.
    pub overshoot: f64,
    /// The maximum age of the game state that a frame shows. The age is zero if the frame is extrapolated.
    pub late: Nanos,
}

impl LoopStats {
    pub fn is_uneven(&self) -> bool {
        let [least, most] = self.updates_in_frames;
        least == 0 && most > 1
    }

    /// Returns true if the game runs at the speed that it should have, which is usually real time.
    pub fn keeps_real_time(&self) -> bool {
        (self.speed / self.wanted_speed - 1.0).abs() <= SAME_SPEED
    }

    /// Returns true if both games run at about the same speed, even if this speed differs from real time.
    pub fn is_as_fast_as(&self, other: &Self) -> bool {
        let (slower, faster) = (self.speed.min(other.speed), self.speed.max(other.speed));
        self.keeps_real_time() && other.keeps_real_time() || faster <= slower * (1.0 + SAME_SPEED)
    }

    /// Returns true if updates of both loops advance the game by the same amount of time. A difference of one
    /// nanosecond is ignored, because step lengths such as 1/144 s are rounded to whole nanoseconds.
    pub fn has_the_steps_of(&self, other: &Self) -> bool {
        self.step.as_nanos().abs_diff(other.step.as_nanos()) <= 1
    }
}
