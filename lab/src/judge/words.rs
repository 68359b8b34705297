//! The answer in sentences. `compare`, `sweep` and the window print the same phrases. Each function returns whole
//! phrases, which callers arrange and never take apart.

use super::crossovers::{Column, Range, between};
use super::limits::{Broken, Limit};
use super::recommendation::{Choice, Recommendation, is_equally_good};
use super::relaxation::Change;
use super::{Outcome, SEEDS};
use crate::catalog::knob::Knob;
use crate::catalog::strategy::Family;
use crate::phrase;
use crate::sim::machine::RENDER_MS;
use crate::sim::settings::Settings;
use crate::sim::world::ENTITIES;
use crate::text::format;
use crate::text::rich::{Phrase, RichText, counted, joined, multiple, strong, time};
use timeslicer::time::Nanos;

impl Recommendation {
    /// Returns the answer in a few clauses, with the most important one first.
    pub fn text(&self) -> RichText {
        if self.entities == 0 {
            let words = "there are no entities, so any strategy will do";
            return Phrase::from(words).normal().into();
        }
        let mut clauses = Vec::from_iter(self.drawing_words().map(Phrase::warning));
        clauses.push(match self.best() {
            Some(best) => phrase!(
                "use {}: {}",
                best.words(),
                joined(&best.outcome.effects(), "; ")
            )
            .normal(),
            None => Phrase::from("no strategy keeps all limits").warning(),
        });
        let warnings = self.warnings_about_tasks().into_iter();
        let warnings = warnings.map(Phrase::warning);
        if self.best.is_some() {
            clauses.extend(self.simplest_words().map(Phrase::normal));
            clauses.extend(warnings);
        } else {
            clauses.extend(warnings); // they are often the reason
            clauses.push(self.closest_words().warning());
            clauses.extend(self.ways_words().map(Phrase::normal));
        }
        clauses.into_iter().collect()
    }

    /// Returns the answer with everything that is known about it.
    pub fn full_text(&self) -> RichText {
        let mut text = self.text();
        if let Some(best) = self.best() {
            let evidence = self.evidence(best).into_iter().map(Phrase::normal);
            let after_best = 1 + usize::from(self.drawing_words().is_some());
            text.clauses.splice(after_best..after_best, evidence);
        }
        let simplest = self.simplest().map(|it| it.lane);
        let runner_up = self.runner_up().filter(|it| Some(it.lane) != simplest);
        if let Some(runner_up) = runner_up {
            let words = phrase!(
                "runner-up: {}, {}",
                runner_up.words(),
                self.price(runner_up)
            );
            text.clauses.push(words.normal());
        }
        text.clauses.extend(self.least_words().map(Phrase::normal));
        if self.entities > 0 {
            text.clauses.push(self.measured_words().normal());
        }
        text
    }

    /// Names the setting that comes closest to keeping the limits, and what it exceeds.
    pub fn closest_words(&self) -> Phrase {
        let Some(nearest) = self.recommended() else {
            return "some tasks have not run with any setting".into();
        };
        let broken: Vec<Phrase> = nearest.broken.iter().map(Broken::words).collect();
        phrase!("closest is {}: {}", nearest.words(), joined(&broken, ", "))
    }

    /// Lists the ways to keep all limits after all, which are to relax a limit and to have fewer entities.
    pub fn ways_words(&self) -> Option<Phrase> {
        let ways: Vec<Phrase> = self.ways.iter().map(|way| way.change.words()).collect();
        let words = || phrase!("to keep all limits, {}", joined(&ways, ", or "));
        (!ways.is_empty()).then(words)
    }

    /// Describes what a choice is based on: the seeds with which it holds, its value of the objective, and what is left
    /// of a frame.
    pub fn evidence(&self, choice: &Choice) -> Vec<Phrase> {
        let mut evidence = Vec::new();
        if choice.depends_on_seed && choice.holds() {
            let tolerated: Vec<Phrase> = choice.tolerated.iter().map(Broken::words).collect();
            let mut words = phrase!("holds with {} of {} seeds", choice.kept, SEEDS);
            if !tolerated.is_empty() {
                let tolerated = joined(&tolerated, " and ");
                words.push(phrase!(", and with the others, {}", tolerated));
            }
            evidence.push(words);
        }
        if let Some(objective) = self.objective.of(&choice.outcome) {
            let mut words = phrase!("{} {}", self.objective.name(), objective);
            if let Some(times) = self.objective.times_minimum(&choice.outcome) {
                words.push(phrase!(", {} the theoretical minimum", multiple(times)));
            }
            evidence.push(words);
        }
        let first = choice.outcome.first_round_tasks;
        if self.limits.tasks.is_some_and(|limit| first > limit) {
            evidence.push(phrase!(
                "after a fresh start, tasks take up to {} of a frame until each has run once",
                first
            ));
        }
        evidence.extend(self.left_words());
        evidence
    }

    /// Describes how much of each frame is left for tasks. Returns `None` if drawing takes no time or all of it.
    pub fn left_words(&self) -> Option<Phrase> {
        let base = &self.base;
        let is_drawing = base.knobs.get(&RENDER_MS) > 0.0;
        (is_drawing && !is_drawing_too_long(base))
            .then(|| phrase!("after drawing, {}", left_in_frame(base)))
    }

    /// Returns the duration of the longest run if it exceeds the limit on task time. No strategy can then keep the
    /// limit.
    pub(super) fn cannot_be_split(&self) -> Option<Nanos> {
        let longest = self.choices.iter().map(|it| it.outcome.longest_run).max()?;
        self.limits
            .tasks
            .and_then(|limit| (longest > limit).then_some(longest))
    }

    /// Returns a warning if drawing alone takes longer than a frame should.
    pub fn drawing_words(&self) -> Option<Phrase> {
        is_drawing_too_long(&self.base).then(|| left_in_frame(&self.base))
    }

    /// Returns circumstances of the workload that make the answer less useful than it could be.
    pub fn warnings(&self) -> Vec<Phrase> {
        let drawing = self.drawing_words().into_iter();
        drawing.chain(self.warnings_about_tasks()).collect()
    }

    fn warnings_about_tasks(&self) -> Vec<Phrase> {
        let frame = self.base.frame_period();
        let unsplittable = self
            .cannot_be_split()
            .map(|longest| phrase!("one task takes {}, and no strategy can split it", longest));
        let too_long = self.limits.tasks.filter(|&limit| limit > frame);
        let too_long = too_long.map(|limit| {
            phrase!(
                "the limit of {} on task time is longer than a frame of {}",
                limit,
                frame
            )
        });
        let all = [unsplittable, too_long, self.useless_weighting()];
        all.into_iter().flatten().collect()
    }

    /// Explains that it does not help to run important tasks more often, if that is so.
    fn useless_weighting(&self) -> Option<Phrase> {
        let freshest = |is_weighted: bool| {
            let held = self.choices.iter().filter(|it| it.holds());
            let own =
                held.filter(|it| (it.strategy.family == Family::BySignificance) == is_weighted);
            own.min_by_key(|it| it.objective)
        };
        let (weighted, plain) = (freshest(true)?, freshest(false)?);
        let is_useless = is_equally_good(weighted.objective?, plain.objective?);
        let words = phrase!(
            "weighting tasks does not help: no strategy that does is fresher than {}",
            plain.strategy.name
        );
        (self.entities > 1 && is_useless).then_some(words)
    }

    /// Names the simplest strategy that keeps the limits and its price. Returns `None` if it is recommended anyway.
    pub fn simplest_words(&self) -> Option<Phrase> {
        let simplest = self.simplest()?;
        Some(phrase!(
            "simplest that fits: {}, {}",
            simplest.words(),
            self.price(simplest)
        ))
    }

    /// States the least task time per frame with which the limits on waits and staleness can be kept.
    pub fn least_words(&self) -> Option<Phrase> {
        let (tasks, choice) = self.least_tasks.as_ref()?;
        Some(phrase!(
            "{} of tasks per frame is enough for the limits on waits and staleness: {}",
            *tasks,
            choice.words()
        ))
    }

    /// Describes for how long and with which seeds the settings were measured.
    fn measured_words(&self) -> Phrase {
        let seed = self.base.seed;
        let seeds = if self.depends_on_seed {
            let last = seed.wrapping_add(SEEDS - 1).to_string();
            phrase!("seeds {} to {}", seed.to_string(), last)
        } else {
            "the same result for every seed".into()
        };
        phrase!(
            "measured in trials of {}, not counting the first round, with {}",
            self.trial_time,
            seeds
        )
    }

    /// Compares the staleness of a choice with that of the recommended one, such as `1.24× as stale as the best`.
    pub fn price(&self, choice: &Choice) -> Phrase {
        match self.times_best(choice) {
            Some(times) if times >= 1.005 => {
                phrase!("{} as stale as the best", multiple(times))
            }
            _ => "equally fresh".into(),
        }
    }

    /// Explains why a choice is not recommended.
    pub fn why_not(&self, choice: &Choice) -> Phrase {
        let with = |words: Phrase| match choice.setting.words() {
            Some(setting) => phrase!("with {}, {}", setting, words),
            None => words,
        };
        if choice.objective.is_none() {
            return "some tasks have not run yet".into();
        }
        if choice.broken.is_empty() {
            return with(self.price(choice));
        }
        let broken: Vec<Phrase> = choice.broken.iter().map(Broken::words).collect();
        with(joined(&broken, " and "))
    }
}

/// Returns true if drawing alone takes longer than a frame should.
pub fn is_drawing_too_long(settings: &Settings) -> bool {
    settings.knobs.span(&RENDER_MS) > settings.frame_period()
}

/// Describes how much of each frame drawing leaves for tasks, such as `7.67 of 16.7 ms are left in each frame`.
pub fn left_in_frame(settings: &Settings) -> Phrase {
    let (drawing, frame) = (settings.knobs.span(&RENDER_MS), settings.frame_period());
    if is_drawing_too_long(settings) {
        return phrase!(
            "drawing alone takes {}, so the game misses {} Hz with every strategy",
            drawing,
            strong(format::number(1.0 / frame.as_secs_f64()))
        );
    }
    let millis = |time: Nanos| strong(format::number(time.as_millis_f64()));
    phrase!(
        "{} of {} ms are left in each frame",
        millis(frame - drawing),
        millis(frame)
    )
}

impl Outcome {
    /// Describes what a setting means for the game: how stale the entities near the target and the others are, how long
    /// an entity waits at most, and how much of a frame the tasks take.
    pub fn effects(&self) -> Vec<Phrase> {
        let Some(staleness) = &self.staleness else {
            return vec!["some tasks have not run yet".into()];
        };
        let mut effects = match (staleness.near, staleness.others) {
            (Some(near), Some(others)) => vec![
                phrase!("NPCs near the target are {} out of date on average", near),
                phrase!("the others {}", others),
            ],
            _ => vec![phrase!(
                "NPCs are {} out of date on average",
                staleness.mean
            )],
        };
        effects.push(phrase!("nobody waits longer than {}", staleness.worst));
        effects.push(phrase!("tasks take at most {} of a frame", self.tasks.max));
        effects
    }
}

impl Choice {
    /// Describes in a few characters which limit the choice exceeds most, such as `longest wait 2.25 s`. Returns `None`
    /// if it keeps all limits.
    pub fn broken_briefly(&self) -> Option<Phrase> {
        if self.objective.is_none() {
            return Some("some tasks have not run yet".into());
        }
        self.most_broken().map(Broken::brief)
    }
}

impl Limit {
    /// Returns the templates of three phrases about the limit. The first one states a measured value in a clause, the
    /// second one describes a value of the limit as a noun phrase, and the third one describes a measured value in a few
    /// characters.
    fn phrases(self) -> [&'static str; 3] {
        match self {
            Self::Tasks => [
                "tasks take up to {} of a frame",
                "{} of tasks per frame",
                "{} of tasks",
            ],
            Self::Near => [
                "staleness near the target is {}",
                "a staleness of {} near the target",
                "near target {}",
            ],
            Self::Longest => [
                "the longest wait is {}",
                "a longest wait of {}",
                "longest wait {}",
            ],
            Self::Hitches => [
                "hitches last up to {}",
                "hitches of up to {}",
                "hitches of {}",
            ],
            Self::MeanFrame => [
                "frames last {} on average",
                "frames of {} on average",
                "frames of {}",
            ],
        }
    }

    /// Describes a limit as a noun phrase, such as `a longest wait of 2.3 s`.
    pub fn allowing(self, to: Nanos) -> Phrase {
        let [_, allowed, _] = self.phrases();
        Phrase::fill(allowed, [to.into()])
    }
}

impl Broken {
    /// Describes how much the limit is exceeded, such as `the longest wait is 2.25 s (limit 2 s)`.
    pub fn words(&self) -> Phrase {
        if self.measured == Nanos::MAX {
            return "some tasks have not run yet".into();
        }
        let [measured, ..] = self.limit.phrases();
        let words = Phrase::fill(measured, [self.measured.into()]);
        match self.limit {
            Limit::Hitches => words,
            _ if time(self.measured) == time(self.allowed) => {
                phrase!("{}, slightly above the limit", words)
            }
            _ => phrase!("{} (limit {})", words, self.allowed),
        }
    }

    /// Describes the excess in a few characters, such as `longest wait 2.25 s, limit 2 s`.
    pub fn brief(&self) -> Phrase {
        if self.measured == Nanos::MAX {
            return "some tasks have not run yet".into();
        }
        let [.., brief] = self.limit.phrases();
        let words = Phrase::fill(brief, [self.measured.into()]);
        if self.limit == Limit::Hitches {
            words
        } else {
            phrase!("{}, limit {}", words, self.allowed)
        }
    }
}

impl Change {
    /// Suggests the change, such as `allow a longest wait of 2.3 s instead of 2 s` or `use at most about 1,700 entities`.
    pub fn words(&self) -> Phrase {
        match self {
            Self::Entities(count) => {
                phrase!("use at most about {}", counted((*count).into(), "entity"))
            }
            Self::Relax(broken) => {
                let to = broken.limit.allowing(broken.relaxed());
                if broken.limit.is_about_frame_rate() {
                    phrase!("allow {}", to)
                } else {
                    phrase!("allow {} instead of {}", to, broken.allowed)
                }
            }
        }
    }
}

/// Describes the range of knob values around `present` in which the best strategy stays the same, and what is best
/// beyond it, such as `best from 20 to about 1,900 entities; above, no strategy keeps all limits`. Returns `None` if
/// `present` is in none of the `ranges`.
pub fn range_words(ranges: &[Range], over: &Knob, present: f64) -> Option<Phrase> {
    let at = ranges
        .iter()
        .position(|it| (it.from..=it.to).contains(&present))?;
    let (below, own) = (at.checked_sub(1).map(|below| &ranges[below]), &ranges[at]);
    let above = ranges.get(at + 1);
    let from = below.map_or_else(
        || plain(over, own.from),
        |below| about(over, below.to, own.from),
    );
    let to = above.map_or_else(
        || plain(over, own.to),
        |above| about(over, own.to, above.from),
    );
    let what = match own.strategy {
        Some(_) => "best",
        None => "no strategy keeps all limits",
    };
    let mut words = if *over == ENTITIES {
        phrase!("{} from {} to {} entities", what, from, to)
    } else {
        phrase!(
            "{} for {} from {} to {}",
            what,
            over.label.to_lowercase(),
            from,
            to
        )
    };
    for (side, range) in [("below", below), ("above", above)] {
        words.push(match range.map(|it| it.strategy) {
            None => Phrase::default(),
            Some(None) => phrase!("; {}, no strategy keeps all limits", side),
            Some(Some(strategy)) => phrase!("; {}, {} is best", side, strategy.name),
        });
    }
    Some(words)
}

/// Says at which value of the knob a strategy first fails to keep the limits, above the present value. Returns `None` if
/// it already fails now, or if it keeps the limits at all values.
pub fn failure_words(columns: &[Column], over: &Knob, present: f64, lane: usize) -> Option<Phrase> {
    let mut last = None;
    for column in columns.iter().filter(|it| it.value >= present) {
        let choice = column.recommendation.choices.get(lane)?;
        let Some(broken) = choice.broken_briefly() else {
            last = Some(column.value);
            continue;
        };
        let at = about(over, last?, column.value);
        return Some(if *over == ENTITIES {
            phrase!("fails from {} entities: {}", at, broken)
        } else {
            phrase!(
                "fails at a {} from {}: {}",
                over.label.to_lowercase(),
                at,
                broken
            )
        });
    }
    None
}

fn plain(knob: &Knob, value: f64) -> Phrase {
    strong(format::knob(knob, value))
}

/// Formats the border between two tried values of a knob.
fn about(knob: &Knob, one: f64, other: f64) -> Phrase {
    phrase!("about {}", plain(knob, between(one, other)))
}

#[cfg(test)]
mod tests;
