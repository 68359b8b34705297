//! Moments of game time and of the machine's clock.

use super::Nanos;
use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};

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
            #[must_use]
            pub const fn at(span: Nanos) -> Self {
                Self(span)
            }

            /// Returns the time from the start to this moment.
            #[must_use]
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

        impl SubAssign<Nanos> for $Moment {
            fn sub_assign(&mut self, span: Nanos) {
                self.0 -= span;
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
