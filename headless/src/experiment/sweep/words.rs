//! The sentences of an answer: for a terminal, the status line, a card, and a cell of a table.

use super::answer::{Answer, Choice, Other, Relaxation};
use super::fewer::Fewer;
use super::limits::{Broken, Limit, Limits};
use super::outcome::Outcome;
use crate::phrase;
use crate::text::format;
use crate::text::rich::{Phrase, RichText, figure, multiple, time};
use timeslicer::knob::Knob;
use timeslicer::time::Nanos;

/// A setting to offer: two lines, and what they stand for.
#[derive(Clone, Debug)]
pub struct Card {
    /// `Weighted share, budget 4 ms, 1.02× the minimum`
    pub title: Phrase,
    /// `longest wait 2.25 s · allow 2.3 s instead of 2 s`
    pub detail: Phrase,
    pub choice: Choice,
    /// The limits that the setting keeps: those of the game, or with one of them relaxed.
    pub limits: Limits,
    /// Number of entities with which it keeps them, if it is another.
    pub entities: Option<u32>,
}

impl Answer {
    /// Says what to use, the most important first.
    pub fn text(&self) -> RichText {
        if self.entities == 0 {
            return phrase!("there are no entities, so any strategy will do")
                .normal()
                .into();
        }
        let mut clauses = Vec::new();
        match (&self.best, &self.nearest) {
            (Some(best), _) => {
                clauses.push(phrase!("use {}: {}", best.words(), self.figures(best)).normal());
            }
            (None, Some(nearest)) => {
                let broken = self.limits.broken(&nearest.outcome);
                let broken = joined(broken.iter().map(Broken::words), ", ");
                clauses.push(Phrase::from("no strategy keeps all limits").warning());
                clauses.push(phrase!("nearest: {}: {}", nearest.words(), broken).warning());
            }
            (None, None) => {
                clauses.push(Phrase::from("with no strategy, every task has run").warning());
            }
        }
        if let Some(runner_up) = &self.runner_up {
            let price = self.price(runner_up);
            clauses.push(phrase!("runner-up: {}, {}", runner_up.words(), price).normal());
        }
        let relaxed = self.relaxations.iter().map(Relaxation::words);
        let ways = relaxed.chain(self.fewer.iter().map(Fewer::words));
        let ways = joined(ways, ", or ");
        if !ways.spans.is_empty() {
            clauses.push(phrase!("to keep all: {}", ways).normal());
        }
        if let Some(broken) = self.with_other_seeds {
            clauses.push(phrase!("with another seed: {}", broken.words()).warning());
        }
        clauses.into_iter().collect()
    }

    /// Returns the settings to offer, the best first: the best one and the runner-up, or else what keeps all limits with
    /// one of them relaxed, or with fewer entities.
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
            cards.extend(self.runner_up.as_ref().map(|second| {
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
                title: phrase!("Keep all limits: {}", fewer.words()),
                entities: Some(fewer.entities),
                ..card(&fewer.choice, phrase!("{} · {}", words, measured))
            }
        }));
        cards
    }

    /// Says in about 25 characters what a strategy reaches with its best setting: `0.46 s: 1.24× the best`, or
    /// `0.46 s: near 229 ms`, which breaks a limit. Empty before its first trial. `curve` is the index of its curve.
    pub fn cell(&self, curve: usize) -> Phrase {
        if let Some(best) = self.best.as_ref().filter(|best| best.curve == curve) {
            let words = match self.goal.times_minimum(&best.outcome) {
                Some(times) => phrase!("{} the minimum", multiple(times)),
                None => "best".into(),
            };
            return phrase!("{}: {}", best.brief(), words);
        }
        let Some(other) = self.others.iter().find(|it| it.choice.curve == curve) else {
            return Phrase::default();
        };
        if let Some(remedy) = &other.remedy {
            return phrase!("{}: keeps all", remedy.brief());
        }
        let worst = other.broken.iter();
        let worst = worst.max_by(|one, other| one.excess().total_cmp(&other.excess()));
        let words = match (worst, other.times_best) {
            _ if other.choice.outcome.staleness.is_none() => {
                return "no setting: some never run".into();
            }
            (Some(worst), _) => worst.brief(),
            (None, Some(times)) => phrase!("{} the best", multiple(times)),
            (None, None) => "keeps all".into(),
        };
        phrase!("{}: {}", other.choice.brief(), words)
    }

    /// Names a choice and its goal: `Weighted share, budget 4 ms, 1.02× the minimum`.
    pub fn title(&self, choice: &Choice) -> Phrase {
        let words = choice.words();
        if let Some(times) = self.goal.times_minimum(&choice.outcome) {
            return phrase!("{}, {} the minimum", words, multiple(times));
        }
        let staleness = self.goal.of(&choice.outcome).unwrap_or_default();
        phrase!("{}, {} {}", words, self.goal.name(), staleness)
    }

    /// Says how good a choice is: `mean weighted staleness 172 ms, 1.02× the theoretical minimum`.
    pub fn figures(&self, choice: &Choice) -> Phrase {
        let staleness = self.goal.of(&choice.outcome).unwrap_or_default();
        let mut words = phrase!("{} {}", self.goal.name(), staleness);
        if let Some(times) = self.goal.times_minimum(&choice.outcome) {
            words.push(phrase!(", {} the theoretical minimum", multiple(times)));
        }
        words
    }

    /// Says what a choice costs compared with the best: `1.24× as stale`.
    pub fn price(&self, choice: &Choice) -> Phrase {
        let of = |choice: &Choice| self.goal.of(&choice.outcome);
        let times = self.best.as_ref().and_then(of).zip(of(choice));
        let times = times.map_or(1.0, |(best, own)| own.over(best.max(Nanos::from_nanos(1))));
        if (times - 1.0).abs() < 0.005 {
            "equally stale".into()
        } else {
            phrase!("{} as stale", multiple(times))
        }
    }

    /// Says why a strategy is not the best, and what would save it.
    pub fn why_not(&self, other: &Other) -> Vec<Phrase> {
        let with = |words: Phrase| match other.choice.setting_words() {
            Some(setting) => phrase!("{} with {}", words, setting),
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
            phrase!("keeps all limits with {}", settings)
        } else {
            let allow = other.broken.iter();
            let allow = allow.map(|it| it.limit.allowing(it.relaxed()));
            phrase!("allow {}", joined(allow, " and "))
        };
        vec![with(broken), saved_by]
    }
}

impl Choice {
    /// Names the setting: `interval 0.42 s`, `33 groups`. `None` for a strategy without a main knob.
    pub fn setting_words(&self) -> Option<Phrase> {
        let values: Vec<Phrase> = self
            .values()
            .map(|(knob, value)| set_to(knob, value))
            .collect();
        (!values.is_empty()).then(|| joined(values.into_iter(), " and "))
    }

    /// Names strategy and setting: `Fixed interval, interval 0.42 s`.
    pub fn words(&self) -> Phrase {
        match self.setting_words() {
            Some(setting) => phrase!("{}, {}", self.strategy.name, setting),
            None => self.strategy.name.into(),
        }
    }

    /// Names only what sets the choice apart from others of its strategy: `0.42 s`, `33 groups`, `expire 1.9 s`. `no
    /// setting` for a strategy without a main knob.
    pub fn brief(&self) -> Phrase {
        match (self.setting.other, self.values().next()) {
            (Some((knob, value)), _) => set_to(knob, value),
            (None, Some((knob, value))) if knob.unit.is_empty() => {
                let words = set_to(knob, value).to_string();
                let thing: Vec<&str> = words.split(' ').take(2).collect();
                thing.join(" ").into()
            }
            (None, Some((knob, value))) => figure(format::knob(knob, value)),
            (None, None) => "no setting".into(),
        }
    }
}

/// Names a value of a knob: `interval 4.2 s`, `33 groups`, `predict costs off`.
fn set_to(knob: &Knob, value: f64) -> Phrase {
    let label = knob.label.to_lowercase();
    let is_count = knob.whole && knob.unit.is_empty() && !knob.is_switch();
    if !is_count {
        return phrase!("{} {}", label, figure(format::knob(knob, value)));
    }
    let (things, rest) = label.split_once(' ').unwrap_or((&label, ""));
    let thing = things.trim_end_matches('s');
    let things = if value == 1.0 { thing } else { things };
    let words = [things, rest].join(" ");
    phrase!("{} {}", figure(format::knob(knob, value)), words.trim_end())
}

impl Limit {
    /// Names a measured value: `longest wait 2.25 s`.
    fn with(self, value: Nanos) -> Phrase {
        match self {
            Self::Tasks => phrase!("tasks up to {}", value),
            Self::Near => phrase!("near {}", value),
            Self::Longest => phrase!("longest wait {}", value),
            Self::Hitches => phrase!("hitches up to {}", value),
        }
    }

    /// Names a value to allow: `a longest wait of 2.3 s`.
    fn allowing(self, to: Nanos) -> Phrase {
        match self {
            Self::Tasks => phrase!("{} of tasks in a frame", to),
            Self::Near => phrase!("{} near the target", to),
            Self::Longest => phrase!("a longest wait of {}", to),
            Self::Hitches => phrase!("hitches of up to {}", to),
        }
    }
}

impl Broken {
    /// Says what happens: `longest wait 2.25 s instead of 2 s`.
    pub fn words(&self) -> Phrase {
        match self.limit {
            _ if self.measured == Nanos::MAX => "some tasks never run".into(),
            Limit::Hitches => self.limit.with(self.measured),
            _ if time(self.measured) == time(self.allowed) => {
                phrase!(
                    "{}, a little more than allowed",
                    self.limit.with(self.measured)
                )
            }
            _ => phrase!(
                "{} instead of {}",
                self.limit.with(self.measured),
                self.allowed
            ),
        }
    }

    /// Says what happens in about 15 characters: `longest 2.25 s`.
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
    /// Says what to allow: `allow a longest wait of 2.3 s instead of 2 s`.
    pub fn words(&self) -> Phrase {
        let to = self.limit.allowing(self.to);
        match self.limit {
            Limit::Hitches => phrase!("allow {}", to),
            _ => phrase!("allow {} instead of {}", to, self.allowed),
        }
    }

    /// Says what to allow after a measured value that names the limit: `allow 2.3 s instead of 2 s`.
    fn brief(&self) -> Phrase {
        match self.limit {
            Limit::Hitches => self.words(),
            _ => phrase!("allow {} instead of {}", self.to, self.allowed),
        }
    }
}

impl Fewer {
    /// Says how many entities keep all limits: `1,760 entities`.
    pub fn words(&self) -> Phrase {
        crate::text::rich::counted(self.entities.into(), "entity")
    }
}

/// Names the figures that limits are about: `tasks up to 4 ms · near 90 ms · longest wait 1.98 s`.
fn measured_words(of: &Outcome) -> Phrase {
    let measured = Limit::ALL.into_iter().filter_map(|limit| {
        let value = limit.measured(of)?;
        let is_hitch = limit == Limit::Hitches;
        (!is_hitch || !value.is_zero()).then(|| limit.with(value))
    });
    joined(measured, " · ")
}

/// Joins phrases.
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
mod tests {
    use super::super::outcome::Staleness;
    use super::super::{Fewer, Setting};
    use super::*;
    use crate::stats::Times;
    use crate::testing::MS;
    use timeslicer::strategy;
    use timeslicer::strategy::weighted_share::EXPIRE;

    fn choice(
        curve: usize,
        key: &str,
        value: Option<f64>,
        [tasks, near, worst]: [u64; 3],
    ) -> Choice {
        Choice {
            curve,
            strategy: strategy::by_key(key).unwrap(),
            setting: Setting { value, other: None },
            outcome: Outcome {
                tasks: Times {
                    max: MS(tasks),
                    ..Times::default()
                },
                no_hitch: MS(25),
                staleness: Some(Staleness {
                    near: Some(MS(near)),
                    worst: MS(worst),
                    weighted_mean: MS(2 * near),
                    least_mean: Some(MS(125)),
                    ..Staleness::default()
                }),
                ..Outcome::default()
            },
        }
    }

    fn limits() -> Limits {
        Limits {
            tasks: Some(MS(4)),
            near: Some(MS(100)),
            longest: Some(MS(2000)),
            no_hitches: true,
        }
    }

    fn other(choice: Choice, best: Option<&Choice>) -> Other {
        let goal = |choice: &Choice| choice.outcome.staleness.unwrap().weighted_mean;
        Other {
            broken: limits().broken(&choice.outcome),
            remedy: None,
            times_best: best.map(|best| goal(&choice).over(goal(best))),
            choice,
        }
    }

    /// Weighted share keeps all limits, fixed interval too, stagger groups breaks two.
    fn answer_with_best() -> Answer {
        let best = choice(0, "weighted-share", Some(4.0), [4, 80, 1980]);
        let second = choice(1, "fixed-interval", Some(0.456), [4, 99, 456]);
        let third = choice(2, "stagger-groups", Some(33.0), [6, 272, 550]);
        let others = [second.clone(), third].map(|it| other(it, Some(&best)));
        Answer {
            limits: limits(),
            entities: 2000,
            others: others.into(),
            runner_up: Some(second),
            best: Some(best),
            ..Answer::default()
        }
    }

    /// Weighted share waits too long, fixed interval is too stale near the target, and every frame breaks the budget.
    fn answer_without_best() -> Answer {
        let nearest = choice(0, "weighted-share", Some(4.0), [4, 90, 2250]);
        let second = choice(1, "fixed-interval", Some(0.456), [4, 224, 456]);
        let third = choice(2, "every-frame", None, [101, 50, 101]);
        let relaxation = |choice: &Choice| {
            let broken = limits().broken(&choice.outcome)[0];
            Relaxation {
                limit: broken.limit,
                allowed: broken.allowed,
                measured: broken.measured,
                to: broken.relaxed(),
                choice: choice.clone(),
            }
        };
        Answer {
            limits: limits(),
            entities: 2000,
            relaxations: [&nearest, &second].map(relaxation).into(),
            fewer: Some(Fewer {
                entities: 1760,
                choice: choice(0, "weighted-share", Some(4.0), [4, 90, 1980]),
            }),
            others: [nearest.clone(), second, third]
                .map(|it| other(it, None))
                .into(),
            nearest: Some(nearest),
            ..Answer::default()
        }
    }

    fn lines(of: &Answer) -> Vec<[String; 2]> {
        let cards = of.cards().into_iter();
        cards
            .map(|card| [card.title.to_string(), card.detail.to_string()])
            .collect()
    }

    #[test]
    fn an_answer_says_what_to_use() {
        let answer = answer_with_best();
        assert_eq!(
            answer.text().to_string(),
            "use Weighted share, budget 4 ms: mean weighted staleness 160 ms, 1.28× the theoretical minimum · \
             runner-up: Fixed interval, interval 0.46 s, 1.24× as stale"
        );
        assert_eq!(
            lines(&answer),
            [
                [
                    "Weighted share, budget 4 ms, 1.28× the minimum",
                    "tasks up to 4 ms · near 80 ms · longest wait 1.98 s"
                ],
                [
                    "Fixed interval, interval 0.46 s, 1.58× the minimum",
                    "1.24× as stale · tasks up to 4 ms · near 99 ms · longest wait 456 ms"
                ],
            ]
        );
    }

    #[test]
    fn an_answer_says_what_would_keep_all_limits() {
        let answer = answer_without_best();
        assert_eq!(
            answer.text().to_string(),
            "no strategy keeps all limits · \
             nearest: Weighted share, budget 4 ms: longest wait 2.25 s instead of 2 s · \
             to keep all: allow a longest wait of 2.3 s instead of 2 s, \
             or allow 230 ms near the target instead of 100 ms, or 1,760 entities"
        );
        assert_eq!(
            lines(&answer),
            [
                [
                    "Weighted share, budget 4 ms, 1.44× the minimum",
                    "longest wait 2.25 s · allow 2.3 s instead of 2 s"
                ],
                [
                    "Fixed interval, interval 0.46 s, 3.58× the minimum",
                    "near 224 ms · allow 230 ms instead of 100 ms"
                ],
                [
                    "Keep all limits: 1,760 entities",
                    "Weighted share, budget 4 ms · tasks up to 4 ms · near 90 ms · longest wait 1.98 s"
                ],
            ]
        );
        let cards = answer.cards();
        assert_eq!(cards[0].limits.longest, Some(MS(2300)));
        assert_eq!((cards[2].limits, cards[2].entities), (limits(), Some(1760)));
    }

    #[test]
    fn a_cell_says_what_a_strategy_reaches() {
        let cells = |answer: &Answer| [0, 1, 2].map(|curve| answer.cell(curve).to_string());
        assert_eq!(
            cells(&answer_with_best()),
            [
                "4 ms: 1.28× the minimum",
                "0.46 s: 1.24× the best",
                "33 groups: near 272 ms"
            ]
        );
        let mut answer = answer_without_best();
        assert_eq!(
            cells(&answer),
            [
                "4 ms: longest 2.25 s",
                "0.46 s: near 224 ms",
                "no setting: tasks 101 ms"
            ]
        );
        answer.others[0].remedy = Some(Choice {
            setting: Setting {
                value: Some(4.0),
                other: Some((&EXPIRE, 1.9)),
            },
            ..answer.others[0].choice.clone()
        });
        answer.others[1].choice.outcome.staleness = None;
        answer.others.truncate(2);
        assert_eq!(
            cells(&answer),
            ["expire 1.9 s: keeps all", "no setting: some never run", ""]
        );
    }

    #[test]
    fn each_other_strategy_has_a_reason_and_a_way_out() {
        let reasons = |answer: &Answer| {
            let reasons = answer.others.iter().map(|other| {
                let reasons = answer.why_not(other);
                reasons
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join("; ")
            });
            reasons.collect::<Vec<_>>()
        };
        assert_eq!(
            reasons(&answer_with_best()),
            [
                "1.24× as stale with interval 0.46 s",
                "tasks up to 6 ms instead of 4 ms and near 272 ms instead of 100 ms with 33 groups; \
                 allow 6 ms of tasks in a frame and 280 ms near the target",
            ]
        );
    }

    #[test]
    fn words_fit_knobs_of_every_kind() {
        let words = |key, value| choice(0, key, value, [0; 3]).words().to_string();
        assert_eq!(
            words("max-per-frame", Some(66.0)),
            "Max per frame, 66 tasks per frame"
        );
        assert_eq!(
            words("max-per-frame", Some(1.0)),
            "Max per frame, 1 task per frame"
        );
        assert_eq!(
            words("stagger-groups", Some(1.0)),
            "Stagger groups, 1 group"
        );
        assert_eq!(words("every-frame", None), "Every frame");
        let brief = |key, value| choice(0, key, value, [0; 3]).brief().to_string();
        assert_eq!(brief("max-per-frame", Some(66.0)), "66 tasks");
    }

    #[test]
    fn a_broken_limit_never_reads_as_kept() {
        let broken = |measured| Broken {
            limit: Limit::Tasks,
            allowed: MS(4),
            measured,
        };
        let little = broken(Nanos::from_nanos(4_000_001));
        assert_eq!(
            little.words().to_string(),
            "tasks up to 4 ms, a little more than allowed"
        );
        assert_eq!(little.relaxed(), Nanos::from_micros(4100));
        assert_eq!(
            broken(Nanos::MAX).words().to_string(),
            "some tasks never run"
        );
    }

    #[test]
    fn without_entities_any_strategy_will_do() {
        let text = Answer::default().text();
        assert!(!text.is_warning() && text.to_string().contains("no entities"));
        assert!(Answer::default().cards().is_empty());
    }
}
