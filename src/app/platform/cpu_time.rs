//! What the interface itself costs: processor time of the window's thread, as Linux counts it. It is told in
//! the log when the window closes, so that the README's figure can be had by one command.

use std::fs;
use timeslice::time::Nanos;

/// Where Linux keeps the nanoseconds that this thread has spent on a processor.
const SCHEDSTAT: &str = "/proc/thread-self/schedstat";

/// The processor time of some stretches of the thread's work; of none where nobody counts it.
#[derive(Debug, Default)]
pub struct CpuTimer {
    sum: Nanos,
    since: Option<Nanos>,
}

impl CpuTimer {
    /// A stretch begins.
    pub fn begin(&mut self) {
        self.since = thread_time();
    }

    /// It ends.
    pub fn end(&mut self) {
        if let Some((until, since)) = thread_time().zip(self.since.take()) {
            self.sum += until - since;
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::thread;
    use timeslice::time::monotonic;

    /// Hundredths of a second that this thread has spent on a processor, as Linux counts them elsewhere.
    fn ticks() -> u64 {
        let stat = fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, behind_the_name) = stat.rsplit_once(')').unwrap();
        // Fields 14 and 15 of the line, the third of which is the first here: in the program, in the kernel.
        let fields = behind_the_name.split_whitespace().skip(11).take(2);
        fields.map(|field| field.parse::<u64>().unwrap()).sum()
    }

    /// Works until more than 50 ms of processor time are over, however long that takes on a busy computer.
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
    fn what_is_done_between_two_stretches_does_not_count() {
        let mut cost = CpuTimer::default();
        cost.begin();
        cost.end();
        work();
        cost.begin();
        cost.end();
        cost.end(); // of nothing
        assert!(cost.sum() < Nanos::from_millis(30), "{} ms", cost.sum());
    }
}
