//! Rounds: the updates in which every task runs once, for strategies that promise a number of updates.

use super::phrasing::time;
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::MISSED_TARGET;
use crate::text::format;
use crate::text::rich::{Phrase, counted, figure};
use timeslicer::strategy::{Pattern, Promise};
use timeslicer::time::Nanos;

/// A round of more than one update.
pub(super) struct Round {
    updates: u64,
    rate: Rate,
    /// Game time that the round takes.
    pub(super) game: Nanos,
}

/// Updates per second of the machine's time.
enum Rate {
    /// One update in each frame of the display.
    Display(f64),
    /// The loop's own rate, or a measured one.
    Updates(f64),
}

impl Round {
    /// Returns the promised round. `None` if the strategy promises no number of updates, or every update, or if the
    /// rate of updates is not known yet.
    pub(super) fn of(report: &Report) -> Option<Self> {
        let Promise::Updates(updates @ 2..) = report.subject.promise else {
            return None;
        };
        let (rate, delta) = rate(report)?;
        Some(Self {
            updates: updates as u64,
            rate,
            game: Nanos::from_nanos_f64(updates as f64 * delta),
        })
    }

    /// Returns the number of updates and their rate: `30 updates at 144 Hz`.
    pub(super) fn in_words(&self) -> Phrase {
        let (rate, unit) = match self.rate {
            Rate::Display(hz) => (hz, " Hz"),
            Rate::Updates(rate) => (rate, " per second"),
        };
        // One decimal distinguishes 59.9 from 60.
        let rate = figure(format::number((10.0 * rate).round() / 10.0));
        phrase![counted(self.updates, "update"), " at ", rate, unit]
    }
}

/// Returns the rate of updates, and the game time by which each of them advances the game, in nanoseconds. If the
/// machine keeps up, these are the rates of the display or the loop; measured rates would change from frame to frame.
fn rate(of: &Report) -> Option<(Rate, f64)> {
    let pacing = of.subject.pacing;
    let keeps_real_time = of.game_speed().keeps_real_time();
    let measured = || {
        let passed = if keeps_real_time {
            of.span
        } else {
            of.game_span
        };
        let delta = passed.as_nanos() as f64 / of.updates as f64;
        (of.updates > 0).then(|| (Rate::Updates(of.span.rate_of(of.updates)), delta))
    };
    let per_second = |period: Nanos| 1.0 / period.as_secs_f64();
    match pacing.step {
        Some(step) if keeps_real_time => {
            Some((Rate::Updates(per_second(step)), step.as_nanos() as f64))
        }
        Some(step) => measured().map(|(rate, _)| (rate, step.as_nanos() as f64)),
        None if pacing.waits_for_display && of.frame.mean.over(pacing.target) <= MISSED_TARGET => {
            let period = pacing.target;
            Some((Rate::Display(per_second(period)), period.as_nanos() as f64))
        }
        None => measured(),
    }
}

/// Returns why tasks have their interval, for strategies whose interval depends on the rate of updates: `30 updates at
/// 144 Hz = 208 ms`.
#[must_use]
pub fn round(of: &Report) -> Option<Phrase> {
    let round = Round::of(of).filter(|_| of.subject.entities > 0)?;
    let turns = match of.subject.pattern {
        Some(Pattern::AtMost(most)) => {
            let tasks = counted(of.subject.entities as u64, "task");
            phrase![tasks, " / ", figure(format::grouped(most as u64)), ": "]
        }
        _ => Phrase::default(),
    };
    let length = of
        .game_speed()
        .of_game_time(time(round.game), None, round.game);
    Some(phrase![turns, round.in_words(), " = ", length])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::machine::{DISPLAY_HZ, RENDER_MS};
    use crate::sim::world::{COST, ENTITIES};
    use crate::stats::rules::test_report::{report, report_on};
    use timeslicer::frame_loop::FRAME_LOOPS;
    use timeslicer::frame_loop::constant_fps::LOOP_FPS;
    use timeslicer::knob::Knob;
    use timeslicer::strategy::STRATEGIES;

    fn text(strategy: &str, frame_loop: &str, set: &[(&Knob, f64)]) -> String {
        let of = report_on(strategy, frame_loop, set, 2);
        round(&of).expect("a round of updates").to_string()
    }

    #[test]
    fn a_round_depends_on_the_display() {
        let at = |hz| text("stagger-groups", "variable-step", &[(&DISPLAY_HZ, hz)]);
        assert_eq!(at(60.0), "30 updates at 60 Hz = 500 ms");
        assert_eq!(at(144.0), "30 updates at 144 Hz = 208 ms");
        assert_eq!(at(30.0), "30 updates at 30 Hz = 1 s");
        let turns = text("max-per-frame", "variable-step", &[]);
        assert_eq!(turns, "400 tasks / 4: 100 updates at 60 Hz = 1.67 s");
        let uneven = text("max-per-frame", "variable-step", &[(&ENTITIES, 401.0)]);
        assert_eq!(uneven, "401 tasks / 4: 101 updates at 60 Hz = 1.68 s");
    }

    #[test]
    fn loops_with_a_step_have_their_own_rate() {
        for hz in [30.0, 144.0] {
            let set = [(&DISPLAY_HZ, hz), (&LOOP_FPS, 25.0)];
            for (frame_loop, expected) in [
                ("fixed-step", "30 updates at 50 per second = 600 ms"),
                ("max-frame-skip", "30 updates at 50 per second = 600 ms"),
                ("constant-fps", "30 updates at 25 per second = 1.2 s"),
            ] {
                assert_eq!(text("stagger-groups", frame_loop, &set), expected);
            }
        }
    }

    #[test]
    fn slow_machines_have_a_measured_rate() {
        let set = [(&RENDER_MS, 50.0), (&COST, 0.0)];
        let slow = text("stagger-groups", "variable-step", &set);
        assert_eq!(slow, "30 updates at 20 per second = 1.5 s");
        let slow = text("stagger-groups", "unsynced", &set);
        let expected = "30 updates at 20 per second = 600 ms of game time (1.5 s real)";
        assert_eq!(slow, expected);
    }

    #[test]
    fn rounds_last_as_long_as_the_measured_intervals() {
        for entry in STRATEGIES {
            for frame_loop in FRAME_LOOPS {
                let set = [(&ENTITIES, 60.0), (&DISPLAY_HZ, 75.0), (&COST, 10.0)];
                let of = report_on(entry.key, frame_loop.key, &set, 3);
                let has_round = matches!(of.subject.promise, Promise::Updates(2..));
                assert_eq!(round(&of).is_some(), has_round, "{}", entry.key);
                if let Some(round) = Round::of(&of) {
                    let measured = of.interval.mean.over(round.game);
                    assert!(
                        (0.99..1.01).contains(&measured),
                        "{}: {measured}",
                        entry.key
                    );
                }
            }
        }
        assert!(round(&report("stagger-groups", &[(&ENTITIES, 0.0)], 1)).is_none());
    }
}
