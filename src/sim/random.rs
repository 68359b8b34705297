//! Random numbers from a seed, the same on every platform.
//!
//! The logarithms come from `libm` and not from the platform, whose last digit differs: a browser and a
//! desktop then draw the same costs, births and requests.

use ::rand::rngs::Xoshiro256PlusPlus;
use ::rand::{RngExt, SeedableRng};

/// What a stream of random numbers is for. Streams do not disturb one another: with one seed and one frame rhythm,
/// every strategy meets the same births, deaths and costs, whether or not it listens to requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// How expensive each newborn's task is.
    Costs,
    /// Deaths.
    Churn,
    /// Requests.
    Requests,
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The stream for one purpose under `seed`.
    #[must_use]
    pub fn new(seed: u64, stream: Stream) -> Self {
        const APART: u64 = 0x9E37_79B9_7F4A_7C15; // streams of neighbouring seeds must differ, too
        Self(Xoshiro256PlusPlus::seed_from_u64(
            seed ^ (stream as u64 + 1).wrapping_mul(APART),
        ))
    }

    /// A number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        self.0.random()
    }

    /// A number of `0..count`; zero if `count` is zero.
    pub fn below(&mut self, count: usize) -> usize {
        // As 64 bits, so that a 32-bit platform draws the same.
        if count == 0 {
            0
        } else {
            self.0.random_range(0..count as u64) as usize
        }
    }

    /// Exponentially distributed, mean 1: the wait for the next random event.
    pub fn exponential(&mut self) -> f64 {
        -libm::log(1.0 - self.unit())
    }

    /// Normally distributed, mean 0, standard deviation 1 (Box and Muller, 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (2.0 * self.exponential()).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}

/// Random events at a mean rate (a Poisson process). The rate may change at any time.
#[derive(Clone, Debug)]
pub struct Arrivals {
    rng: Rng,
    /// The number of events to expect before the next one comes.
    next_after: f64,
}

impl Arrivals {
    /// Events drawn from `rng`.
    #[must_use]
    pub fn new(mut rng: Rng) -> Self {
        let next_after = rng.exponential();
        Self { rng, next_after }
    }

    /// Whether one more event comes while `expected` events are expected on average. Takes what it used off `expected`.
    /// Call again until none comes.
    pub fn next_within(&mut self, expected: &mut f64) -> bool {
        if *expected < self.next_after {
            self.next_after -= *expected;
            *expected = 0.0;
            return false;
        }
        *expected -= self.next_after;
        self.next_after = self.rng.exponential();
        true
    }

    /// The random numbers that the events come from, to draw their particulars.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance() -> Rng {
        Rng::new(7, Stream::Costs)
    }

    fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values
            .iter()
            .map(|value| (value - mean).powi(2))
            .sum::<f64>();
        (mean, (variance / values.len() as f64).sqrt())
    }

    #[test]
    fn the_same_seed_and_stream_draw_the_same_numbers() {
        let draw = |seed, stream| Rng::new(seed, stream).unit();
        assert_eq!(draw(1, Stream::Costs), draw(1, Stream::Costs));
        assert_ne!(draw(1, Stream::Costs), draw(2, Stream::Costs));
        assert_ne!(draw(1, Stream::Costs), draw(1, Stream::Churn));
    }

    #[test]
    fn a_normal_draw_has_mean_0_and_deviation_1() {
        let mut chance = chance();
        let values: Vec<f64> = (0..20_000).map(|_| chance.normal()).collect();
        let (mean, deviation) = mean_and_deviation(&values);
        assert!(
            mean.abs() < 0.03 && (deviation - 1.0).abs() < 0.03,
            "{mean} {deviation}"
        );
    }

    #[test]
    fn an_exponential_draw_has_mean_1_and_deviation_1() {
        let mut chance = chance();
        let values: Vec<f64> = (0..20_000).map(|_| chance.exponential()).collect();
        let (mean, deviation) = mean_and_deviation(&values);
        assert!(
            (mean - 1.0).abs() < 0.03 && (deviation - 1.0).abs() < 0.05,
            "{mean} {deviation}"
        );
    }

    #[test]
    fn as_many_arrive_as_are_expected_however_the_time_is_cut() {
        for (steps, expected_in_each) in [(100_000, 0.1), (100, 100.0), (1, 10_000.0)] {
            let mut arrivals = Arrivals::new(chance());
            let mut count = 0;
            for _ in 0..steps {
                let mut expected = expected_in_each;
                while arrivals.next_within(&mut expected) {
                    count += 1;
                }
            }
            assert!(
                (9_600..=10_400).contains(&count),
                "{count} of 10,000 in {steps} steps"
            );
        }
    }

    #[test]
    fn the_draw_below_nothing_is_zero() {
        assert_eq!(chance().below(0), 0);
    }
}
