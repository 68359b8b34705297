//! A clock that the tests advance.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

#[derive(Clone, Default)]
pub struct Clock(Arc<AtomicU64>);

impl Clock {
    pub fn advance(&self, micros: u64) {
        self.0.fetch_add(micros, Ordering::Relaxed);
    }

    /// Returns a clock for a timeslicer.
    pub fn reader(&self) -> impl FnMut() -> Duration + Send + Sync + 'static {
        let clock = self.clone();
        move || Duration::from_micros(clock.0.load(Ordering::Relaxed))
    }
}
