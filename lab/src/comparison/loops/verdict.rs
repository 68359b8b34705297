//! Writes the sentences that describe the results of a comparison of frame loops.

use super::{LoopComparison, LoopRow, LoopStats, ShotEnds, Side};
use crate::catalog::frame_loop::knobs::STEP;
use crate::measure::thresholds::LEAST_DROPPED_MS;
use crate::phrase;
use crate::sim::projectile::SHOT;
use crate::text::format::{listed, number};
use crate::text::rich::{Clause, Phrase, RichText, multiple, strong};
use timeslicer::frame_loop::BetweenUpdates;

impl LoopComparison {
    /// Describes which loops play the same game at the same speed on both machines, and which loop has the largest
    /// difference in speed.
    pub fn verdict(&self) -> RichText {
        let mut fair = Vec::new();
        let (mut most, mut most_unequal) = (1.0, "");
        for row in self.rows() {
            let Some(([fast, slow], is_fair)) = row.stats().zip(row.is_fair()) else {
                let flight = strong(number(SHOT.as_secs_f64()));
                let words = phrase!("first results after {} s of game time", flight);
                return words.normal().into();
            };
            if is_fair {
                fair.push(row.entry.name);
            }
            let ratio = fast.speed.max(slow.speed) / fast.speed.min(slow.speed);
            if !fast.is_as_fast_as(&slow) && ratio.is_finite() && ratio > most {
                (most, most_unequal) = (ratio, row.entry.name);
            }
        }
        let mut text = RichText::from(fair_loops(&fair));
        if most > 1.0 {
            let most = multiple(most);
            let words = phrase!("{} runs {} as fast on one machine", most_unequal, most);
            text.push(phrase!("{} as on the other", words).warning());
        }
        text
    }

    /// Explains why a fixed step makes motion jerky. The text also says what frames currently show between two updates,
    /// and what the drawback of this choice is. It is empty until there are statistics.
    pub fn jerks(&self) -> RichText {
        let mut rows = self.rows().iter();
        let of_row = |row: &LoopRow| Some((row.loop_machines[0].between_updates()?, row.stats()?));
        // The values are those of the first frame loop that lets the user choose what is shown between updates.
        let Some((mode, [fast, slow])) = rows.find_map(of_row) else {
            return RichText::default();
        };
        let rate = number(1000.0 / self.knob(Side::Fast, &STEP));
        let mut clauses = vec![
            phrase!("{} updates per second", strong(rate)),
            rhythm("fast", &fast),
            rhythm("slow", &slow),
            drawback(mode, &fast, &slow),
        ];
        if mode == BetweenUpdates::LastUpdate {
            clauses.push("1 extrapolates, 2 interpolates".into());
        }
        clauses.into_iter().map(Phrase::normal).collect()
    }
}

/// Describes how many frames there are per update, or how many updates per frame, such as `2 or 3 frames per update`.
fn rhythm(machine: &str, stats: &LoopStats) -> Phrase {
    let range = |[least, most]: [u32; 2]| match most - least {
        0 => phrase!("{}", u64::from(most)),
        1 => phrase!("{} or {}", u64::from(least), u64::from(most)),
        _ => phrase!("{} to {}", u64::from(least), u64::from(most)),
    };
    let rhythm = match (stats.repeats, stats.updates_in_frames) {
        (repeats @ [least, most], _) if most >= 2 && least <= most => {
            phrase!("{} frames per update", range(repeats))
        }
        (_, [1, 1]) => phrase!("one update per frame"),
        (_, updates) => phrase!("{} updates per frame", range(updates)),
    };
    let fps = strong(number(stats.fps));
    phrase!("{}, {} fps: {}", machine, fps, rhythm)
}

/// Describes what frames show between two updates, and what the drawback is. The text contains the values of the
/// machine on which the drawback is larger.
fn drawback(mode: BetweenUpdates, fast: &LoopStats, slow: &LoopStats) -> Phrase {
    let late = fast.late.max(slow.late);
    match mode {
        BetweenUpdates::LastUpdate => {
            let is_uneven = |it: &LoopStats| it.updates_in_frames[0] < it.updates_in_frames[1];
            let jerks = if is_uneven(fast) || is_uneven(slow) {
                "jerky, and "
            } else {
                ""
            };
            phrase!("last update: {}up to {} late", jerks, late)
        }
        BetweenUpdates::Extrapolated => {
            let overshoot = 100.0 * fast.overshoot.max(slow.overshoot);
            let overshoot = strong(number(overshoot));
            phrase!(
                "extrapolated: smooth, but up to {} cm past a bounce",
                overshoot
            )
        }
        BetweenUpdates::Interpolated => {
            phrase!("interpolated: smooth, but {} late", late)
        }
    }
}

impl LoopRow {
    fn is_fair(&self) -> Option<bool> {
        let [fast, slow] = self.stats()?;
        if !fast.is_as_fast_as(&slow) {
            return Some(false);
        }
        self.is_reproducible()
    }

    /// Describes how the loop behaves on both machines, with the most important part first. The text is empty until
    /// there are statistics.
    pub fn summary(&self) -> RichText {
        let Some([fast, slow]) = self.stats() else {
            return RichText::default();
        };
        let clauses = [
            Some(speeds(&fast, &slow)),
            self.shot_ends().as_ref().map(ends),
            dropped("fast", &fast),
            dropped("slow", &slow),
            Some(steps(&fast, &slow)),
            (fast.busy > 0.999).then(|| phrase!("the fast machine is never idle").normal()),
        ];
        clauses.into_iter().flatten().collect()
    }
}

fn fair_loops(names: &[&str]) -> Clause {
    let game = "the same game at the same speed on both machines";
    match names {
        [] => phrase!("no loop plays {}", game).warning(),
        [one] => phrase!("only {} plays {}", *one, game).normal(),
        several => phrase!("{} play {}", listed(several), game).normal(),
    }
}

fn speeds(fast: &LoopStats, slow: &LoopStats) -> Clause {
    let [on_fast, on_slow] = [fast, slow].map(|stats| multiple(stats.speed));
    let words = match (fast.keeps_real_time(), slow.keeps_real_time()) {
        (true, true) => return phrase!("real time on both machines").normal(),
        (true, false) => phrase!("{} real time on the slow machine", on_slow),
        (false, _) => phrase!(
            "{} real time on the fast machine, {} on the slow one",
            on_fast,
            on_slow
        ),
    };
    words.warning()
}

fn ends(ends: &ShotEnds) -> Clause {
    if ends.identical {
        phrase!("bit-identical on both machines").normal()
    } else {
        phrase!("the shots end {} m apart", strong(number(ends.apart))).warning()
    }
}

fn dropped(machine: &str, stats: &LoopStats) -> Option<Clause> {
    let millis = stats.dropped * 1000.0;
    let lost = strong(number(millis));
    let words = phrase!("the {} machine loses {} ms per second", machine, lost);
    (millis >= LEAST_DROPPED_MS).then(|| words.normal())
}

fn steps(fast: &LoopStats, slow: &LoopStats) -> Clause {
    if fast.has_the_steps_of(slow) {
        let step = strong(number(fast.step.as_millis_f64()));
        phrase!("the same steps of {} ms", step).normal()
    } else {
        let [fast, slow] = [fast, slow].map(|it| strong(number(it.step.as_millis_f64())));
        phrase!("steps of {} ms (fast) and {} ms (slow)", fast, slow).normal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_fair_loops_are_worded_differently() {
        let game = "the same game at the same speed on both machines";
        let none = fair_loops(&[]);
        assert_eq!(none.to_string(), format!("no loop plays {game}"));
        assert!(none.is_warning());
        let one = fair_loops(&["a"]).to_string();
        assert_eq!(one, format!("only a plays {game}"));
    }
}
