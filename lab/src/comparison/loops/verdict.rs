//! Writes the sentences that describe the results of a comparison of frame loops.

use super::projectile::{Motion, SHOT};
use super::{LoopComparison, LoopRow, LoopStats, Machines, Side};
use crate::catalog::frame_loop::knobs::STEP;
use crate::measure::thresholds::LEAST_DROPPED_MS;
use crate::text::format::{grouped, listed, multiple, number, percent, time};
use crate::text::sentence::{Clause, Sentence};
use timeslicer::frame_loop::BetweenUpdates;

impl LoopComparison {
    /// Describes which loops play the same game at the same speed on both machines, and which loop has the largest
    /// difference in speed.
    pub fn verdict(&self) -> Sentence {
        let (mut fair, mut uneven) = (Vec::new(), Vec::new());
        let (mut most, mut most_unequal) = (1.0, "");
        for row in &self.rows {
            let Some(([fast, slow], is_fair)) = row.stats().zip(row.is_fair()) else {
                let flight = number(SHOT.as_secs_f64());
                let words = format!("first results after {flight} s of game time");
                return Sentence::from_iter([Clause::normal(words)]);
            };
            if is_fair {
                fair.push(row.entry.name);
            }
            let has_jitter = self.machines == Machines::ExactAndJittery;
            if has_jitter && slow.is_uneven() && !fast.is_uneven() {
                uneven.push(row.entry.name);
            }
            let ratio = fast.speed.max(slow.speed) / fast.speed.min(slow.speed);
            if !fast.is_as_fast_as(&slow) && ratio.is_finite() && ratio > most {
                (most, most_unequal) = (ratio, row.entry.name);
            }
        }
        let mut text = Sentence::from_iter([fair_loops(&fair)]);
        if !uneven.is_empty() {
            let loops = listed(&uneven);
            let words = format!("jitter changes the number of updates per frame with {loops}");
            text.clauses.push(Clause::warning(words));
        }
        if most > 1.0 {
            let most = multiple(most);
            let words = format!("{most_unequal} runs {most} as fast on one machine");
            text.clauses
                .push(Clause::warning(format!("{words} as on the other")));
        }
        text
    }

    /// Explains why a fixed step makes motion jerky. The text also says what frames currently show between two updates,
    /// and what the drawback of this choice is. It is empty until there are statistics.
    pub fn jerks(&self) -> Sentence {
        let mut rows = self.rows.iter();
        let of_row = |row: &LoopRow| Some((row.loop_machines[0].between_updates()?, row.stats()?));
        // The values are those of the first frame loop that lets the user choose what is shown between updates.
        let Some((mode, [fast, slow])) = rows.find_map(of_row) else {
            return Sentence::default();
        };
        let rate = number(1000.0 / self.knob(Side::Left, &STEP));
        let [on_fast, on_slow] = self.machines.names();
        let clauses = [
            format!("{rate} updates per second"),
            rhythm(on_fast, &fast),
            rhythm(on_slow, &slow),
            drawback(mode, &fast, &slow),
        ];
        clauses.into_iter().map(Clause::normal).collect()
    }
}

/// Describes how many frames there are per update, or how many updates per frame, such as `2 or 3 frames per update`.
fn rhythm(machine: &str, stats: &LoopStats) -> String {
    let range = |[least, most]: [u32; 2]| {
        let [one, other] = [least, most].map(|count| grouped(count.into()));
        match most - least {
            0 => other,
            1 => format!("{one} or {other}"),
            _ => format!("{one} to {other}"),
        }
    };
    let rhythm = match (stats.repeats, stats.updates_in_frames) {
        (_, updates) if stats.is_uneven() => format!("{} updates per frame", range(updates)),
        (repeats @ [least, most], _) if most >= 2 && least <= most => {
            format!("{} frames per update", range(repeats))
        }
        (_, [1, 1]) => "one update per frame".to_owned(),
        (_, updates) => format!("{} updates per frame", range(updates)),
    };
    let fps = number(stats.fps);
    format!("{machine}, {fps} fps: {rhythm}")
}

/// Describes what frames show between two updates, and what the drawback is. The text contains the values of the
/// machine on which the drawback is larger.
fn drawback(mode: BetweenUpdates, fast: &LoopStats, slow: &LoopStats) -> String {
    let late = fast.late.max(slow.late);
    match mode {
        BetweenUpdates::LastUpdate => {
            let is_uneven = |it: &LoopStats| it.updates_in_frames[0] < it.updates_in_frames[1];
            let jerks = if is_uneven(fast) || is_uneven(slow) {
                "jerky, and "
            } else {
                ""
            };
            format!("last update: {jerks}up to {} late", time(late))
        }
        BetweenUpdates::Extrapolated => {
            let overshoot = 100.0 * fast.overshoot.max(slow.overshoot);
            let overshoot = number(overshoot);
            format!("extrapolated: smooth, but up to {overshoot} cm past a bounce")
        }
        BetweenUpdates::Interpolated => {
            format!("interpolated: smooth, but {} late", time(late))
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

    /// Describes how the loop behaves on both machines, with the most important part first. `names` contains an adjective
    /// for each machine. The text is empty until there are statistics.
    pub fn summary(&self, names: [&str; 2]) -> Sentence {
        let Some([fast, slow]) = self.stats() else {
            return Sentence::default();
        };
        let [on_fast, on_slow] = names;
        let never_idle = || Clause::normal(format!("the {on_fast} machine is never idle"));
        let clauses = [
            uneven(on_fast, &fast),
            uneven(on_slow, &slow),
            Some(speeds(names, &fast, &slow)),
            self.shot_ends().map(ends),
            dropped(on_fast, &fast),
            dropped(on_slow, &slow),
            Some(steps(names, &fast, &slow)),
            (fast.busy > 0.999).then(never_idle),
        ];
        clauses.into_iter().flatten().collect()
    }
}

fn fair_loops(names: &[&str]) -> Clause {
    let game = "the same game at the same speed on both machines";
    match names {
        [] => Clause::warning(format!("no loop plays {game}")),
        [one] => Clause::normal(format!("only {one} plays {game}")),
        several => Clause::normal(format!("{} play {game}", listed(several))),
    }
}

fn speeds([fast_name, slow_name]: [&str; 2], fast: &LoopStats, slow: &LoopStats) -> Clause {
    let [on_fast, on_slow] = [fast, slow].map(|stats| multiple(stats.speed));
    let words = match (fast.keeps_real_time(), slow.keeps_real_time()) {
        (true, true) if fast.wanted_speed != 1.0 => {
            let speed = multiple(fast.wanted_speed);
            return Clause::normal(format!("{speed} real time on both machines"));
        }
        (true, true) => return Clause::normal("real time on both machines"),
        (true, false) => format!("{on_slow} real time on the {slow_name} machine"),
        (false, _) => {
            let on_slow = format!("{on_slow} on the {slow_name} one");
            format!("{on_fast} real time on the {fast_name} machine, {on_slow}")
        }
    };
    Clause::warning(words)
}

/// Warns if some frames of a fixed-step loop have no update and others have several, although there are about as
/// many updates as frames.
fn uneven(machine: &str, stats: &LoopStats) -> Option<Clause> {
    let [none, _, more] = stats.by_updates.map(percent);
    let words = format!("{machine}: {none} of the frames have no update and {more} several");
    stats.is_uneven().then(|| Clause::warning(words))
}

fn ends([fast, slow]: [&Motion; 2]) -> Clause {
    if fast.bits() == slow.bits() {
        Clause::normal("bit-identical on both machines")
    } else {
        let apart = number(fast.distance(slow));
        Clause::warning(format!("the shots end {apart} m apart"))
    }
}

fn dropped(machine: &str, stats: &LoopStats) -> Option<Clause> {
    let millis = stats.dropped * 1000.0;
    let lost = number(millis);
    let words = format!("the {machine} machine loses {lost} ms per second");
    (millis >= LEAST_DROPPED_MS).then(|| Clause::normal(words))
}

fn steps([fast_name, slow_name]: [&str; 2], fast: &LoopStats, slow: &LoopStats) -> Clause {
    if fast.has_the_steps_of(slow) {
        let step = number(fast.step.as_millis_f64());
        Clause::normal(format!("the same steps of {step} ms"))
    } else {
        let [fast, slow] = [fast, slow].map(|it| number(it.step.as_millis_f64()));
        Clause::normal(format!(
            "steps of {fast} ms ({fast_name}) and {slow} ms ({slow_name})"
        ))
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
