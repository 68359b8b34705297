//! Runs the simulations of a plan on background threads or, in a browser, which has none, in slices of each frame.

use crate::app::platform::IS_PAGE;
use lab::cli::threads::{run_on_threads, threads};
use lab::recommend::{Plan, Slices};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};
use timeslicer::time::{ClockTime, Nanos, monotonic};

/// In a browser, the search takes this much time from each frame.
const SLICE: Nanos = Nanos::from_millis(5);

pub struct BackgroundPlan<P> {
    pub plan: Arc<P>,
    stop: Arc<AtomicBool>,
    /// The thread that runs the plan. `None` if the plan runs in slices.
    thread: Option<JoinHandle<()>>,
    slices: Slices,
    pub begun_at: ClockTime,
}

impl<P: Plan + Send + Sync + 'static> BackgroundPlan<P> {
    pub fn begin(plan: P) -> Self {
        let plan = Arc::new(plan);
        let stop = Arc::<AtomicBool>::default();
        let (same_plan, same_stop) = (plan.clone(), stop.clone());
        let run = move || {
            let workers = threads().saturating_sub(1).max(1); // one thread draws
            run_on_threads(&*same_plan, workers, &same_stop, |_, _| {});
        };
        let thread = if IS_PAGE {
            None
        } else {
            Builder::new().spawn(run).ok()
        };
        Self {
            plan,
            stop,
            thread,
            slices: Slices::default(),
            begun_at: monotonic(),
        }
    }

    /// Continues the plan. Call once per frame until the function returns true, which means that the plan is complete.
    ///
    /// # Panics
    /// If the thread that ran the plan has panicked.
    pub fn advance(&mut self) -> bool {
        if let Some(thread) = self.thread.take_if(|thread| thread.is_finished()) {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            return true;
        }
        self.thread.is_none() && !self.slices.advance(&*self.plan, monotonic() + SLICE)
    }
}

impl<P> Drop for BackgroundPlan<P> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
