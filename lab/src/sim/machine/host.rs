//! Runs games on this computer, with its real clock, its processor and its display.

use super::{ClockReading, Machine};
#[cfg(not(target_family = "wasm"))]
use spin_sleep::SpinSleeper;
use std::hint::black_box;
use timeslicer::frame_loop::Pace;
use timeslicer::time::{ClockTime, Nanos, monotonic, resolution_of};

/// The maximum time that [`Host`] spends on tasks in one frame. However, the first task of a frame always runs, even if
/// it takes longer.
///
/// Without a maximum, a million tasks of 0.1 ms in one frame would block the window for a minute and a half.
pub const FRAME_CAP: Nanos = Nanos::from_millis(100);

/// The maximum time for which a task or a stall really blocks the program. If it should take longer, the clock jumps
/// ahead instead, so that the window still responds.
const LONGEST_BLOCK: Nanos = Nanos::from_secs(1);

/// A task or a wait that takes this much longer than expected counts as interrupted, for example because the computer
/// was asleep.
pub const INTERRUPTED_FROM: Nanos = Nanos::from_millis(250);

/// The minimum cost of tasks that are timed. Timing a cheaper task would take at least a tenth of its own time, so such
/// a task counts with its cost.
const TIMED_FROM: Nanos = Nanos::from_nanos(500);

/// This computer, as a machine that a game can run on. Tasks take real processor time.
#[derive(Clone, Debug)]
pub struct Host {
    clock_when_set: ClockTime,
    set_at: ClockTime,
    iterations_per_nano: f64,
    /// The minimum frame length, or zero.
    min_period: Nanos,
    /// The display's refresh period if a disturbance has lowered its refresh rate, otherwise zero.
    slow_period: Nanos,
    task_time: Nanos,
    /// How much of the current frame was left out as an interruption.
    pub left_out: Nanos,
    reading: ClockReading,
    /// The time at which the current wait ends. It is set only on a web page, where the caller has to wait instead of
    /// the host.
    due: Option<ClockTime>,
}

impl Host {
    /// Measures how fast the processor is and how long it takes to read the clock, and creates a host whose clock is at
    /// zero. The measurements take about 10 ms, or 200 ms if the clock is coarse, as in some browsers.
    pub fn measured() -> Self {
        let step = resolution_of(monotonic);
        let mut host = Self {
            clock_when_set: ClockTime::START,
            set_at: monotonic(),
            iterations_per_nano: best_rate(step, monotonic, burn_iterations),
            min_period: Nanos::ZERO,
            slow_period: Nanos::ZERO,
            task_time: Nanos::ZERO,
            left_out: Nanos::ZERO,
            reading: ClockReading::default(),
            due: None,
        };
        let takes = reading_time(step, || host.clock());
        host.reading = ClockReading { takes, step };
        host
    }

    /// Returns the time at which the current wait ends, or `None` if there is nothing to wait for. Each wait is
    /// returned only once. Only a web page needs this method, because the caller has to wait there instead of the host.
    pub fn take_due(&mut self) -> Option<ClockTime> {
        self.due.take()
    }

    /// Sets the clock to `time`, for example to leave out a pause.
    pub fn set_clock(&mut self, time: ClockTime) {
        self.clock_when_set = time;
        self.set_at = monotonic();
    }

    /// Sets the minimum frame length, which limits the frame rate if the driver ignores vsync.
    pub fn set_min_period(&mut self, period: Option<Nanos>) {
        self.min_period = period.unwrap_or_default();
    }

    /// Resets the time spent on tasks in the current frame. Call this at the start of each frame.
    pub fn start_frame(&mut self) {
        self.task_time = Nanos::ZERO;
        self.left_out = Nanos::ZERO;
    }

    /// Moves the clock back by the length of an interruption, so that the game does not notice it.
    pub fn leave_out(&mut self, time: Nanos) {
        self.set_clock(self.clock().saturating_sub(time));
        self.left_out += time;
    }

    /// Advances the clock by `time` without waiting. Returns `time`.
    fn skip(&mut self, time: Nanos) -> Nanos {
        if !time.is_zero() {
            self.set_clock(self.clock() + time);
        }
        time
    }

    /// Returns the measured time of a task. If the task was interrupted, returns its cost instead, and moves the clock
    /// back by the difference.
    fn without_interruption(&mut self, took: Nanos, cost: Nanos) -> Nanos {
        // If other programs use the processor, a task may take several times its cost without being interrupted.
        let at_most = Nanos::from_nanos(cost.as_nanos() * 4) + INTERRUPTED_FROM;
        if took <= at_most {
            return took;
        }
        self.leave_out(took - cost);
        cost
    }

    #[cfg(not(target_family = "wasm"))]
    fn wait_until(&mut self, time: ClockTime) {
        let clock = self.clock();
        if time > clock {
            // The system's timer is only precise to a quarter of a millisecond, or on Windows to at most a millisecond,
            // so the remaining time is spent polling the clock.
            let precision = SpinSleeper::default().native_accuracy_ns().max(250_000);
            SpinSleeper::new(precision).sleep((time - clock).into());
            let late = self.clock().saturating_since(time);
            if late > INTERRUPTED_FROM {
                self.leave_out(late);
            }
        }
    }

    #[cfg(target_family = "wasm")]
    fn wait_until(&mut self, time: ClockTime) {
        self.due = (time > self.clock()).then_some(time);
    }

    fn burn(&mut self, cost: Nanos) {
        burn_iterations((cost.as_nanos() as f64 * self.iterations_per_nano) as u64);
    }
}

impl Machine for Host {
    fn clock(&self) -> ClockTime {
        self.clock_when_set + (monotonic() - self.set_at)
    }

    fn has_time_for(&self, cost: impl FnOnce() -> Nanos) -> bool {
        self.task_time.is_zero() || self.task_time + cost() <= FRAME_CAP
    }

    fn clock_reading(&self) -> Option<ClockReading> {
        Some(self.reading)
    }

    fn work(&mut self, cost: Nanos) -> Nanos {
        let burned = cost.min(LONGEST_BLOCK);
        let took = if cost >= TIMED_FROM {
            let start = monotonic();
            self.burn(burned);
            self.without_interruption(monotonic() - start, burned) + self.skip(cost - burned)
        } else {
            self.burn(cost);
            cost
        };
        self.task_time += took;
        took
    }

    /// Blocks the thread until the stall is over, or for `LONGEST_BLOCK`. A web page does not respond during this time.
    fn stall(&mut self, time: Nanos) {
        let blocked = time.min(LONGEST_BLOCK);
        let end = monotonic() + blocked;
        while monotonic() < end {
            std::hint::spin_loop();
        }
        self.skip(time - blocked);
    }

    fn slow_display(&mut self, hz: Option<f64>) {
        self.slow_period = hz.map_or(Nanos::ZERO, |hz| Nanos::from_secs_f64(1.0 / hz));
    }

    fn wait(&mut self, frame_start: ClockTime, pace: Pace) {
        self.wait_until(match pace {
            Pace::Display => frame_start + self.min_period.max(self.slow_period),
            Pace::Until(time) => time,
            Pace::Nothing => frame_start,
        });
    }
}

fn reading_time(resolution: Nanos, clock: impl Fn() -> ClockTime) -> Nanos {
    let read = |count| {
        for _ in 0..count {
            black_box(clock());
        }
    };
    Nanos::from_nanos_f64(1.0 / best_rate(resolution, &clock, read))
}

/// Burns processor time. The optimiser cannot shorten this loop, because each iteration depends on the previous one.
fn burn_iterations(count: u64) {
    let mut state = black_box(0x9E37_79B9_7F4A_7C15_u64);
    for _ in 0..count {
        state ^= state << 13;
        state ^= state >> 7;
        state = black_box(state ^ (state << 17));
    }
    black_box(state);
}

/// Returns how many iterations of `work` run in a nanosecond. This is the best of several trials, because other
/// programs can only make a trial slower. Each trial starts when the clock's reading changes.
fn best_rate(resolution: Nanos, clock: impl Fn() -> ClockTime, mut work: impl FnMut(u64)) -> f64 {
    const TRIALS: usize = 5;
    /// About 20 µs of work. This is short compared to a trial, but long compared to reading the clock.
    const ITERATIONS: u64 = 10_000;
    const STEPS: u64 = 20;
    // A trial lasts between `SHORTEST` and `LONGEST`, or one tick if the clock's resolution is even coarser.
    const SHORTEST: Nanos = Nanos::from_millis(1);
    const LONGEST: Nanos = Nanos::from_millis(40);
    let length = Nanos::from_nanos(resolution.as_nanos().saturating_mul(STEPS));
    let length = length.clamp(SHORTEST, LONGEST);
    let mut best: f64 = 0.0;
    for _ in 0..TRIALS {
        let before = clock();
        let mut start = clock();
        while start == before {
            start = clock();
        }
        let mut iterations = 0;
        let mut passed = Nanos::ZERO;
        while passed < length {
            work(ITERATIONS);
            iterations += ITERATIONS;
            passed = clock() - start;
        }
        best = best.max(iterations as f64 / passed.as_nanos() as f64);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MS;
    use std::cell::Cell;

    #[test]
    fn a_frame_has_time_for_its_cap_and_for_one_task() {
        let mut host = Host::measured();
        assert!(host.has_time_for(|| MS(5000)), "the first task may be long");
        host.task_time = FRAME_CAP - MS(4);
        assert!(host.has_time_for(|| MS(4)) && !host.has_time_for(|| MS(5)));
        host.task_time = MS(5000);
        assert!(!host.has_time_for(|| MS(1)));
        host.start_frame();
        assert!(host.has_time_for(|| MS(5)));
    }

    #[test]
    fn a_long_task_does_not_block_the_window_but_counts_whole() {
        let (mut host, cost, real) = (Host::measured(), MS(10_000), monotonic());
        let before = host.clock();
        assert!(host.work(cost) >= cost - MS(1000));
        host.stall(cost);
        assert!(host.clock() - before >= cost + cost - MS(1000));
        assert!(monotonic() - real < cost);
    }

    #[test]
    fn interruption_of_a_task_is_left_out_of_the_clock() {
        let (mut host, cost, hour) = (Host::measured(), MS(2), Nanos::from_secs(3600));
        host.set_clock(ClockTime::at(hour));
        assert_eq!(host.without_interruption(MS(9), cost), MS(9));
        assert_eq!(host.left_out, Nanos::ZERO);
        assert_eq!(host.without_interruption(hour, cost), cost);
        assert_eq!(host.left_out, hour - cost);
        assert!(host.clock() < ClockTime::at(MS(100_000)));
        host.start_frame();
        assert_eq!(host.left_out, Nanos::ZERO);
    }

    #[test]
    fn clocks_of_any_resolution_calibrate_well() {
        const NANOS_PER_ITERATION: u64 = 2;
        for step in [1, 5_000, 100_000, 1_000_000, 16_666_667] {
            let time = Cell::new(987_654_321_u64);
            let pass = |nanos: u64| time.set(time.get() + nanos);
            let clock = || {
                pass(40);
                ClockTime::at(Nanos::from_nanos(time.get() / step * step))
            };
            let resolution = Nanos::from_nanos(step);
            let work = |iterations| pass(iterations * NANOS_PER_ITERATION);
            let off = best_rate(resolution, clock, work) * NANOS_PER_ITERATION as f64;
            assert!((0.96..1.04).contains(&off), "{step}: {off}");
            let takes = reading_time(resolution, clock).as_nanos();
            assert!((38..=42).contains(&takes), "{step}: {takes}");
        }
    }
}
