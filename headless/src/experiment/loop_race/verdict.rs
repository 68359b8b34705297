//! The race in words: sentences that follow from its figures.

use super::{FlightEnds, LoopRow, LoopStats, Race, Side};
use crate::phrase;
use crate::sim::projectile::FLIGHT;
use crate::stats::Recovery;
use crate::stats::thresholds::{CLOSE_ENDS, LEAST_DROPPED_MS};
use crate::text::format;
use crate::text::rich::{Clause, RichText, Span, figure};
use timeslicer::time::Nanos;

impl Race {
    /// Returns a sentence about the loops that play the same game at the same speed on both machines.
    #[must_use]
    pub fn verdict(&self) -> RichText {
        let known: Option<Vec<(&LoopRow, bool)>> = self
            .rows()
            .iter()
            .map(|row| Some((row, row.is_fair()?)))
            .collect();
        let Some(known) = known else {
            return no_comparison_yet().into();
        };
        let fair = known.iter().filter(|(_, fair)| *fair);
        let fair: Vec<&LoopRow> = fair.map(|(row, _)| *row).collect();
        let names: Vec<String> = fair.iter().map(|row| row.name()).collect();
        let mut text = RichText::from(fair_loops(&names));
        for row in fair {
            let Some([fast, slow]) = row.stats() else {
                continue;
            };
            if !fast.keeps_real_time() || !slow.keeps_real_time() {
                text.push(off_real_time(row.name(), &fast, &slow));
            }
        }
        let ratio = |row: &LoopRow| {
            let [fast, slow] = row.stats()?;
            let ratio = fast.speed.max(slow.speed) / fast.speed.min(slow.speed);
            let differs = ratio.is_finite() && !fast.is_as_fast_as(&slow);
            differs.then(|| (ratio, row.name()))
        };
        let ratios = self.rows().iter().filter_map(ratio);
        if let Some((ratio, name)) = ratios.max_by(|one, other| one.0.total_cmp(&other.0)) {
            text.push(speed_ratio(name, ratio));
        }
        text
    }
}

impl LoopRow {
    pub(super) fn name(&self) -> String {
        self.entry.name.to_owned()
    }

    /// Returns true if both machines play the same game at the same speed; `None` before that is known.
    fn is_fair(&self) -> Option<bool> {
        let [fast, slow] = self.stats()?;
        if !fast.is_as_fast_as(&slow) {
            return Some(false);
        }
        Some(self.flight_ends()?.identical)
    }

    /// Returns a clause about how the two machines recover from a recent disturbance.
    fn recovery(&self) -> Option<Clause> {
        let [fast, slow] =
            [Side::Fast, Side::Slow].map(|side| self.contestant(side).lane().recovery());
        let (fast, slow) = fast.zip(slow)?;
        let name = fast.name();
        let [on_fast, on_slow] = [fast, slow].map(Recovery::hitches_in_words);
        let words = if on_fast == on_slow {
            phrase![name, ": ", on_fast, " on both"]
        } else {
            phrase![name, ": fast ", on_fast, "; slow ", on_slow]
        };
        Some(words.warning_if(fast.is_rough() || slow.is_rough()))
    }

    /// Returns a sentence about the loop on both machines, with the most important clause first; empty before there are
    /// any figures.
    #[must_use]
    pub fn summary(&self) -> RichText {
        let Some([fast, slow]) = self.stats() else {
            return RichText::default();
        };
        let mut text: RichText = self.recovery().into_iter().collect();
        text.push(speeds(&fast, &slow));
        text.clauses.extend(self.flight_ends().map(ends));
        for (name, stats) in [("fast", fast), ("slow", slow)] {
            text.clauses.extend(dropped(name, &stats));
        }
        text.push(steps(&fast, &slow));
        text.clauses.extend(never_idle(&fast));
        text
    }
}

pub(super) fn no_comparison_yet() -> Clause {
    let flight = figure(format::number(FLIGHT.as_secs_f64()));
    phrase!["first comparison after ", flight, " s of game time"].normal()
}

/// Returns a clause about the loops that play the same game at the same speed on both machines.
pub(super) fn fair_loops(names: &[String]) -> Clause {
    let game = "the same game at the same speed on both machines";
    match names {
        [] => phrase![format!("no loop plays {game}")].warning(),
        [one] => phrase![format!("only {one} plays {game}")].normal(),
        [most @ .., last] => {
            phrase![format!("{} and {last} play {game}", most.join(", "))].normal()
        }
    }
}

/// Returns a clause about a loop that plays the same game on both machines, but not in real time.
pub(super) fn off_real_time(name: String, fast: &LoopStats, slow: &LoopStats) -> Clause {
    let [fast, slow] = [fast, slow].map(speed);
    let speeds = if fast == slow {
        phrase![fast]
    } else {
        phrase![fast, " and ", slow]
    };
    phrase![name, " runs at ", speeds, " real time"].warning()
}

/// Returns a clause about the loop whose speeds differ most.
pub(super) fn speed_ratio(name: String, ratio: f64) -> Clause {
    let ratio = times(ratio);
    phrase![
        name,
        " runs ",
        ratio,
        " as fast on one machine as on the other"
    ]
    .warning()
}

/// Returns a clause about the speed of the game on the two machines.
pub(super) fn speeds(fast: &LoopStats, slow: &LoopStats) -> Clause {
    let words = match (fast.keeps_real_time(), slow.keeps_real_time()) {
        (true, true) => return phrase!["real time on both"].normal(),
        (true, false) => phrase![speed(slow), " real time on the slow machine"],
        (false, true) => phrase![speed(fast), " real time on the fast machine"],
        (false, false) if speed(fast) == speed(slow) => {
            phrase![speed(fast), " real time on both"]
        }
        (false, false) => phrase!["fast ", speed(fast), ", slow ", speed(slow), " real time"],
    };
    words.warning()
}

/// Returns a clause about the ends of the last flight on both machines.
pub(super) fn ends(ends: FlightEnds) -> Clause {
    if ends.identical {
        phrase!["bit-identical on both machines"].normal()
    } else if ends.apart < CLOSE_ENDS {
        let limit = figure(format::number(1000.0 * CLOSE_ENDS));
        phrase!["flights end less than ", limit, " mm apart"].warning()
    } else {
        let apart = figure(format::number(ends.apart));
        phrase!["flights end ", apart, " m apart"].warning()
    }
}

/// Returns a clause about the debt that the loop drops on the machine called `name`; `None` if it drops hardly any.
pub(super) fn dropped(name: &str, stats: &LoopStats) -> Option<Clause> {
    let millis = stats.dropped * 1000.0;
    let lost = figure(format::number(millis));
    let words = phrase!["the ", name, " machine loses ", lost, " ms per second"];
    (millis >= LEAST_DROPPED_MS).then(|| words.normal())
}

/// Returns a clause about the lengths of steps on both machines.
pub(super) fn steps(fast: &LoopStats, slow: &LoopStats) -> Clause {
    if fast.has_the_steps_of(slow) {
        let step = figure(format::number(fast.step.as_millis_f64()));
        phrase!["equal steps of ", step, " ms"].normal()
    } else {
        let [fast, slow] = distinct([fast.step, slow.step]).map(figure);
        phrase!["steps: fast ", fast, " ms, slow ", slow, " ms"].normal()
    }
}

/// Returns a clause if the fast machine never waits.
pub(super) fn never_idle(fast: &LoopStats) -> Option<Clause> {
    let clause = phrase!["the fast machine is never idle"].normal();
    (fast.busy > 0.999).then_some(clause)
}

/// Formats a ratio: `2×`.
fn times(ratio: f64) -> Span {
    figure(format!("{}×", format::number(ratio)))
}

/// Formats the game's speed on a machine: `0.5×`.
fn speed(stats: &LoopStats) -> Span {
    times(stats.speed)
}

/// Formats two times in milliseconds, with enough digits to show that they differ.
fn distinct(times: [Nanos; 2]) -> [String; 2] {
    let short = times.map(|time| format::number(time.as_millis_f64()));
    let longer =
        (3..=6).map(|decimals| times.map(|time| format!("{:.decimals$}", time.as_millis_f64())));
    let mut all = std::iter::once(short).chain(longer);
    all.find(|[one, other]| one != other)
        .unwrap_or_else(|| times.map(|time| time.to_string()))
}

/// Tests of the exact words. The race's tests assert figures and severities.
#[cfg(test)]
mod tests {
    use super::*;

    fn stats(speed: f64, step_ns: u64) -> LoopStats {
        LoopStats {
            error_nanos: 0,
            step: Nanos::from_nanos(step_ns),
            updates: 1.0,
            fps: 60.0,
            speed,
            busy: 0.5,
            dropped: 0.0,
        }
    }

    /// Checks the severity of a clause and returns its words.
    fn words(clause: &Clause, is_warning: bool) -> String {
        assert_eq!(clause.is_warning(), is_warning, "{clause}");
        clause.to_string()
    }

    #[test]
    fn before_a_comparison_the_verdict_names_its_time() {
        let clause = no_comparison_yet();
        assert_eq!(
            words(&clause, false),
            "first comparison after 2 s of game time"
        );
    }

    #[test]
    fn fair_loops_are_listed() {
        let clause = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            words(&fair_loops(&names), names.is_empty())
        };
        let game = "the same game at the same speed on both machines";
        assert_eq!(clause(&[]), format!("no loop plays {game}"));
        assert_eq!(clause(&["a"]), format!("only a plays {game}"));
        assert_eq!(clause(&["a", "b", "c"]), format!("a, b and c play {game}"));
    }

    #[test]
    fn speeds_are_given_once_if_they_look_equal() {
        let of = |fast, slow| {
            let [fast, slow] = [fast, slow].map(|speed| stats(speed, 1));
            speeds(&fast, &slow)
        };
        assert_eq!(words(&of(1.0, 1.0), false), "real time on both");
        assert_eq!(
            words(&of(1.0, 0.323), true),
            "0.32× real time on the slow machine"
        );
        assert_eq!(
            words(&of(2.0, 1.0), true),
            "2× real time on the fast machine"
        );
        assert_eq!(words(&of(0.5, 0.501), true), "0.5× real time on both");
        assert_eq!(
            words(&of(5.714, 0.3846), true),
            "fast 5.71×, slow 0.38× real time"
        );
        let off = |fast, slow| off_real_time("a".to_owned(), &stats(fast, 1), &stats(slow, 1));
        assert_eq!(words(&off(0.5, 0.501), true), "a runs at 0.5× real time");
        assert_eq!(
            words(&off(0.5, 0.52), true),
            "a runs at 0.5× and 0.52× real time"
        );
        let ratio = speed_ratio("a".to_owned(), 14.86);
        let expected = "a runs 14.9× as fast on one machine as on the other";
        assert_eq!(words(&ratio, true), expected);
    }

    #[test]
    fn ends_are_identical_close_or_apart() {
        let of = |identical, apart| {
            ends(FlightEnds {
                flight: 0,
                identical,
                apart,
            })
        };
        assert_eq!(
            words(&of(true, 0.0), false),
            "bit-identical on both machines"
        );
        assert_eq!(
            words(&of(false, 0.0), true),
            "flights end less than 1 mm apart"
        );
        assert_eq!(words(&of(false, 1.25), true), "flights end 1.25 m apart");
    }

    #[test]
    fn dropped_debt_is_a_clause_if_it_is_not_negligible() {
        let of = |dropped| LoopStats {
            dropped,
            ..stats(1.0, 1)
        };
        let clause = dropped("slow", &of(0.333)).unwrap();
        assert_eq!(
            words(&clause, false),
            "the slow machine loses 333 ms per second"
        );
        assert_eq!(dropped("slow", &of(0.0)), None);
    }

    #[test]
    fn machine_without_waiting_is_never_idle() {
        let of = |busy| LoopStats {
            busy,
            ..stats(1.0, 1)
        };
        let clause = never_idle(&of(1.0)).unwrap();
        assert_eq!(words(&clause, false), "the fast machine is never idle");
        assert_eq!(never_idle(&of(0.99)), None);
    }

    #[test]
    fn steps_are_equal_within_a_nanosecond() {
        let of = |fast, slow| steps(&stats(1.0, fast), &stats(1.0, slow)).to_string();
        assert_eq!(of(16_666_666, 16_666_667), "equal steps of 16.7 ms");
        assert_eq!(of(6_940_000, 52_000_000), "steps: fast 6.94 ms, slow 52 ms");
        assert_eq!(
            of(6_944_444, 6_944_927),
            "steps: fast 6.944 ms, slow 6.945 ms"
        );
    }
}
