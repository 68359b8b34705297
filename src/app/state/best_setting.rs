//! The best setting for the user's game, and the crossovers: sought while Compare is on screen, on other threads, or on a
//! page in a part of each frame's time.

use super::game_limits::GameLimits;
use crate::app::platform::{IS_PAGE, in_background};
use headless::experiment::sweep::{
    Crossovers, Goal, Limits, Plan, Question, Slices, Sweep, run_on_threads,
};
use headless::sim::lane::Length;
use headless::sim::settings::Settings;
use headless::sim::world::{CHURN, COST, ENTITIES, TARGET_SPEED};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use timeslicer::knob::Knob;
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::BUDGET;
use timeslicer::time::{ClockTime, Nanos, monotonic};

/// Time of a frame of a page that trials may take.
const SLICE: Nanos = Nanos::from_millis(4);

/// Time between looks at the results of other threads.
const LOOK: Nanos = Nanos::from_millis(100);

/// A sweep that has no curves yet is finished before one with newer settings begins, unless it takes longer than this. So
/// curves appear while a slider is dragged.
const PATIENCE: Nanos = Nanos::SECOND;

/// Most entities of a trial. More would need memory that the lanes on screen may have taken already.
pub const MOST_ENTITIES: f64 = 100_000.0;

/// Number of values of each main knob, and length of a trial: for the first curves, for the answer, and for crossovers.
const QUICK: (u32, Nanos) = if IS_PAGE {
    (8, Nanos::from_secs(3))
} else {
    (12, Nanos::from_secs(5))
};
const FULL: (u32, Nanos) = (24, Nanos::from_secs(10));
const CROSSING: (u32, Nanos) = (8, Nanos::from_secs(3));

/// Number of values at which crossovers are sought at first.
const COLUMNS: u32 = 9;

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
    sweep: Search<Question, Sweep>,
    crossovers: Search<(Question, &'static Knob, [f64; 2]), Crossovers>,
}

impl BestSetting {
    pub fn new(limits: GameLimits) -> Self {
        Self {
            limits,
            over: None,
            sweep: Search::default(),
            crossovers: Search::default(),
        }
    }
}

#[allow(dead_code)] // until the view shows it
impl BestSetting {
    /// Continues the search for these settings. With `waits`, the first results are complete on return, for a picture that
    /// is always the same.
    pub fn advance(&mut self, settings: &Settings, goal: Goal, waits: bool) {
        let limits = *self.limits;
        // Trials replace the strategy that Grid runs.
        let settings = Settings {
            strategy: STRATEGIES[0],
            ..settings.clone()
        };
        if settings.knobs.get(&ENTITIES) > MOST_ENTITIES {
            (self.sweep, self.crossovers) = Default::default();
            return;
        }
        let question = |(steps, length): (u32, Nanos), explains| Question {
            settings: settings.clone(),
            strategies: STRATEGIES.to_vec(),
            length: Length::Time(length),
            steps,
            limits,
            goal,
            explains,
        };
        let mut questions = vec![question(QUICK, false), question(FULL, true)];
        questions.truncate(if waits { 1 } else { 2 });
        let plan = |question: &Question| Sweep::new(question.clone());
        self.sweep
            .advance(questions, plan, Sweep::has_curves, waits);

        let shown = RANGES.iter().find(|(knob, _)| Some(*knob) == self.over);
        let Some(&(over, [from, to])) = shown else {
            self.crossovers = Search::default();
            return;
        };
        let now = present(over, &settings, &limits);
        let range = [from.min(now), to.max(now)];
        let about = (question(CROSSING, false), over, range);
        let plan = |(question, over, range): &(Question, &'static Knob, [f64; 2])| {
            Crossovers::new(question.clone(), over, *range, COLUMNS, true)
        };
        let is_ready = |found: &Crossovers| found.columns().len() >= COLUMNS as usize;
        self.crossovers.advance(vec![about], plan, is_ready, waits);
    }

    /// Returns the newest sweep whose curves are known; `None` before the first.
    pub fn sweep(&self) -> Option<&Sweep> {
        self.sweep.result.as_ref()
    }

    /// Returns the newest crossovers; `None` before the first, and while they are not shown.
    pub fn crossovers(&self) -> Option<&Crossovers> {
        self.crossovers.result.as_ref()
    }

    /// Returns true while trials are made.
    pub fn is_searching(&self) -> bool {
        self.sweep.running.is_some() || self.crossovers.running.is_some()
    }
}

/// Returns the present value of a knob of the crossovers.
pub fn present(over: &Knob, settings: &Settings, limits: &Limits) -> f64 {
    match limits.tasks {
        Some(limit) if *over == BUDGET => limit.as_millis_f64(),
        _ => settings.knobs.get(over),
    }
}

/// A search that answers questions one after another, each more exactly than the last.
struct Search<Q, P> {
    questions: Vec<Q>,
    /// Number of questions that were answered, or are being answered.
    begun: usize,
    running: Option<Running<P>>,
    /// The newest plan that is worth showing, complete or not.
    result: Option<P>,
}

impl<Q, P> Default for Search<Q, P> {
    fn default() -> Self {
        Self {
            questions: Vec::new(),
            begun: 0,
            running: None,
            result: None,
        }
    }
}

impl<Q: PartialEq, P: Plan + Clone + Send + 'static> Search<Q, P> {
    /// Continues with these questions. `plan` returns how to answer one, and `is_ready` whether a plan that is not complete
    /// is worth showing.
    fn advance(
        &mut self,
        questions: Vec<Q>,
        plan: impl Fn(&Q) -> P,
        is_ready: impl Fn(&P) -> bool,
        waits: bool,
    ) {
        let now = monotonic();
        if let Some(running) = &mut self.running {
            let is_complete = running.advance(now);
            if is_complete || now >= running.looked_at + LOOK {
                running.looked_at = now;
                let found = running.plan();
                if is_complete || is_ready(&found) {
                    self.result = Some(found);
                    running.is_shown = true;
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
            if waits {
                self.result = Some(completed(plan(question)));
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

impl<P: Plan + Clone + Send + 'static> Running<P> {
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

    /// Continues on a page. Returns true if the plan is complete.
    fn advance(&mut self, now: ClockTime) -> bool {
        if !IS_PAGE {
            return self.is_over.load(Ordering::Relaxed);
        }
        let mut plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        !self.slices.advance(&mut *plan, now + SLICE)
    }

    fn plan(&self) -> P {
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        plan.clone()
    }
}

impl<P> Drop for Running<P> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn threads() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

/// Carries out a plan at once.
fn completed<P: Plan + Send>(plan: P) -> P {
    let plan = Mutex::new(plan);
    run_on_threads(&plan, threads(), &AtomicBool::new(false), |_, _| {});
    plan.into_inner().unwrap_or_else(PoisonError::into_inner)
}
