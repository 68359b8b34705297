//! Describes recommendations in words. `compare`, `sweep` and the window print the same phrases. Each function returns
//! whole phrases, which callers only have to arrange.

use super::crossovers::{Column, Range, between};
use super::limits::{Broken, Limit, MEAN_FRAME_TOLERANCE};
use super::per_run::PerRun;
use super::recommendation::{Choice, Recommendation, is_equally_good};
use super::relaxation::Change;
use super::{Outcome, SEEDS, Setting, Staleness, frame_length, run_seconds, runs_within};
use crate::catalog::knob::Knob;
use crate::catalog::strategy::Family;
use crate::sim::machine::RENDER_MS;
use crate::sim::settings::Settings;
use crate::sim::world::ENTITIES;
use crate::text::format::{self, counted, multiple, time};
use crate::text::sentence::{Clause, Sentence};
use timeslicer::time::Nanos;

impl Recommendation {
    /// Returns the answer in a few clauses, with the most important one first.
    pub fn text(&self) -> Sentence {
        if self.entities == 0 {
            let words = "there are no entities, so any strategy will do";
            return Sentence::from_iter([Clause::normal(words)]);
        }
        let mut clauses = Vec::from_iter(self.drawing_words().map(Clause::warning));
        clauses.push(match self.best() {
            Some(best) => Clause::normal(format!(
                "use {}: {}",
                best.words(),
                best.outcome.effects().join("; ")
            )),
            None => Clause::warning("no strategy keeps all limits"),
        });
        let warnings = self.warnings_about_tasks().into_iter();
        let warnings = warnings.map(Clause::warning);
        if self.best.is_some() {
            clauses.extend(self.simplest_words().map(Clause::normal));
            clauses.extend(warnings);
        } else {
            clauses.extend(warnings); // they are often the reason
            clauses.push(Clause::warning(self.closest_words()));
            clauses.extend(self.ways_words().map(Clause::normal));
        }
        clauses.into_iter().collect()
    }

    pub fn full_text(&self) -> Sentence {
        let mut text = self.text();
        if let Some(best) = self.best() {
            let evidence = self.evidence(best).into_iter().map(Clause::normal);
            let after_best = 1 + usize::from(self.drawing_words().is_some());
            text.clauses.splice(after_best..after_best, evidence);
        }
        let simplest = self.simplest().map(|it| it.lane);
        let runner_up = self.runner_up().filter(|it| Some(it.lane) != simplest);
        if let Some(runner_up) = runner_up {
            let words = format!(
                "runner-up: {}, {}",
                runner_up.words(),
                self.price(runner_up)
            );
            text.clauses.push(Clause::normal(words));
        }
        text.clauses.extend(self.least_words().map(Clause::normal));
        if self.entities > 0 {
            text.clauses.push(Clause::normal(self.measured_words()));
        }
        text
    }

    /// Names the setting that comes closest to keeping the limits, and what it exceeds.
    pub fn closest_words(&self) -> String {
        let Some(nearest) = self.recommended() else {
            return "some tasks have not run with any setting".into();
        };
        let broken: Vec<String> = nearest.broken.iter().map(Broken::words).collect();
        format!("closest is {}: {}", nearest.words(), broken.join(", "))
    }

    /// Lists the changes with which all limits could be kept: relaxing a limit, or having fewer entities.
    pub fn ways_words(&self) -> Option<String> {
        let ways: Vec<String> = self.ways.iter().map(|way| way.change.words()).collect();
        let words = || format!("to keep all limits, {}", ways.join(", or "));
        (!ways.is_empty()).then(words)
    }

    /// Returns facts about a choice: how many seeds keep the limits, the objective, and the time left in a frame.
    pub fn evidence(&self, choice: &Choice) -> Vec<String> {
        let mut evidence = Vec::new();
        if choice.depends_on_seed && choice.holds() {
            let tolerated: Vec<String> = choice.tolerated.iter().map(Broken::words).collect();
            let words = format!("holds with {} of {SEEDS} seeds", choice.kept);
            evidence.push(match &tolerated[..] {
                [] => words,
                all => format!("{words}, and with the others, {}", all.join(" and ")),
            });
        }
        // Do not state how long requests wait, because `effects` already does.
        if !self.objective.is_of_requests() {
            evidence.extend(self.objective.describe(&choice.outcome));
        }
        let is_best = self.best == Some(choice.lane);
        let per_run = self.per_run.as_ref().filter(|_| is_best);
        if per_run.is_some_and(|it| it.broken.is_empty()) {
            evidence.push("holds even if costs differ from run to run".to_owned());
        }
        let first = choice.outcome.first_round_tasks;
        if self.limits.tasks.is_some_and(|limit| first > limit) {
            evidence.push(format!(
                "after a fresh start, tasks take up to {} of a frame until each has run once",
                time(first)
            ));
        }
        let left = left_in_frame(&self.base);
        if self.base.knobs.get(&RENDER_MS) > 0.0 && !left.is_warning() {
            let work = self.base.knobs.span(&RENDER_MS) + choice.outcome.tasks.max;
            let rest = self.base.frame_period().saturating_sub(work);
            let after_tasks = format!("after the tasks at least {}", time(rest));
            let after_tasks = Some(after_tasks).filter(|_| !rest.is_zero());
            let words = [format!("after drawing, {left}")]
                .into_iter()
                .chain(after_tasks);
            evidence.push(words.collect::<Vec<_>>().join(", and "));
        }
        evidence
    }

    /// Returns the duration of the longest run if no strategy can keep the limit on task time because of it.
    pub(super) fn cannot_be_split(&self) -> Option<Nanos> {
        let longest = self.choices.iter().map(|it| it.outcome.longest_run).max()?;
        self.limits
            .tasks
            .and_then(|limit| (longest > limit).then_some(longest))
    }

    /// Returns a warning if drawing alone takes longer than a frame should.
    fn drawing_words(&self) -> Option<String> {
        let left = left_in_frame(&self.base);
        left.is_warning().then_some(left.words)
    }

    /// Returns warnings about the workload, for example if something makes the answer less reliable or useful.
    pub fn warnings(&self) -> Vec<String> {
        let drawing = self.drawing_words().into_iter();
        drawing.chain(self.warnings_about_tasks()).collect()
    }

    fn warnings_about_tasks(&self) -> Vec<String> {
        let frame = self.base.frame_period();
        let unsplittable = self.limits.tasks.zip(self.cannot_be_split());
        let unsplittable = unsplittable.map(|(limit, longest)| {
            let [limit, longest] = [limit, longest].map(time);
            format!(
                "the longest task takes {longest}, longer than the budget of {limit}: one run alone exceeds it, so no \
                 strategy can keep it"
            )
        });
        let too_long = self.limits.tasks.filter(|&limit| limit > frame);
        let too_long = too_long.map(|limit| {
            format!(
                "the limit of {} on task time is longer than a frame of {}",
                time(limit),
                time(frame)
            )
        });
        let requested = self.requested_tasks.zip(self.limits.tasks);
        let overload = requested.filter(|(requested, limit)| requested > limit);
        let overload = overload.map(|(requested, limit)| {
            format!(
                "requests need {} of tasks per frame on average, more than the limit of {}",
                time(requested),
                time(limit)
            )
        });
        let all = [
            unsplittable,
            too_long,
            overload,
            self.one_per_frame_words(),
            self.per_run_words(),
            self.useless_weighting(),
        ];
        all.into_iter().flatten().collect()
    }

    /// If only one task fits into a frame, says how long it takes until all tasks have run.
    fn one_per_frame_words(&self) -> Option<String> {
        let repeats = !self.limits.on_request && !self.base.costs_differ() && self.entities > 1;
        let limit = self.limits.tasks.filter(|_| repeats)?;
        let is_one = runs_within(limit, &self.base) == 1.0;
        is_one.then(|| {
            let cost = Nanos::from_secs_f64(run_seconds(&self.base));
            let drawing = self.base.knobs.span(&RENDER_MS);
            let frame = frame_length(&self.base, drawing + cost).as_secs_f64();
            format!(
                "a frame has time for only one task of {}, so it takes {} to run all {} tasks once (to wait less, split \
                 the tasks or use threads)",
                time(cost),
                time(Nanos::from_secs_f64(frame * f64::from(self.entities))),
                format::grouped(self.entities.into())
            )
        })
    }

    /// Says which limits are exceeded if costs differ from run to run, and which setting would then keep all of them.
    fn per_run_words(&self) -> Option<String> {
        let PerRun { broken, instead } = self.per_run.as_ref()?;
        let exceeded: Vec<String> = broken.iter().map(Broken::words).collect();
        let instead = match instead {
            Some(choice) => {
                let main = Setting {
                    values: choice.setting.values.iter().take(1).copied().collect(),
                };
                let main = main.words().unwrap_or_default();
                format!("{main} would keep all limits")
            }
            None => {
                "no similar setting helps (to find another, set New cost per run to 1)".to_owned()
            }
        };
        (!exceeded.is_empty()).then(|| {
            format!(
                "this holds only if each entity keeps its cost: if costs differ from run to run, {}, and {instead}",
                exceeded.join(" and ")
            )
        })
    }

    /// If it hardly helps to run important tasks more often, returns a sentence that says so.
    fn useless_weighting(&self) -> Option<String> {
        let freshest = |is_weighted: bool| {
            let held = self.choices.iter().filter(|it| it.holds());
            let own =
                held.filter(|it| (it.strategy.family == Family::BySignificance) == is_weighted);
            own.min_by_key(|it| it.objective)
        };
        let (weighted, plain) = (freshest(true)?, freshest(false)?);
        let is_useless = is_equally_good(weighted.objective?, plain.objective?);
        let words = format!(
            "running important tasks more often hardly helps: no strategy that does so is clearly fresher than {}",
            plain.strategy.name
        );
        (self.entities > 1 && is_useless).then_some(words)
    }

    /// Names the simplest strategy that keeps the limits, and its [`price`](Self::price). `None` if it is recommended.
    pub fn simplest_words(&self) -> Option<String> {
        let simplest = self.simplest()?;
        Some(format!(
            "simplest that fits: {}, {}",
            simplest.words(),
            self.price(simplest)
        ))
    }

    /// States the lowest task time per frame that is enough to keep the limits on waits and staleness.
    pub fn least_words(&self) -> Option<String> {
        let (tasks, choice) = self.least_tasks.as_ref()?;
        Some(format!(
            "{} of tasks per frame is enough for {}: {}",
            time(*tasks),
            if self.limits.on_request {
                "the limit on the wait of requests"
            } else {
                "the limits on waits and staleness"
            },
            choice.words()
        ))
    }

    /// Describes for how long and with which seeds the settings were measured.
    fn measured_words(&self) -> String {
        let seed = self.base.seed;
        let seeds = if self.depends_on_seed() {
            let last = seed.wrapping_add(SEEDS - 1).to_string();
            format!("seeds {seed} to {last}")
        } else {
            "the same result for every seed".into()
        };
        format!(
            "measured in trials of {}{}, with {seeds}",
            time(self.trial_time),
            if self.limits.on_request {
                ""
            } else {
                ", not counting the first round"
            }
        )
    }

    /// Compares the staleness of a choice with that of the recommended one, such as `1.24× as stale as the best`, or
    /// compares the wait of requests.
    pub fn price(&self, choice: &Choice) -> String {
        let is_of_requests = self.objective.is_of_requests();
        match self.times_best(choice).filter(|times| *times >= 1.005) {
            Some(times) if is_of_requests => {
                format!("requests wait {} as long as with the best", multiple(times))
            }
            Some(times) => format!("{} as stale as the best", multiple(times)),
            None if is_of_requests => "requests wait equally long".into(),
            None => "equally fresh".into(),
        }
    }

    pub fn why_not(&self, choice: &Choice) -> String {
        let with = |words: String| match choice.setting.words() {
            Some(setting) => format!("with {setting}, {words}"),
            None => words,
        };
        if choice.objective.is_none() {
            return choice.unknown_words().into();
        }
        if choice.broken.is_empty() {
            return with(self.price(choice));
        }
        let broken: Vec<String> = choice.broken.iter().map(Broken::words).collect();
        let waits = choice.broken.iter().any(|it| it.limit == Limit::Longest);
        let cause = if waits && choice.strategy.on_request() {
            ", because an entity waits until it requests a run"
        } else {
            ""
        };
        with(broken.join(" and ") + cause)
    }
}

/// Says what drawing leaves of a frame, such as `7.67 of 16.7 ms are left in each frame`, or warns if that is nothing.
pub fn left_in_frame(settings: &Settings) -> Clause {
    let (drawing, frame) = (settings.knobs.span(&RENDER_MS), settings.frame_period());
    if drawing > frame {
        let [fps, target] = [frame_length(settings, drawing), frame].map(rate);
        return Clause::warning(format!(
            "drawing alone takes {}, so the game runs at {fps} instead of {target} fps with every strategy",
            time(drawing),
        ));
    }
    let [left, all] = [frame - drawing, frame].map(|it| format::number(it.as_millis_f64()));
    Clause::normal(format!("{left} of {all} ms are left in each frame"))
}

/// Returns the frame rate of frames of this length, in hertz.
fn rate(frame: Nanos) -> String {
    format::number(1.0 / frame.as_secs_f64())
}

impl Outcome {
    /// Describes what a setting means for the game: how stale the entities near the target and the others are, how long
    /// an entity or a request waits at most, and how much of a frame the tasks take.
    pub fn effects(&self) -> Vec<String> {
        if !self.is_known {
            return vec!["some tasks have not run yet".into()];
        }
        let mut effects = match (&self.staleness, self.request_wait) {
            (Some(staleness), _) => staleness.effects(),
            (None, Some(waits)) => {
                let [mean, max] = [waits.mean, waits.max].map(time);
                vec![format!("requests wait {mean} on average and at most {max}")]
            }
            (None, None) => vec!["nothing was requested".into()],
        };
        effects.push(format!(
            "tasks take at most {} of a frame",
            time(self.tasks.max)
        ));
        if self.frames.mean.over(self.target_frame) > MEAN_FRAME_TOLERANCE {
            let [fps, target] = [self.frames.mean, self.target_frame].map(rate);
            effects.push(format!("the game runs at {fps} instead of {target} fps"));
        }
        effects
    }
}

impl Staleness {
    fn effects(&self) -> Vec<String> {
        let mut effects = match (self.near, self.others) {
            (Some(near), Some(others)) => vec![
                format!(
                    "NPCs near the target are {} out of date on average",
                    time(near)
                ),
                format!("the others {}", time(others)),
            ],
            _ => vec![format!(
                "NPCs are {} out of date on average",
                time(self.mean)
            )],
        };
        let mut longest = format!("nobody waits longer than {}", time(self.worst));
        if !self.mean.is_zero() {
            let times = multiple(self.worst.over(self.mean));
            longest = format!("{longest} ({times} the mean)");
        }
        effects.push(longest);
        effects
    }
}

impl Choice {
    /// Describes in a few characters which limit the choice exceeds most, such as `longest wait 2.25 s`, if any.
    pub fn broken_briefly(&self) -> Option<String> {
        if self.objective.is_none() {
            return Some(self.unknown_words().into());
        }
        self.most_broken().map(Broken::brief)
    }

    /// Says why the outcome is not known.
    fn unknown_words(&self) -> &'static str {
        match (self.is_considered, self.outcome.is_known) {
            (false, _) => "runs tasks without requests",
            (true, true) => "nothing was requested",
            (true, false) => "some tasks have not run yet",
        }
    }
}

impl Limit {
    /// Returns the templates of three phrases: a clause that states a measured value, a noun phrase for a value of the
    /// limit, and a measured value in a few characters.
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
            Self::Wait => [
                "requests wait up to {}",
                "request waits of up to {}",
                "requests wait {}",
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

    /// Returns the name of this limit in a few characters, such as `longest wait`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tasks => "task time",
            Self::Near => "near target",
            Self::Longest => "longest wait",
            Self::Wait => "wait of requests",
            Self::Hitches => "hitches",
            Self::MeanFrame => "frame rate",
        }
    }
}

impl Broken {
    /// Describes how much the limit is exceeded, such as `the longest wait is 2.25 s (limit 2 s)`.
    pub fn words(&self) -> String {
        let [measured, ..] = self.limit.phrases();
        self.excess_words(measured, " (limit {})")
    }

    /// Describes the excess in a few characters, such as `longest wait 2.25 s, limit 2 s`.
    pub fn brief(&self) -> String {
        let [.., brief] = self.limit.phrases();
        self.excess_words(brief, ", limit {}")
    }

    /// Fills in the templates for the measured value and for the limit.
    fn excess_words(&self, measured: &str, limit: &str) -> String {
        if self.measured == Nanos::MAX {
            return "some tasks have not run yet".into();
        }
        let [of_setting, allowed] = [self.measured, self.allowed].map(time);
        let words = measured.replace("{}", &of_setting);
        match self.limit {
            Limit::Hitches => words,
            Limit::MeanFrame => words + ", too long for the frame rate",
            _ if of_setting == allowed => words + ", slightly above the limit",
            _ => words + &limit.replace("{}", &allowed),
        }
    }
}

impl Change {
    /// Suggests the change, such as `allow a longest wait of 2.3 s instead of 2 s` or `use at most about 1,700 entities`.
    pub fn words(&self) -> String {
        match self {
            Self::Entities(count) => {
                format!("use at most about {}", counted((*count).into(), "entity"))
            }
            Self::Relax(broken) => {
                let [_, allowed, _] = broken.limit.phrases();
                let to = allowed.replace("{}", &time(broken.relaxed()));
                if broken.limit.is_about_frame_rate() {
                    format!("allow {to}")
                } else {
                    format!("allow {to} instead of {}", time(broken.allowed))
                }
            }
        }
    }
}

/// Describes the range of knob values around `present` with the same best strategy, and what is best beyond it, such as
/// `best from 20 to about 1,900 entities; above, no strategy keeps all limits`. `None` if no range contains `present`.
pub fn range_words(ranges: &[Range], over: &Knob, present: f64) -> Option<String> {
    let at = ranges
        .iter()
        .position(|it| (it.from..=it.to).contains(&present))?;
    let (below, own) = (at.checked_sub(1).map(|below| &ranges[below]), &ranges[at]);
    let above = ranges.get(at + 1);
    let from = below.map_or_else(
        || format::knob(over, own.from),
        |below| about(over, below.to, own.from),
    );
    let to = above.map_or_else(
        || format::knob(over, own.to),
        |above| about(over, own.to, above.from),
    );
    let what = match own.strategy {
        Some(_) => "best",
        None => "no strategy keeps all limits",
    };
    let mut words = if *over == ENTITIES {
        format!("{what} from {from} to {to} entities")
    } else {
        format!(
            "{what} for {} from {from} to {to}",
            over.label.to_lowercase()
        )
    };
    let beyond = |range: &Range| {
        let none = "no strategy keeps all limits".to_owned();
        range
            .strategy
            .map_or(none, |it| format!("{} is best", it.name))
    };
    let below = ranges[..at].iter().rev().map(beyond);
    let above = ranges[at + 1..].iter().map(beyond);
    for (side, ranges) in [
        ("below", below.collect()),
        ("above", above.collect::<Vec<_>>()),
    ] {
        if !ranges.is_empty() {
            words = format!("{words}; {side}, {}", ranges.join(", then "));
        }
    }
    let broken = own.first_broken.map(|it| it.brief());
    let broken = broken.map(|brief| format!("; first limit to break: {brief}"));
    Some(words + &broken.unwrap_or_default())
}

/// Says at which value of the knob a strategy first fails to keep the limits, above the present value. Returns `None` if
/// it already fails now, or if it keeps the limits at all values.
pub fn failure_words(columns: &[Column], over: &Knob, present: f64, lane: usize) -> Option<String> {
    let mut last = None;
    for column in columns.iter().filter(|it| it.value >= present) {
        let choice = column.recommendation.choices.get(lane)?;
        let Some(broken) = choice.broken_briefly() else {
            last = Some(column.value);
            continue;
        };
        let at = about(over, last?, column.value);
        return Some(if *over == ENTITIES {
            format!("fails from {at} entities: {broken}")
        } else {
            format!(
                "fails at a {} from {at}: {broken}",
                over.label.to_lowercase()
            )
        });
    }
    None
}

/// Formats the border between two tried values of a knob.
fn about(knob: &Knob, one: f64, other: f64) -> String {
    format!("about {}", format::knob(knob, between(one, other)))
}

#[cfg(test)]
mod tests;
