//! Asks for the best setting for the user's game while the Compare view is on screen, and for the crossovers, which are
//! the knob values at which the best strategy changes. The search runs on background threads, except in a browser,
//! where it takes a fraction of each frame's time.

use super::background_plan::BackgroundPlan;
use super::compare::Chart;
use super::game_limits::GameLimits;
use crate::app::platform::IS_PAGE;
use lab::catalog::knob::Knob;
use lab::catalog::strategy::STRATEGIES;
use lab::catalog::strategy::knobs::BUDGET;
use lab::cli::threads::{run_on_threads, threads};
use lab::measure::Objective;
use lab::recommend::{
    Column, Crossovers, Curve, Limits, OVER, Plan, Question, Range, Recommendation, Sweep,
    has_effect, ranges,
};
use lab::sim::settings::Settings;
use lab::sim::world::ENTITIES;
use std::sync::atomic::AtomicBool;
use timeslicer::time::{ClockTime, Nanos, monotonic};

const RESULT_CHECK_PERIOD: Nanos = Nanos::from_millis(100);

/// A search runs for at least this long, even if settings change, so that answers appear while a slider is dragged.
const MIN_SEARCH_TIME: Nanos = Nanos::from_secs(2);

/// The maximum number of entities for a search. More would need too much memory and, in a browser, too long per frame.
pub const MOST_ENTITIES: f64 = if IS_PAGE { 20_000.0 } else { 100_000.0 };

/// The number of knob values on each curve of the trade-off chart.
const CURVE_STEPS: u32 = if IS_PAGE { 8 } else { 14 };

/// The number of knob values with which the search for crossovers starts. The search then tries values between these.
const FIRST_CROSSOVER_VALUES: u32 = 7;

pub struct BestSetting {
    pub limits: GameLimits,
    pub over: &'static Knob,
    /// The chart on screen. The crossovers are searched for last.
    pub chart: Chart,
    sweep: Search<Question, Sweep, FoundSweep>,
    crossovers: Search<CrossoverQuestion, Crossovers, FoundCrossovers>,
}

/// Whether the recommendation on screen can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Final,
    Searching,
    /// The recommendation is for the previous settings. Others are being tried.
    Outdated,
    /// The crowd is larger than [`MOST_ENTITIES`].
    TooManyEntities,
}

#[derive(Clone, PartialEq)]
struct CrossoverQuestion {
    question: Question,
    over: &'static Knob,
    range: [f64; 2],
    present: f64,
}

struct FoundSweep {
    curves: Vec<Curve>,
    answer: Option<(Question, Recommendation)>,
}

pub struct FoundCrossovers {
    pub over: &'static Knob,
    /// The answer for each value of the knob, in ascending order.
    pub columns: Vec<Column>,
    /// The ranges of knob values within which the best strategy stays the same.
    pub ranges: Vec<Range>,
    pub is_complete: bool,
}

impl BestSetting {
    pub fn new(limits: GameLimits) -> Self {
        Self {
            limits,
            over: &OVER[0].0,
            chart: Chart::TradeOff,
            sweep: Search::default(),
            crossovers: Search::default(),
        }
    }

    /// Continues the search. `--still` sets `wait_for_results`, because its image must be the same every time.
    pub fn advance(&mut self, settings: &Settings, objective: Objective, wait_for_results: bool) {
        if settings.knobs.get(&ENTITIES) > MOST_ENTITIES {
            self.sweep = Search::default();
            self.crossovers = Search::default();
            return;
        }
        if !has_effect(self.over, settings) {
            self.over = &OVER[0].0;
        }
        let question = question(settings, self.limits.in_effect, objective);
        let plan = |question: &Question| Sweep::new(question.clone());
        self.sweep
            .advance(question.clone(), plan, FoundSweep::update, wait_for_results);
        // The answer comes first. The crossovers take longer, so a still image waits for them only if it shows the chart.
        let is_waste = wait_for_results && self.chart != Chart::Crossovers;
        if is_waste || !self.is_final() {
            // Stop the search for crossovers. It is restarted when the answer is final and, in a still image, when the
            // chart is shown.
            (self.crossovers.question, self.crossovers.running) = (None, None);
            return;
        }
        let question = self.crossover_question(question, settings);
        let answer = self.recommendation();
        // Put the answer into the chart, so that both name the same strategy. However, if the chart varies a limit that
        // is turned off, the answer belongs to none of the limit's values.
        let has_answer = *question.over != BUDGET || self.limits.in_effect.tasks.is_some();
        let known = answer.filter(|_| has_answer).map(|answer| Column {
            value: question.present,
            recommendation: answer.clone(),
        });
        let plan = |asked: &CrossoverQuestion| {
            Crossovers::new(
                asked.question.clone(),
                asked.over,
                asked.range,
                FIRST_CROSSOVER_VALUES,
                known.clone(),
            )
        };
        self.crossovers
            .advance(question, plan, FoundCrossovers::update, wait_for_results);
    }

    fn crossover_question(&self, question: Question, settings: &Settings) -> CrossoverQuestion {
        let present = self.present(settings);
        let charted = OVER.iter().find(|(knob, _)| knob == self.over);
        let [from, to] = charted.map_or([present; 2], |(_, range)| *range);
        CrossoverQuestion {
            question: Question {
                steps: 0,
                explains: false,
                ..question
            },
            over: self.over,
            range: [from.min(present), to.max(present)],
            present,
        }
    }

    /// Returns the value of the knob in the crossovers chart. A limit on task time is varied as if it were the budget.
    pub fn present(&self, settings: &Settings) -> f64 {
        match self.limits.in_effect.tasks {
            Some(limit) if *self.over == BUDGET => limit.as_millis_f64(),
            _ => settings.knobs.get(self.over),
        }
    }

    fn answer(&self) -> Option<&(Question, Recommendation)> {
        self.sweep.result.as_ref()?.answer.as_ref()
    }

    pub fn recommendation(&self) -> Option<&Recommendation> {
        self.answer().map(|(_, recommendation)| recommendation)
    }

    /// Returns the curves of the strategies. They are empty until the first trials are over.
    pub fn curves(&self) -> &[Curve] {
        self.sweep
            .result
            .as_ref()
            .map_or(&[], |found| &found.curves)
    }

    pub fn progress(&self) -> Progress {
        let Some(question) = &self.sweep.question else {
            return Progress::TooManyEntities;
        };
        match self.answer() {
            Some((answered, _)) if answered == question => Progress::Final,
            Some(_) => Progress::Outdated,
            None => Progress::Searching,
        }
    }

    pub fn is_final(&self) -> bool {
        self.progress() == Progress::Final
    }

    /// Returns the newest crossovers, or `None` if there are none yet. They may be for previous settings.
    pub fn crossovers(&self) -> Option<&FoundCrossovers> {
        self.crossovers
            .result
            .as_ref()
            .filter(|found| found.over == self.over)
    }

    /// Returns true unless the crossovers are for previous settings. Incomplete ones are shown while the search runs.
    pub fn shows_current_crossovers(&self) -> bool {
        let is_old =
            |found: &FoundCrossovers| found.is_complete && self.crossovers.running.is_some();
        self.is_final() && !self.crossovers().is_some_and(is_old)
    }

    /// Returns the crossovers if they are complete and for the current settings.
    pub fn final_crossovers(&self) -> Option<&FoundCrossovers> {
        let is_final = self.is_final() && self.crossovers.running.is_none();
        let found = self.crossovers().filter(|found| found.is_complete);
        found.filter(|_| is_final)
    }

    /// Returns the range of knob values that the crossovers chart covers, or `None` if it is not known yet.
    pub fn crossover_range(&self) -> Option<[f64; 2]> {
        Some(self.crossovers.question.as_ref()?.range)
    }

    /// Returns how many knob values the search for crossovers has finished and planned, if it is running.
    pub fn crossover_progress(&self) -> Option<(usize, usize)> {
        let plan = &self.crossovers.running.as_ref()?.plan;
        Some((plan.columns().len(), plan.planned_count()))
    }
}

/// Returns the question that the window asks. The knobs of the strategies have their defaults, because the search varies
/// them. Changing them therefore does not restart the search, and `knobs_to_set` can rely on these defaults.
pub fn question(settings: &Settings, limits: Limits, objective: Objective) -> Question {
    let settings = Settings {
        strategy: STRATEGIES[0],
        ..settings.clone()
    };
    let mut question = Question {
        steps: CURVE_STEPS,
        objective,
        ..Question::new(settings, limits)
    };
    question.settings = question.base();
    question.present = question.settings.knobs.clone();
    question
}

impl FoundSweep {
    fn update(sweep: &Sweep, _is_complete: bool, last: Option<Self>) -> Option<Self> {
        // Drop an answer for zero entities, because it has no setting that can be shown until there is a new answer.
        let last = last.filter(|it| it.answer.as_ref().is_none_or(|(_, it)| it.entities > 0));
        let (question, curves) = (&*sweep.question, sweep.curves());
        let tried: usize = curves.iter().map(Vec::len).sum();
        let answer = sweep.recommendation().map(|it| (question.clone(), it));
        let has_curves = tried == question.curve_settings();
        if answer.is_none() && !has_curves {
            return last;
        }
        // The last answer stays until there is a new one.
        Some(Self {
            answer: answer.or(last.and_then(|it| it.answer)),
            curves,
        })
    }
}

impl FoundCrossovers {
    fn update(plan: &Crossovers, is_complete: bool, last: Option<Self>) -> Option<Self> {
        let columns = plan.columns();
        // Complete crossovers stay until there are complete new ones, unless the new ones vary a different knob.
        let is_shown = |last: &Self| last.over == plan.over && last.is_complete;
        if !is_complete && (columns.is_empty() || last.as_ref().is_some_and(is_shown)) {
            return last;
        }
        Some(Self {
            over: plan.over,
            ranges: ranges(&columns, plan.present),
            columns,
            is_complete,
        })
    }
}

/// A plan (`P`) that answers a question (`Q`), and its result (`R`), which is kept until a new question has a result.
struct Search<Q, P, R> {
    question: Option<Q>,
    running: Option<BackgroundPlan<P>>,
    result: Option<R>,
    checked_at: ClockTime,
}

impl<Q, P, R> Default for Search<Q, P, R> {
    fn default() -> Self {
        Self {
            question: None,
            running: None,
            result: None,
            checked_at: ClockTime::START,
        }
    }
}

impl<Q: PartialEq, P: Plan + Send + Sync + 'static, R> Search<Q, P, R> {
    /// Continues the search, or restarts it if the question has changed. `create_plan` creates the plan for a question.
    /// `update` creates a new result from the plan, whether the plan is complete, and the latest result.
    fn advance(
        &mut self,
        question: Q,
        create_plan: impl Fn(&Q) -> P,
        update: impl Fn(&P, bool, Option<R>) -> Option<R>,
        wait_for_results: bool,
    ) {
        let now = monotonic();
        if let Some(running) = &mut self.running {
            let is_complete = running.advance();
            if is_complete || now >= self.checked_at + RESULT_CHECK_PERIOD {
                self.checked_at = now;
                self.result = update(&running.plan, is_complete, self.result.take());
            }
            self.running.take_if(|_| is_complete);
        }
        let is_new = self.question.as_ref() != Some(&question);
        let is_patient = |plan: &BackgroundPlan<P>| now < plan.begun_at + MIN_SEARCH_TIME;
        if is_new && !self.running.as_ref().is_some_and(is_patient) {
            self.running = None;
            let plan = create_plan(self.question.insert(question));
            if wait_for_results {
                run_on_threads(&plan, threads(), &AtomicBool::new(false), |_, _| {});
                self.result = update(&plan, true, self.result.take());
            } else {
                self.running = Some(BackgroundPlan::begin(plan));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::catalog::knob::KnobValues;
    use lab::sim::world::COST;

    fn settings(entities: f64) -> Settings {
        Settings {
            knobs: KnobValues::with(&[(&ENTITIES, entities)]),
            ..Settings::default()
        }
    }

    fn limits() -> Limits {
        Limits {
            tasks: Some(BUDGET.default_span()),
            ..Limits::default()
        }
    }

    fn advance(found: &mut BestSetting, entities: f64) {
        found.advance(&settings(entities), Objective::WeightedMean, false);
    }

    fn answered(found: &BestSetting) -> Option<u32> {
        Some(found.recommendation()?.entities)
    }

    #[test]
    fn the_answer_stays_until_that_for_new_settings_is_known() {
        let mut found = BestSetting::new(GameLimits::new(limits()));
        assert_eq!(found.progress(), Progress::TooManyEntities);
        advance(&mut found, 20.0);
        assert_eq!(
            (answered(&found), found.progress()),
            (None, Progress::Searching)
        );
        while !found.is_final() {
            advance(&mut found, 20.0);
        }
        // The slider moves again, usually before the first answer is known.
        let mut entities = [30, 40].into_iter();
        let mut asked = 20;
        while answered(&found) != Some(40) {
            asked = entities.next().unwrap_or(asked);
            advance(&mut found, asked.into());
            assert!(!found.curves().is_empty());
            let is_answered = answered(&found) == Some(asked);
            let expected = if is_answered {
                Progress::Final
            } else {
                Progress::Outdated
            };
            assert_eq!(found.progress(), expected);
        }
        advance(&mut found, MOST_ENTITIES + 1.0);
        assert_eq!(answered(&found), None, "there is no memory for so many");
    }

    #[test]
    fn settings_of_strategies_do_not_change_the_question() {
        let limits = Limits::default();
        let mut changed = settings(20.0);
        let before = question(&changed, limits, Objective::WeightedMean);
        changed.knobs.set(&BUDGET, 7.0);
        changed.strategy = STRATEGIES[3];
        assert!(question(&changed, limits, Objective::WeightedMean) == before);
        changed.knobs.set(&COST, 70.0);
        assert!(question(&changed, limits, Objective::WeightedMean) != before);
    }

    #[test]
    fn crossovers_appear_after_the_answer_and_column_by_column() {
        let mut found = BestSetting::new(GameLimits::new(limits()));
        found.over = &OVER[1].0;
        let count = |found: &BestSetting| found.crossovers().map_or(0, |it| it.columns.len());
        let mut counts = Vec::new();
        while count(&found) < 4 {
            advance(&mut found, 10.0);
            assert!(found.is_final() || count(&found) == 0);
            if let Some((done, all)) = found.crossover_progress() {
                assert!(done <= all && all >= FIRST_CROSSOVER_VALUES as usize);
            }
            counts.push(count(&found));
        }
        assert!(counts.is_sorted(), "{counts:?}");
        assert!(found.final_crossovers().is_none());
        found.over = &OVER[0].0;
        assert!(found.crossovers().is_none());
    }
}
