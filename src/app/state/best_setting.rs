//! The best setting for the user's game, and the crossovers: sought while Compare is on screen, on other threads, or on a
//! page in a part of each frame's time.

use super::game_limits::GameLimits;
use crate::app::platform::{IS_PAGE, in_background};
use headless::experiment::sweep::{
    Answer, Crossovers, Goal, Limits, Plan, Question, Range, Slices, Sweep, Tuned,
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

/// Part of a frame's time on a page that trials may take: a quarter, but at least the first and at most the second time.
/// A display of 60 Hz leaves them 4 ms; if drawing is slow, they take more of the longer frames.
const FRAME_PARTS: u64 = 4;
const SLICE: [Nanos; 2] = [Nanos::from_millis(4), Nanos::from_millis(10)];

/// Time between looks at the results of other threads.
const LOOK: Nanos = Nanos::from_millis(100);

/// Time between reports of the work.
const REPORTED: Nanos = Nanos::SECOND;

/// A sweep that has no curves yet is finished before one with newer settings begins, unless it takes longer than this. So
/// curves appear while a slider is dragged.
const PATIENCE: Nanos = Nanos::SECOND;

/// Most entities of a trial. More would need memory that the lanes on screen may have taken already, and on a page, too much
/// of a frame's time: a trial with 100,000 entities begins in a single step.
pub const MOST_ENTITIES: f64 = if IS_PAGE { 20_000.0 } else { 100_000.0 };

/// Number of values of each main knob, and length of a trial: for the first curves, which are known within a second at 2,000
/// entities; for a picture that waits for them; for the answer; and for crossovers.
const QUICK: (u32, Nanos) = if IS_PAGE {
    (5, Nanos::from_millis(1_500))
} else {
    (7, Nanos::from_secs(2))
};
const STILL: (u32, Nanos) = (12, Nanos::from_secs(5));
const FULL: (u32, Nanos) = (24, Nanos::from_secs(10));
const CROSSING: (u32, Nanos) = (6, Nanos::from_secs(2));

/// Number of values at which crossovers are sought at first.
const COLUMNS: u32 = if IS_PAGE { 7 } else { 9 };

/// The knobs of the crossovers, and the values between which they are sought. The present value is always among them.
pub static RANGES: [(&Knob, [f64; 2]); 5] = [
    (&ENTITIES, [100.0, 20_000.0]),
    (&COST, [5.0, 1_000.0]),
    (&BUDGET, [0.5, 16.0]),
    (&CHURN, [0.0, 1_000.0]),
    (&TARGET_SPEED, [0.0, 2.0]),
];

/// What is sought for the user's game, and what was found.
pub struct BestSetting {
    pub limits: GameLimits,
    /// The knob over which crossovers are sought; `None` while they are not shown.
    pub over: Option<&'static Knob>,
    adopted: Option<Adopted>,
    sweep: Search<Question, Sweep, FoundSweep>,
    crossovers: Search<(Question, &'static Knob, [f64; 2]), Crossovers, FoundCrossovers>,
    /// The work since the last report of it.
    work: Option<Work>,
    /// When the search last continued.
    last_frame: Option<ClockTime>,
}

/// An answer of which the user has set something. It stays until something else changes: strategies share knobs, so trials
/// with the new settings could end with another answer, and nothing that is set would ever be the best.
struct Adopted {
    /// Settings of the trials.
    tried: Settings,
    /// What is set since.
    settings: Settings,
    limits: Limits,
    goal: Goal,
}

/// Time that the searches take from the thread that draws the window.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    since: ClockTime,
    /// Time of all frames.
    pub time: Nanos,
    /// The longest time of a frame.
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

/// A sweep whose curves are known.
struct FoundSweep {
    sweep: Sweep,
    answer: Answer,
}

/// Crossovers, as far as they are known.
pub struct FoundCrossovers {
    pub over: &'static Knob,
    pub limits: Limits,
    pub goal: Goal,
    /// Values of the knob, in order, with the best setting of each strategy there.
    pub columns: Vec<(f64, Vec<Option<Tuned>>)>,
    /// Who is best where.
    pub ranges: Vec<Range>,
}

impl FoundCrossovers {
    fn of(found: &Crossovers) -> Self {
        let columns = found.columns().into_iter();
        Self {
            over: found.over(),
            limits: found.question().limits,
            goal: found.question().goal,
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
    /// Continues the search for these settings. With `waits`, the first results are complete on return, for a picture that
    /// is always the same.
    pub fn advance(&mut self, settings: &Settings, goal: Goal, waits: bool) {
        let start = monotonic();
        self.seek(settings, goal, waits);
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

    /// Returns the time that each of this many searches may take from this frame of a page.
    fn slice(&mut self, searches: u64) -> Nanos {
        let now = monotonic();
        let frame = now - self.last_frame.replace(now).unwrap_or(now);
        let part = Nanos::from_nanos(frame.as_nanos() / FRAME_PARTS);
        let [least, most] = SLICE;
        Nanos::from_nanos(part.clamp(least, most).as_nanos() / searches)
    }

    fn seek(&mut self, settings: &Settings, goal: Goal, waits: bool) {
        let limits = *self.limits;
        if settings.knobs.get(&ENTITIES) > MOST_ENTITIES {
            (self.adopted, self.sweep, self.crossovers) = Default::default();
            return;
        }
        let asked = asked(settings);
        self.adopted = self
            .adopted
            .take()
            .filter(|it| it.settings == asked && it.limits == limits && it.goal == goal);
        let tried = self.adopted.as_ref().map_or(asked, |it| it.tried.clone());
        let question = |(steps, length): (u32, Nanos), explains| Question {
            settings: tried.clone(),
            strategies: STRATEGIES.to_vec(),
            length: Length::Time(length),
            steps,
            limits,
            goal,
            explains,
        };
        let both = self.sweep.is_running() && self.crossovers.is_running();
        let slice = self.slice(if both { 2 } else { 1 });
        let pace = if waits {
            Pace::AtOnce
        } else {
            Pace::Slice(slice)
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
                answer: sweep.answer(),
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
        // The last crossovers stay until the new ones are as many, unless they are over another knob.
        let look = |new: &Crossovers, shown: Option<&FoundCrossovers>| {
            let shown = shown.filter(|it| it.over == new.over());
            let wanted = shown.map_or(1, |it| it.columns.len().min(COLUMNS as usize));
            (new.columns().len() >= wanted).then(|| FoundCrossovers::of(new))
        };
        self.crossovers.advance(vec![about], plan, look, pace);
    }

    /// Returns the newest sweep whose curves are known; `None` before the first.
    pub fn sweep(&self) -> Option<&Sweep> {
        self.sweep.result.as_ref().map(|found| &found.sweep)
    }

    /// Returns the answer of [`sweep`](Self::sweep).
    pub fn answer(&self) -> Option<&Answer> {
        self.sweep.result.as_ref().map(|found| &found.answer)
    }

    /// Says in a few words why the answer is not the final one for the settings of the last call of
    /// [`advance`](Self::advance); `None` if it is.
    pub fn provisional(&self) -> Option<&'static str> {
        let sweep = self.sweep()?;
        let questions = &self.sweep.questions;
        if !questions.contains(sweep.question()) {
            return Some("for the former settings");
        }
        let is_final = sweep.is_complete() && questions.last() == Some(sweep.question());
        (!is_final).then_some("first estimate")
    }

    /// Returns true if the answer is the final one for the settings of the last call of [`advance`](Self::advance).
    pub fn is_final(&self) -> bool {
        self.sweep().is_some() && self.provisional().is_none()
    }

    /// Keeps the answer although something of it has been set: these settings, and the present limits.
    pub fn adopt(&mut self, settings: &Settings, goal: Goal) {
        let Some(found) = &mut self.sweep.result else {
            return;
        };
        let limits = *self.limits;
        self.adopted = Some(Adopted {
            tried: found.sweep.question().settings.clone(),
            settings: asked(settings),
            limits,
            goal,
        });
        if found.answer.limits != limits {
            found.sweep.set_limits(limits);
            found.answer = found.sweep.answer();
            for question in &mut self.sweep.questions {
                question.limits = limits;
            }
        }
    }

    /// Returns the newest crossovers; `None` before the first, and while they are not shown.
    pub fn crossovers(&self) -> Option<&FoundCrossovers> {
        self.crossovers.result.as_ref()
    }

    /// Returns the time that a search took for new curves, once for each.
    pub fn take_time(&mut self) -> Option<Nanos> {
        self.sweep.took.take()
    }

    /// Returns the values of the knob between which crossovers are sought; `None` while they are not shown.
    pub fn range(&self) -> Option<[f64; 2]> {
        let (_, _, range) = self.crossovers.questions.first()?;
        Some(*range)
    }

    /// Returns how many sweeps of the crossovers are complete and how many are planned; `None` unless they are being made.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let plan = self.crossovers.running.as_ref()?.plan()?;
        Some((plan.columns().len(), plan.begun()))
    }

    /// Returns true while trials for the best setting are made.
    pub fn is_searching(&self) -> bool {
        self.sweep.is_running() || self.crossovers.is_running()
    }
}

/// Returns the settings for trials. They have the defaults of what every trial replaces: of the strategy that Grid runs, and
/// of main knobs that no strategy has beside its main knob. So changes of those begin no other search.
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

/// Returns the present value of a knob of the crossovers.
pub fn present(over: &Knob, settings: &Settings, limits: &Limits) -> f64 {
    match limits.tasks {
        Some(limit) if *over == BUDGET => limit.as_millis_f64(),
        _ => settings.knobs.get(over),
    }
}

/// How fast a search continues.
#[derive(Clone, Copy, Debug)]
enum Pace {
    /// To its end, on the calling thread and others.
    AtOnce,
    /// In the background; on a page, for this time of a frame.
    Slice(Nanos),
}

/// A search that answers questions one after another, each more exactly than the last.
struct Search<Q, P, R> {
    questions: Vec<Q>,
    /// Number of questions that were answered, or are being answered.
    begun: usize,
    running: Option<Running<P>>,
    /// The newest result that is worth showing, complete or not.
    result: Option<R>,
    /// Time from the beginning of a plan to its first result, once.
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

    /// Continues with these questions. `plan` returns how to answer one. `look` returns the result of a plan that may not be
    /// complete, if it is worth showing instead of the last one.
    fn advance(
        &mut self,
        questions: Vec<Q>,
        plan: impl Fn(&Q) -> P,
        look: impl Fn(&P, Option<&R>) -> Option<R>,
        pace: Pace,
    ) {
        let now = monotonic();
        if let Some(running) = &mut self.running {
            let slice = match pace {
                Pace::AtOnce => Nanos::ZERO,
                Pace::Slice(slice) => slice,
            };
            let is_complete = running.advance(now + slice);
            if is_complete || now >= running.looked_at + LOOK {
                running.looked_at = now;
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
            if let Pace::AtOnce = pace {
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
    /// Set when the plan is complete, and to end it early.
    is_over: Arc<AtomicBool>,
    slices: Slices,
    begun_at: ClockTime,
    looked_at: ClockTime,
    is_shown: bool,
}

impl<P: Plan + Send + 'static> Running<P> {
    fn begin(plan: P, now: ClockTime) -> Self {
        let running = Self {
            plan: Arc::new(Mutex::new(plan)),
            is_over: Arc::default(),
            slices: Slices::default(),
            begun_at: now,
            looked_at: now,
            is_shown: false,
        };
        if !IS_PAGE {
            let (plan, is_over) = (running.plan.clone(), running.is_over.clone());
            in_background(move || {
                let threads = threads() - 1; // one draws
                run_on_threads(&plan, threads.max(1), &is_over, |_, _| {});
                is_over.store(true, Ordering::Relaxed);
            });
        }
        running
    }

    /// Continues until the clock shows `until`, on a page. Returns true if the plan is complete.
    fn advance(&mut self, until: ClockTime) -> bool {
        if !IS_PAGE {
            return self.is_over.load(Ordering::Relaxed);
        }
        let mut plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        !self.slices.advance(&mut *plan, until)
    }
}

impl<P> Running<P> {
    /// Returns the plan; `None` while another thread uses it, so that no frame waits for it.
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

/// Carries out a plan at once.
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
        found.advance(&settings(entities), Goal::WeightedMean, waits);
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
            // The slider moves on before these curves are known.
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
