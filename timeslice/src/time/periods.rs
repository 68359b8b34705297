//! The periods of a rate, in whole nanoseconds.

use super::Nanos;

/// The periods of a rate that need not divide a second evenly: a display's refreshes, a loop's frames.
///
/// Periods differ by a nanosecond to keep their sum exact: 60 periods at 60 Hz are one second. The sum is rounded up,
/// so that a task due in ten periods is due by the end of the tenth, not just after it.
#[derive(Clone, Debug)]
pub struct Periods {
    /// Length of a period, in 2^-32 ns.
    period: u128,
    /// Remainder of the periods so far, in 2^-32 ns.
    carry: u128,
}

impl Periods {
    const ONE_NANO: u128 = 1 << 32;

    /// Creates the periods of a rate of `hz`, rounded to 1 µHz and at least that.
    #[must_use]
    pub fn new(hz: f64) -> Self {
        let micro_hz = ((hz * 1e6).round() as u128).max(1);
        Self {
            period: (1_000_000_000 * 1_000_000 * Self::ONE_NANO) / micro_hz,
            carry: Self::ONE_NANO - 1,
        }
    }

    /// Returns the next period, less than a nanosecond off the exact length.
    pub fn next_period(&mut self) -> Nanos {
        let total = self.period + self.carry;
        self.carry = total % Self::ONE_NANO;
        Nanos::from_nanos((total / Self::ONE_NANO) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_periods_at_60_hz_are_one_second() {
        let mut periods = Periods::new(60.0);
        let sum: Nanos = (0..60).map(|_| periods.next_period()).sum();
        assert_eq!(sum, Nanos::SECOND);
    }

    #[test]
    fn an_hour_at_59_94_hz_is_exact_to_a_microsecond() {
        let mut periods = Periods::new(59.94);
        let frames = 215_784;
        let sum: Nanos = (0..frames).map(|_| periods.next_period()).sum();
        let exact = f64::from(frames) / 59.94;
        assert!((sum.as_secs_f64() - exact).abs() < 1e-6);
    }
}
