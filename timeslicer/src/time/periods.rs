//! The periods of a constant rate, in whole nanoseconds.

use super::Nanos;

/// The successive periods of a constant rate, such as a display's refreshes or a loop's frames. The exact period need
/// not be a whole number of nanoseconds.
///
/// Some periods are one nanosecond longer than others, so that their sum stays exact: 60 periods at 60 Hz are one
/// second. The sum is rounded up. Otherwise, a task that is due after ten periods could become due just after the end
/// of the tenth.
#[derive(Clone, Debug)]
pub struct Periods {
    /// Exact length of a period, in units of 2^-32 ns.
    period: u128,
    /// Fraction of a nanosecond carried over to the next period, in units of 2^-32 ns. It starts just below 1 ns so
    /// that sums are rounded up.
    carry: u128,
}

impl Periods {
    const ONE_NANO: u128 = 1 << 32;

    /// Creates the periods of a rate of `hz`. The rate is rounded to a multiple of 1 µHz and is at least 1 µHz.
    #[must_use]
    pub fn new(hz: f64) -> Self {
        let micro_hz = ((hz * 1e6).round() as u128).max(1);
        Self {
            period: (1_000_000_000 * 1_000_000 * Self::ONE_NANO) / micro_hz,
            carry: Self::ONE_NANO - 1,
        }
    }

    /// Returns the next period. It differs from the exact length by less than a nanosecond.
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
