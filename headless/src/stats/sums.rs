//! Sums over a range of frames, from which a [`Report`](super::Report) is computed.

use super::frame_sums::{EndedIntervals, FrameSums};
use super::staleness::{Area, StalenessIntegral};
use super::thresholds::hitch_from;
use super::{Distribution, GameSpeed};
use crate::sim::lane::FrameRecord;
use std::ops::Range;
use timeslicer::time::{GameTime, Nanos};

/// Sums over the frames in which the machine had no time for all due tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoppedFrames {
    pub frames: u64,
    pub task_time: Nanos,
    /// Total number of tasks that were left waiting after these frames.
    pub waiting: u64,
}

/// Counts, sums and maxima over a range of frames.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub frames: u64,
    pub updates: u64,
    pub most_updates: u32,
    pub runs: u64,
    pub peak_runs: u32,
    /// Number of frames longer than 1.5 times their target.
    pub hitches: u64,
    /// Number of hitches that updates caused ([`is_by_tasks`]).
    pub hitches_by_tasks: u64,
    /// Total length of the frames, on the machine's clock.
    pub span: Nanos,
    /// Game time that passed in these frames.
    pub game_span: Nanos,
    /// The largest difference between game time and the machine's time that long frames alone can explain.
    pub(super) slack: Nanos,
    pub task_time: Nanos,
    /// Total time that the strategy took, excluding tasks, recording and measuring.
    pub scheduling: Nanos,
    /// Total time spent on drawing and on the lab's own work.
    pub drawing: Nanos,
    pub waiting: Nanos,
    /// Total real time that the game has lost.
    pub debt_dropped: Nanos,
    /// Backlog after the first frame and after the last frame.
    pub backlog: (usize, usize),
    /// Largest backlog after any frame.
    pub backlog_peak: usize,
    pub stopped: StoppedFrames,
    /// Task time and game time of the frames after which tasks were waiting.
    pub(super) saturated: (Nanos, Nanos),
    /// Game time that passed, and time that passed on the strategy's elastic clock, if it has one.
    pub elastic: (Nanos, Nanos),
    /// Fraction of entities that look in the wrong direction, integrated over time, in seconds.
    pub(super) wrong_s: f64,
    /// Total length of the frames in which gazes were measured.
    pub(super) gazed: Nanos,
    /// Largest fraction of entities that looked in the wrong direction.
    pub(super) wrong_worst: f64,
    /// Integral of the staleness of all entities over time.
    pub staleness: StalenessIntegral,
    /// Largest staleness of any entity.
    pub worst_staleness: Nanos,
    /// Largest product of an entity's weight and its staleness. It covers the entities that ran or died, and the
    /// stalest entity after each frame. In a report, it also covers the entities that are still waiting.
    pub worst_weighted: Nanos,
    /// Longest time that a single run took.
    pub dearest: Nanos,
    /// Number of waits that were longer than guaranteed when a run or a death ended them.
    pub late: u64,
    /// Number of entities that died in these frames.
    pub deaths: u64,
    /// Number of entities that died before their first run.
    pub deaths_without_run: u64,
    /// Number of entities that starved, which means that they waited over [`super::thresholds::STARVED_AFTER`] times as
    /// long as guaranteed. It covers the entities that have run or died since, and in a report also those that are
    /// still waiting.
    pub starved: u64,
}

impl Totals {
    /// Adds a frame whose target length is `target`.
    pub(super) fn add(&mut self, frame: &FrameRecord, target: Nanos) {
        if self.frames == 0 {
            self.backlog.0 = frame.backlog;
        }
        self.frames += 1;
        self.updates += u64::from(frame.updates);
        self.most_updates = self.most_updates.max(frame.updates);
        self.runs += u64::from(frame.runs);
        self.peak_runs = self.peak_runs.max(frame.runs);
        let is_hitch = frame.own_length() > hitch_from(target);
        self.hitches += u64::from(is_hitch);
        self.hitches_by_tasks += u64::from(is_hitch && is_by_tasks(frame, target));
        self.span += frame.length;
        let updates = u64::from(frame.updates);
        let game_span = Nanos::from_nanos(frame.step.as_nanos().saturating_mul(updates));
        self.game_span += game_span;
        self.slack = self.slack.max(frame.length);
        self.task_time += frame.task_time;
        self.scheduling += frame.scheduling;
        self.drawing += frame.drawing;
        self.waiting += frame.waiting;
        self.debt_dropped += frame.debt_dropped;
        self.backlog.1 = frame.backlog;
        self.backlog_peak = self.backlog_peak.max(frame.backlog);
        if frame.backlog > 0 {
            let (tasks, game) = self.saturated;
            self.saturated = (tasks + frame.task_time, game + game_span);
        }
        if frame.stopped {
            self.stopped.frames += 1;
            self.stopped.task_time += frame.task_time;
            self.stopped.waiting += frame.backlog as u64;
        }
        if let Some(share) = frame.looking_wrong {
            self.wrong_s += share * frame.length.as_secs_f64();
            self.gazed += frame.length;
            self.wrong_worst = self.wrong_worst.max(share);
        }
    }

    /// Returns the fraction of entities (0 to 1) that look in the wrong direction, as its mean over time and its
    /// maximum. Returns `None` if it was not measured.
    pub fn looking_wrong(&self) -> Option<(f64, f64)> {
        let mean = self.wrong_s / self.gazed.as_secs_f64();
        // Rounding must not lift the mean above the maximum.
        let mean = mean.min(self.wrong_worst);
        (!self.gazed.is_zero()).then_some((mean, self.wrong_worst))
    }

    /// Returns the game's speed. `step` is the game time of an update, if it is fixed.
    pub(super) fn game_speed(&self, step: Option<Nanos>) -> GameSpeed {
        // A frame advances the game by the length of the previous frame, or by the whole steps in that length.
        let slack = self.slack + step.unwrap_or(Nanos::ZERO);
        GameSpeed::of(self.game_span, self.span, slack)
    }
}

/// Sums over a range of frames, which are added oldest first. Some frames of the range may be left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    /// Waits are counted from this game time on. Intervals and requests that began earlier are ignored, and staleness
    /// is measured from this time at the earliest.
    pub(super) since: GameTime,
    pub(super) totals: Totals,
    pub(super) lengths: Distribution,
    /// The time that each frame spent on tasks.
    pub(super) frame_tasks: Distribution,
    pub(super) overruns: Distribution,
    /// Game time that these frames cover. There are several stretches if frames in between were left out.
    stretches: Vec<Range<GameTime>>,
    /// Number of the last frame that was added.
    last_number: Option<u64>,
    /// The [`FrameSums::frame`] of the first frame that was added.
    pub(super) first_frame: u64,
    pub(super) intervals: Distribution,
    pub(super) off_wanted: Distribution,
    pub(super) request_waits: Distribution,
}

impl Sums {
    /// Creates sums without frames. Waits will be counted from game time `since`.
    pub(crate) fn since(since: GameTime) -> Self {
        Self {
            since,
            ..Self::default()
        }
    }

    /// Adds a frame whose target length is `target`.
    pub(crate) fn add(&mut self, frame: &FrameRecord, target: Nanos, events: &FrameSums) {
        if self.totals.frames == 0 {
            self.first_frame = events.frame;
        }
        let follows = self
            .last_number
            .is_some_and(|last| last + 1 == frame.number);
        match self.stretches.last_mut() {
            Some(stretch) if follows => stretch.end = events.ended,
            _ => {
                self.stretches.push(events.began..events.ended);
                self.totals.slack = self.totals.slack.max(frame.delta);
            }
        }
        self.last_number = Some(frame.number);
        self.totals.add(frame, target);
        self.lengths.add(frame.own_length());
        self.frame_tasks.add(frame.task_time);
        self.add_events(events);
    }

    fn add_events(&mut self, events: &FrameSums) {
        self.totals.staleness.add(events.staleness);
        for ended in &events.intervals {
            self.add_intervals(ended, events.wanted);
        }
        if let Some((weight, stale)) = events.stalest {
            let stale = stale.min(events.ended - self.since);
            self.totals.worst_staleness = self.totals.worst_staleness.max(stale);
            self.totals.worst_weighted = self.totals.worst_weighted.max(weight.times(stale));
        }
        for &((asked, waited), count) in &events.request_waits {
            if asked >= self.since {
                self.request_waits.add_many(waited, count);
            }
        }
        for &overrun in &events.overruns {
            self.overruns.add(overrun);
        }
        self.totals.dearest = self.totals.dearest.max(events.dearest);
        self.totals.late += events.late;
        let (game, elastic) = self.totals.elastic;
        self.totals.elastic = (game + events.elastic.0, elastic + events.elastic.1);
        self.totals.deaths += events.deaths;
        self.totals.deaths_without_run += events.deaths_without_run;
        let starved = events.starved.iter();
        let first_time = starved.filter(|(before, _)| *before < self.first_frame);
        self.totals.starved += first_time.map(|(_, count)| count).sum::<u64>();
    }

    fn add_intervals(&mut self, ended: &EndedIntervals, wanted: Option<Nanos>) {
        let stale = ended.length.min(ended.end - self.since);
        self.totals.worst_staleness = self.totals.worst_staleness.max(stale);
        self.totals.worst_weighted = self.totals.worst_weighted.max(ended.heaviest.times(stale));
        if ended.between_runs > 0 && stale == ended.length {
            let count = ended.between_runs.into();
            self.intervals.add_many(ended.length, count);
            if let Some(wanted) = wanted {
                // One of the differences is zero, because subtraction saturates.
                let off = (ended.length - wanted).max(wanted - ended.length);
                self.off_wanted.add_many(off, count);
            }
        }
        if ended.moved.iter().any(|&moved| moved != 0) {
            let age_at = |time: GameTime| ended.length - (ended.end - time);
            let mut area = Area::default(); // the part of an interval that is within these frames
            for stretch in self.stretches.iter().rev() {
                area.add(Area::between(age_at(stretch.start), age_at(stretch.end)));
            }
            self.totals.staleness.reweigh(ended, area);
        }
    }

    /// Returns the game time between the start of counting and the end of the last frame.
    pub(super) fn since_change(&self) -> Nanos {
        let end = self.stretches.last().map_or(self.since, |last| last.end);
        end - self.since
    }
}

/// Returns true if updates caused a hitch with their tasks or scheduling. See `are_too_long`.
///
/// The limit is the length above which a frame is a hitch. If the frame worked for less time than that and then waited
/// for less than a period, its work missed a refresh of the display. The limit is then the target length.
pub fn is_by_tasks(frame: &FrameRecord, target: Nanos) -> bool {
    let updates = frame.task_time + frame.scheduling;
    let is_late = updates + frame.drawing > hitch_from(target);
    let limit = if is_late || frame.waiting >= target {
        hitch_from(target)
    } else {
        target
    };
    are_too_long(updates, frame.drawing, limit)
}

/// Returns true if updates make the work of a frame longer than `limit`, either alone or together with drawing that
/// alone is within the limit.
pub(super) fn are_too_long(updates: Nanos, drawing: Nanos, limit: Nanos) -> bool {
    updates > limit || drawing <= limit && updates + drawing > limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MS;

    #[test]
    fn updates_cause_hitches_alone_or_on_top_of_drawing() {
        for (tasks, scheduling, drawing, waiting, is_cause) in [
            (40, 0, 45, 0, true), // alone
            (10, 20, 45, 0, true),
            (20, 0, 45, 0, false), // neither alone nor on top
            (0, 0, 45, 0, false),
            (6, 0, 20, 0, true), // on top
            (0, 6, 20, 0, true),
            (9, 0, 9, 14, true),   // the work of 18 ms misses a refresh
            (9, 0, 9, 82, false),  // the display is slow
            (1, 0, 5, 26, false),  // the work would have been in time
            (1, 0, 20, 12, false), // drawing alone misses the refresh
        ] {
            let frame = FrameRecord {
                length: MS(tasks + scheduling + drawing + waiting),
                task_time: MS(tasks),
                scheduling: MS(scheduling),
                drawing: MS(drawing),
                waiting: MS(waiting),
                ..FrameRecord::default()
            };
            assert!(frame.own_length() > hitch_from(MS(16)));
            assert_eq!(is_by_tasks(&frame, MS(16)), is_cause, "{frame:?}");
        }
    }
}
