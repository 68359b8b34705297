//! The race in words: sentences that follow from its figures.

use super::{FlightEnds, LoopRow, LoopStats, Race};
use crate::phrase;
use crate::sim::projectile::FLIGHT;
use crate::stats::Recovery;
use crate::stats::thresholds::{CLOSE_ENDS, LEAST_DROPPED_MS};
use crate::text::format::number;
use crate::text::rich::{Clause, RichText, figure, multiple};

impl Race {
    /// Returns a sentence about the loops that play the same game at the same speed on both machines.
    pub fn verdict(&self) -> RichText {
        let known: Option<Vec<bool>> = self.rows().iter().map(LoopRow::is_fair).collect();
        let Some(known) = known else {
            let flight = figure(number(FLIGHT.as_secs_f64()));
            return phrase!("first comparison after {} s of game time", flight)
                .normal()
                .into();
        };
        let rows = self.rows().iter().zip(known);
        let rows = rows.filter_map(|(row, is_fair)| Some((row.entry.name, row.stats()?, is_fair)));
        let (fair, unfair): (Vec<_>, Vec<_>) = rows.partition(|(_, _, is_fair)| *is_fair);
        let names: Vec<&str> = fair.iter().map(|(name, ..)| *name).collect();
        let mut text = RichText::from(fair_loops(&names));
        let off_real_time = fair
            .iter()
            .filter_map(|(name, both, _)| off_real_time(name, both));
        text.clauses.extend(off_real_time);
        let ratios = unfair.iter().filter_map(|(name, [fast, slow], _)| {
            let ratio = fast.speed.max(slow.speed) / fast.speed.min(slow.speed);
            let differs = ratio.is_finite() && !fast.is_as_fast_as(slow);
            differs.then_some((ratio, name))
        });
        if let Some((ratio, name)) = ratios.max_by(|one, other| one.0.total_cmp(&other.0)) {
            let words = phrase!("{} runs {} as fast on one machine", *name, multiple(ratio));
            text.push(phrase!("{} as on the other", words).warning());
        }
        text
    }
}

impl LoopRow {
    /// Returns true if both machines play the same game at the same speed; `None` before that is known.
    fn is_fair(&self) -> Option<bool> {
        let [fast, slow] = self.stats()?;
        if !fast.is_as_fast_as(&slow) {
            return Some(false);
        }
        self.is_reproducible()
    }

    /// Returns a sentence about the loop on both machines, with the most important clause first; empty before there are
    /// any figures.
    pub fn summary(&self) -> RichText {
        let Some([fast, slow]) = self.stats() else {
            return RichText::default();
        };
        let clauses = [
            self.recovery(),
            Some(speeds(&fast, &slow)),
            self.flight_ends().map(ends),
            dropped("fast", &fast),
            dropped("slow", &slow),
            Some(steps(&fast, &slow)),
            (fast.busy > 0.999).then(|| phrase!("the fast machine is never idle").normal()),
        ];
        clauses.into_iter().flatten().collect()
    }

    fn recovery(&self) -> Option<Clause> {
        let [fast, slow] = &self.contestants;
        let (fast, slow) = fast.lane.recovery().zip(slow.lane.recovery())?;
        let [on_fast, on_slow] = [fast, slow].map(Recovery::words);
        let words = if on_fast == on_slow {
            phrase!("{}: {} on both", &*fast.name, on_fast)
        } else {
            phrase!("{}: fast {}; slow {}", &*fast.name, on_fast, on_slow)
        };
        Some(words.warning_if(fast.extra_hitches() + slow.extra_hitches() > 0))
    }
}

fn fair_loops(names: &[&str]) -> Clause {
    let game = "the same game at the same speed on both machines";
    match names {
        [] => phrase!("no loop plays {}", game).warning(),
        [one] => phrase!("only {} plays {}", *one, game).normal(),
        [most @ .., last] => phrase!("{} and {} play {}", most.join(", "), *last, game).normal(),
    }
}

fn off_real_time(name: &str, [fast, slow]: &[LoopStats; 2]) -> Option<Clause> {
    let is_off = !fast.keeps_real_time() || !slow.keeps_real_time();
    let [fast, slow] = [fast, slow].map(|stats| multiple(stats.speed));
    is_off.then(|| phrase!("{} runs at {} and {} real time", name, fast, slow).warning())
}

fn speeds(fast: &LoopStats, slow: &LoopStats) -> Clause {
    let [on_fast, on_slow] = [fast, slow].map(|stats| multiple(stats.speed));
    let words = match (fast.keeps_real_time(), slow.keeps_real_time()) {
        (true, true) => return phrase!("real time on both").normal(),
        (true, false) => phrase!("{} real time on the slow machine", on_slow),
        (false, _) => phrase!("fast {}, slow {} real time", on_fast, on_slow),
    };
    words.warning()
}

fn ends(ends: FlightEnds) -> Clause {
    if ends.identical {
        phrase!("bit-identical on both machines").normal()
    } else if ends.apart < CLOSE_ENDS {
        let limit = figure(number(1000.0 * CLOSE_ENDS));
        phrase!("flights end less than {} mm apart", limit).warning()
    } else {
        phrase!("flights end {} m apart", figure(number(ends.apart))).warning()
    }
}

/// Names the debt that the loop drops on a machine; `None` if it drops hardly any.
fn dropped(machine: &str, stats: &LoopStats) -> Option<Clause> {
    let millis = stats.dropped * 1000.0;
    let lost = figure(number(millis));
    let words = phrase!("the {} machine loses {} ms per second", machine, lost);
    (millis >= LEAST_DROPPED_MS).then(|| words.normal())
}

fn steps(fast: &LoopStats, slow: &LoopStats) -> Clause {
    if fast.has_the_steps_of(slow) {
        let step = figure(number(fast.step.as_millis_f64()));
        phrase!("equal steps of {} ms", step).normal()
    } else {
        let millis = [fast, slow].map(|it| it.step.as_millis_f64());
        let mut words = millis.map(number);
        if words[0] == words[1] {
            words = millis.map(|time| format!("{time:.6}")); // to the nanosecond, to show that they differ
        }
        let [fast, slow] = words.map(figure);
        phrase!("steps: fast {} ms, slow {} ms", fast, slow).normal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The race's tests assert most clauses; these need figures that are rare.
    #[test]
    fn rare_clauses() {
        let stats = |speed| LoopStats {
            error_nanos: 0,
            step: timeslicer::time::Nanos::SECOND,
            updates: 1.0,
            fps: 60.0,
            speed,
            busy: 0.5,
            dropped: 0.0,
        };
        let speeds = |fast, slow| speeds(&stats(fast), &stats(slow));
        let off = |fast, slow| off_real_time("a", &[stats(fast), stats(slow)]);
        let game = "the same game at the same speed on both machines";
        for (clause, is_warning, text) in [
            (fair_loops(&[]), true, &*format!("no loop plays {game}")),
            (fair_loops(&["a"]), false, &*format!("only a plays {game}")),
            (speeds(0.5, 0.501), true, "fast 0.5×, slow 0.5× real time"),
            (
                off(0.5, 0.52).unwrap(),
                true,
                "a runs at 0.5× and 0.52× real time",
            ),
        ] {
            assert_eq!(
                (clause.to_string().as_str(), clause.is_warning()),
                (text, is_warning)
            );
        }
        assert_eq!(off(1.0, 1.0), None);
    }
}
