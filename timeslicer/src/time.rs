//! Types for time in whole nanoseconds: time spans ([`Nanos`]), points in game time ([`GameTime`]), and points in time
//! on the machine's clock ([`ClockTime`]).
//!
//! Every clock, timer and accumulator is an integer, so sums are exact and never drift, however long the game runs.
//! Floating-point numbers appear only in adjustable parameters and in numbers that are displayed.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::sync::OnceLock;
use std::time::Duration;

/// A time span in whole nanoseconds.
///
/// The range is from zero to 584 years. A longer sum counts as 584 years. A longer span must not be subtracted from a
/// shorter one with `-`: this panics in builds with debug assertions, and gives zero in other builds. Use
/// [`Nanos::saturating_sub`] if zero is meant.
///
/// ```
/// use timeslicer::time::Nanos;
///
/// let frame = Nanos::from_millis(16);
/// assert_eq!(frame + frame, Nanos::from_millis(32));
/// assert_eq!(Nanos::SECOND - frame, Nanos::from_millis(984));
/// assert_eq!(frame.saturating_sub(Nanos::SECOND), Nanos::ZERO);
/// assert_eq!(Nanos::from_nanos(16_000_001).to_string(), "16.000001"); // milliseconds
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(u64);

impl Nanos {
    /// A time span of zero.
    pub const ZERO: Self = Self(0);
    /// The longest time span, 584 years.
    pub const MAX: Self = Self(u64::MAX);
    /// One second.
    pub const SECOND: Self = Self(1_000_000_000);

    /// Creates a time span from a number of nanoseconds.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Creates a time span from a number of microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros.saturating_mul(1_000))
    }

    /// Creates a time span from a number of milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000_000))
    }

    /// Creates a time span from a number of seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(1_000_000_000))
    }

    /// Creates a time span from a number of nanoseconds, rounded to a whole number. A negative number or NaN gives
    /// zero.
    pub fn from_nanos_f64(nanos: f64) -> Self {
        // The casts truncate, saturate, and map NaN to zero. On baseline x86-64, `f64::round` would call the C library,
        // and a cast to an unsigned number takes several instructions. That is too slow here, because this function is
        // called for every run.
        if nanos < i64::MAX as f64 {
            let whole = (nanos as i64).max(0);
            return Self(whole as u64 + u64::from(nanos - whole as f64 >= 0.5));
        }
        Self(nanos as u64) // such large floats are whole
    }

    /// Creates a time span from a number of microseconds, rounded to a whole number of nanoseconds. A negative number
    /// or NaN gives zero.
    pub fn from_micros_f64(micros: f64) -> Self {
        Self::from_nanos_f64(micros * 1e3)
    }

    /// Creates a time span from a number of milliseconds, rounded to a whole number of nanoseconds. A negative number
    /// or NaN gives zero.
    pub fn from_millis_f64(millis: f64) -> Self {
        Self::from_nanos_f64(millis * 1e6)
    }

    /// Creates a time span from a number of seconds, rounded to a whole number of nanoseconds. A negative number or NaN
    /// gives zero.
    pub fn from_secs_f64(secs: f64) -> Self {
        Self::from_nanos_f64(secs * 1e9)
    }

    /// Returns the number of nanoseconds in this time span.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Returns this time span in milliseconds. The result may be rounded, so use it only for display.
    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// Returns this time span in seconds. The result may be rounded, so use it only for display and for ratios.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// Formats this time span in seconds, exactly and without trailing zeros, such as `2` or `0.016666667`.
    pub fn in_seconds(self) -> String {
        let digits = format!("{}.{:09}", self.0 / 1_000_000_000, self.0 % 1_000_000_000);
        digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned()
    }

    /// Returns the ratio of this time span to `whole`, such as 0.5 if this span is half as long. The result is NaN if
    /// both spans are zero.
    pub fn over(self, whole: Self) -> f64 {
        self.0 as f64 / whole.0 as f64
    }

    /// Returns the number of events per second if `count` events occur in this time span. Returns zero if the span is
    /// zero.
    pub fn rate_of(self, count: u64) -> f64 {
        if self.is_zero() {
            0.0
        } else {
            count as f64 / self.as_secs_f64()
        }
    }

    /// Returns the difference between this time span and `other`, or zero if `other` is longer.
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Returns the difference between two time spans, whichever is longer.
    pub const fn abs_diff(self, other: Self) -> Self {
        Self(self.0.abs_diff(other.0))
    }

    /// Returns true if this time span is zero.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Add for Nanos {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Nanos {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Nanos {
    type Output = Self;
    #[track_caller]
    fn sub(self, other: Self) -> Self {
        debug_assert!(other <= self, "{other} ms is longer than {self} ms");
        self.saturating_sub(other)
    }
}

impl SubAssign for Nanos {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Nanos {
    fn sum<I: Iterator<Item = Self>>(times: I) -> Self {
        times.fold(Self::ZERO, Add::add)
    }
}

impl From<Duration> for Nanos {
    fn from(duration: Duration) -> Self {
        Self(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
    }
}

impl From<Nanos> for Duration {
    fn from(nanos: Nanos) -> Self {
        Duration::from_nanos(nanos.0)
    }
}

/// Formats the time span in milliseconds to six decimal places, such as `16.666667`. The text is exact to the nanosecond.
impl fmt::Display for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

/// A sequence of periods that repeat at a constant rate, such as the refresh periods of a display. Each period is a
/// whole number of nanoseconds.
///
/// If the exact period is not a whole number, some periods are one nanosecond longer than others, so that their sum
/// stays exact. For example, 60 periods at 60 Hz add up to one second. The sum is rounded up. If it were rounded down,
/// a task that is due after ten periods might not be due yet at the end of the tenth.
#[derive(Clone, Debug)]
pub struct Periods {
    /// The exact length of a period, in units of 2^-32 ns.
    period: u128,
    /// The fraction of a nanosecond that is carried over to the next period, in units of 2^-32 ns. It starts just below
    /// 1 ns so that the sum of the periods is rounded up.
    carry: u128,
}

impl Periods {
    const ONE_NANO: u128 = 1 << 32;

    /// Creates a sequence with `hz` periods per second. The rate is rounded to a multiple of 1 µHz, but not to zero.
    pub fn new(hz: f64) -> Self {
        let micro_hz = ((hz * 1e6).round() as u128).max(1);
        Self {
            period: (1_000_000_000 * 1_000_000 * Self::ONE_NANO) / micro_hz,
            carry: Self::ONE_NANO - 1,
        }
    }

    /// Returns the length of the next period, which differs from the exact length by less than a nanosecond.
    pub fn next_period(&mut self) -> Nanos {
        let total = self.period + self.carry;
        self.carry = total % Self::ONE_NANO;
        Nanos::from_nanos((total / Self::ONE_NANO) as u64)
    }
}

/// Defines a type for points in time on a particular clock, so that times on different clocks cannot be mixed by
/// mistake.
macro_rules! moments {
    ($(#[$doc:meta])* $Moment:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Moment(Nanos);

        impl $Moment {
            /// The time at which this clock started.
            pub const START: Self = Self(Nanos::ZERO);

            /// Returns the point in time that is `span` after the start of the clock.
            pub const fn at(span: Nanos) -> Self {
                Self(span)
            }

            /// Returns the time from the start of the clock to this point in time.
            pub const fn since_start(self) -> Nanos {
                self.0
            }

            /// Returns the time from `earlier` to this point in time, or zero if `earlier` is in fact later.
            pub const fn saturating_since(self, earlier: Self) -> Nanos {
                self.0.saturating_sub(earlier.0)
            }

            /// Subtracts `span`. If the result would be before the start of the clock, returns the start.
            pub const fn saturating_sub(self, span: Nanos) -> Self {
                Self(self.0.saturating_sub(span))
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
            #[track_caller]
            fn sub(self, span: Nanos) -> Self {
                Self(self.0 - span)
            }
        }

        impl Sub for $Moment {
            type Output = Nanos;
            /// Panics in debug builds if `earlier` is later. [`Self::saturating_since`] does not.
            #[track_caller]
            fn sub(self, earlier: Self) -> Nanos {
                self.0 - earlier.0
            }
        }

        /// Formats the time since the start of the clock in milliseconds to six decimal places.
        impl fmt::Display for $Moment {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

moments! {
    /// A point in game time. Game time is the sum of the deltas of all updates so far.
    ///
    /// Game time and the machine's clock diverge whenever the game is paused, falls behind or runs ahead. They have
    /// different types so that they cannot be mixed by mistake.
    ///
    /// ```
    /// use timeslicer::time::{GameTime, Nanos};
    ///
    /// let mut now = GameTime::START;
    /// let born = now;
    /// now += Nanos::from_millis(16);
    /// assert_eq!(now - born, Nanos::from_millis(16));
    /// assert_eq!(born.saturating_since(now), Nanos::ZERO);
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
    /// A point in time on the machine's clock.
    ///
    /// ```
    /// use timeslicer::time::{ClockTime, Nanos, monotonic};
    ///
    /// let start: ClockTime = monotonic();
    /// let deadline = start + Nanos::from_millis(4);
    /// let left: Nanos = deadline.saturating_since(monotonic());
    /// assert!(left <= Nanos::from_millis(4));
    /// ```
    ClockTime
}

/// Returns the current time on the machine's monotonic clock, which starts at the first call in this process.
#[cfg(not(target_family = "wasm"))]
pub fn monotonic() -> ClockTime {
    static START: OnceLock<std::time::Instant> = OnceLock::new();
    let start = START.get_or_init(std::time::Instant::now);
    ClockTime::at(start.elapsed().into())
}

/// The clock that [`monotonic`] reads in a browser. The standard library has no clock there, so the program has to
/// provide one.
#[cfg(target_family = "wasm")]
static PAGE_CLOCK: OnceLock<fn() -> ClockTime> = OnceLock::new();

/// Sets the clock that [`monotonic`] reads in a browser. Call this once at startup, because [`monotonic`] returns zero
/// until then. Later calls have no effect.
#[cfg(target_family = "wasm")]
pub fn read_clock_from(clock: fn() -> ClockTime) {
    let _ = PAGE_CLOCK.set(clock); // only the first call has an effect
}

/// Returns the current time on the browser's monotonic clock, or zero until [`read_clock_from`] has been called.
#[cfg(target_family = "wasm")]
pub fn monotonic() -> ClockTime {
    PAGE_CLOCK.get().map_or(ClockTime::START, |clock| clock())
}

/// Measures the resolution of a clock, which is the smallest step by which it advances. Returns zero if the clock does
/// not advance.
///
/// Native clocks advance in steps of less than a microsecond. Browsers round their clocks to 5 µs, 0.1 ms, 1 ms or
/// more, to prevent timing attacks.
pub fn resolution_of(mut clock: impl FnMut() -> ClockTime) -> Nanos {
    const STEPS: usize = 12;
    /// The maximum number of readings, so that the measurement ends even if the clock does not advance. Any real clock
    /// advances long before that.
    const MOST_READINGS: u32 = 10_000_000;
    let mut last = clock();
    let changes = (0..MOST_READINGS).map(|_| {
        let reading = clock();
        reading.saturating_since(std::mem::replace(&mut last, reading))
    });
    let steps = changes.filter(|change| !change.is_zero());
    steps.take(STEPS).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_exact_without_trailing_zeros() {
        let printed = [0, 1, 16_666_667, 1_000_000_000, 120_500_000_000];
        let printed = printed.map(|nanos| Nanos::from_nanos(nanos).in_seconds());
        assert_eq!(printed, ["0", "0.000000001", "0.016666667", "1", "120.5"]);
    }

    #[test]
    fn sums_saturate() {
        assert_eq!(Nanos::MAX + Nanos::SECOND, Nanos::MAX);
    }

    #[test]
    fn floats_round_and_saturate() {
        assert_eq!(Nanos::from_secs_f64(0.5), Nanos::from_millis(500));
        assert_eq!(Nanos::from_millis_f64(1000.0 / 60.0).as_nanos(), 16_666_667);
        assert_eq!(Nanos::from_secs_f64(f64::NAN), Nanos::ZERO);
        assert_eq!(Nanos::from_secs_f64(-1.0), Nanos::ZERO);
        assert_eq!(Nanos::from_secs_f64(f64::INFINITY), Nanos::MAX);
    }

    #[test]
    fn an_hour_at_59_94_hz_is_exact_to_a_microsecond() {
        let mut periods = Periods::new(59.94);
        let frames = 215_784;
        let sum: Nanos = (0..frames).map(|_| periods.next_period()).sum();
        let exact = f64::from(frames) / 59.94;
        assert!((sum.as_secs_f64() - exact).abs() < 1e-6);
    }

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

    #[test]
    fn display_is_exact_to_the_nanosecond() {
        assert_eq!(Nanos::from_nanos(16_666_667).to_string(), "16.666667");
        assert_eq!(Nanos::from_nanos(1).to_string(), "0.000001");
        assert_eq!(Nanos::ZERO.to_string(), "0.000000");
    }
}
