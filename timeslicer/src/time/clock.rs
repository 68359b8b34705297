//! Moments of game time and of the machine's clock, and the monotonic clock of the computer or, in a browser, of the page.

use super::Nanos;
use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::sync::OnceLock;

/// Defines a type for the moments of one clock.
macro_rules! moments {
    ($(#[$doc:meta])* $Moment:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Moment(Nanos);

        impl $Moment {
            /// The start of this clock.
            pub const START: Self = Self(Nanos::ZERO);
            /// The latest moment, 584 years after the start.
            pub const MAX: Self = Self(Nanos::MAX);

            /// Returns the moment `span` after the start.
            pub const fn at(span: Nanos) -> Self {
                Self(span)
            }

            /// Returns the time from the start to this moment.
            pub const fn since_start(self) -> Nanos {
                self.0
            }
        }

        impl Add<Nanos> for $Moment {
            type Output = Self;
            fn add(self, span: Nanos) -> Self {
                Self(self.0 + span)
            }
        }

        impl AddAssign<Nanos> for $Moment {
            fn add_assign(&mut self, span: Nanos) {
                self.0 += span;
            }
        }

        impl Sub<Nanos> for $Moment {
            type Output = Self;
            fn sub(self, span: Nanos) -> Self {
                Self(self.0 - span)
            }
        }

        /// The time from `earlier` to this moment, or zero if `earlier` is later than this moment.
        impl Sub for $Moment {
            type Output = Nanos;
            fn sub(self, earlier: Self) -> Nanos {
                self.0 - earlier.0
            }
        }

        /// Milliseconds since the start, with six decimals.
        impl fmt::Display for $Moment {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

moments! {
    /// A moment of game time, which is the sum of all deltas so far. In this crate, a variable named `now` is a
    /// `GameTime`.
    ///
    /// Game time and the machine's clock diverge whenever the game is paused, falls behind or runs ahead, so they are
    /// different types and cannot be mixed. Arithmetic saturates, as with [`Nanos`].
    ///
    /// ```
    /// use timeslicer::time::{GameTime, Nanos};
    ///
    /// let mut now = GameTime::START;
    /// let born = now;
    /// now += Nanos::from_millis(16);
    /// assert_eq!(now - born, Nanos::from_millis(16));
    /// assert_eq!(born - now, Nanos::ZERO);
    /// ```
    ///
    /// ```compile_fail
    /// use timeslicer::time::{ClockTime, GameTime};
    ///
    /// let _ = GameTime::START - ClockTime::START;
    /// ```
    GameTime
}

moments! {
    /// A moment of the machine's clock. In this crate, anything named `clock` is a `ClockTime` or returns one.
    ///
    /// ```
    /// use timeslicer::time::{ClockTime, Nanos, monotonic};
    ///
    /// let start: ClockTime = monotonic();
    /// let deadline = start + Nanos::from_millis(4);
    /// let left: Nanos = deadline - monotonic();
    /// assert!(left <= Nanos::from_millis(4));
    /// ```
    ClockTime
}

/// Returns the time since the first call in this process, by the monotonic clock.
#[cfg(not(target_family = "wasm"))]
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
pub fn monotonic() -> ClockTime {
    PAGE_CLOCK.get().map_or(ClockTime::START, |clock| clock())
}

/// Returns the smallest step of `clock`, or zero if it does not advance.
///
/// Native clocks have steps of less than a microsecond. Browsers round their clocks to 5 µs, 0.1 ms, 1 ms or more, to
/// prevent timing attacks.
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
