//! The monotonic clock of this computer, or of the page that the program runs in.

use super::{ClockTime, Nanos};
use std::sync::OnceLock;

/// The time since the first call in this process, by the monotonic clock: it never steps back.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn monotonic() -> ClockTime {
    static START: OnceLock<std::time::Instant> = OnceLock::new();
    let start = START.get_or_init(std::time::Instant::now);
    ClockTime::at(start.elapsed().into())
}

/// The page's clock: the standard library has none there.
#[cfg(target_family = "wasm")]
static PAGE_CLOCK: OnceLock<fn() -> ClockTime> = OnceLock::new();

/// Sets the clock that [`monotonic`] reads in a browser. Call it once, before anything reads the time; until then the
/// time is zero.
#[cfg(target_family = "wasm")]
pub fn read_clock_from(clock: fn() -> ClockTime) {
    let _ = PAGE_CLOCK.set(clock); // the first one stays
}

/// The time since the page was opened, by the browser's monotonic clock: it never steps back.
#[cfg(target_family = "wasm")]
#[must_use]
pub fn monotonic() -> ClockTime {
    PAGE_CLOCK.get().map_or(ClockTime::START, |clock| clock())
}

/// The smallest step of `clock`. A computer's own clock has steps of less than a microsecond; browsers round theirs to
/// 5 µs, 0.1 ms, 1 ms or more, so that no page can spy by it. Zero if the clock does not advance.
#[must_use]
pub fn resolution_of(mut clock: impl FnMut() -> ClockTime) -> Nanos {
    const STEPS: u32 = 12;
    /// Enough for any clock, and an end for one that does not advance.
    const MOST_READINGS: u32 = 10_000_000;
    let (mut last, mut steps, mut shortest) = (clock(), 0, Nanos::MAX);
    for _ in 0..MOST_READINGS {
        let reading = clock();
        if reading > last {
            shortest = shortest.min(reading - last);
            last = reading;
            steps += 1;
        }
        if steps == STEPS {
            break;
        }
    }
    if steps == 0 { Nanos::ZERO } else { shortest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clocks_resolution_is_its_least_step() {
        for step in [20, 5_000, 100_000, 1_000_000] {
            let mut time = 12_345_678;
            let coarse = resolution_of(|| {
                time += 15; // what a reading takes
                ClockTime::at(Nanos::from_nanos(time / step * step))
            });
            let off = coarse.as_nanos().abs_diff(step);
            assert!(off <= 15, "{step}: {coarse}");
        }
        assert_eq!(resolution_of(|| ClockTime::START), Nanos::ZERO);
    }
}
