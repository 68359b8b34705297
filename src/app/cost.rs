//! What the interface itself costs: processor time of the window's thread, as Linux counts it. It is told in
//! the log when the window closes, so that the README's figure can be had by one command.

use std::fs;
use timeslice_lab::time::Nanos;

/// Where Linux keeps the nanoseconds that this thread has spent on a processor.
const SCHEDSTAT: &str = "/proc/thread-self/schedstat";

/// The processor time of some stretches of the thread's work; of none where nobody counts it.
#[derive(Debug, Default)]
pub struct Cost {
    sum: Nanos,
    since: Option<Nanos>,
}

impl Cost {
    /// A stretch begins.
    pub fn begin(&mut self) {
        self.since = thread_time();
    }

    /// It ends.
    pub fn end(&mut self) {
        if let Some((now, since)) = thread_time().zip(self.since.take()) {
            self.sum += now - since;
        }
    }

    /// All stretches together.
    pub fn sum(&self) -> Nanos {
        self.sum
    }
}

fn thread_time() -> Option<Nanos> {
    let text = fs::read_to_string(SCHEDSTAT).ok()?;
    let nanos = text.split(' ').next()?.parse().ok()?;
    Some(Nanos::from_nanos(nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn work_counts_and_sleep_does_not() {
        let mut cost = Cost::default();
        std::thread::sleep(std::time::Duration::from_millis(20));
        cost.begin();
        std::thread::sleep(std::time::Duration::from_millis(50));
        cost.end();
        assert!(cost.sum() < Nanos::from_millis(30), "{}", cost.sum());
    }
}
