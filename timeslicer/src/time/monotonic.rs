//! The monotonic clock of the computer or, in a browser, of the page.

use super::{ClockTime, Nanos};
use std::sync::OnceLock;

/// Returns the time since the first call in this process, by the monotonic clock.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn monotonic() -> ClockTime {
    static START: OnceLock<std::time::Instant> = OnceLock::new();
    let start = START.get_or_init(std::time::Instant::now);
    ClockTime::at(start.elapsed().into())
}

/// The page's clock, needed because the standard library has no clock in a browser.
#[cfg(target_family = "wasm")]
static PAGE_CLOCK: OnceLock<fn() -> ClockTime> = OnceLock::new();

/// Sets the clock that [`monotonic`] reads in a browser. Call this once at startup: until then, [`monotonic`] returns
/// zero.
#[cfg(target_family = "wasm")]
pub fn read_clock_from(clock: fn() -> ClockTime) {
    let _ = PAGE_CLOCK.set(clock); // only the first call has an effect
}

/// Returns the time since the page was opened, by the browser's monotonic clock.
#[cfg(target_family = "wasm")]
#[must_use]
pub fn monotonic() -> ClockTime {
    PAGE_CLOCK.get().map_or(ClockTime::START, |clock| clock())
}

/// Returns the smallest step of `clock`, or zero if it does not advance.
///
/// Native clocks have steps of less than a microsecond. Browsers round their clocks to 5 µs, 0.1 ms, 1 ms or more, to
/// prevent timing attacks.
#[must_use]
pub fn resolution_of(mut clock: impl FnMut() -> ClockTime) -> Nanos {
    const STEPS: u32 = 12;
    /// Limit that ends the loop if the clock does not advance. It is high enough for any real clock.
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
    fn resolution_is_the_smallest_step_of_the_clock() {
        for step in [20, 5_000, 100_000, 1_000_000] {
            let mut time = 12_345_678;
            let coarse = resolution_of(|| {
                time += 15; // each reading takes 15 ns
                ClockTime::at(Nanos::from_nanos(time / step * step))
            });
            let off = coarse.as_nanos().abs_diff(step);
            assert!(off <= 15, "{step}: {coarse}");
        }
        assert_eq!(resolution_of(|| ClockTime::START), Nanos::ZERO);
    }
}
