//! Searches for the best setting for the user's game, and for the crossovers between strategies, while the Compare view
//! is on screen. The search runs on other threads, or on a page in a fraction of each frame's time.

use super::game_limits::GameLimits;
use crate::app::platform::{IS_PAGE, in_background};
use headless::experiment::sweep::{
    Crossovers, Limits, Objective, Plan, Question, Range, Recommendation, Slices, Sweep, Tuned,
};
use headless::io::threads::{run_on_threads, threads};
use headless::sim::lane::Length;
use headless::sim::settings::Settings;
use headless::sim::world::{CHURN, COST, ENTITIES, TARGET_SPEED};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use timeslicer::knob::Knob;
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::BUDGET;
use timeslicer::time::{ClockTime, Nanos, monotonic};

/// On a page, trials take a quarter of a frame's time. If drawing is slow, frames are longer, so trials get more time,
/// within the bounds of [`SLICE`].
const FRAME_PARTS: u64 = 4;
/// The minimum and the maximum time that trials take from a frame on a page. At 60 Hz, they take the minimum.
const SLICE: [Nanos; 2] = [Nanos::from_millis(4), Nanos::from_millis(10)];

/// The time between checks for results from other threads.
const LOOK: Nanos = Nanos::from_millis(100);

/// The time between log entries about the work of the search.
const REPORTED: Nanos = Nanos::SECOND;

/// If the settings change before a sweep has its first curves, the sweep still continues until it has taken this long,
/// so that curves appear while the user drags a slider.
const PATIENCE: Nanos = Nanos::SECOND;

/// The maximum number of entities in a trial. More would need memory that the lanes on screen may already use. On a
/// page, starting a larger trial would also take too much of a frame's time, because it starts in a single step.
pub const MOST_ENTITIES: f64 = if IS_PAGE { 20_000.0 } else { 100_000.0 };

/// For the first curves: the number of values of each main knob, and the trial length. With 2,000 entities, these
/// curves take less than a second.
const QUICK: (u32, Nanos) = if IS_PAGE {
    (5, Nanos::from_millis(1_500))
} else {
    (7, Nanos::from_secs(2))
};
/// For a still image, which waits for its curves: the number of values of each main knob, and the trial length.
const STILL: (u32, Nanos) = (12, Nanos::from_secs(5));
/// For the final recommendation: the number of values of each main knob, and the trial length.
const FULL: (u32, Nanos) = (24, Nanos::from_secs(10));
/// For crossovers: the number of values of each main knob, and the trial length.
const CROSSING: (u32, Nanos) = (6, Nanos::from_secs(2));

/// The number of knob values at which the search for crossovers starts.
const COLUMNS: u32 = if IS_PAGE { 7 } else { 9 };

/// The knobs that can vary in a search for crossovers, each with its range of values. The range is extended to include
/// the knob's current value.
pub static RANGES: [(&Knob, [f64; 2]); 5] = [
    (&ENTITIES, [100.0, 20_000.0]),
    (&COST, [5.0, 1_000.0]),
    (&BUDGET, [0.5, 16.0]),
    (&CHURN, [0.0, 1_000.0]),
    (&TARGET_SPEED, [0.0, 2.0]),
];

/// The searches for the user's game, and what they have found.
pub struct BestSetting {
    pub limits: GameLimits,
    /// The knob that varies in the search for crossovers; `None` while crossovers are not shown.
    pub over: Option<&'static Knob>,
    adopted: Option<Adopted>,
    sweep: Search<Question, Sweep, FoundSweep>,
    crossovers: Search<(Question, &'static Knob, [f64; 2]), Crossovers, FoundCrossovers>,
    /// The work of the search since it was last reported.
    work: Option<Work>,
    /// The time at which the search last continued.
    last_frame: Option<ClockTime>,
}

/// A recommendation that the user has applied. It stays until something else changes. Otherwise, new trials with the
/// applied settings could recommend something else, because strategies share knobs.
struct Adopted {
    /// The settings that the trials used.
    tried: Settings,
    /// The settings after the recommendation was applied.
    settings: Settings,
    limits: Limits,
    objective: Objective,
}

/// The time that the search takes from the thread that draws the window.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    since: ClockTime,
    /// The total time, summed over all frames.
    pub time: Nanos,
    /// The longest time in a single frame.
    pub longest: Nanos,
}

impl Work {
    fn new(since: ClockTime) -> Self {
        Self {
            since,
            time: Nanos::ZERO,
            longest: Nanos::ZERO,
        }
    }
}

/// A sweep that already has curves, and the recommendation that follows from them.
struct FoundSweep {
    sweep: Sweep,
    recommendation: Recommendation,
}

/// The crossovers that have been found so far.
pub struct FoundCrossovers {
    pub over: &'static Knob,
    pub limits: Limits,
    pub objective: Objective,
    /// The values of the knob in ascending order, each with the best setting of every strategy at that value.
    pub columns: Vec<(f64, Vec<Option<Tuned>>)>,
    /// The ranges of values in which the same strategy is best.
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
            work: None,
            last_frame: None,
        }
    }
}

impl BestSetting {
    /// Continues the search for these settings. If `waits` is true, the first results are complete on return, so that a
    /// still image is always the same.
    pub fn advance(&mut self, settings: &Settings, objective: Objective, waits: bool) {
        let start = monotonic();
        self.seek(settings, objective, waits);
        if !self.is_searching() {
            self.work = None;
            return;
        }
        let time = monotonic() - start;
        let work = self.work.get_or_insert_with(|| Work::new(start));
        work.time += time;
        work.longest = work.longest.max(time);
    }

    /// Returns the work of the last second, once per second while a search is running.
    pub fn take_work(&mut self) -> Option<Work> {
        let is_old = |work: &mut Work| monotonic() >= work.since + REPORTED;
        self.work.take_if(is_old)
    }

    /// Returns how much time of the current frame each of `searches` searches may take on a page.
    fn slice(&mut self, searches: u64) -> Nanos {
        let now = monotonic();
        let frame = now - self.last_frame.replace(now).unwrap_or(now);
        let part = Nanos::from_nanos(frame.as_nanos() / FRAME_PARTS);
        let [least, most] = SLICE;
        Nanos::from_nanos(part.clamp(least, most).as_nanos() / searches)
    }

    fn seek(&mut self, settings: &Settings, objective: Objective, waits: bool) {
        let limits = *self.limits;
        if settings.knobs.get(&ENTITIES) > MOST_ENTITIES {
            (self.adopted, self.sweep, self.crossovers) = Default::default();
            return;
        }
        let asked = asked(settings);
        self.adopted = self
            .adopted
            .take()
            .filter(|it| it.settings == asked && it.limits == limits && it.objective == objective);
        let tried = self.adopted.as_ref().map_or(asked, |it| it.tried.clone());
        let question = |(steps, length): (u32, Nanos), explains| Question {
            settings: tried.clone(),
            strategies: STRATEGIES.to_vec(),
            length: Length::Time(length),
            steps,
            limits,
            objective,
            explains,
        };
        let both = self.sweep.is_running() && self.crossovers.is_running();
        let slice = self.slice(if both { 2 } else { 1 });
        let pace = if waits {
            SearchPace::AtOnce
        } else {
            SearchPace::Slice(slice)
        };
        let questions = if self.adopted.is_some() {
            self.sweep.questions.clone()
        } else if waits {
            vec![question(STILL, false)]
        } else {
            vec![question(QUICK, false), question(FULL, true)]
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
        let about = (question(CROSSING, false), over, range);
        let plan = |(question, over, range): &(Question, &'static Knob, [f64; 2])| {
            Crossovers::new(question.clone(), over, *range, COLUMNS, true)
        };
        // Keep the last crossovers until there are as many new ones, unless the new ones vary another knob.
        let look = |new: &Crossovers, shown: Option<&FoundCrossovers>| {
            let shown = shown.filter(|it| it.over == new.over());
            let wanted = shown.map_or(1, |it| it.columns.len().min(COLUMNS as usize));
            (new.columns().len() >= wanted).then(|| FoundCrossovers::of(new))
        };
        self.crossovers.advance(vec![about], plan, look, pace);
    }

    /// Returns the newest sweep that has curves, or `None` until there is one.
    pub fn sweep(&self) -> Option<&Sweep> {
        self.sweep.result.as_ref().map(|found| &found.sweep)
    }

    /// Returns the recommendation that follows from [`sweep`](Self::sweep).
    pub fn recommendation(&self) -> Option<&Recommendation> {
        self.sweep
            .result
            .as_ref()
            .map(|found| &found.recommendation)
    }

    /// Returns a few words that say why the recommendation is not final for the settings of the last call to
    /// [`advance`](Self::advance), or `None` if it is final.
    pub fn provisional(&self) -> Option<&'static str> {
        let sweep = self.sweep()?;
        let questions = &self.sweep.questions;
        if !questions.contains(sweep.question()) {
            return Some("for the previous settings");
        }
        let is_final = sweep.is_complete() && questions.last() == Some(sweep.question());
        (!is_final).then_some("first estimate")
    }

    /// Returns true if the recommendation is final for the settings of the last call to [`advance`](Self::advance).
    pub fn is_final(&self) -> bool {
        self.sweep().is_some() && self.provisional().is_none()
    }

    /// Keeps the current recommendation after the user has applied some of it. `settings` are the settings after that.
    pub fn adopt(&mut self, settings: &Settings, objective: Objective) {
        let Some(found) = &mut self.sweep.result else {
            return;
        };
        let limits = *self.limits;
        self.adopted = Some(Adopted {
            tried: found.sweep.question().settings.clone(),
            settings: asked(settings),
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

    /// Returns the newest crossovers, or `None` if there are none yet or they are not shown.
    pub fn crossovers(&self) -> Option<&FoundCrossovers> {
        self.crossovers.result.as_ref()
    }

    /// Returns how long a search took to find new curves, once per search.
    pub fn take_time(&mut self) -> Option<Nanos> {
        self.sweep.took.take()
    }

    /// Returns the range of knob values in which crossovers are sought, or `None` while crossovers are not shown.
    pub fn range(&self) -> Option<[f64; 2]> {
        let (_, _, range) = self.crossovers.questions.first()?;
        Some(*range)
    }

    /// Returns how many sweeps for the crossovers are complete and how many have begun, or `None` if none are being
    /// made.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let plan = self.crossovers.running.as_ref()?.plan()?;
        Some((plan.columns().len(), plan.begun()))
    }

    /// Returns true while trials are being made.
    pub fn is_searching(&self) -> bool {
        self.sweep.is_running() || self.crossovers.is_running()
    }
}

/// Returns the settings on which trials are based. The strategy that the Grid view runs, and main knobs that no
/// strategy uses as a secondary knob, are reset to defaults, because every trial replaces them. Changing them therefore
/// does not restart the search.
fn asked(settings: &Settings) -> Settings {
    let mut asked = Settings {
        strategy: STRATEGIES[0],
        ..settings.clone()
    };
    let is_always_replaced = |knob: &&Knob| {
        let others = STRATEGIES.iter().flat_map(|it| it.own_knobs().skip(1));
        others.into_iter().all(|other| other != *knob)
    };
    let main = STRATEGIES.iter().filter_map(|it| it.main_knob());
    for knob in main.filter(is_always_replaced) {
        asked.knobs.set(knob, knob.default);
    }
    asked
}

/// Returns the current value of a knob that crossovers can vary. For the budget, this is the limit on task time, if
/// there is one.
pub fn present(over: &Knob, settings: &Settings, limits: &Limits) -> f64 {
    match limits.tasks {
        Some(limit) if *over == BUDGET => limit.as_millis_f64(),
        _ => settings.knobs.get(over),
    }
}

/// How much work a search does in one call.
#[derive(Clone, Copy, Debug)]
enum SearchPace {
    /// The search runs to its end, on the calling thread and on others.
    AtOnce,
    /// The search continues in the background. On a page, it takes this much of the frame's time instead.
    Slice(Nanos),
}

/// A search that answers questions one after another, each more precisely than the one before.
struct Search<Q, P, R> {
    questions: Vec<Q>,
    /// The number of questions that have been answered or are being answered.
    begun: usize,
    running: Option<Running<P>>,
    /// The newest result that is worth showing, which may be incomplete.
    result: Option<R>,
    /// The time from the start of a plan to its first result; `None` once it has been taken.
    took: Option<Nanos>,
}

impl<Q, P, R> Default for Search<Q, P, R> {
    fn default() -> Self {
        Self {
            questions: Vec::new(),
            begun: 0,
            running: None,
            result: None,
            took: None,
        }
    }
}

impl<Q: PartialEq, P: Plan + Send + 'static, R> Search<Q, P, R> {
    fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Continues with these questions. `plan` creates the plan that answers a question. `look` returns the result of a
    /// plan, which may be incomplete, if it is worth showing instead of the last result.
    fn advance(
        &mut self,
        questions: Vec<Q>,
        plan: impl Fn(&Q) -> P,
        look: impl Fn(&P, Option<&R>) -> Option<R>,
        pace: SearchPace,
    ) {
        let now = monotonic();
        if let Some(running) = &mut self.running {
            let slice = match pace {
                SearchPace::AtOnce => Nanos::ZERO,
                SearchPace::Slice(slice) => slice,
            };
            let is_complete = running.advance(now + slice);
            if is_complete || now >= running.displayed_frame + LOOK {
                running.displayed_frame = now;
                let plan = running.plan();
                if let Some(found) = plan.and_then(|plan| look(&plan, self.result.as_ref())) {
                    self.result = Some(found);
                    if !std::mem::replace(&mut running.is_shown, true) {
                        self.took = Some(now - running.begun_at);
                    }
                }
            }
            if is_complete {
                self.running = None;
            }
        }
        if self.questions != questions {
            let is_patient = |it: &Running<P>| !it.is_shown && now < it.begun_at + PATIENCE;
            if self.running.as_ref().is_none_or(|it| !is_patient(it)) {
                (self.questions, self.begun, self.running) = (questions, 0, None);
            }
        }
        if self.running.is_none()
            && let Some(question) = self.questions.get(self.begun)
        {
            self.begun += 1;
            if let SearchPace::AtOnce = pace {
                let done = completed(plan(question));
                self.result = look(&done, None).or(self.result.take());
            } else {
                self.running = Some(Running::begin(plan(question), now));
            }
        }
    }
}

/// A plan that is being carried out.
struct Running<P> {
    plan: Arc<Mutex<P>>,
    /// True if the plan is complete. Setting it to true stops the plan early.
    is_over: Arc<AtomicBool>,
    slices: Slices,
    begun_at: ClockTime,
    displayed_frame: ClockTime,
    is_shown: bool,
}

impl<P: Plan + Send + 'static> Running<P> {
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

    /// On a page, continues until the clock shows `until`. Returns true if the plan is complete.
    fn advance(&mut self, until: ClockTime) -> bool {
        if !IS_PAGE {
            return self.is_over.load(Ordering::Relaxed);
        }
        let mut plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        !self.slices.advance(&mut *plan, until)
    }
}

impl<P> Running<P> {
    /// Returns the plan, or `None` while another thread uses it, so that no frame has to wait.
    fn plan(&self) -> Option<MutexGuard<'_, P>> {
        match self.plan.try_lock() {
            Ok(plan) => Some(plan),
            Err(TryLockError::Poisoned(plan)) => Some(plan.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl<P> Drop for Running<P> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Carries out a plan and returns it when it is complete.
fn completed<P: Plan + Send>(plan: P) -> P {
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

    fn advance(found: &mut BestSetting, entities: f64, waits: bool) {
        found.advance(&settings(entities), Objective::WeightedMean, waits);
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
        while count(&found) < COLUMNS as usize {
            advance(&mut found, 10.0, false);
            if let Some((done, all)) = found.progress() {
                assert!(done <= all && all >= COLUMNS as usize);
            }
            counts.push(count(&found));
        }
        assert!(counts.is_sorted(), "{counts:?}");
        for _ in 0..20 {
            advance(&mut found, 12.0, false);
            assert!(count(&found) >= COLUMNS as usize);
        }
        found.over = None;
        advance(&mut found, 12.0, false);
        assert!(found.crossovers().is_none() && found.progress().is_none());
    }
}
