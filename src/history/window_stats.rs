//! What was measured lately: what the sentence and the table speak of.

use super::hitch::{is_by_tasks, is_hitch};
use super::{History, Intervals, PastFrame};
use crate::sim::machine::Machine;
use crate::sim::world::ENTITIES;
use crate::stats::MeasuredLane;
use crate::stats::hitch_from;
use timeslice::knob::KnobValues;
use timeslice::strategy::StrategyEntry;
use timeslice::time::{GameTime, Nanos};

/// Sentence, table and plots speak of so much real time.
pub const LATELY: Nanos = Nanos::from_secs(2);

/// What was measured lately, and what it was measured of.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The strategy that ran.
    pub strategy: &'static StrategyEntry,
    /// How many entities live.
    pub entities: usize,
    /// Real time measured: [`LATELY`] or as much of it as has passed since the last change.
    pub span: Nanos,
    /// The number of the oldest frame measured; none where none was.
    pub from: Option<u64>,
    /// Frames measured. Those in which something outside held the program up are left out.
    pub frames: usize,
    /// Whether these are all frames since the last change, and there are older ones.
    pub since_change: bool,
    /// How many frames were left out because something outside held the program up.
    pub left_out: usize,
    /// The most updates in a frame.
    pub updates_most: u32,
    /// How many runs.
    pub runs: u64,
    /// In how many frames anything ran.
    pub busy: usize,
    /// The fewest runs in a frame in which anything ran; zero where nothing did.
    pub busy_least: u32,
    /// Runs a frame on the mean.
    pub runs_mean: f64,
    /// The most runs in a frame.
    pub runs_peak: u32,
    /// How many intervals ended that had begun after the last change.
    pub intervals: u32,
    /// Their mean and standard deviation in seconds; none of none, nor of uneven ones before enough time
    /// has passed since the last change for long ones to have ended, too.
    pub interval: Option<(f64, f64)>,
    /// Frames by length, the shortest first.
    lengths: Vec<Nanos>,
    /// The time from picture to picture that frames aim at.
    pub period: Nanos,
    /// Frames longer than one and a half of the periods that they aimed at.
    pub hitches: usize,
    /// How many of them spent half of their time in tasks, or more.
    pub hitches_by_tasks: usize,
    /// How long ago the stalest entity's last run is, in game time.
    pub worst_staleness: Nanos,
    /// The longest that any entity had to wait in this time, until it ran or until now, in game time. Waits
    /// that began before the last change do not count.
    pub worst_wait: Nanos,
    /// The share of the crowd that looks at the wrong place, times the frames' lengths in seconds, and the time
    /// in which that was measured.
    wrong_s: (f64, Nanos),
    /// Tasks that waited after the first and after the last of these frames.
    pub backlog: (usize, usize),
    /// The most tasks that waited after one of these frames.
    pub backlog_most: usize,
    /// After how many frames any waited.
    pub frames_with_backlog: usize,
    /// Debt that was given up: real time that the game has lost.
    pub debt_dropped: Nanos,
    /// What of it was given up between the first and the last of these frames' updates.
    pub lost_between: Nanos,
    /// The game time that passed from the first to the last of these frames' updates, and the real time.
    pub passed: (Nanos, Nanos),
    /// By how much these two may differ though the game keeps real time: updates happen at some time in a
    /// frame, and frame loops are up to a step ahead or behind.
    slack: Nanos,
    /// The time in tasks, all frames together.
    pub task_time: Nanos,
    /// The time in updates apart from tasks.
    pub scheduling: Nanos,
    /// The time in drawing.
    pub drawing: Nanos,
    /// The time in waiting.
    pub waiting: Nanos,
    /// The time in tasks in the frame with most of it.
    pub task_time_most: Nanos,
    /// What an update may spend on tasks, for strategies with a budget.
    pub budget: Option<Nanos>,
    /// What a frame's tasks took beyond the budget of its updates at the worst; none for strategies
    /// without one, or where none did.
    pub overrun: Option<Nanos>,
    /// The wanted interval in seconds, for strategies that want one.
    pub wanted_interval: Option<f64>,
    /// The knobs, as they are since the last change.
    pub knobs: KnobValues,
}

impl Observed {
    /// What the last frames of a lane tell, back to the last change and at the most `span` of real time.
    #[must_use]
    pub fn of<M: Machine>(lane: &MeasuredLane<M>, history: &History, span: Nanos) -> Self {
        let settings = lane.settings();
        let stale = lane.worst_staleness();
        Self::over(history, settings.strategy, &settings.knobs, stale, span)
    }

    /// What the last frames of `history` tell, back to the last change of strategy or knob and at the most
    /// `span` of real time.
    #[must_use]
    pub fn over(
        history: &History,
        strategy: &'static StrategyEntry,
        knobs: &KnobValues,
        worst_staleness: Nanos,
        span: Nanos,
    ) -> Self {
        let mut seen = Self::nothing(history.period(), strategy, knobs, worst_staleness);
        let changed_at = history.changed_at();
        let mut intervals = Intervals::default();
        let mut newest: Option<&PastFrame> = None;
        for past in history.frames().iter().rev() {
            let record = &past.record;
            if record.number < changed_at {
                seen.since_change = true;
                break;
            }
            if seen.span >= span {
                break;
            }
            if past.outside > Nanos::ZERO {
                seen.left_out += 1;
                continue;
            }
            let lost_after = seen.debt_dropped;
            seen.count(past);
            let newest = *newest.get_or_insert(past);
            if seen.left_out == 0 {
                seen.passed = (newest.now - past.now, newest.record.start - record.start);
                seen.lost_between = lost_after;
            }
            intervals.merge(&past.intervals);
        }
        seen.runs_mean = seen.runs as f64 / seen.frames.max(1) as f64;
        seen.intervals = intervals.count;
        let since = history
            .frames()
            .back()
            .map_or(GameTime::START, |past| past.now)
            - history.changed_now();
        seen.interval = intervals
            .mean_and_deviation()
            .filter(|&interval| is_known(interval, since));
        seen.lengths.sort_unstable();
        seen
    }

    /// Before any frame.
    fn nothing(
        period: Nanos,
        strategy: &'static StrategyEntry,
        knobs: &KnobValues,
        worst_staleness: Nanos,
    ) -> Self {
        let mut tuned = (strategy.make)();
        tuned.tune(knobs);
        Self {
            strategy,
            entities: knobs.get(&ENTITIES) as usize,
            span: Nanos::ZERO,
            from: None,
            frames: 0,
            since_change: false,
            left_out: 0,
            updates_most: 0,
            runs: 0,
            busy: 0,
            busy_least: 0,
            runs_mean: 0.0,
            runs_peak: 0,
            intervals: 0,
            interval: None,
            lengths: Vec::new(),
            period,
            hitches: 0,
            hitches_by_tasks: 0,
            worst_staleness,
            worst_wait: worst_staleness,
            wrong_s: (0.0, Nanos::ZERO),
            backlog: (0, 0),
            backlog_most: 0,
            frames_with_backlog: 0,
            debt_dropped: Nanos::ZERO,
            lost_between: Nanos::ZERO,
            passed: (Nanos::ZERO, Nanos::ZERO),
            slack: Nanos::ZERO,
            task_time: Nanos::ZERO,
            scheduling: Nanos::ZERO,
            drawing: Nanos::ZERO,
            waiting: Nanos::ZERO,
            task_time_most: Nanos::ZERO,
            budget: tuned.budget(),
            overrun: None,
            wanted_interval: tuned.promise().wanted_interval().map(Nanos::as_secs_f64),
            knobs: knobs.clone(),
        }
    }

    /// Counts a frame, of which later ones have been counted.
    fn count(&mut self, past: &PastFrame) {
        let record = &past.record;
        self.from = Some(record.number);
        let waits = record.backlog;
        if self.frames == 0 {
            self.backlog.1 = waits;
        }
        self.backlog.0 = waits;
        self.backlog_most = self.backlog_most.max(waits);
        self.frames_with_backlog += usize::from(waits > 0);
        self.updates_most = self.updates_most.max(record.updates);
        self.frames += 1;
        self.span += record.length;
        if record.runs > 0 {
            let others = if self.busy == 0 {
                u32::MAX
            } else {
                self.busy_least
            };
            self.busy_least = record.runs.min(others);
            self.busy += 1;
        }
        self.runs += u64::from(record.runs);
        self.runs_peak = self.runs_peak.max(record.runs);
        self.debt_dropped += record.debt_dropped;
        self.slack = self.slack.max(record.step + record.step + record.length);
        self.task_time += record.task_time;
        self.scheduling += record.scheduling;
        self.drawing += record.drawing;
        self.waiting += record.waiting;
        self.worst_wait = self.worst_wait.max(past.longest_wait);
        self.task_time_most = self.task_time_most.max(record.task_time);
        if let Some(share) = record.looking_wrong {
            self.wrong_s.0 += share * record.length.as_secs_f64();
            self.wrong_s.1 += record.length;
        }
        self.lengths.push(record.length);
        if is_hitch(past) {
            self.hitches += 1;
            self.hitches_by_tasks += usize::from(is_by_tasks(past));
        }
        if let Some(budget) = self.budget {
            let budget = budget.as_nanos().saturating_mul(record.updates.into());
            let over = record.task_time - Nanos::from_nanos(budget);
            self.overrun = self.overrun.max(Some(over)).filter(|over| !over.is_zero());
        }
    }

    /// The share of the crowd, from 0 to 1, that looks at the wrong place, on the mean over time; none where
    /// nobody lived, or nobody measured it.
    #[must_use]
    pub fn looking_wrong(&self) -> Option<f64> {
        let (sum, time) = self.wrong_s;
        (!time.is_zero()).then(|| sum / time.as_secs_f64())
    }

    /// What time these frames are of: `last 2.0 s`, or `0.8 s since change`.
    #[must_use]
    pub fn window(&self) -> String {
        let secs = self.span.as_secs_f64();
        if self.since_change {
            format!("{secs:.1} s since change")
        } else {
            format!("last {secs:.1} s")
        }
    }

    /// The mean of such a part of the frames' time, in milliseconds; none of no frames.
    #[must_use]
    pub fn mean_ms(&self, part: Nanos) -> Option<f64> {
        (self.frames > 0).then(|| part.as_millis_f64() / self.frames as f64)
    }

    /// Game time over real time, where the two have come apart: by more than a few percent, and by more than
    /// frames and steps account for. None while the game keeps real time.
    #[must_use]
    pub fn off_speed(&self) -> Option<f64> {
        const A_FEW_PERCENT: f64 = 0.03;
        let (game, real) = self.passed;
        let apart = (game - real).max(real - game);
        let allowed = self.slack.as_secs_f64() + A_FEW_PERCENT * real.as_secs_f64();
        (apart.as_secs_f64() > allowed).then(|| game.over(real))
    }

    /// From which length on a frame is a hitch.
    #[must_use]
    pub fn hitch(&self) -> Nanos {
        hitch_from(self.period)
    }

    /// The frame length that a share `quantile` of the frames does not exceed; zero without frames.
    #[must_use]
    pub fn frame_length(&self, quantile: f64) -> Nanos {
        let rank = (quantile * self.lengths.len() as f64).ceil() as usize;
        self.lengths
            .get(rank.max(1) - 1)
            .copied()
            .unwrap_or_default()
    }

    /// Pictures a second; zero without frames.
    #[must_use]
    pub fn fps(&self) -> f64 {
        self.span.rate_of(self.frames as u64)
    }
}

/// Whether intervals that have begun and ended within the time `since` the last change tell of all: short
/// ones end sooner than long ones, so of uneven ones a mean is too short at first.
fn is_known((mean, deviation): (f64, f64), since: Nanos) -> bool {
    const EVEN: f64 = 0.2;
    const MEANS: f64 = 6.0;
    deviation <= EVEN * mean || since.as_secs_f64() >= MEANS * mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::lane::FrameRecord;
    use timeslice::knob::Knob;
    use timeslice::strategy::by_key;
    use timeslice::strategy::knobs::INTERVAL;
    use timeslice::strategy::time_budget::BUDGET;
    use timeslice::time::ClockTime;

    fn history(lengths_ms: &[u64]) -> History {
        let mut history = History::default();
        for (number, &ms) in (0..).zip(lengths_ms) {
            let length = Nanos::from_millis(ms);
            let record = FrameRecord {
                number,
                length,
                runs: 10,
                ..FrameRecord::default()
            };
            history.push(PastFrame {
                record,
                ..PastFrame::default()
            });
        }
        history
    }

    fn observed(history: &History) -> Observed {
        let strategy = by_key("fixed-interval").unwrap();
        Observed::over(
            history,
            strategy,
            &KnobValues::default(),
            Nanos::ZERO,
            LATELY,
        )
    }

    #[test]
    fn of_nothing_every_figure_is_zero_or_none() {
        let seen = observed(&history(&[]));
        assert_eq!((seen.frames, seen.runs_mean, seen.fps()), (0, 0.0, 0.0));
        assert_eq!(seen.frame_length(0.99), Nanos::ZERO);
        assert_eq!(seen.interval, None);
    }

    #[test]
    fn only_the_last_two_seconds_count() {
        let seen = observed(&history(&[100; 50]));
        assert_eq!(seen.from, Some(30));
        assert_eq!((seen.frames, seen.span), (20, LATELY));
        assert_eq!(seen.fps(), 10.0);
        assert_eq!(seen.hitches, 20);
    }

    #[test]
    fn what_was_before_a_change_does_not_count() {
        let mut history = history(&[16; 50]);
        history.change(45, GameTime::START);
        assert_eq!(observed(&history).frames, 5);
    }

    #[test]
    fn a_frame_that_was_held_up_from_outside_does_not_count() {
        let mut history = history(&[16; 5]);
        let outside = Nanos::from_secs(3600);
        history.push(PastFrame {
            outside,
            ..PastFrame::default()
        });
        assert_eq!(observed(&history).frames, 5);
    }

    #[test]
    fn quantiles_are_of_whole_frames() {
        let mut lengths = [10; 100];
        lengths[7] = 90;
        let seen = observed(&history(&lengths));
        assert_eq!(seen.frame_length(0.5), Nanos::from_millis(10));
        assert_eq!(seen.frame_length(0.99), Nanos::from_millis(10));
        assert_eq!(seen.frame_length(1.0), Nanos::from_millis(90));
        assert_eq!(seen.hitches, 1);
    }

    #[test]
    fn interval_and_budget_are_what_the_strategy_keeps() {
        let of = |key, set: &[(&Knob, f64)]| {
            let (strategy, knobs) = (by_key(key).unwrap(), KnobValues::with(set));
            let seen = Observed::over(&history(&[]), strategy, &knobs, Nanos::ZERO, LATELY);
            (seen.wanted_interval, seen.budget)
        };
        assert_eq!(of("fixed-interval", &[(&INTERVAL, 2.0)]), (Some(2.0), None));
        assert_eq!(of("all-at-once", &[(&INTERVAL, 0.0)]), (None, None));
        let budget = Some(Nanos::from_millis(7));
        assert_eq!(of("time-budget", &[(&BUDGET, 7.0)]), (None, budget));
    }

    /// A frame at `now_ms` in which one interval of each of these ended.
    fn ended(number: u64, now_ms: u64, intervals_ms: &[u64]) -> PastFrame {
        let mut past = PastFrame {
            now: GameTime::at(Nanos::from_millis(now_ms)),
            ..PastFrame::default()
        };
        past.record.number = number;
        past.record.length = Nanos::from_millis(100);
        for &ms in intervals_ms {
            past.intervals.add(Nanos::from_millis(ms));
        }
        past
    }

    #[test]
    fn the_tasks_of_a_frame_may_take_the_budget_of_each_of_its_updates() {
        let strategy = by_key("time-budget").unwrap();
        let mut history = History::default();
        let mut frame = |updates, task_ms| {
            let mut past = ended(0, 0, &[]);
            past.record.updates = updates;
            past.record.task_time = Nanos::from_millis(task_ms);
            past.record.scheduling = Nanos::from_millis(50);
            history.push(past);
            let knobs = KnobValues::default();
            Observed::over(&history, strategy, &knobs, Nanos::ZERO, LATELY).overrun
        };
        assert_eq!(frame(1, 4), None);
        assert_eq!(frame(2, 8), None);
        assert_eq!(frame(1, 5), Some(Nanos::from_millis(1)));
    }

    #[test]
    fn the_fewest_runs_are_of_frames_in_which_anything_ran() {
        let mut history = history(&[10; 3]);
        let mut idle = ended(3, 0, &[]);
        idle.record.backlog = 7;
        history.push(idle);
        let seen = observed(&history);
        assert_eq!((seen.busy, seen.busy_least, seen.runs), (3, 10, 30));
        assert_eq!(seen.frames_with_backlog, 1);
        assert_eq!((seen.backlog, seen.backlog_most), ((0, 7), 7));
    }

    #[test]
    fn game_time_is_off_only_where_frames_and_steps_do_not_account_for_it() {
        let mut history = History::default();
        for number in 0..100 {
            // Half of real time is simulated, the other half given up.
            let mut past = ended(number, number * 8, &[]);
            past.record.start = ClockTime::at(Nanos::from_millis(number * 16));
            past.record.length = Nanos::from_millis(16);
            past.record.step = Nanos::from_millis(8);
            past.record.debt_dropped = Nanos::from_millis(8);
            history.push(past);
            let seen = observed(&history);
            if number < 3 {
                assert_eq!(seen.off_speed(), None);
            }
        }
        let seen = observed(&history);
        assert_eq!(seen.off_speed(), Some(0.5));
        assert_eq!(seen.debt_dropped, Nanos::from_millis(800));
    }

    #[test]
    fn uneven_intervals_are_known_only_after_long_ones_could_end() {
        let uneven = (0.5, 0.5);
        assert!(!is_known(uneven, Nanos::from_millis(2_900)));
        assert!(is_known(uneven, Nanos::from_secs(3)));
        assert!(is_known((0.5, 0.02), Nanos::from_millis(600)), "even ones");
    }
}
