//! Lets a search ask for trials. A search is an `async` function that awaits the outcomes of its trials, so it reads
//! like the algorithm that it is. The trials themselves are run elsewhere: on threads, or in time slices on a web page.

use super::Question;
use super::limits::Limits;
use super::setting::Setting;
use super::trial::{Outcome, Trial};
use crate::catalog::strategy::StrategyEntry;
use crate::sim::lane::Length;
use crate::sim::settings::Settings;
use std::collections::HashMap;
use std::future::poll_fn;
use std::hash::{Hash, Hasher};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// A simulation that still has to be run.
#[derive(Clone, Debug)]
pub struct Job {
    pub settings: Settings,
    pub length: Length,
    /// If a frame exceeds these limits by far, the trial ends early, and its outcome covers only the time until then.
    /// This saves time, because a search tries many such settings, which take the longest to simulate.
    pub stop_beyond: Option<Limits>,
    /// Whether the work is done only when it is requested ([`Limits::on_request`]).
    pub on_request: bool,
    id: usize,
}

impl Job {
    pub fn trial(&self) -> Trial {
        Trial::new(
            &self.settings,
            self.length,
            self.stop_beyond,
            self.on_request,
        )
    }
}

/// A question that is answered by trials.
pub trait Plan {
    fn work(&self) -> &Work;
}

/// A request for a trial: the strategy, its setting, the seed and the length.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub strategy: &'static StrategyEntry,
    pub setting: Setting,
    /// The number to add to the random seed of the settings.
    pub seed: u64,
    pub length: Length,
    pub stop_beyond: Option<Limits>,
}

impl Request {
    /// Requests a whole trial with the seed of the settings.
    pub fn new(strategy: &'static StrategyEntry, setting: &Setting, length: Length) -> Self {
        Self {
            strategy,
            setting: setting.clone(),
            seed: 0,
            length,
            stop_beyond: None,
        }
    }
}

// Knob values are never NaN.
impl Eq for Request {}

impl Hash for Request {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.strategy.key.hash(state);
        for (knob, value) in &self.setting.values {
            (knob.key, value.to_bits()).hash(state);
        }
        (self.seed, self.length, self.stop_beyond).hash(state);
    }
}

#[derive(Default)]
struct Board {
    /// The trials that have been requested, but not yet handed out by [`Work::next_jobs`].
    requested: Vec<Job>,
    /// The outcomes of all trials, indexed by their ids. `None` until a trial is over.
    outcomes: Vec<Option<Arc<Outcome>>>,
}

/// Runs trials of one workload for a search. A trial that several requests ask for is run only once.
#[derive(Clone)]
pub struct Trials {
    settings: Arc<Settings>,
    on_request: bool,
    board: Arc<Mutex<Board>>,
    ids: Arc<Mutex<HashMap<Request, usize>>>,
}

/// Locks a mutex, even if another thread panicked while holding it, because the data is never left half changed.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Trials {
    pub fn new(question: &Question) -> Self {
        Self {
            settings: Arc::new(question.settings.clone()),
            on_request: question.limits.on_request,
            board: Arc::default(),
            ids: Arc::default(),
        }
    }

    /// Returns a value for trials of another workload, which are run together with these trials.
    pub fn of(&self, settings: Settings) -> Self {
        Self {
            settings: Arc::new(settings),
            on_request: self.on_request,
            board: self.board.clone(),
            ids: Arc::default(),
        }
    }

    /// Runs trials and returns their outcomes, in the order of the requests.
    pub async fn run(&self, requests: &[Request]) -> Vec<Arc<Outcome>> {
        let ids: Vec<usize> = requests.iter().map(|request| self.id(request)).collect();
        poll_fn(|_| {
            let board = lock(&self.board);
            let outcomes = ids.iter().map(|&id| board.outcomes[id].clone());
            outcomes
                .collect::<Option<Vec<_>>>()
                .map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Returns the outcome of a trial, or `None` if it is not over or has not been requested.
    pub fn known(&self, request: &Request) -> Option<Arc<Outcome>> {
        let id = *lock(&self.ids).get(request)?;
        lock(&self.board).outcomes[id].clone()
    }

    /// Returns the id of the requested trial. If the trial is new, adds it to the requested ones. If the work is done
    /// only on request, other strategies are not tried, and their outcome is never known.
    fn id(&self, request: &Request) -> usize {
        let mut board = lock(&self.board);
        *lock(&self.ids).entry(request.clone()).or_insert_with(|| {
            let id = board.outcomes.len();
            if self.on_request && !request.strategy.on_request() {
                board.outcomes.push(Some(Arc::default()));
                return id;
            }
            board.outcomes.push(None);
            let mut settings = request.setting.applied_to(request.strategy, &self.settings);
            settings.seed = settings.seed.wrapping_add(request.seed);
            board.requested.push(Job {
                settings,
                length: request.length,
                stop_beyond: request.stop_beyond,
                on_request: self.on_request,
                id,
            });
            id
        })
    }
}

/// A search and its trials, which run in batches. Each batch depends on the outcomes of earlier ones.
pub struct Work {
    /// `None` once the search is complete.
    search: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    board: Arc<Mutex<Board>>,
}

impl Work {
    pub fn new(trials: &Trials, search: impl Future<Output = ()> + Send + 'static) -> Self {
        Self {
            search: Mutex::new(Some(Box::pin(search))),
            board: trials.board.clone(),
        }
    }

    pub fn is_complete(&self) -> bool {
        lock(&self.search).is_none()
    }

    /// Returns the next batch of trials. The batch is empty if the search is complete. Call this only after all earlier
    /// outcomes have been passed to [`Work::conclude`], because the search goes on as soon as it is polled.
    pub fn next_jobs(&self) -> Vec<Job> {
        let mut context = Context::from_waker(Waker::noop());
        lock(&self.search).take_if(|search| search.as_mut().poll(&mut context).is_ready());
        std::mem::take(&mut lock(&self.board).requested)
    }

    pub fn conclude(&self, job: &Job, outcome: Outcome) {
        lock(&self.board).outcomes[job.id] = Some(Arc::new(outcome));
    }
}

/// Runs several searches side by side, and returns their results in the same order.
pub async fn join_all<F: Future>(searches: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut searches: Vec<Pin<Box<F>>> = searches.into_iter().map(Box::pin).collect();
    let mut results: Vec<Option<F::Output>> = searches.iter().map(|_| None).collect();
    poll_fn(|context| {
        for (search, result) in searches.iter_mut().zip(&mut results) {
            if result.is_none()
                && let Poll::Ready(ready) = search.as_mut().poll(context)
            {
                *result = Some(ready);
            }
        }
        if results.iter().all(Option::is_some) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    results.into_iter().flatten().collect()
}
