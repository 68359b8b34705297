//! What there is to learn from the race, in words that its figures bear out.

use super::{Race, Row, RowStats, Side};
use crate::sim::projectile::FLIGHT;
use crate::stats::Recovery;
use crate::text::format;
use crate::text::rich::Said;
use timeslice::time::Nanos;

/// What is told of debt in milliseconds of each second is at least this.
const LEAST_DROPPED: f64 = 0.001;
/// Ends that are closer than this, in metres, are told to be so.
const CLOSE: f64 = 0.001;

impl Race {
    /// What both machines' figures say together, in a sentence: which loops are fair.
    #[must_use]
    pub fn verdict(&self) -> Said {
        let mut said = Said::default();
        let known: Option<Vec<(&Row, bool)>> = self
            .rows()
            .iter()
            .map(|row| Some((row, row.is_fair()?)))
            .collect();
        let Some(known) = known else {
            said.say(&format!(
                "each bullet flies for {} seconds of game time; then it shows where it ends on the two machines",
                format::number(FLIGHT.as_secs_f64())
            ));
            return said;
        };
        let fair = known.iter().filter(|(_, fair)| *fair);
        let fair: Vec<&Row> = fair.map(|(row, _)| *row).collect();
        let names: Vec<String> = fair.iter().map(|row| row.name()).collect();
        match names.as_slice() {
            [] => said.say("!no loop plays the same game at the same speed on both machines!"),
            [one] => said.say(&format!(
                "only {one} plays the same game, at the same speed, on both machines"
            )),
            [most @ .., last] => said.say(&format!(
                "{} and {last} play the same game, at the same speed, on both machines",
                most.join(", ")
            )),
        }
        for row in fair {
            let Some([fast, slow]) = row.facts() else {
                continue;
            };
            if !fast.keeps_real_time() || !slow.keeps_real_time() {
                let [fast, slow] = [fast, slow].map(|facts| format::number(facts.speed));
                let speeds = if fast == slow {
                    format!("*{fast}×*")
                } else {
                    format!("*{fast}×* and *{slow}×*")
                };
                said.say(&format!("!{} at {speeds} real time!", row.name()));
            }
        }
        let ratio = |row: &Row| {
            let [fast, slow] = row.facts()?;
            let ratio = fast.speed.max(slow.speed) / fast.speed.min(slow.speed);
            let told = ratio.is_finite() && !fast.is_as_fast_as(&slow);
            told.then(|| (ratio, row.name()))
        };
        let ratios = self.rows().iter().filter_map(ratio);
        if let Some((ratio, name)) = ratios.max_by(|one, other| one.0.total_cmp(&other.0)) {
            let ratio = format::number(ratio);
            said.say(&format!(
                "!{name} runs *{ratio}×* as fast on one as on the other!"
            ));
        }
        said
    }
}

impl Row {
    fn name(&self) -> String {
        self.entry.name.to_lowercase()
    }

    /// Whether both machines play the same game at the same speed; none before that is known.
    fn is_fair(&self) -> Option<bool> {
        let [fast, slow] = self.facts()?;
        if !fast.is_as_fast_as(&slow) {
            return Some(false);
        }
        Some(self.ends()?.identical)
    }

    /// How the two machines took what was done to them lately, if anything was.
    fn recovery(&self) -> Option<String> {
        let [fast, slow] =
            [Side::Fast, Side::Slow].map(|side| self.contestant(side).lane().recovery());
        let (fast, slow) = fast.zip(slow)?;
        let name = fast.name();
        let words = [fast, slow].map(Recovery::hitches_in_words);
        let text = if words[0] == words[1] {
            format!("{name}: {} on both", words[0])
        } else {
            format!("{name}: fast {}; slow {}", words[0], words[1])
        };
        let rough = fast.is_rough() || slow.is_rough();
        Some(if rough { format!("!{text}!") } else { text })
    }

    /// What there is to learn from it, as far as the figures bear it out, the most important first.
    #[must_use]
    pub fn lesson(&self) -> Said {
        let mut said = Said::default();
        let Some([fast, slow]) = self.facts() else {
            return said;
        };
        if let Some(recovery) = self.recovery() {
            said.say(&recovery);
        }
        said.say(&speeds(&fast, &slow));
        if let Some(ends) = self.ends() {
            if ends.identical {
                said.say("both bodies end in the same bits");
            } else if ends.apart < CLOSE {
                said.say("!the bodies end less than *1* mm apart!");
            } else {
                let apart = format::number(ends.apart);
                said.say(&format!("!the bodies end *{apart}* m apart!"));
            }
        }
        for (name, facts) in [("fast", fast), ("slow", slow)] {
            let millis = facts.dropped * 1000.0;
            if millis >= LEAST_DROPPED {
                let dropped = format::number(millis);
                said.say(&format!(
                    "the {name} machine gives up *{dropped}* ms of each second"
                ));
            }
        }
        if fast.has_the_steps_of(&slow) {
            let step = format::number(fast.step.as_millis_f64());
            said.say(&format!("equal steps of *{step}* ms"));
        } else {
            let [here, there] = told_apart([fast.step, slow.step]);
            said.say(&format!("steps of *{here}* ms here, *{there}* ms there"));
        }
        if fast.busy > 0.999 {
            said.say("the fast machine never rests");
        }
        said
    }
}

/// How fast the game goes on the two machines.
fn speeds(fast: &RowStats, slow: &RowStats) -> String {
    let speed = |facts: &RowStats| format::number(facts.speed);
    match (fast.keeps_real_time(), slow.keeps_real_time()) {
        (true, true) => "real time on both".to_owned(),
        (true, false) => format!("!*{}×* real time on the slow machine!", speed(slow)),
        (false, true) => format!("!*{}×* real time on the fast machine!", speed(fast)),
        (false, false) if speed(fast) == speed(slow) => {
            format!("!*{}×* real time on both!", speed(fast))
        }
        (false, false) => format!(
            "!*{}×* real time here, *{}×* there!",
            speed(fast),
            speed(slow)
        ),
    }
}

/// Two times in milliseconds, with as many digits as it takes to see that they differ.
fn told_apart(times: [Nanos; 2]) -> [String; 2] {
    let short = times.map(|time| format::number(time.as_millis_f64()));
    let longer =
        (3..=6).map(|decimals| times.map(|time| format!("{:.decimals$}", time.as_millis_f64())));
    let mut all = std::iter::once(short).chain(longer);
    all.find(|[one, other]| one != other)
        .unwrap_or_else(|| times.map(|time| time.to_string()))
}
