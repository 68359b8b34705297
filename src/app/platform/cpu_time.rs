//! Processor time of the interface: time of the window's thread, as counted by Linux. It is logged when the window
//! closes, so that one command reproduces the documented figure.

use std::fs;
use timeslicer::time::Nanos;

/// File in which Linux counts the nanoseconds that this thread has spent on a processor.
const SCHEDSTAT: &str = "/proc/thread-self/schedstat";

/// Processor time of sections of the thread's work; zero if the system does not count it.
#[derive(Debug, Default)]
pub struct CpuTimer {
    sum: Nanos,
    since: Option<Nanos>,
}

impl CpuTimer {
    pub fn begin(&mut self) {
        self.since = thread_time();
    }

    pub fn end(&mut self) {
        if let Some((until, since)) = thread_time().zip(self.since.take()) {
            self.sum += until - since;
        }
    }

    pub fn sum(&self) -> Nanos {
        self.sum
    }
}

fn thread_time() -> Option<Nanos> {
    let text = fs::read_to_string(SCHEDSTAT).ok()?;
    let nanos = text.split(' ').next()?.parse().ok()?;
    Some(Nanos::from_nanos(nanos))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::thread;
    use timeslicer::time::monotonic;

    /// Processor time of this thread in hundredths of a second, as Linux counts it in another file.
    fn ticks() -> u64 {
        let stat = fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, after_name) = stat.rsplit_once(')').unwrap();
        // Fields 14 and 15 of the line, user and system time. The first field after the name is the third.
        let fields = after_name.split_whitespace().skip(11).take(2);
        fields.map(|field| field.parse::<u64>().unwrap()).sum()
    }

    /// Works until more than 50 ms of processor time have passed, however long that takes on a busy computer.
    fn work() {
        let end = ticks() + 6;
        while ticks() < end {}
    }

    #[test]
    fn work_counts_and_waiting_does_not() {
        let mut cost = CpuTimer::default();
        let start = monotonic();
        cost.begin();
        work();
        cost.end();
        let (worked, passed) = (cost.sum(), monotonic() - start);
        assert!(worked >= Nanos::from_millis(40), "{worked} ms of work");
        assert!(worked <= passed, "{worked} ms of {passed} ms");
        cost.begin();
        thread::spawn(work).join().unwrap();
        cost.end();
        let waited = cost.sum() - worked;
        assert!(waited < Nanos::from_millis(30), "{waited} ms of waiting");
    }

    #[test]
    fn work_between_sections_does_not_count() {
        let mut cost = CpuTimer::default();
        cost.begin();
        cost.end();
        work();
        cost.begin();
        cost.end();
        cost.end(); // without a beginning
        assert!(cost.sum() < Nanos::from_millis(30), "{} ms", cost.sum());
    }
}
