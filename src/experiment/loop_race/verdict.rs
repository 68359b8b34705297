//! What the race shows, in sentences that follow from its figures.

use super::{LoopRow, LoopStats, Race, Side};
use crate::phrase;
use crate::sim::projectile::FLIGHT;
use crate::stats::Recovery;
use crate::stats::thresholds::{CLOSE_ENDS, LEAST_DROPPED_MS};
use crate::text::format;
use crate::text::rich::{Clause, RichText, Span, figure};
use timeslice::time::Nanos;

impl Race {
    /// Which loops play the same game at the same speed on both machines, in a sentence.
    #[must_use]
    pub fn verdict(&self) -> RichText {
        let mut text = RichText::default();
        let known: Option<Vec<(&LoopRow, bool)>> = self
            .rows()
            .iter()
            .map(|row| Some((row, row.is_fair()?)))
            .collect();
        let Some(known) = known else {
            let flight = format::number(FLIGHT.as_secs_f64());
            text.push(phrase![format!(
                "each bullet flies for {flight} seconds of game time; then it shows where it ends on the two machines"
            )].normal());
            return text;
        };
        let fair = known.iter().filter(|(_, fair)| *fair);
        let fair: Vec<&LoopRow> = fair.map(|(row, _)| *row).collect();
        let names: Vec<String> = fair.iter().map(|row| row.name()).collect();
        text.push(match names.as_slice() {
            [] => {
                phrase!["no loop plays the same game at the same speed on both machines"].warning()
            }
            [one] => phrase![format!(
                "only {one} plays the same game, at the same speed, on both machines"
            )]
            .normal(),
            [most @ .., last] => phrase![format!(
                "{} and {last} play the same game, at the same speed, on both machines",
                most.join(", ")
            )]
            .normal(),
        });
        for row in fair {
            let Some([fast, slow]) = row.stats() else {
                continue;
            };
            if !fast.keeps_real_time() || !slow.keeps_real_time() {
                let [fast, slow] = [fast, slow].map(|stats| speed(&stats));
                let speeds = if fast == slow {
                    phrase![fast]
                } else {
                    phrase![fast, " and ", slow]
                };
                text.push(phrase![row.name(), " at ", speeds, " real time"].warning());
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
            let clause = phrase![
                name,
                " runs ",
                times(ratio),
                " as fast on one as on the other"
            ];
            text.push(clause.warning());
        }
        text
    }
}

/// A ratio: `2×`.
fn times(ratio: f64) -> Span {
    figure(format!("{}×", format::number(ratio)))
}

/// The game's speed on a machine: `0.5×`.
fn speed(stats: &LoopStats) -> Span {
    times(stats.speed)
}

impl LoopRow {
    fn name(&self) -> String {
        self.entry.name.to_lowercase()
    }

    /// Whether both machines play the same game at the same speed; `None` before that is known.
    fn is_fair(&self) -> Option<bool> {
        let [fast, slow] = self.stats()?;
        if !fast.is_as_fast_as(&slow) {
            return Some(false);
        }
        Some(self.flight_ends()?.identical)
    }

    /// How the two machines recover from a recent disturbance.
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

    /// What the figures show about the loop, the most important first.
    #[must_use]
    pub fn summary(&self) -> RichText {
        let Some([fast, slow]) = self.stats() else {
            return RichText::default();
        };
        let mut text: RichText = self.recovery().into_iter().collect();
        text.push(speeds(&fast, &slow));
        if let Some(ends) = self.flight_ends() {
            text.push(if ends.identical {
                phrase!["both bodies end in the same bits"].normal()
            } else if ends.apart < CLOSE_ENDS {
                phrase!["the bodies end less than ", figure(1), " mm apart"].warning()
            } else {
                let apart = figure(format::number(ends.apart));
                phrase!["the bodies end ", apart, " m apart"].warning()
            });
        }
        for (name, stats) in [("fast", fast), ("slow", slow)] {
            let millis = stats.dropped * 1000.0;
            if millis >= LEAST_DROPPED_MS {
                let dropped = figure(format::number(millis));
                let gives_up = phrase!["the ", name, " machine gives up ", dropped];
                text.push(phrase![gives_up, " ms of each second"].normal());
            }
        }
        if fast.has_the_steps_of(&slow) {
            let step = figure(format::number(fast.step.as_millis_f64()));
            text.push(phrase!["equal steps of ", step, " ms"].normal());
        } else {
            let [here, there] = distinct([fast.step, slow.step]).map(figure);
            text.push(phrase!["steps of ", here, " ms here, ", there, " ms there"].normal());
        }
        if fast.busy > 0.999 {
            text.push(phrase!["the fast machine never rests"].normal());
        }
        text
    }
}

/// How fast the game goes on the two machines.
fn speeds(fast: &LoopStats, slow: &LoopStats) -> Clause {
    let words = match (fast.keeps_real_time(), slow.keeps_real_time()) {
        (true, true) => return phrase!["real time on both"].normal(),
        (true, false) => phrase![speed(slow), " real time on the slow machine"],
        (false, true) => phrase![speed(fast), " real time on the fast machine"],
        (false, false) if speed(fast) == speed(slow) => {
            phrase![speed(fast), " real time on both"]
        }
        (false, false) => phrase![speed(fast), " real time here, ", speed(slow), " there"],
    };
    words.warning()
}

/// Two times in milliseconds, with enough digits to show that they differ.
fn distinct(times: [Nanos; 2]) -> [String; 2] {
    let short = times.map(|time| format::number(time.as_millis_f64()));
    let longer =
        (3..=6).map(|decimals| times.map(|time| format!("{:.decimals$}", time.as_millis_f64())));
    let mut all = std::iter::once(short).chain(longer);
    all.find(|[one, other]| one != other)
        .unwrap_or_else(|| times.map(|time| time.to_string()))
}
