//! Processor time of the interface: time of the window's thread, as counted by Linux. It is logged when the window
//! closes, so that one command reproduces the documented figure.

use std::fs;
use timeslicer::time::Nanos;

/// File in which Linux counts the nanoseconds that this thread has spent on a processor.
const SCHEDSTAT: &str = "/proc/thread-self/schedstat";

/// Processor time that the thread spends in sections of its work; zero if the system does not count it.
#[derive(Debug)]
pub struct CpuTimer {
    /// False to save the time for measuring.
    pub is_on: bool,
    pub sum: Nanos,
    since: Option<Nanos>,
}

impl CpuTimer {
    pub fn new(is_on: bool) -> Self {
        Self {
            is_on,
            sum: Nanos::ZERO,
            since: None,
        }
    }

    pub fn begin(&mut self) {
        if self.is_on {
            self.since = thread_time();
        }
    }

    pub fn end(&mut self) {
        if let Some(since) = self.since.take()
            && let Some(until) = thread_time()
        {
            self.sum += until - since;
        }
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
    fn only_work_within_sections_counts() {
        let mut timer = CpuTimer::new(true);
        let start = monotonic();
        timer.begin();
        work();
        timer.end();
        work();
        timer.end(); // without a beginning
        let (worked, passed) = (timer.sum, monotonic() - start);
        assert!(worked >= Nanos::from_millis(40), "{worked} ms of work");
        assert!(worked <= passed, "{worked} ms of {passed} ms");
        timer.begin();
        thread::spawn(work).join().unwrap();
        timer.end();
        let waited = timer.sum - worked;
        assert!(waited < Nanos::from_millis(30), "{waited} ms of waiting");
    }
}
