//! What the strategy does, as measured: the first clause of a status.

use super::burst::burst_ratio;
use super::phrasing::{spread, time};
use super::round::Round;
use crate::phrase;
use crate::sim::world::Ring;
use crate::stats::Report;
use crate::stats::thresholds::DIFFERENT_INTERVALS;
use crate::text::format;
use crate::text::rich::{Clause, Phrase, counted, figure, grouped_figure};
use timeslicer::strategy::{Family, Pattern};
use timeslicer::time::Nanos;

/// Describes the number of tasks in a frame or update, followed by the interval of each task or by the wait of
/// requests. The clause is a warning if intervals are too long.
pub(in crate::stats) fn activity(of: &Report) -> Clause {
    if of.runs == 0 {
        return phrase!["no task ran in ", of.game_time(of.game_span)].normal();
    }
    if of.subject.promise.is_on_request() {
        return phrase![load(of), " on request", service(of)].normal();
    }
    let is_late = of.misses_interval();
    if of.runs_all_in_every_frame() && !is_late {
        return load(of).normal();
    }
    phrase![load(of), ", ", interval(of)].warning_if(is_late)
}

/// Describes the number of tasks in a frame or update, as measured or as fixed by the strategy's pattern.
fn load(of: &Report) -> Phrase {
    if of.runs_all_in_every_frame() {
        return phrase![all_tasks(of), " every frame"];
    }
    if of.subject.entities == 1 {
        return all_tasks(of);
    }
    if of.runs_all_in_one_frame() {
        let frames = counted(of.frames, "frame");
        let busy = grouped_figure(of.busy_frames);
        return phrase![all_tasks(of), " in ", busy, " of ", frames];
    }
    match of.subject.pattern {
        Some(Pattern::Groups(groups)) => {
            phrase![
                figure(1),
                " of ",
                counted(groups as u64, "group"),
                " an update"
            ]
        }
        Some(Pattern::AtMost(most)) => {
            phrase!["up to ", counted(most as u64, "task"), " an update"]
        }
        None => {
            let load = phrase!["up to ", counted(of.peak_runs.into(), "task"), " a frame"];
            match burst_ratio(of) {
                Some(ratio) => {
                    let ratio = figure(format!("{}×", format::number(ratio)));
                    phrase![load, " (", ratio, " the average)"]
                }
                None => load,
            }
        }
    }
}

fn all_tasks(of: &Report) -> Phrase {
    match of.subject.entities {
        1 => phrase!["one task"],
        2 => phrase!["both tasks"],
        all => phrase!["all ", counted(all as u64, "task")],
    }
}

/// Describes the interval of each task, or the length of a round if intervals are not known yet. If intervals differ by
/// design, describes those near the target and far from it.
fn interval(of: &Report) -> Phrase {
    if let Some(intervals) = intervals_by_distance(of) {
        return intervals;
    }
    let (mean, deviation) = (of.interval.mean, of.interval.deviation);
    let round = Round::of(of).map(|round| round.in_words());
    match (round, of.wanted) {
        (Some(updates), _) if !of.knows_interval() => phrase!["a round takes ", updates],
        _ if !of.knows_interval() => phrase!["interval not known yet"],
        (round, wanted) => {
            let each = match (of.subject.entities, of.subject.pattern) {
                (1, _) => "every ",
                (_, Some(Pattern::Groups(_))) => "each task every ",
                _ => "each every ",
            };
            let wanted = wanted.filter(|_| of.misses_interval());
            let wanted = wanted.map(|wanted| phrase!["wanted ", time(wanted)]);
            let remark = wanted.or(round);
            let every = spread(mean, deviation);
            let every = of.game_speed().of_game_time(every, remark, mean);
            phrase![each, every]
        }
    }
}

/// Describes the mean intervals in the nearest and in the farthest ring that has entities, for strategies by
/// significance. `None` for all others, if the intervals are nearly the same, and if there is only one task.
pub(super) fn intervals_by_distance(of: &Report) -> Option<Phrase> {
    if of.subject.strategy.family != Family::BySignificance || of.subject.entities < 2 {
        return None;
    }
    let rings = Ring::ALL.into_iter().zip(of.interval_by_ring);
    let has_entities = of.mean_by_ring.map(|mean| mean.is_some());
    let mut rings = rings
        .zip(has_entities)
        .filter_map(|(ring, has)| has.then_some(ring));
    let (near, shorter) = rings.next()?;
    let (far, longer) = rings.next_back()?;
    // Before a task can have run again, its interval is not known.
    let known = |interval: Option<Nanos>| interval.filter(|it| *it <= of.since_change);
    let (Some(shorter), Some(longer)) = (known(shorter), known(longer)) else {
        return Some(turn(of));
    };
    if longer.over(shorter) <= DIFFERENT_INTERVALS {
        return None;
    }
    let near = phrase![near.name(), " every ", time(shorter)];
    let both = phrase![near, ", ", far.name(), " every ", time(longer)];
    Some(of.game_speed().of_game_time(both, None, longer))
}

/// Describes the time for as many runs as there are tasks, if that is longer than the measured time.
fn turn(of: &Report) -> Phrase {
    let entities = of.subject.entities as f64 / of.runs as f64;
    let all = Nanos::from_nanos_f64(of.game_span.as_nanos() as f64 * entities);
    if all <= of.since_change {
        return phrase!["intervals not known yet"];
    }
    phrase!["running each once takes about ", of.game_time(all)]
}

/// Describes the wait of requests; empty if the backlog grows, because that has a rule of its own.
fn service(of: &Report) -> Phrase {
    match of.backlog_peak as u64 {
        0 if of.subject.entities == 1 => phrase![", in the next update"],
        0 => phrase![", each in the next update"],
        _ if of.falls_behind() => Phrase::default(),
        waiting => phrase![", up to ", grouped_figure(waiting), " waiting"],
    }
}

impl Report {
    /// Returns true if every frame made one update that ran every entity's task.
    pub(in crate::stats) fn runs_all_in_every_frame(&self) -> bool {
        self.runs_all_in_one_frame() && self.busy_frames == self.frames
    }

    /// Returns true if every frame with runs made one update that ran every entity's task. Comparing numbers is enough,
    /// because no task runs twice in an update.
    fn runs_all_in_one_frame(&self) -> bool {
        let is_all = |runs: u32| runs as usize == self.subject.entities;
        let all = is_all(self.peak_runs) && is_all(self.fewest_runs);
        self.runs > 0 && self.most_updates <= 1 && all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{COST, ENTITIES, FALLOFF, REQUESTS};
    use crate::stats::rules::test_report::{MS, report, report_on};
    use timeslicer::strategy::knobs::BUDGET;
    use timeslicer::strategy::max_per_frame::MAX_TASKS;
    use timeslicer::strategy::{STRATEGIES, StrategyEntry};

    fn text(of: &Report) -> String {
        activity(of).to_string()
    }

    #[test]
    fn tasks_that_run_together_are_counted_as_all() {
        let set = [(&MAX_TASKS, 500.0), (&COST, 1.0)];
        let all = "all 400 tasks every frame";
        assert_eq!(text(&report("max-per-frame", &set, 3)), all);
        let mut of = report("all-at-once", &[(&COST, 10.0)], 1);
        let bursts = "all 400 tasks in 2 of 60 frames, each every 500 ms";
        assert_eq!(text(&of), bursts);
        of.most_updates = 2; // a task may have run twice in a frame
        let bursts = "up to 400 tasks a frame (30× the average), each every 500 ms";
        assert_eq!(text(&of), bursts);
    }

    #[test]
    fn small_worlds_have_words_of_their_own() {
        let words = |strategy, entities| text(&report(strategy, &[(&ENTITIES, entities)], 3));
        let one = "one task every frame";
        assert_eq!(words("every-frame", 1.0), one);
        assert_eq!(words("fixed-interval", 1.0), "one task, every 500 ms");
        let both = "both tasks every frame";
        assert_eq!(words("every-frame", 2.0), both);
    }

    #[test]
    fn a_fixed_pattern_is_described_by_the_strategy() {
        let groups = "1 of 30 groups an update, each task every 500 ms (30 updates at 60 Hz)";
        assert_eq!(text(&report("stagger-groups", &[], 3)), groups);
        let turns = report("max-per-frame", &[(&MAX_TASKS, 40.0)], 5);
        let every = "up to 40 tasks an update, each every 167 ms (10 updates at 60 Hz)";
        assert_eq!(text(&turns), every);
        let turns = "up to 4 tasks an update, a round takes 100 updates at 60 Hz";
        assert_eq!(text(&report("max-per-frame", &[], 1)), turns);
    }

    #[test]
    fn intervals_are_compared_with_the_wanted_one() {
        let of = report("fixed-interval", &[], 5);
        let even = "up to 14 tasks a frame, each every 500 ms";
        assert_eq!(text(&of), even);
        let slow = report("fixed-interval", &[(&ENTITIES, 20_000.0)], 60);
        assert!(text(&slow).ends_with(" (wanted 500 ms)"), "{}", text(&slow));
        assert!(activity(&slow).is_warning() && !activity(&of).is_warning());
        let mut uneven = of;
        (uneven.interval.deviation, uneven.since_change) = (MS(200), MS(2_900));
        let unknown = "up to 14 tasks a frame, interval not known yet";
        assert_eq!(text(&uneven), unknown);
    }

    /// Returns the strategies by significance.
    fn by_weight() -> impl Iterator<Item = &'static StrategyEntry> {
        let all = STRATEGIES.iter().copied();
        all.filter(|entry| entry.family == Family::BySignificance)
    }

    #[test]
    fn intervals_by_weight_are_those_near_and_far() {
        for entry in by_weight() {
            let mut of = report(entry.key, &[(&COST, 1.0)], 5);
            of.mean_by_ring = [Some(MS(25)), Some(MS(99)), Some(MS(500))];
            of.interval_by_ring = [Some(MS(50)), Some(MS(200)), Some(MS(1_000))];
            let ends = |of: &Report, end: &str| {
                let text = text(of);
                assert!(text.ends_with(end), "{}: {text}", entry.key);
            };
            ends(&of, ", near every 50 ms, far every 1 s");
            of.mean_by_ring[0] = None; // no entity is there
            ends(&of, ", middle every 200 ms, far every 1 s");
            of.interval_by_ring[2] = Some(MS(210));
            assert!(!text(&of).contains("far"), "nearly the same");
            (of.interval_by_ring[2], of.since_change) = (None, MS(700));
            ends(&of, ", intervals not known yet");
            (of.runs, of.game_span, of.span) = (100, MS(700), MS(700));
            ends(&of, ", running each once takes about 2.8 s");
        }
    }

    #[test]
    fn intervals_by_weight_are_measured() {
        let set = [(&COST, 1.0), (&FALLOFF, 4.0)];
        for entry in by_weight() {
            let of = report(entry.key, &set, 20);
            let [near, middle, far] = of.interval_by_ring.map(Option::unwrap);
            assert!(near.over(middle) < 1.01, "{}: {middle}", entry.key);
            assert!(middle.over(far) < 1.01, "{}: {far}", entry.key);
            assert!((MS(50)..MS(55)).contains(&near), "{}: {near}", entry.key);
        }
        let even = report("fixed-interval", &set, 20);
        for interval in even.interval_by_ring.map(Option::unwrap) {
            assert!(interval.over(MS(500)) > 0.97 && interval.over(MS(500)) < 1.03);
        }
    }

    #[test]
    fn requests_are_served_at_once_or_wait() {
        let of = report_on("request-list", "fixed-step", &[], 5);
        let (start, end) = ("up to ", " a frame on request, each in the next update");
        assert!(text(&of).starts_with(start) && text(&of).ends_with(end));
        let mut busy = report("time-budget", &[(&BUDGET, 1.0)], 10);
        (busy.backlog, busy.backlog_peak) = ((0, 0), 1070);
        let end = " a frame on request, up to 1,070 waiting";
        assert!(text(&busy).ends_with(end), "{}", text(&busy));
        let idle = report("request-list", &[(&REQUESTS, 0.0)], 1);
        assert_eq!(text(&idle), "no task ran in 983 ms");
    }
}
