//! Asks for the best setting for the user's game while the Compare view is on screen, and for the crossovers, which are
//! the knob values at which the best strategy changes. The search runs on background threads, except in a browser,
//! where it takes a fraction of each frame's time.

use super::game_limits::GameLimits;
use crate::app::platform::{IS_PAGE, in_background};
use lab::catalog::knob::Knob;
use lab::catalog::strategy::STRATEGIES;
use lab::catalog::strategy::knobs::BUDGET;
use lab::cli::threads::{run_on_threads, threads};
use lab::judge::{
    Column, Crossovers, Curve, Findings, Limits, Objective, Plan, Question, Range, Recommendation,
    Slices, Sweep, ranges,
};
use lab::sim::settings::Settings;
use lab::sim::world::{CHURN, COST, ENTITIES, TARGET_SPEED};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use timeslicer::time::{ClockTime, Nanos, monotonic};

/// In a browser, the search takes a quarter of each frame's time. The search therefore gets more time per frame when
/// frames are slow.
const FRAME_TIME_DIVISOR: u64 = 4;
/// In a browser, the minimum and the maximum time that the search takes from each frame.
const SEARCH_TIME_RANGE: [Nanos; 2] = [Nanos::from_millis(4), Nanos::from_millis(10)];

const RESULT_CHECK_PERIOD: Nanos = Nanos::from_millis(100);

const WORK_REPORT_PERIOD: Nanos = Nanos::SECOND;

/// If the settings change before a search has an answer, the search still continues until it has taken this long.
/// Otherwise, no answer would appear while the user drags a slider.
const MIN_SEARCH_TIME: Nanos = Nanos::from_secs(2);

/// The maximum number of entities for which settings are tried. With more entities, a trial would need too much memory,
/// and in a browser, starting it would take too long for one frame.
pub const MOST_ENTITIES: f64 = if IS_PAGE { 20_000.0 } else { 100_000.0 };

/// The number of knob values on each curve of the trade-off chart.
const CURVE_STEPS: u32 = if IS_PAGE { 8 } else { 14 };

/// The number of knob values with which the search for crossovers starts. The search then tries values between these.
const FIRST_CROSSOVER_VALUES: u32 = 7;

/// The knobs that the user can choose for the crossovers chart, each with the range of values that the chart shows. If
/// the current value of a knob is outside its range, the range is extended to include it.
pub static RANGES: [(&Knob, [f64; 2]); 5] = [
    (&ENTITIES, [20.0, 20_000.0]),
    (&COST, [5.0, 1_000.0]),
    (&BUDGET, [0.5, 16.0]),
    (&CHURN, [0.0, 1_000.0]),
    (&TARGET_SPEED, [0.0, 2.0]),
];

/// Searches for the best setting and for the crossovers, and keeps the latest answers.
pub struct BestSetting {
    pub limits: GameLimits,
    /// The knob to vary in the search for crossovers.
    pub over: &'static Knob,
    /// Whether the crossovers chart is on screen.
    pub shows_crossovers: bool,
    sweep: Search<Question, Sweep, FoundSweep>,
    crossovers: Search<CrossoverQuestion, Crossovers, FoundCrossovers>,
    unreported_work: Option<Work>,
    /// The last result of [`BestSetting::take_new_answer`].
    last_answer: Option<String>,
    last_advanced_at: Option<ClockTime>,
}

/// Whether the recommendation on screen can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The recommendation answers the current question.
    Final,
    /// There is no recommendation yet.
    Searching,
    /// The recommendation is for the previous settings. Others are being tried.
    Outdated,
    /// The search has ended because of an error in the program.
    Failed,
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

/// How much time the search has taken on the thread that draws the window.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    since: ClockTime,
    pub total_time: Nanos,
    pub longest_slice: Nanos,
}

impl Work {
    fn new(since: ClockTime) -> Self {
        Self {
            since,
            total_time: Nanos::ZERO,
            longest_slice: Nanos::ZERO,
        }
    }
}

/// The latest curves, and the latest recommendation.
struct FoundSweep {
    curves_of: Question,
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
            over: RANGES[0].0,
            shows_crossovers: true,
            sweep: Search::default(),
            crossovers: Search::default(),
            unreported_work: None,
            last_answer: None,
            last_advanced_at: None,
        }
    }

    /// Continues the search. If `wait_for_results` is true, returns only when there are results. Waiting is necessary
    /// for the `--still` option, which must produce the same image every time.
    pub fn advance(&mut self, settings: &Settings, objective: Objective, wait_for_results: bool) {
        let start = monotonic();
        self.seek(settings, objective, wait_for_results);
        if !self.is_searching() {
            self.unreported_work = None;
            return;
        }
        let time = monotonic() - start;
        let work = self.unreported_work.get_or_insert_with(|| Work::new(start));
        work.total_time += time;
        work.longest_slice = work.longest_slice.max(time);
    }

    /// Returns how much time the search has taken since the last report. Returns `None` if it is too early for a
    /// report, or if no search is running.
    pub fn take_work(&mut self) -> Option<Work> {
        let is_old = |work: &mut Work| monotonic() >= work.since + WORK_REPORT_PERIOD;
        self.unreported_work.take_if(is_old)
    }

    /// Returns how much time of the current frame the search may take in a browser.
    fn time_slice(&mut self) -> Nanos {
        let now = monotonic();
        let frame = now - self.last_advanced_at.replace(now).unwrap_or(now);
        let part = Nanos::from_nanos(frame.as_nanos() / FRAME_TIME_DIVISOR);
        let [least, most] = SEARCH_TIME_RANGE;
        part.clamp(least, most)
    }

    fn seek(&mut self, settings: &Settings, objective: Objective, wait_for_results: bool) {
        if settings.knobs.get(&ENTITIES) > MOST_ENTITIES {
            (self.sweep, self.crossovers) = Default::default();
            return;
        }
        let question = question(settings, *self.limits, objective);
        let pace = if wait_for_results {
            SearchPace::AtOnce
        } else {
            SearchPace::Slice(self.time_slice())
        };
        let plan = |question: &Question| Sweep::new(question.clone());
        self.sweep
            .advance(question.clone(), plan, FoundSweep::update, pace);
        // The answer comes first. The crossovers take longer, so a still image waits for them only if it shows the chart.
        let is_waste = wait_for_results && !self.shows_crossovers;
        if is_waste || self.progress() != Progress::Final {
            self.crossovers.pause();
            return;
        }
        let range = RANGES.iter().find(|(knob, _)| *knob == self.over);
        let Some(&(over, [from, to])) = range else {
            return;
        };
        let present = present(over, settings, &self.limits);
        let about = CrossoverQuestion {
            question: Question {
                steps: 0,
                explains: false,
                ..question
            },
            over,
            range: [from.min(present), to.max(present)],
            present,
        };
        // The chart names the same strategy as the answer, so it contains the answer. If it varies a limit that is off, no
        // value of that limit has this answer.
        let has_answer = *over != BUDGET || self.limits.tasks.is_some();
        let answer = self.sweep.result.as_ref().filter(|_| has_answer);
        let answer = answer.and_then(|it| it.answer.as_ref());
        let plan = |it: &CrossoverQuestion| {
            let known = answer.map(|(_, recommendation)| Column {
                value: it.present,
                recommendation: recommendation.clone(),
            });
            let values = (FIRST_CROSSOVER_VALUES, known);
            Crossovers::new(it.question.clone(), it.over, it.range, values, true)
        };
        self.crossovers
            .advance(about, plan, FoundCrossovers::update, pace);
    }

    /// Returns the latest recommendation, or `None` if there is none yet.
    pub fn recommendation(&self) -> Option<&Recommendation> {
        let (_, recommendation) = self.sweep.result.as_ref()?.answer.as_ref()?;
        Some(recommendation)
    }

    /// Returns the curves of the strategies. They are empty until the first trials are over.
    pub fn curves(&self) -> &[Curve] {
        self.sweep
            .result
            .as_ref()
            .map_or(&[], |found| &found.curves)
    }

    /// Returns the settings of the trials on the curves.
    pub fn curve_settings(&self) -> Option<&Settings> {
        Some(&self.sweep.result.as_ref()?.curves_of.settings)
    }

    pub fn progress(&self) -> Progress {
        let Some(question) = &self.sweep.question else {
            return Progress::TooManyEntities;
        };
        let answer = self.sweep.result.as_ref().and_then(|it| it.answer.as_ref());
        match answer {
            Some((answered, _)) if answered == question => Progress::Final,
            _ if self.sweep.has_failed => Progress::Failed,
            Some(_) => Progress::Outdated,
            None => Progress::Searching,
        }
    }

    /// Returns true if the recommendation is for the current settings.
    pub fn is_final(&self) -> bool {
        self.progress() == Progress::Final
    }

    /// Returns the newest crossovers, or `None` if there are none yet. They may be for previous settings.
    pub fn crossovers(&self) -> Option<&FoundCrossovers> {
        self.crossovers
            .result
            .as_ref()
            .filter(|it| it.over == self.over)
    }

    /// Returns true if the search for crossovers has ended because of an error in the program.
    pub fn crossovers_have_failed(&self) -> bool {
        self.crossovers.has_failed
    }

    /// Returns true if the crossovers are complete and for the current settings.
    pub fn has_final_crossovers(&self) -> bool {
        self.is_final()
            && self.crossovers.running.is_none()
            && self.crossovers().is_some_and(|it| it.is_complete)
    }

    /// Returns the range of knob values that the crossovers chart covers, or `None` if it is not known yet.
    pub fn crossover_range(&self) -> Option<[f64; 2]> {
        Some(self.crossovers.question.as_ref()?.range)
    }

    /// Returns how many knob values the search for crossovers has finished, and how many it has planned. Returns `None`
    /// if this search is not running.
    pub fn crossover_progress(&self) -> Option<(usize, usize)> {
        let plan = self.crossovers.running.as_ref()?.plan()?;
        Some((plan.columns().len(), plan.planned_count()))
    }

    /// Returns the recommended setting as flags, such as `weighted-share --budget-ms 3 --expire-s 0.9`, or `nothing`. Returns
    /// `None` if it is not final, or has been returned before.
    pub fn take_new_answer(&mut self) -> Option<String> {
        if !self.is_final() {
            return None;
        }
        let best = self.recommendation()?.best();
        let words = best.map_or_else(
            || "nothing".to_owned(),
            |best| {
                let flags = best.setting.flags();
                let flags = flags.map(|(name, value)| format!("--{name} {value}"));
                let words: Vec<String> = [best.strategy.key.to_owned()]
                    .into_iter()
                    .chain(flags)
                    .collect();
                words.join(" ")
            },
        );
        let is_new = self.last_answer.as_ref() != Some(&words);
        is_new.then(|| self.last_answer.insert(words).clone())
    }

    pub fn take_answer_time(&mut self) -> Option<Nanos> {
        self.sweep.answered_after.take()
    }

    pub fn is_searching(&self) -> bool {
        self.sweep.is_running() || self.crossovers.is_running()
    }
}

/// Returns the question that the window asks. The knobs of the strategies have their defaults, because the search varies
/// them. Changing them therefore does not restart the search.
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

/// Returns the current value of a knob in the crossovers chart. If the game's task time is limited, the chart varies
/// this limit instead of the budget knob. The limit is then returned as the budget knob's value.
pub fn present(over: &Knob, settings: &Settings, limits: &Limits) -> f64 {
    match limits.tasks {
        Some(limit) if *over == BUDGET => limit.as_millis_f64(),
        _ => settings.knobs.get(over),
    }
}

impl FoundSweep {
    fn update(sweep: &Sweep, _is_complete: bool, last: Option<Self>) -> Option<Self> {
        // Without entities, there is no setting to show until there is a new answer.
        let last = last.filter(|it| it.answer.as_ref().is_none_or(|(_, it)| it.entities > 0));
        let Findings {
            curves,
            recommendation,
        } = sweep.findings();
        let question = sweep.question();
        let tried: usize = curves.iter().map(|curve| curve.points.len()).sum();
        let answer = recommendation.map(|it| (question.clone(), it));
        let has_curves = tried == question.curve_settings();
        if answer.is_none() && !has_curves {
            return last;
        }
        // The last answer stays until there is a new one.
        Some(Self {
            answer: answer.or(last.and_then(|it| it.answer)),
            curves_of: question.clone(),
            curves,
        })
    }
}

impl FoundCrossovers {
    fn update(plan: &Crossovers, is_complete: bool, last: Option<Self>) -> Option<Self> {
        let columns = plan.columns();
        // The last crossovers stay until there are as many new ones, unless the new ones vary a different knob.
        let shown = last
            .as_ref()
            .filter(|it| it.over == plan.over() && it.is_complete);
        let wanted = shown.map_or(1, |it| {
            it.columns.len().min(FIRST_CROSSOVER_VALUES as usize)
        });
        if columns.len() < wanted && !is_complete {
            return last;
        }
        Some(Self {
            over: plan.over(),
            ranges: ranges(&columns, plan.present()),
            columns,
            is_complete,
        })
    }
}

#[derive(Clone, Copy, Debug)]
enum SearchPace {
    /// Run the whole search on all threads before returning.
    AtOnce,
    /// Continue the search in the background. In a browser, search on the calling thread for this long instead.
    Slice(Nanos),
}

/// A plan (`P`) that answers a question (`Q`), and its result (`R`). A new question replaces the plan, but the old result
/// stays until there is a new one.
struct Search<Q, P, R> {
    question: Option<Q>,
    running: Option<RunningPlan<P>>,
    result: Option<R>,
    /// Whether the last plan ended because of a panic.
    has_failed: bool,
    answered_after: Option<Nanos>,
}

impl<Q, P, R> Default for Search<Q, P, R> {
    fn default() -> Self {
        Self {
            question: None,
            running: None,
            result: None,
            has_failed: false,
            answered_after: None,
        }
    }
}

impl<Q, P, R> Search<Q, P, R> {
    fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Ends the search. It begins again with the next call of [`Search::advance`].
    fn pause(&mut self) {
        (self.question, self.running) = (None, None);
    }
}

impl<Q: PartialEq, P: Plan + Send + 'static, R> Search<Q, P, R> {
    /// Continues the search, or restarts it if the question has changed. `create_plan` creates the plan for a question.
    /// `update` creates a new result from the plan, whether the plan is complete, and the latest result.
    fn advance(
        &mut self,
        question: Q,
        create_plan: impl Fn(&Q) -> P,
        update: impl Fn(&P, bool, Option<R>) -> Option<R>,
        pace: SearchPace,
    ) {
        let now = monotonic();
        if let Some(running) = &mut self.running {
            let slice = match pace {
                SearchPace::AtOnce => Nanos::ZERO,
                SearchPace::Slice(slice) => slice,
            };
            let is_over = running.advance(now + slice);
            if is_over || now >= running.checked_at + RESULT_CHECK_PERIOD {
                running.checked_at = now;
                self.has_failed = is_over && running.has_failed.load(Ordering::Relaxed);
                if let Some(plan) = running.plan() {
                    self.result = update(&plan, is_over && !self.has_failed, self.result.take());
                }
            }
            if is_over {
                self.answered_after = Some(now - running.begun_at);
                self.running = None;
            }
        }
        let is_new = self.question.as_ref() != Some(&question);
        let is_patient = |it: &RunningPlan<P>| now < it.begun_at + MIN_SEARCH_TIME;
        if is_new && !self.running.as_ref().is_some_and(is_patient) {
            self.has_failed = false;
            self.running = None;
            let plan = create_plan(self.question.insert(question));
            if let SearchPace::AtOnce = pace {
                let done = run_to_completion(plan);
                self.result = update(&done, true, self.result.take());
            } else {
                self.running = Some(RunningPlan::begin(plan, now));
            }
        }
    }
}

struct RunningPlan<P> {
    plan: Arc<Mutex<P>>,
    /// Becomes true when the plan is complete. Setting it to true earlier stops the plan.
    is_over: Arc<AtomicBool>,
    /// Becomes true if the thread that runs the plan has panicked.
    has_failed: Arc<AtomicBool>,
    slices: Slices,
    begun_at: ClockTime,
    checked_at: ClockTime,
}

impl<P: Plan + Send + 'static> RunningPlan<P> {
    fn begin(plan: P, now: ClockTime) -> Self {
        let running = Self {
            plan: Arc::new(Mutex::new(plan)),
            is_over: Arc::default(),
            has_failed: Arc::default(),
            slices: Slices::default(),
            begun_at: now,
            checked_at: now,
        };
        if !IS_PAGE {
            let (plan, is_over) = (running.plan.clone(), running.is_over.clone());
            let has_failed = running.has_failed.clone();
            in_background(move || {
                let threads = threads() - 1; // one thread draws
                let run = || run_on_threads(&plan, threads.max(1), &is_over, |_, _| {});
                let has_panicked = catch_unwind(AssertUnwindSafe(run)).is_err();
                has_failed.store(has_panicked, Ordering::Relaxed);
                is_over.store(true, Ordering::Release);
            });
        }
        running
    }

    /// In a browser, works on the plan until the given time. Elsewhere, does no work, because other threads work on the
    /// plan. Returns true if the plan is complete.
    fn advance(&mut self, until: ClockTime) -> bool {
        if !IS_PAGE {
            return self.is_over.load(Ordering::Acquire);
        }
        let mut plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        !self.slices.advance(&mut *plan, until)
    }
}

impl<P> RunningPlan<P> {
    /// Returns the plan, or `None` if another thread is using it. Never waits, because that would delay a frame.
    fn plan(&self) -> Option<MutexGuard<'_, P>> {
        match self.plan.try_lock() {
            Ok(plan) => Some(plan),
            Err(TryLockError::Poisoned(plan)) => Some(plan.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl<P> Drop for RunningPlan<P> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn run_to_completion<P: Plan + Send>(plan: P) -> P {
    let plan = Mutex::new(plan);
    run_on_threads(&plan, threads(), &AtomicBool::new(false), |_, _| {});
    plan.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::compare::CompareState;
    use lab::catalog::knob::KnobValues;
    use lab::judge::{Job, Outcome};

    fn settings(entities: f64) -> Settings {
        Settings {
            knobs: KnobValues::with(&[(&ENTITIES, entities)]),
            ..Settings::default()
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
        let mut found = CompareState::default().best_setting;
        assert_eq!(found.progress(), Progress::TooManyEntities);
        advance(&mut found, 20.0);
        assert_eq!(
            (answered(&found), found.progress()),
            (None, Progress::Searching)
        );
        while !found.is_final() {
            advance(&mut found, 20.0);
        }
        let mut entities = 30.0;
        while answered(&found) != Some(40) {
            advance(&mut found, entities);
            // The slider moves again before the answer is known.
            entities = 40.0;
            assert!(!found.curves().is_empty());
            let is_answered = answered(&found) == Some(entities as u32);
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
        let mut found = CompareState::default().best_setting;
        found.over = RANGES[1].0;
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
        assert!(!found.has_final_crossovers());
        found.over = RANGES[0].0;
        assert!(found.crossovers().is_none());
    }

    /// A plan that fails at once.
    struct Fails;

    impl Plan for Fails {
        fn next_jobs(&mut self) -> Vec<Job> {
            panic!("the search fails, as it should")
        }

        fn conclude(&mut self, _: &Job, _: Outcome) {}
    }

    #[test]
    fn a_search_that_fails_is_over_until_there_is_a_new_question() {
        let mut search = Search::<u32, Fails, u32>::default();
        let mut advance = |question| {
            let pace = SearchPace::Slice(Nanos::ZERO);
            search.advance(question, |_| Fails, |_, _, last| last, pace);
            (search.is_running(), search.has_failed)
        };
        assert_eq!(advance(1), (true, false));
        while advance(1).0 {}
        for _ in 0..3 {
            assert_eq!(advance(1), (false, true));
        }
        assert_eq!(advance(2), (true, false));
    }
}
