//! The sums of the measurements of several frames. A [`Report`](super::Report) is computed from these sums.

use super::fixed_weight::FixedWeight;
use super::frame_sums::{ClockAdvance, EndedIntervals, FrameSums};
use super::staleness::{Area, StalenessIntegral};
use super::{Bounds, Distribution};
use crate::sim::lane::FrameRecord;
use std::ops::Range;
use timeslicer::time::{GameTime, Nanos};

/// Sums over the frames in which the machine did not have enough time for all due tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoppedFrames {
    pub frames: u64,
    pub task_time: Nanos,
    /// The number of tasks that were left waiting, summed over all frames that did not have enough time.
    pub waiting: u64,
}

/// The sums over successive frames, which must be added from oldest to newest.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// The game time at which counting begins. Intervals and requests that began earlier are ignored, and staleness is
    /// counted only from this time on.
    pub(super) since: GameTime,
    period: Option<Range<GameTime>>,
    /// The sums for the theoretical bounds before the first frame. All are zero if no entity was stale then.
    pub(super) start: Bounds,
    pub frames: u64,
    pub updates: u64,
    /// The numbers of frames without an update, with one update, and with several.
    pub by_updates: [u64; 3],
    pub runs: u64,
    pub peak_runs: u32,
    /// The number of frames that were hitches ([`is_hitch`]).
    pub hitches: u64,
    pub hitches_by_tasks: u64,
    /// The smallest of the thresholds above which frames counted as hitches. They differ if the display became slower.
    pub least_hitch_above: Nanos,
    /// The length of the longest hitch that was caused by updates, or zero if there was none.
    pub longest_hitch: Nanos,
    /// The total duration of all added frames, measured by the machine's clock.
    pub span: Nanos,
    /// The total duration of all added frames without injected stalls.
    pub own_span: Nanos,
    pub game_span: Nanos,
    /// How much the game time of a real-time game may differ from real time, as measurements can begin within a frame.
    pub(super) slack: Nanos,
    pub task_time: Nanos,
    /// The longest time that a single frame spent on tasks.
    pub most_task_time: Nanos,
    /// The time that the strategy needed to select tasks, without the tasks themselves and the time for measuring.
    pub scheduling: Nanos,
    /// The time spent on all other work: drawing, simulating the world, recording and measuring.
    pub drawing: Nanos,
    pub waiting: Nanos,
    /// The total real time that was dropped because the game could not catch up with it.
    pub debt_dropped: Nanos,
    /// The number of waiting tasks after the first frame and after the last frame.
    pub backlog: (usize, usize),
    pub backlog_peak: usize,
    pub stopped: StoppedFrames,
    /// The total task time and the total game time of the frames that left tasks waiting.
    pub(super) saturated: (Nanos, Nanos),
    pub advance: ClockAdvance,
    /// The fraction of entities that look in the wrong direction, multiplied by the frame length in seconds and summed
    /// over all frames in which viewing directions were measured.
    pub(super) wrong_s: f64,
    /// The total duration of the frames in which viewing directions were measured.
    pub(super) gazed: Nanos,
    pub staleness: StalenessIntegral,
    pub worst_staleness: Nanos,
    /// The largest product of an entity's weight and its staleness at a run, at a death, or after a frame for the
    /// stalest entity. A report also includes all entities that are still waiting.
    pub worst_weighted: Nanos,
    pub longest_run: Nanos,
    pub deaths: u64,
}

impl Totals {
    /// Creates empty sums that count waits from the game time `since` on.
    pub(super) fn since(since: GameTime) -> Self {
        Self {
            since,
            ..Self::default()
        }
    }

    /// Creates empty sums for the frames that begin at the game time `now` or later. `start` describes the world at
    /// that time.
    pub(super) fn from(now: GameTime, since: GameTime, start: Bounds) -> Self {
        Self {
            period: Some(now..now),
            start,
            ..Self::since(since)
        }
    }

    /// Adds a frame, unless it began before the period of these sums.
    pub(super) fn add(&mut self, frame: &FrameRecord, target: Nanos, events: &FrameSums) {
        let period = self.period.get_or_insert(events.began..events.began);
        if events.began < period.start {
            return;
        }
        period.end = frame.now;
        if self.frames == 0 {
            self.backlog.0 = frame.backlog;
            self.least_hitch_above = frame.hitch_above;
            self.slack = frame.delta;
        }
        self.frames += 1;
        self.updates += u64::from(frame.updates);
        self.by_updates[frame.updates.min(2) as usize] += 1;
        self.runs += u64::from(frame.runs);
        self.peak_runs = self.peak_runs.max(frame.runs);
        self.hitches += u64::from(is_hitch(frame));
        self.least_hitch_above = self.least_hitch_above.min(frame.hitch_above);
        if is_hitch_by_tasks(frame, target) {
            self.hitches_by_tasks += 1;
            self.longest_hitch = self.longest_hitch.max(frame.own_length());
        }
        self.span += frame.length;
        self.own_span += frame.own_length();
        let updates = u64::from(frame.updates);
        let game_span = Nanos::from_nanos(frame.step.as_nanos().saturating_mul(updates));
        self.game_span += game_span;
        self.slack = self.slack.max(frame.length);
        self.task_time += frame.task_time;
        self.most_task_time = self.most_task_time.max(frame.task_time);
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
        }

        self.staleness.add(events.staleness);
        for ended in &events.intervals {
            self.add_intervals(ended);
        }
        if let Some((weight, stale)) = events.stalest {
            self.add_wait(stale.min(frame.now - self.since), weight);
        }
        let longest_run = events.longest_run.map(|run| run.took);
        self.longest_run = self.longest_run.max(longest_run.unwrap_or_default());
        self.advance.game += events.advance.game;
        self.advance.elastic += events.advance.elastic;
        self.deaths += events.deaths;
    }

    fn add_intervals(&mut self, ended: &EndedIntervals) {
        let ends = &ended.ends;
        self.add_wait(ended.length.min(ended.end - self.since), ends.heaviest);
        if let Some(period) = &self.period
            && ends.old != ends.new
        {
            let age_at = |time| {
                ended
                    .length
                    .saturating_sub(ended.end.saturating_since(time))
            };
            // The part of an interval that is within the added frames.
            let area = Area::between(age_at(period.start), age_at(period.end));
            self.staleness.reweigh(ended, area);
        }
    }

    fn add_wait(&mut self, stale: Nanos, weight: FixedWeight) {
        self.worst_staleness = self.worst_staleness.max(stale);
        self.worst_weighted = self.worst_weighted.max(weight.times(stale));
    }

    /// Returns the game time from the start of counting to the end of the last frame.
    pub(super) fn since_change(&self) -> Nanos {
        let end = self.period.as_ref().map_or(self.since, |it| it.end);
        end - self.since
    }

    /// Returns how much time tasks took per second of game time. Returns `None` if no game time has passed.
    pub fn load(&self) -> Option<f64> {
        (!self.game_span.is_zero()).then(|| self.task_time.over(self.game_span))
    }

    /// Returns the fraction of entities (0 to 1) that look in the wrong direction, averaged over time. Returns `None` if
    /// viewing directions were not measured.
    pub fn looking_wrong(&self) -> Option<f64> {
        (!self.gazed.is_zero()).then(|| (self.wrong_s / self.gazed.as_secs_f64()).min(1.0))
    }
}

/// The sums over a range of frames, and the distributions of their metrics.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) totals: Totals,
    pub(super) lengths: Distribution,
    pub(super) frame_tasks: Distribution,
    pub(super) overruns: Distribution,
    pub(super) intervals: Distribution,
    pub(super) request_waits: Distribution,
}

impl Sums {
    pub(crate) fn since(since: GameTime) -> Self {
        Self {
            totals: Totals::since(since),
            ..Self::default()
        }
    }

    pub(crate) fn add(&mut self, frame: &FrameRecord, target: Nanos, events: &FrameSums) {
        self.totals.add(frame, target, events);
        self.lengths.add(frame.own_length());
        self.frame_tasks.add(frame.task_time);
        for ended in &events.intervals {
            if ended.length <= ended.end - self.totals.since {
                let count = ended.ends.between_runs.into();
                self.intervals.add_many(ended.length, count);
            }
        }
        for &((asked, waited), count) in &events.request_waits {
            if asked >= self.totals.since {
                self.request_waits.add_many(waited, count);
            }
        }
        for &overrun in &events.overruns {
            self.overruns.add(overrun);
        }
    }
}

/// Returns true if a frame was much longer than its target length ([`HITCH`](crate::sim::settings::HITCH)).
pub fn is_hitch(frame: &FrameRecord) -> bool {
    frame.own_length() > frame.hitch_above
}

/// Returns true if a frame is a hitch because of its tasks or because of scheduling. Usually, that is so if the work of
/// the frame makes it a hitch. However, a frame whose work takes slightly longer than the target length may also miss a
/// refresh of the display and wait for the next one.
pub fn is_hitch_by_tasks(frame: &FrameRecord, target: Nanos) -> bool {
    if !is_hitch(frame) {
        return false;
    }
    let updates = frame.task_time + frame.scheduling;
    let is_late = updates + frame.drawing > frame.hitch_above;
    let limit = if is_late || frame.waiting >= target {
        frame.hitch_above
    } else {
        target
    };
    are_too_long(updates, frame.drawing, limit)
}

/// Returns true if updates are to blame for exceeding `limit`: they exceed it alone, or only together with drawing.
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
            (1, 0, 5, 26, false),  // the work would have been on time
            (1, 0, 20, 12, false), // drawing alone misses the refresh
        ] {
            let frame = FrameRecord {
                length: MS(tasks + scheduling + drawing + waiting),
                task_time: MS(tasks),
                scheduling: MS(scheduling),
                drawing: MS(drawing),
                waiting: MS(waiting),
                hitch_above: MS(24),
                ..FrameRecord::default()
            };
            assert!(is_hitch(&frame));
            assert_eq!(is_hitch_by_tasks(&frame, MS(16)), is_cause, "{frame:?}");
        }
        let stalled = FrameRecord {
            length: MS(500),
            stall: MS(490),
            hitch_above: MS(24),
            task_time: MS(5),
            ..FrameRecord::default()
        };
        assert!(!is_hitch(&stalled) && !is_hitch_by_tasks(&stalled, MS(16)));
    }
}
