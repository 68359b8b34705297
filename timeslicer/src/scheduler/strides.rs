use crate::time::Nanos;

/// Computes the strides of tasks for stride scheduling, depending on their costs and weights.
///
/// A stride scheduler stores a number for each task, called its *pass*. It always runs the task with the smallest pass,
/// and then adds the task's *stride* to its pass. As a result, a task with a small stride runs often: rates are
/// inversely proportional to strides. For a task with cost c and weight w, the stride is (c^(p−1) / w)^(1/p).
/// [`WeightedShare`](crate::strategy::WeightedShare) describes which staleness each exponent p minimises.
///
/// Strides are whole numbers. A task that costs 100 µs and has weight 1 has the stride [`Strides::UNIT`]. Zero, NaN and
/// weights below 1/65536 count as 1/65536, so every stride is finite and every task runs sooner or later. The sum of a
/// task's strides does not overflow a `u64` for years: even with the smallest weight and p = 1, a stride is 2³⁰, which
/// is enough for 17 billion runs.
///
/// The results are the same on every platform. They are computed with additions, multiplications, divisions and square
/// roots, which are exactly rounded everywhere, and not with functions of the platform's library.
///
/// ```
/// use timeslicer::scheduler::Strides;
/// use timeslicer::time::Nanos;
///
/// let strides = Strides::new(2.0);
/// let usual = strides.of(Nanos::from_micros(100), 1.0);
/// assert_eq!(strides.of(Nanos::from_micros(400), 1.0), 2 * usual);
/// assert_eq!(strides.of(Nanos::from_micros(100), 0.25), 2 * usual);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strides {
    exponent: f64,
}

/// The cost of an ordinary task in nanoseconds. With weight 1, such a task has the stride [`Strides::UNIT`].
const USUAL_COST: f64 = 100_000.0;

/// The smallest weight that is used for calculations. Any weight below it is replaced with it, because a task with
/// weight 0 would have an infinite stride.
const LEAST_WEIGHT: f64 = 1.0 / 65_536.0;

impl Strides {
    /// The stride of an ordinary task, which costs 100 µs and has weight 1.
    pub const UNIT: u32 = 1 << 14;

    /// An upper bound for the strides of tasks with an estimated cost of at most 4.29 s. No estimate is larger, so the
    /// bound holds for every task.
    pub const LARGEST: u32 = 1 << 31;

    /// Creates strides with this exponent. The larger the exponent is, the more the cost of a task matters, compared
    /// with its weight. Exponents below 1 and NaN count as 1.
    pub fn new(exponent: f64) -> Self {
        Self { exponent }
    }

    /// Returns the stride of a task with this cost and weight. A task with a larger stride runs less often. The result
    /// is at least 1.
    pub fn of(self, cost: Nanos, weight: f64) -> u32 {
        // `max` returns the other number if one is NaN.
        let weight = weight.max(LEAST_WEIGHT);
        let cost = cost.as_nanos().max(1) as f64 * (1.0 / USUAL_COST);
        let p = self.exponent.max(1.0);
        let stride = if p == 1.0 {
            1.0 / weight
        } else if p == 2.0 {
            (cost / weight).sqrt()
        } else {
            exp2(((p - 1.0) * log2(cost) - log2(weight)) / p)
        };
        ((stride * f64::from(Self::UNIT)) as u32).max(1)
    }
}

/// Returns the binary logarithm of a number, with an error below 1e-10. The number must be positive and normal.
fn log2(number: f64) -> f64 {
    const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = number.to_bits();
    let exponent = (bits >> FRACTION) as i32 - 1023;
    let mantissa = f64::from_bits(bits & ((1 << FRACTION) - 1) | (1023 << FRACTION));
    // ln m = ln √2 + 2 artanh s, with |s| < 0.172.
    let s = (mantissa - std::f64::consts::SQRT_2) / (mantissa + std::f64::consts::SQRT_2);
    let square = s * s;
    let even = sum_of_powers(square * square, [13.0, 9.0, 5.0, 1.0]);
    let odd = sum_of_powers(square * square, [11.0, 7.0, 3.0]);
    f64::from(exponent) + 0.5 + 2.0 * std::f64::consts::LOG2_E * s * (even + square * odd)
}

/// Returns 2 to the given power, with a relative error below 1e-10. The power must be between -1000 and 1000.
fn exp2(power: f64) -> f64 {
    let whole = (power + 1023.5) as u64; // rounds half up: the number is positive
    let x = (power + 1023.0 - whole as f64) * std::f64::consts::LN_2;
    let even = sum_of_powers(x * x, [3_628_800.0, 40_320.0, 720.0, 24.0, 2.0, 1.0]);
    let odd = sum_of_powers(x * x, [362_880.0, 5_040.0, 120.0, 6.0, 1.0]);
    (even + x * odd) * f64::from_bits(whole << (f64::MANTISSA_DIGITS - 1))
}

/// Returns the sum of the powers of `x`, each divided by a number. The divisor of the highest power comes first. A series
/// is split into its even and its odd powers, because the processor can compute two sums at the same time.
fn sum_of_powers<const N: usize>(x: f64, divisors: [f64; N]) -> f64 {
    let mut sum = 0.0;
    for divisor in divisors {
        sum = sum * x + 1.0 / divisor;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_follow_the_formula() {
        for p in [1.0, 1.3, 1.5, 2.0, 2.7, 4.0] {
            for cost_us in [0.1, 1.0, 90.0, 3000.0] {
                for weight in [1.0, 0.3, 0.01, 0.0001] {
                    let stride = Strides::new(p).of(Nanos::from_micros_f64(cost_us), weight);
                    let exact = ((cost_us / 100.0).powf(p - 1.0) / weight).powf(1.0 / p);
                    let error = f64::from(stride) / 16_384.0 - exact;
                    assert!(error.abs() < 7e-5, "{p}, {cost_us} µs, {weight}: {stride}");
                }
            }
        }
    }

    #[test]
    fn results_are_the_same_on_every_platform() {
        let strides = [1.0, 1.5, 2.0, 3.3].map(|p| {
            let strides = Strides::new(p);
            strides.of(Nanos::from_nanos(123_457), 0.037)
        });
        assert_eq!(strides, [442_810, 158_291, 94_640, 51_532]);
    }
}
