//! Measures what a disturbance does to a simulation in the three seconds after it.

use super::sums::is_hitch_by_tasks;
use super::thresholds::{RECOVERY_SHOWN, RECOVERY_WATCHED, SETTLED_AFTER};
use crate::catalog::strategy::StrategyEntry;
use crate::sim::lane::FrameRecord;
use crate::text::format::{counted, grouped, time};
use crate::text::sentence::Clause;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use timeslicer::scheduler::TaskId;
use timeslicer::time::Nanos;

/// How a simulation recovers from a [disturbance](crate::sim::disturbance::Disturbance).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recovery {
    pub name: String,
    /// The number of the first frame after the disturbance.
    pub from: u64,
    /// The task that the disturbance made expensive. `None` if there is no such task, or if it has already run or died.
    pub(super) heavy: Option<TaskId>,
    /// Whether another disturbance has followed. Later hitches and waits then count for that one.
    pub(super) is_followed: bool,
    /// The time and the number of frames since the disturbance. The time does not include injected stalls.
    passed: Nanos,
    frames: u64,
    /// The number of hitches that tasks have caused since the disturbance.
    pub hitches: u32,
    /// The length of the longest of these hitches.
    longest: Nanos,
    /// The time from the disturbance to the end of the last hitch.
    last: Nanos,
    /// The length of the longest frame since the disturbance.
    longest_frame: Nanos,
    /// The most time that a frame has spent on tasks since the disturbance.
    pub most_task_time: Nanos,
    /// The peak of the mean staleness since the disturbance. `None` before the first update or if there are no entities.
    staleness: Option<Nanos>,
    /// The tasks that the disturbance made due at once, whose waits are measured.
    pub burst: Option<Burst>,
    /// The indices of the burst's tasks that have neither run nor died.
    pub(super) waiting: BTreeSet<u32>,
    /// How long the newborns or requests of the burst waited. Those that have not run yet are not included.
    waits: Waits,
}

/// The tasks that a disturbance made due at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Burst {
    Newborns,
    Requests,
}

/// The number of waits that have ended, their sum and the longest of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Waits {
    count: u64,
    sum: Nanos,
    longest: Nanos,
}

impl Waits {
    fn add(&mut self, wait: Nanos) {
        self.count += 1;
        self.sum += wait;
        self.longest = self.longest.max(wait);
    }

    fn mean(&self) -> Nanos {
        Nanos::from_nanos(self.sum.as_nanos() / self.count.max(1))
    }

    /// Describes the waits, such as `wait 295 ms on average, up to 567 ms, 8 of 200 not yet`. If `is_brief` is true,
    /// `on average` is left out. `missing` is the number of waits that have not ended yet.
    fn words(&self, missing: u64, is_brief: bool) -> String {
        let (mean, longest) = (time(self.mean()), time(self.longest));
        let words = match self.count {
            0 => return "not yet".to_owned(),
            _ if mean == longest => format!("wait {mean}"),
            _ if is_brief => format!("wait {mean}, up to {longest}"),
            _ => format!("wait {mean} on average, up to {longest}"),
        };
        let [not_yet, all] = [missing, self.count + missing].map(grouped);
        match missing {
            0 => words,
            _ => format!("{words}, {not_yet} of {all} not yet"),
        }
    }
}

/// Names the two best strategies after a disturbance: without hitches, and with the shortest maximum wait or frame.
pub fn best_two<'a>(
    recoveries: impl Iterator<Item = (&'static StrategyEntry, &'a Recovery)>,
) -> Option<String> {
    let calm = recoveries.filter(|(_, it)| it.hitches == 0);
    let known = calm.filter_map(|(strategy, it)| Some((it.mean_and_longest()?[1], strategy.name)));
    let mut ranked: Vec<(Nanos, &str)> = known.collect();
    ranked.sort_by_key(|it| it.0);
    let named = ranked
        .iter()
        .map(|(longest, name)| format!("{name} ({})", time(*longest)));
    named
        .take(2)
        .reduce(|best, next| format!("{best}, then {next}"))
}

impl Recovery {
    pub(super) fn new(
        name: &str,
        from: u64,
        burst: Option<(Burst, BTreeSet<u32>)>,
        heavy: Option<TaskId>,
    ) -> Self {
        let (burst, waiting) = burst.unzip();
        Self {
            name: name.to_owned(),
            from,
            burst,
            waiting: waiting.unwrap_or_default(),
            heavy,
            ..Self::default()
        }
    }

    /// Returns true while the disturbance may have an effect. An expensive task has no effect until it has run.
    fn is_watched(&self) -> bool {
        self.heavy.is_none() && !self.is_followed && self.passed < RECOVERY_WATCHED
    }

    /// Adds the mean staleness in an update before its tasks run.
    pub(super) fn mean_staleness(&mut self, mean: Option<Nanos>) {
        if self.is_watched() {
            self.staleness = self.staleness.max(mean);
        }
    }

    pub(super) fn is_of_requests(&self) -> bool {
        self.burst == Some(Burst::Requests)
    }

    /// Returns the mean and the longest wait of the newborns or requests, or `None` if some have not run yet. For another
    /// disturbance, returns the peak of the mean staleness and the length of the longest frame.
    pub fn mean_and_longest(&self) -> Option<[Nanos; 2]> {
        match self.burst {
            Some(_) if !self.waiting.is_empty() => None,
            Some(_) => Some([self.waits.mean(), self.waits.longest]),
            None => Some([self.staleness?, self.longest_frame]),
        }
    }

    /// Ends the wait of a task that has run or died, if it belongs to the burst.
    pub(super) fn ended(&mut self, index: u32, waited: Nanos) {
        if self.waiting.remove(&index) {
            self.waits.add(waited);
        }
    }

    pub(super) fn frame(&mut self, frame: &FrameRecord, target: Nanos) {
        if frame.number < self.from || self.heavy.is_some() {
            return;
        }
        let is_watched = self.is_watched();
        self.passed += frame.own_length();
        self.frames += 1;
        if is_watched {
            self.longest_frame = self.longest_frame.max(frame.own_length());
            self.most_task_time = self.most_task_time.max(frame.task_time);
        }
        if is_watched && is_hitch_by_tasks(frame, target) {
            self.hitches += 1;
            self.longest = self.longest.max(frame.own_length());
            self.last = self.passed;
        }
    }

    /// Returns true if the disturbance was too long ago to be mentioned in the status message.
    pub(super) fn is_old(&self) -> bool {
        self.passed >= RECOVERY_SHOWN
    }

    /// Describes the recovery with the name of the disturbance, such as `100 births: 2 hitches of up to 40 ms, over
    /// after 90 ms, mean staleness up to 300 ms`.
    pub fn clause(&self) -> Clause {
        Clause::new(
            format!("{}: {}", self.name, self.words(false)),
            self.hitches > 0,
        )
    }

    /// Describes the recovery briefly, without the name of the disturbance.
    pub fn effect(&self) -> Clause {
        Clause::new(self.words(true), self.hitches > 0)
    }

    fn words(&self, is_brief: bool) -> String {
        if self.heavy.is_some() {
            return "not yet run".to_owned();
        }
        if self.frames < 2 {
            // A stall makes the delta longer only in the frame after it, so wait for that frame.
            return "effect not known yet".to_owned();
        }
        let mut words = match self.hitches {
            0 => "no hitches".to_owned(),
            1 => format!("one hitch of {}", time(self.longest)),
            some => format!(
                "{} of up to {}",
                counted(some.into(), "hitch"),
                time(self.longest)
            ),
        };
        let is_over = self.passed.min(RECOVERY_WATCHED) >= self.last + SETTLED_AFTER;
        if self.hitches > 0 && is_over && !is_brief {
            words = format!("{words}, over after {}", time(self.last));
        }
        let waits = self.waits.words(self.waiting.len() as u64, is_brief);
        let more = match (self.burst, self.staleness) {
            (Some(Burst::Newborns), _) => format!("first runs {waits}"),
            (Some(Burst::Requests), _) => format!("requests {waits}"),
            (None, Some(staleness)) => format!("mean staleness up to {}", time(staleness)),
            (None, None) => return words,
        };
        if is_brief && self.hitches == 0 {
            more
        } else {
            format!("{words}, {more}")
        }
    }

    /// Returns the recovery's metrics as JSON. Times are in milliseconds.
    pub fn to_json(&self) -> Value {
        let waits = json!({
            "count": self.waits.count,
            "missing": self.waiting.len(),
            "mean": self.waits.mean().as_millis_f64(),
            "max": self.waits.longest.as_millis_f64(),
        });
        let waits = |burst| (self.burst == Some(burst)).then_some(&waits);
        json!({
            "disturbance": self.name,
            "frame": self.from,
            "hitches": self.hitches,
            "over_after_ms": (self.hitches > 0).then(|| self.last.as_millis_f64()),
            "longest_frame_ms": self.longest_frame.as_millis_f64(),
            "most_task_time_ms": self.most_task_time.as_millis_f64(),
            "request_wait_ms": waits(Burst::Requests),
            "first_run_wait_ms": waits(Burst::Newborns),
            "highest_mean_staleness_ms": self.staleness.map(Nanos::as_millis_f64),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::knob::Knob;
    use crate::catalog::strategy::knobs::{BUDGET, MAX_TASKS};
    use crate::measure::{MeasuredLane, verdict};
    use crate::sim::disturbance::{Disturbance, Scheduled};
    use crate::sim::machine::{DISPLAY_HZ, Simulated};
    use crate::sim::settings::Settings;
    use crate::sim::world::{CHURN, COST, ENTITIES, REQUESTS};
    use crate::testing::{MS, lane, run_to, settings};

    fn recovery_of(lane: &MeasuredLane<Simulated>) -> &Recovery {
        lane.recovery().expect("a disturbance")
    }

    #[test]
    fn a_recovery_is_worded_by_its_hitches() {
        for (hitches, calm, words) in [
            (0, 10, "no hitches"),
            (1, 2, "one hitch of 100 ms"),
            (1, 40, "one hitch of 100 ms, over after 100 ms"),
            (2, 200, "2 hitches of up to 100 ms, over after 200 ms"),
            (40, 200, "30 hitches of up to 100 ms"),
        ] {
            let mut recovery = Recovery::new("100 births", 0, None, None);
            for tasks_ms in [vec![100; hitches], vec![1; calm]].concat() {
                let frame = FrameRecord {
                    length: MS(tasks_ms.max(16)),
                    task_time: MS(tasks_ms),
                    hitch_above: MS(24),
                    ..FrameRecord::default()
                };
                recovery.frame(&frame, MS(16));
            }
            let clause = recovery.clause();
            assert_eq!(clause.to_string(), format!("100 births: {words}"));
            assert_eq!(clause.is_warning(), hitches > 0);
        }
    }

    #[test]
    fn a_stall_is_no_hitch_but_makes_tasks_stale_and_due_at_once() {
        // After a stall, `max-per-frame` still runs 4 tasks of 0.1 ms per frame, but `fixed-interval` has 400 tasks due
        // at once.
        for (key, effect) in [
            ("max-per-frame", "mean staleness up to 1.34 s"),
            (
                "fixed-interval",
                "one hitch of 50 ms, mean staleness up to 758 ms",
            ),
        ] {
            let mut lane = lane(key, &[]);
            run_to(&mut lane, 3);
            lane.disturb(Disturbance::Stall);
            run_to(&mut lane, 7);
            assert_eq!(recovery_of(&lane).effect().to_string(), effect, "{key}");
        }
    }

    #[test]
    fn the_effect_of_a_stall_is_not_known_in_its_own_frame() {
        let mut lane = lane("fixed-interval", &[]);
        run_to(&mut lane, 1);
        lane.disturb(Disturbance::Stall);
        lane.frame();
        let words = recovery_of(&lane).effect().to_string();
        assert_eq!(words, "effect not known yet");
        let report = lane.report();
        assert!(!verdict(&report).to_string().contains("smooth"));
    }

    #[test]
    fn waits_of_a_burst_are_those_of_its_requests_and_newborns() {
        // Each frame has time for three of the 50 tasks, so three requests wait one frame, three wait two, and so on.
        let set = [
            (&COST, 1000.0),
            (&REQUESTS, 0.0),
            (&BUDGET, 3.0),
            (&DISPLAY_HZ, 30.0),
        ];
        let mut settings = settings("time-budget", "variable-step", &set);
        settings.scheduled = vec![Scheduled {
            at: Nanos::from_secs(2),
            effect: Disturbance::Requests.of_size(50.0),
        }];
        let burst = |settings: Settings| {
            let mut lane = MeasuredLane::<Simulated>::new(settings, Simulated::default());
            run_to(&mut lane, 6);
            lane.observer().recoveries[0].to_json()
        };
        let json = burst(settings);
        assert_eq!(json["disturbance"], "50 requests at 2 s");
        assert_eq!(json["frame"], 60);
        let frame_ms = 1000.0 / 30.0;
        let waits = &json["request_wait_ms"];
        assert_eq!(waits["count"], 50);
        let near =
            |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 0.001;
        assert!(near(&waits["mean"], 442.0 / 50.0 * frame_ms), "{waits}");
        assert!(near(&waits["max"], 17.0 * frame_ms), "{waits}");

        // With one task per frame, some newborns have not run after six seconds.
        let mut settings = self::settings("max-per-frame", "variable-step", &[(&MAX_TASKS, 1.0)]);
        settings.scheduled = vec![Scheduled {
            at: Nanos::from_secs(2),
            effect: Disturbance::Births.of_size(1000.0),
        }];
        let waits = &burst(settings)["first_run_wait_ms"];
        let sum = waits["count"].as_u64().unwrap() + waits["missing"].as_u64().unwrap();
        assert_eq!(sum, 1000, "{waits}");

        // Each newborn runs once in the next interval, so none waits longer than an interval.
        let mut settings = self::settings("fixed-interval", "variable-step", &[(&ENTITIES, 0.0)]);
        settings.scheduled = vec![Scheduled {
            at: Nanos::SECOND,
            effect: Disturbance::Births.of_size(30.0),
        }];
        let waits = &burst(settings)["first_run_wait_ms"];
        assert_eq!(waits["count"], 30);
        assert!(near(&waits["max"], 500.0), "{waits}");
    }

    #[test]
    fn a_heavy_task_is_watched_once_it_runs_or_dies() {
        // First, 4 of 900 tasks run per frame, so the heavy task may run only after `RECOVERY_WATCHED`. Then, no task
        // runs, but so many entities die that the heavy task soon dies, too.
        let dying: &[(&Knob, f64)] = &[(&ENTITIES, 5.0), (&CHURN, 10_000.0), (&REQUESTS, 0.0)];
        for (key, set, runs) in [
            (
                "max-per-frame",
                &[(&ENTITIES, 900.0), (&COST, 1.0)][..],
                true,
            ),
            ("request-list", dying, false),
        ] {
            let mut lane = lane(key, set);
            run_to(&mut lane, 1);
            lane.disturb(Disturbance::Heavy);
            let mut frames = 0;
            while recovery_of(&lane).heavy.is_some() {
                let words = recovery_of(&lane).words(false);
                assert!(words == "not yet run" && frames < 230, "{key}: {words}");
                lane.frame();
                frames += 1;
            }
            assert_eq!(lane.last_frame().task_time >= MS(20), runs, "{key}");
        }
    }
}
