//! Searches for the best settings for the user's game while the Compare view is on screen. Also searches for the
//! crossovers, which are the knob values at which the best strategy changes. The search runs on background threads,
//! except in a browser, where it takes a fraction of each frame's time.

use super::game_limits::GameLimits;
use crate::app::platform::{IS_PAGE, in_background};
use headless::io::threads::{run_on_threads, threads};
use headless::judge::{
    Crossovers, Limits, Objective, Plan, Question, Range, Recommendation, Slices, Sweep, Tuned,
};
use headless::sim::lane::Length;
use headless::sim::settings::Settings;
use headless::sim::world::{CHURN, COST, ENTITIES, TARGET_SPEED};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use timeslicer::knob::Knob;
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::BUDGET;
use timeslicer::time::{ClockTime, Nanos, monotonic};

/// In a browser, the search takes a quarter of each frame's time. The search therefore gets more time per frame when
/// frames are slow.
const FRAME_TIME_DIVISOR: u64 = 4;
/// In a browser, the minimum and the maximum time that the search takes from each frame.
const SEARCH_TIME_RANGE: [Nanos; 2] = [Nanos::from_millis(4), Nanos::from_millis(10)];

const RESULT_CHECK_PERIOD: Nanos = Nanos::from_millis(100);

const WORK_REPORT_PERIOD: Nanos = Nanos::SECOND;

/// If the settings change before a search has found anything, the search still continues until it has taken this long.
/// Otherwise, no curves would appear while the user drags a slider.
const MIN_SEARCH_TIME: Nanos = Nanos::SECOND;

/// The maximum number of entities for which settings are tried. With more entities, a trial would need too much memory,
/// and in a browser, starting it would take too long for one frame.
pub const MOST_ENTITIES: f64 = if IS_PAGE { 20_000.0 } else { 100_000.0 };

/// The extent of a search: how many values of each knob to try, and how long to simulate the game with each of them.
#[derive(Clone, Copy)]
struct SweepSize {
    values_per_knob: u32,
    trial_length: Nanos,
}

const FIRST_SWEEP: SweepSize = if IS_PAGE {
    SweepSize::new(5, Nanos::from_millis(1_500))
} else {
    SweepSize::new(7, Nanos::from_secs(2))
};
const FINAL_SWEEP: SweepSize = SweepSize::new(24, Nanos::from_secs(10));
const STILL_IMAGE_SWEEP: SweepSize = SweepSize::new(12, Nanos::from_secs(5));
const CROSSOVER_SWEEP: SweepSize = SweepSize::new(6, Nanos::from_secs(2));

impl SweepSize {
    const fn new(values_per_knob: u32, trial_length: Nanos) -> Self {
        Self {
            values_per_knob,
            trial_length,
        }
    }
}

/// The number of knob values with which the search for crossovers starts. The search then tries values between these.
const FIRST_CROSSOVER_VALUES: u32 = if IS_PAGE { 7 } else { 9 };

/// The knobs that the user can choose for the crossovers chart, each with the range of values that the chart shows. If
/// the current value of a knob is outside its range, the range is extended to include it.
pub static RANGES: [(&Knob, [f64; 2]); 5] = [
    (&ENTITIES, [100.0, 20_000.0]),
    (&COST, [5.0, 1_000.0]),
    (&BUDGET, [0.5, 16.0]),
    (&CHURN, [0.0, 1_000.0]),
    (&TARGET_SPEED, [0.0, 2.0]),
];

/// Searches for the best settings and for the crossovers, and keeps the latest results. Crossovers are the knob values
/// at which the best strategy changes.
pub struct BestSetting {
    pub limits: GameLimits,
    /// The knob to vary in the search for crossovers. If `None`, crossovers are not searched for.
    pub over: Option<&'static Knob>,
    adopted: Option<Adopted>,
    sweep: Search<Question, Sweep, FoundSweep>,
    crossovers: Search<(Question, &'static Knob, [f64; 2]), Crossovers, FoundCrossovers>,
    unreported_work: Option<Work>,
    last_advanced_at: Option<ClockTime>,
}

/// A recommendation that the user has applied. It stays recommended until the user changes a setting or a limit,
/// because a new search might recommend different settings.
struct Adopted {
    trial_settings: Settings,
    applied_settings: Settings,
    limits: Limits,
    objective: Objective,
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

/// The latest curves of the search for the best settings, and the recommendation that follows from them.
struct FoundSweep {
    sweep: Sweep,
    recommendation: Recommendation,
}

pub struct FoundCrossovers {
    pub over: &'static Knob,
    pub limits: Limits,
    pub objective: Objective,
    /// For each value of the knob, in ascending order, the setting with which each strategy performs best.
    pub columns: Vec<(f64, Vec<Option<Tuned>>)>,
    /// The ranges of knob values within which the best strategy stays the same.
    pub ranges: Vec<Range>,
}

impl FoundCrossovers {
    fn of(found: &Crossovers) -> Self {
        let columns = found.columns().into_iter();
        Self {
            over: found.over(),
            limits: found.question().limits,
            objective: found.question().objective,
            columns: columns.map(|it| (it.value, it.tuned())).collect(),
            ranges: found.ranges(),
        }
    }
}

impl BestSetting {
    pub fn new(limits: GameLimits) -> Self {
        Self {
            limits,
            over: None,
            adopted: None,
            sweep: Search::default(),
            crossovers: Search::default(),
            unreported_work: None,
            last_advanced_at: None,
        }
    }
}

impl BestSetting {
    /// Continues the search for the best settings. If `wait_for_results` is true, returns only when there are results.
    /// Waiting is necessary for the `--still` option, which must produce the same image every time.
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

    /// Returns how much time of the current frame each search may take in a browser.
    fn time_per_search(&mut self, search_count: u64) -> Nanos {
        let now = monotonic();
        let frame = now - self.last_advanced_at.replace(now).unwrap_or(now);
        let part = Nanos::from_nanos(frame.as_nanos() / FRAME_TIME_DIVISOR);
        let [least, most] = SEARCH_TIME_RANGE;
        Nanos::from_nanos(part.clamp(least, most).as_nanos() / search_count)
    }

    fn seek(&mut self, settings: &Settings, objective: Objective, wait_for_results: bool) {
        let limits = *self.limits;
        if settings.knobs.get(&ENTITIES) > MOST_ENTITIES {
            (self.adopted, self.sweep, self.crossovers) = Default::default();
            return;
        }
        let new_settings = trial_settings(settings);
        self.adopted = self.adopted.take().filter(|it| {
            it.applied_settings == new_settings && it.limits == limits && it.objective == objective
        });
        let tried = self
            .adopted
            .as_ref()
            .map_or(new_settings, |it| it.trial_settings.clone());
        let question = |size: SweepSize, explains| Question {
            settings: tried.clone(),
            strategies: STRATEGIES.to_vec(),
            length: Length::Time(size.trial_length),
            steps: size.values_per_knob,
            limits,
            objective,
            explains,
        };
        let both = self.sweep.is_running() && self.crossovers.is_running();
        let slice = self.time_per_search(if both { 2 } else { 1 });
        let pace = if wait_for_results {
            SearchPace::AtOnce
        } else {
            SearchPace::Slice(slice)
        };
        let questions = if self.adopted.is_some() {
            self.sweep.questions.clone()
        } else if wait_for_results {
            vec![question(STILL_IMAGE_SWEEP, false)]
        } else {
            vec![question(FIRST_SWEEP, false), question(FINAL_SWEEP, true)]
        };
        let plan = |question: &Question| Sweep::new(question.clone());
        let look = |sweep: &Sweep, _: Option<&FoundSweep>| {
            sweep.has_curves().then(|| FoundSweep {
                sweep: sweep.clone(),
                recommendation: sweep.recommendation(),
            })
        };
        self.sweep.advance(questions, plan, look, pace);

        let shown = RANGES.iter().find(|(knob, _)| Some(*knob) == self.over);
        let Some(&(over, [from, to])) = shown else {
            self.crossovers = Search::default();
            return;
        };
        let now = present(over, settings, &limits);
        let range = [from.min(now), to.max(now)];
        let about = (question(CROSSOVER_SWEEP, false), over, range);
        let plan = |(question, over, range): &(Question, &'static Knob, [f64; 2])| {
            Crossovers::new(question.clone(), over, *range, FIRST_CROSSOVER_VALUES, true)
        };
        // Keep the last crossovers until there are as many new ones, unless the new ones vary a different knob.
        let look = |new: &Crossovers, shown: Option<&FoundCrossovers>| {
            let shown = shown.filter(|it| it.over == new.over());
            let wanted = shown.map_or(1, |it| {
                it.columns.len().min(FIRST_CROSSOVER_VALUES as usize)
            });
            (new.columns().len() >= wanted).then(|| FoundCrossovers::of(new))
        };
        self.crossovers.advance(vec![about], plan, look, pace);
    }

    /// Returns the latest search results, or `None` if there are none yet.
    pub fn sweep(&self) -> Option<&Sweep> {
        self.sweep.result.as_ref().map(|found| &found.sweep)
    }

    /// Returns the current recommendation, or `None` if the search has no results yet.
    pub fn recommendation(&self) -> Option<&Recommendation> {
        self.sweep
            .result
            .as_ref()
            .map(|found| &found.recommendation)
    }

    /// Returns a short text that says why the recommendation is not final, or `None` if it is final.
    pub fn provisional(&self) -> Option<&'static str> {
        let sweep = self.sweep()?;
        let questions = &self.sweep.questions;
        if !questions.contains(sweep.question()) {
            return Some("for the previous settings");
        }
        let is_final = sweep.is_complete() && questions.last() == Some(sweep.question());
        (!is_final).then_some("first estimate")
    }

    /// Returns true if the search has finished and the recommendation was computed for the current settings.
    pub fn is_final(&self) -> bool {
        self.sweep().is_some() && self.provisional().is_none()
    }

    /// Keeps showing the current recommendation after the user has applied it, instead of searching again with the
    /// changed settings. `applied_settings` are the settings that result from applying the recommendation.
    pub fn adopt(&mut self, applied_settings: &Settings, objective: Objective) {
        let Some(found) = &mut self.sweep.result else {
            return;
        };
        let limits = *self.limits;
        self.adopted = Some(Adopted {
            trial_settings: found.sweep.question().settings.clone(),
            applied_settings: trial_settings(applied_settings),
            limits,
            objective,
        });
        if found.recommendation.limits != limits {
            found.sweep.set_limits(limits);
            found.recommendation = found.sweep.recommendation();
            for question in &mut self.sweep.questions {
                question.limits = limits;
            }
        }
    }

    /// Returns the newest crossovers, or `None` if there are none yet or the crossovers chart is hidden.
    pub fn crossovers(&self) -> Option<&FoundCrossovers> {
        self.crossovers.result.as_ref()
    }

    pub fn take_curve_time(&mut self) -> Option<Nanos> {
        self.sweep.time_to_first_result.take()
    }

    /// Returns the range of knob values that the crossovers chart covers, or `None` while the chart is hidden.
    pub fn range(&self) -> Option<[f64; 2]> {
        let (_, _, range) = self.crossovers.questions.first()?;
        Some(*range)
    }

    /// Returns how many knob values the search for crossovers has finished, and how many it has started. Returns `None`
    /// if this search is not running.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let plan = self.crossovers.running.as_ref()?.plan()?;
        Some((plan.columns().len(), plan.planned_count()))
    }

    pub fn is_searching(&self) -> bool {
        self.sweep.is_running() || self.crossovers.is_running()
    }
}

/// Returns the settings that all trials have in common. Settings that every trial replaces are reset to their defaults,
/// so that changing them does not restart the search.
fn trial_settings(settings: &Settings) -> Settings {
    let mut common = Settings {
        strategy: STRATEGIES[0],
        ..settings.clone()
    };
    let is_always_replaced = |knob: &&Knob| {
        let others = STRATEGIES.iter().flat_map(|it| it.own_knobs().skip(1));
        others.into_iter().all(|other| other != *knob)
    };
    let main = STRATEGIES.iter().filter_map(|it| it.main_knob());
    for knob in main.filter(is_always_replaced) {
        common.knobs.set(knob, knob.default);
    }
    common
}

/// Returns the current value of a knob in the crossovers chart. If the game's task time is limited, the chart varies
/// this limit instead of the budget knob. The limit is then returned as the budget knob's value.
pub fn present(over: &Knob, settings: &Settings, limits: &Limits) -> f64 {
    match limits.tasks {
        Some(limit) if *over == BUDGET => limit.as_millis_f64(),
        _ => settings.knobs.get(over),
    }
}

#[derive(Clone, Copy, Debug)]
enum SearchPace {
    /// Run the whole search on all threads before returning.
    AtOnce,
    /// Continue the search in the background. In a browser, search on the calling thread for this long instead.
    Slice(Nanos),
}

/// A search that runs several plans one after another, such as a quick first search and then a thorough one. Each plan
/// (`P`) answers a question (`Q`). A plan's result (`R`) replaces the previous plan's result.
struct Search<Q, P, R> {
    questions: Vec<Q>,
    started_count: usize,
    running: Option<RunningPlan<P>>,
    result: Option<R>,
    time_to_first_result: Option<Nanos>,
}

impl<Q, P, R> Default for Search<Q, P, R> {
    fn default() -> Self {
        Self {
            questions: Vec::new(),
            started_count: 0,
            running: None,
            result: None,
            time_to_first_result: None,
        }
    }
}

impl<Q: PartialEq, P: Plan + Send + 'static, R> Search<Q, P, R> {
    fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Continues the search, or restarts it if `questions` has changed. `create_plan` creates the plan for a question.
    /// `evaluate` computes a new result from the plan and the latest result. If `evaluate` returns `None`, the latest
    /// result is kept.
    fn advance(
        &mut self,
        questions: Vec<Q>,
        create_plan: impl Fn(&Q) -> P,
        evaluate: impl Fn(&P, Option<&R>) -> Option<R>,
        pace: SearchPace,
    ) {
        let now = monotonic();
        if let Some(running) = &mut self.running {
            let slice = match pace {
                SearchPace::AtOnce => Nanos::ZERO,
                SearchPace::Slice(slice) => slice,
            };
            let is_complete = running.advance(now + slice);
            if is_complete || now >= running.displayed_frame + RESULT_CHECK_PERIOD {
                running.displayed_frame = now;
                let plan = running.plan();
                if let Some(found) = plan.and_then(|plan| evaluate(&plan, self.result.as_ref())) {
                    self.result = Some(found);
                    if !std::mem::replace(&mut running.is_shown, true) {
                        self.time_to_first_result = Some(now - running.begun_at);
                    }
                }
            }
            if is_complete {
                self.running = None;
            }
        }
        if self.questions != questions {
            let is_patient =
                |it: &RunningPlan<P>| !it.is_shown && now < it.begun_at + MIN_SEARCH_TIME;
            if self.running.as_ref().is_none_or(|it| !is_patient(it)) {
                (self.questions, self.started_count, self.running) = (questions, 0, None);
            }
        }
        if self.running.is_none()
            && let Some(question) = self.questions.get(self.started_count)
        {
            self.started_count += 1;
            if let SearchPace::AtOnce = pace {
                let done = run_to_completion(create_plan(question));
                self.result = evaluate(&done, None).or(self.result.take());
            } else {
                self.running = Some(RunningPlan::begin(create_plan(question), now));
            }
        }
    }
}

struct RunningPlan<P> {
    plan: Arc<Mutex<P>>,
    /// Becomes true when the plan is complete. Setting it to true earlier stops the plan.
    is_over: Arc<AtomicBool>,
    slices: Slices,
    begun_at: ClockTime,
    displayed_frame: ClockTime,
    is_shown: bool,
}

impl<P: Plan + Send + 'static> RunningPlan<P> {
    fn begin(plan: P, now: ClockTime) -> Self {
        let running = Self {
            plan: Arc::new(Mutex::new(plan)),
            is_over: Arc::default(),
            slices: Slices::default(),
            begun_at: now,
            displayed_frame: now,
            is_shown: false,
        };
        if !IS_PAGE {
            let (plan, is_over) = (running.plan.clone(), running.is_over.clone());
            in_background(move || {
                let threads = threads() - 1; // one thread draws
                run_on_threads(&plan, threads.max(1), &is_over, |_, _| {});
                is_over.store(true, Ordering::Relaxed);
            });
        }
        running
    }

    /// In a browser, works on the plan until the given time. Elsewhere, does no work, because other threads work on the
    /// plan. Returns true if the plan is complete.
    fn advance(&mut self, until: ClockTime) -> bool {
        if !IS_PAGE {
            return self.is_over.load(Ordering::Relaxed);
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
    use timeslicer::knob::KnobValues;

    fn settings(entities: f64) -> Settings {
        Settings {
            knobs: KnobValues::with(&[(&ENTITIES, entities)]),
            ..Settings::default()
        }
    }

    fn advance(found: &mut BestSetting, entities: f64, wait_for_results: bool) {
        found.advance(
            &settings(entities),
            Objective::WeightedMean,
            wait_for_results,
        );
    }

    fn entities_of(found: &BestSetting) -> Option<f64> {
        let question = found.sweep()?.question();
        Some(question.settings.knobs.get(&ENTITIES))
    }

    #[test]
    fn curves_stay_until_those_of_new_settings_are_known() {
        let mut found = CompareState::default().best_setting;
        advance(&mut found, 20.0, false);
        assert!(found.sweep().is_none(), "nothing is known yet");
        while found.sweep().is_none() {
            advance(&mut found, 20.0, false);
        }
        let mut entities = 30.0;
        while entities_of(&found) != Some(40.0) {
            advance(&mut found, entities, false);
            let shown = entities_of(&found).expect("there are always curves");
            assert!(found.sweep().is_some_and(Sweep::has_curves));
            // The slider moves again before these curves are known.
            entities = 40.0;
            assert!([20.0, 30.0, 40.0].contains(&shown));
        }
        advance(&mut found, MOST_ENTITIES + 1.0, false);
        assert!(found.sweep().is_none(), "there is no memory for so many");
    }

    #[test]
    fn crossovers_appear_sweep_by_sweep_and_stay_until_there_are_as_many() {
        let mut found = CompareState::default().best_setting;
        found.over = Some(&COST);
        let count = |found: &BestSetting| found.crossovers().map_or(0, |it| it.columns.len());
        let mut counts = Vec::new();
        while count(&found) < FIRST_CROSSOVER_VALUES as usize {
            advance(&mut found, 10.0, false);
            if let Some((done, all)) = found.progress() {
                assert!(done <= all && all >= FIRST_CROSSOVER_VALUES as usize);
            }
            counts.push(count(&found));
        }
        assert!(counts.is_sorted(), "{counts:?}");
        for _ in 0..20 {
            advance(&mut found, 12.0, false);
            assert!(count(&found) >= FIRST_CROSSOVER_VALUES as usize);
        }
        found.over = None;
        advance(&mut found, 12.0, false);
        assert!(found.crossovers().is_none() && found.progress().is_none());
    }
}
