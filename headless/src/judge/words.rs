//! Formats the result of a sweep as text for a terminal, the status line, a card, and a table cell.

use super::fewer::Fewer;
use super::limits::{Broken, Limit, Limits};
use super::recommendation::{Choice, Measured, Other, Recommendation, Relaxation};
use super::seeds::{OTHER_SEEDS, SeedCheck};
use super::trial::Outcome;
use crate::phrase;
use crate::sim::lane::Length;
use crate::text::format;
use crate::text::rich::{Clause, Phrase, RichText, multiple, strong, time};
use timeslicer::knob::Knob;
use timeslicer::time::Nanos;

/// A setting that is offered to the user, with two lines of text that describe it.
#[derive(Clone, Debug)]
pub struct Card {
    /// The name of the setting, such as `Weighted share with budget 4 ms, 1.02× the minimum`.
    pub title: Phrase,
    /// The outcome in words, such as `longest wait 2.25 s · allow 2.3 s instead of 2 s`.
    pub detail: Phrase,
    pub choice: Choice,
    /// The limits that the setting stays within. One of them may be more relaxed than the game's own limit.
    pub limits: Limits,
    /// The number of entities to use with the setting. `None` if the number need not be reduced.
    pub entities: Option<u32>,
}

impl Recommendation {
    /// Returns the recommendation as text, with the most important part first.
    pub fn text(&self) -> RichText {
        self.clauses(false).into_iter().collect()
    }

    /// Returns the recommendation as text that includes the measured values, the length of the measurement, and the
    /// seed.
    pub fn full_text(&self) -> RichText {
        self.clauses(true).into_iter().collect()
    }

    fn clauses(&self, is_full: bool) -> Vec<Clause> {
        if self.entities == 0 {
            let words = "there are no entities, so any strategy will do";
            return vec![Phrase::from(words).normal()];
        }
        let mut clauses = Vec::new();
        match (&self.best, &self.nearest) {
            (Some(best), _) => {
                clauses.push(phrase!("use {}: {}", best.words(), self.metrics(best)).normal());
                if is_full {
                    clauses.push(measured_words(&best.outcome).normal());
                }
            }
            (None, Some(nearest)) => {
                let broken = self.limits.broken(&nearest.outcome);
                let broken = joined(broken.iter().map(Broken::words), ", ");
                clauses.push(Phrase::from("no strategy meets all limits").warning());
                clauses.push(phrase!("closest is {}: {}", nearest.words(), broken).warning());
            }
            (None, None) => {
                clauses.push(Phrase::from("no strategy has run every task").warning());
            }
        }
        if let Some(runner_up) = &self.runner_up {
            let price = self.price(runner_up);
            clauses.push(phrase!("runner-up: {}, {}", runner_up.words(), price).normal());
        }
        if let Some(better) = &self.better {
            let price = self.price(better);
            let words = phrase!("fresher with a second knob: {}, {}", better.words(), price);
            clauses.push(words.normal());
        }
        let relaxed = self.relaxations.iter().map(Relaxation::words);
        let fewer = self.fewer.iter();
        let fewer = fewer.map(|fewer| phrase!("use only {}", fewer.words()));
        let ways = relaxed.chain(fewer);
        let ways = joined(ways, ", or ");
        if !ways.spans.is_empty() {
            clauses.push(phrase!("to meet all limits, {}", ways).normal());
        }
        let checks = [
            ("the best setting", &self.best_with_seeds),
            ("the runner-up", &self.runner_up_with_seeds),
        ];
        for (subject, check) in checks {
            let words = check.as_ref().and_then(|check| {
                let (broken, instead) = (check.broken?, self.safe_words(check));
                let broken = broken.words();
                Some(phrase!(
                    "with other seeds, {} exceeds a limit: {}; {}",
                    subject,
                    broken,
                    instead
                ))
            });
            clauses.extend(words.map(Phrase::warning));
        }
        let measured = self.measured.filter(|_| is_full);
        clauses.extend(measured.map(|it| self.measured_over(it).normal()));
        clauses
    }

    /// Describes a setting that stays within the limits with all seeds, as an alternative to the recommended setting.
    fn safe_words(&self, check: &SeedCheck) -> Phrase {
        let seeds = self.seeds(0);
        let Some(safe) = &check.safe else {
            return phrase!(
                "none of the other settings that were tried meets all limits with {}",
                seeds
            );
        };
        let setting = safe.setting_words().unwrap_or_default();
        let price = self.price(safe);
        phrase!("{} meets all limits with {}, {}", setting, seeds, price)
    }

    /// Returns a phrase such as `seeds 0 to 5`. The first number is the original seed plus `first`.
    fn seeds(&self, first: u64) -> Phrase {
        let own = self.measured.map_or(0, |it| it.seed);
        let [first, last] = [first, OTHER_SEEDS].map(|nth| own.wrapping_add(nth).to_string());
        phrase!("seeds {} to {}", first, last)
    }

    /// Describes for how long and with which seeds the recommended setting was measured.
    fn measured_over(&self, measured: Measured) -> Phrase {
        let length = match measured.length {
            Length::Time(span) => Phrase::from(span),
            Length::Frames(frames) => crate::text::rich::counted(frames, "frame"),
        };
        let mut words = phrase!("measured over {} without the first round", length);
        if !measured.depends_on_seed {
            words.push(", with the same result for every seed");
            return words;
        }
        words.push(phrase!(", with seed {}", measured.seed.to_string()));
        let is_kept = |check: &SeedCheck| check.broken.is_none();
        if self.best_with_seeds.as_ref().is_some_and(is_kept) {
            words.push(phrase!(" (all limits are also met with {})", self.seeds(1)));
        }
        words
    }

    /// Returns the settings to offer to the user, the best one first.
    ///
    /// If at least one setting stays within all limits, the list contains the best setting, the runner-up, and up to
    /// two other settings between these. The first is a safer setting, which is needed if the best one exceeds a limit
    /// with other seeds. The second has a better result than the best setting, but also changes one of its strategy's
    /// less important knobs.
    ///
    /// If every setting exceeds a limit, the list contains settings that stay within all limits once a limit is relaxed
    /// or there are fewer entities.
    pub fn cards(&self) -> Vec<Card> {
        let card = |choice: &Choice, detail| Card {
            title: self.title(choice),
            detail,
            choice: choice.clone(),
            limits: self.limits,
            entities: None,
        };
        if let Some(best) = &self.best {
            let mut cards = vec![card(best, measured_words(&best.outcome))];
            let check = self.best_with_seeds.as_ref();
            cards.extend(check.and_then(|it| it.safe.as_ref()).map(|safe| {
                let (seeds, price) = (self.seeds(0), self.price(safe));
                card(safe, phrase!("meets all limits with {} · {}", seeds, price))
            }));
            let others = self.better.iter().chain(&self.runner_up);
            cards.extend(others.map(|second| {
                let measured = measured_words(&second.outcome);
                card(second, phrase!("{} · {}", self.price(second), measured))
            }));
            return cards;
        }
        let relaxed = self.relaxations.iter().map(|it| {
            let (limit, measured) = (it.limit, it.measured);
            let detail = phrase!("{} · {}", limit.with(measured), it.brief());
            Card {
                limits: self.limits.with(limit, it.to),
                ..card(&it.choice, detail)
            }
        });
        let mut cards: Vec<Card> = relaxed.collect();
        if cards.is_empty() {
            cards.extend(self.nearest.as_ref().map(|nearest| {
                let broken = self.limits.broken(&nearest.outcome);
                let words = broken.iter().map(Broken::words);
                card(nearest, joined(words, " · "))
            }));
        }
        cards.extend(self.fewer.as_ref().map(|fewer| {
            let words = fewer.choice.words();
            let measured = measured_words(&fewer.choice.outcome);
            Card {
                title: phrase!("Use only {}", fewer.words()),
                entities: Some(fewer.entities),
                ..card(&fewer.choice, phrase!("{} · {}", words, measured))
            }
        }));
        cards
    }

    /// Describes the best setting of a strategy in about 25 characters, such as `0.46 s: 1.24× the best`. If the
    /// setting exceeds a limit, the text contains the measured value, such as `0.46 s: longest 2.25 s`. The text is
    /// empty before the first simulation of the strategy.
    pub fn cell(&self, curve: usize) -> Phrase {
        if let Some(best) = self.best.as_ref().filter(|best| best.curve == curve) {
            let words = match self.objective.times_minimum(&best.outcome) {
                Some(times) => phrase!("{} the minimum", multiple(times)),
                None => "best".into(),
            };
            return phrase!("{}: {}", best.brief(), words);
        }
        let Some(other) = self.others.iter().find(|it| it.choice.curve == curve) else {
            return Phrase::default();
        };
        if let Some(remedy) = &other.remedy {
            let of = |choice: &Choice| self.objective.of(&choice.outcome);
            let times = of(remedy).zip(self.best.as_ref().and_then(of));
            return match times {
                Some((own, best)) => {
                    phrase!("{}: {} the best", remedy.brief(), multiple(own.over(best)))
                }
                None => phrase!("{}: within limits", remedy.brief()),
            };
        }
        let worst = other.broken.iter();
        let worst = worst.max_by(|one, other| one.excess().total_cmp(&other.excess()));
        let words = match (worst, other.times_best) {
            _ if other.choice.outcome.staleness.is_none() => {
                return "some tasks never run".into();
            }
            (Some(worst), _) => worst.brief(),
            (None, Some(times)) => phrase!("{} the best", multiple(times)),
            (None, None) => "within limits".into(),
        };
        phrase!("{}: {}", other.choice.brief(), words)
    }

    /// Describes a setting and how good it is, such as `Weighted share with budget 4 ms, 1.02× the minimum`.
    pub fn title(&self, choice: &Choice) -> Phrase {
        let words = choice.words();
        if let Some(times) = self.objective.times_minimum(&choice.outcome) {
            return phrase!("{}, {} the minimum", words, multiple(times));
        }
        let staleness = self.objective.of(&choice.outcome).unwrap_or_default();
        phrase!("{}, {} {}", words, self.objective.name(), staleness)
    }

    /// Describes how good a setting is, such as `mean weighted staleness 172 ms, 1.02× the theoretical minimum`.
    pub fn metrics(&self, choice: &Choice) -> Phrase {
        let staleness = self.objective.of(&choice.outcome).unwrap_or_default();
        let mut words = phrase!("{} {}", self.objective.name(), staleness);
        if let Some(times) = self.objective.times_minimum(&choice.outcome) {
            words.push(phrase!(", {} the theoretical minimum", multiple(times)));
        }
        words
    }

    /// Compares the staleness of a setting with that of the best setting. Returns a phrase such as `1.24× as stale as
    /// the best`.
    pub fn price(&self, choice: &Choice) -> Phrase {
        let of = |choice: &Choice| self.objective.of(&choice.outcome);
        let times = self.best.as_ref().and_then(of).zip(of(choice));
        let times = times.map_or(1.0, |(best, own)| own.over(best.max(Nanos::from_nanos(1))));
        if (times - 1.0).abs() < 0.005 {
            "equally fresh".into()
        } else {
            phrase!("{} as stale as the best", multiple(times))
        }
    }

    /// Explains why a strategy is not the best and, if it exceeds a limit, how it could be used nevertheless.
    pub fn why_not(&self, other: &Other) -> Vec<Phrase> {
        let with = |words: Phrase| match other.choice.setting_words() {
            Some(setting) => phrase!("with {}, {}", setting, words),
            None => words,
        };
        if other.choice.outcome.staleness.is_none() {
            return vec!["some tasks never run".into()];
        }
        if other.broken.is_empty() {
            return vec![with(self.price(&other.choice))];
        }
        let broken = joined(other.broken.iter().map(Broken::words), " and ");
        let saved_by = if let Some(remedy) = &other.remedy {
            let settings = remedy.setting_words().unwrap_or_default();
            phrase!("meets all limits with {}, {}", settings, self.price(remedy))
        } else {
            let allow = other.broken.iter();
            let allow = allow.map(|it| it.limit.allowing(it.relaxed()));
            phrase!("to use it, allow {}", joined(allow, " and "))
        };
        vec![with(broken), saved_by]
    }
}

impl Choice {
    /// Formats the knob values of the setting, such as `interval 0.42 s` or `33 groups`. Returns `None` if the setting
    /// changes no knob.
    pub fn setting_words(&self) -> Option<Phrase> {
        let values: Vec<Phrase> = self
            .values()
            .map(|(knob, value)| set_to(knob, value))
            .collect();
        (!values.is_empty()).then(|| joined(values.into_iter(), " and "))
    }

    /// Formats the strategy and its setting, such as `Fixed interval with interval 0.42 s`.
    pub fn words(&self) -> Phrase {
        match self.setting_words() {
            Some(setting) => phrase!("{} with {}", self.strategy.name, setting),
            None => self.strategy.name.into(),
        }
    }

    /// Formats only the value that distinguishes this setting from others of the same strategy, such as `0.42 s`, `33
    /// groups` or `expire 1.9 s`.
    pub fn brief(&self) -> Phrase {
        match (self.setting.other, self.values().next()) {
            (Some((knob, value)), _) => set_to(knob, value),
            (None, Some((knob, value))) if knob.unit.is_empty() => {
                let words = set_to(knob, value).to_string();
                let thing: Vec<&str> = words.split(' ').take(2).collect();
                thing.join(" ").into()
            }
            (None, Some((knob, value))) => strong(format::knob(knob, value)),
            (None, None) => "no knob".into(),
        }
    }
}

/// Formats a knob value, such as `interval 4.2 s`, `33 groups` or `predict costs off`.
fn set_to(knob: &Knob, value: f64) -> Phrase {
    let label = knob.label.to_lowercase();
    let is_count = knob.whole && knob.unit.is_empty() && !knob.is_switch();
    if !is_count {
        return phrase!("{} {}", label, strong(format::knob(knob, value)));
    }
    let (things, rest) = label.split_once(' ').unwrap_or((&label, ""));
    let thing = things.trim_end_matches('s');
    let things = if value == 1.0 { thing } else { things };
    let words = [things, rest].join(" ");
    phrase!("{} {}", strong(format::knob(knob, value)), words.trim_end())
}

impl Limit {
    /// Formats a measured value with the name of its metric, such as `longest wait 2.25 s`.
    fn with(self, value: Nanos) -> Phrase {
        match self {
            Self::Tasks => phrase!("tasks up to {}", value),
            Self::Near => phrase!("near target {}", value),
            Self::Longest => phrase!("longest wait {}", value),
            Self::Hitches => phrase!("hitches up to {}", value),
        }
    }

    /// States a measured value in a clause, such as `the longest wait is 2.25 s`.
    fn is(self, value: Nanos) -> Phrase {
        match self {
            Self::Tasks => phrase!("tasks take up to {}", value),
            Self::Near => phrase!("staleness near the target is {}", value),
            Self::Longest => phrase!("the longest wait is {}", value),
            Self::Hitches => phrase!("hitches last up to {}", value),
        }
    }

    /// Describes a relaxed limit as a noun phrase, such as `a longest wait of 2.3 s`.
    fn allowing(self, to: Nanos) -> Phrase {
        match self {
            Self::Tasks => phrase!("{} of tasks per frame", to),
            Self::Near => phrase!("a staleness of {} near the target", to),
            Self::Longest => phrase!("a longest wait of {}", to),
            Self::Hitches => phrase!("hitches of up to {}", to),
        }
    }
}

impl Broken {
    /// Describes how much the limit is exceeded, such as `the longest wait is 2.25 s (limit 2 s)`.
    pub fn words(&self) -> Phrase {
        match self.limit {
            _ if self.measured == Nanos::MAX => "some tasks never run".into(),
            Limit::Hitches => self.limit.is(self.measured),
            _ if time(self.measured) == time(self.allowed) => {
                phrase!("{}, slightly above the limit", self.limit.is(self.measured))
            }
            _ => phrase!("{} (limit {})", self.limit.is(self.measured), self.allowed),
        }
    }

    /// Describes the excess in a few characters, such as `longest 2.25 s`.
    pub fn brief(&self) -> Phrase {
        match self.limit {
            _ if self.measured == Nanos::MAX => "some never run".into(),
            Limit::Tasks => phrase!("tasks {}", self.measured),
            Limit::Near => phrase!("near {}", self.measured),
            Limit::Longest => phrase!("longest {}", self.measured),
            Limit::Hitches => phrase!("hitch {}", self.measured),
        }
    }
}

impl Relaxation {
    /// Suggests a relaxed limit, such as `allow a longest wait of 2.3 s instead of 2 s`.
    pub fn words(&self) -> Phrase {
        let to = self.limit.allowing(self.to);
        match self.limit {
            Limit::Hitches => phrase!("allow {}", to),
            _ => phrase!("allow {} instead of {}", to, self.allowed),
        }
    }

    /// Suggests a relaxed limit without naming it, such as `allow 2.3 s instead of 2 s`. Used where the text before it
    /// already names the limit.
    fn brief(&self) -> Phrase {
        match self.limit {
            Limit::Hitches => self.words(),
            _ => phrase!("allow {} instead of {}", self.to, self.allowed),
        }
    }
}

impl Fewer {
    /// Formats the number of entities, such as `1,760 entities`.
    pub fn words(&self) -> Phrase {
        crate::text::rich::counted(self.entities.into(), "entity")
    }
}

/// Formats the measured values that can be limited, such as `tasks up to 4 ms · near target 90 ms · longest wait 1.98
/// s`.
fn measured_words(of: &Outcome) -> Phrase {
    let measured = Limit::ALL.into_iter().filter_map(|limit| {
        let value = limit.measured(of)?;
        let is_hitch = limit == Limit::Hitches;
        (!is_hitch || !value.is_zero()).then(|| limit.with(value))
    });
    joined(measured, " · ")
}

fn joined(phrases: impl Iterator<Item = Phrase>, with: &str) -> Phrase {
    let mut words = Phrase::default();
    for (nth, phrase) in phrases.enumerate() {
        if nth > 0 {
            words.push(with);
        }
        words.push(phrase);
    }
    words
}

#[cfg(test)]
mod tests;
