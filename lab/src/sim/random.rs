//! Generates random numbers from a seed. The numbers are the same on every platform.
//!
//! Logarithms are computed with `libm`, because the results of the platforms' own functions differ in the last digit.

use ::rand::rngs::Xoshiro256PlusPlus;
use ::rand::{RngExt, SeedableRng};

/// What a stream of random numbers is used for. Each use has its own stream, so that drawing random numbers for
/// requests does not change births, deaths and costs. These are therefore the same for all strategies, although only
/// some strategies use requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Costs,
    Churn,
    Requests,
    Jitter,
    Runs,
    Eager,
}

pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    pub fn new(seed: u64, stream: Stream) -> Self {
        const APART: u64 = 0x9E37_79B9_7F4A_7C15; // a large number, so that neighbouring seeds give different streams
        Self(Xoshiro256PlusPlus::seed_from_u64(
            seed ^ (stream as u64 + 1).wrapping_mul(APART),
        ))
    }

    /// Returns a uniformly distributed random number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        self.0.random()
    }

    /// Returns a uniformly distributed random number below `count`, or zero if `count` is zero.
    pub fn below(&mut self, count: usize) -> usize {
        // Draws 64 bits, so that a 32-bit platform gets the same number.
        if count == 0 {
            0
        } else {
            self.0.random_range(0..count as u64) as usize
        }
    }

    /// Returns an exponentially distributed random number with mean 1, such as the time until the next random event.
    pub fn exponential(&mut self) -> f64 {
        -libm::log(1.0 - self.unit())
    }

    /// Returns a normally distributed random number with mean 0 and standard deviation 1. Uses the method of Box and
    /// Muller (1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (2.0 * self.exponential()).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}

/// Random events that occur at a mean rate, such as births (a Poisson process). The rate may change at any time.
pub struct Arrivals {
    /// The random number generator, which can also be used to choose the details of an event.
    pub rng: Rng,
    /// The time until the next event, multiplied by the mean rate of events. The product is stored instead of the time,
    /// because it stays valid if the rate changes.
    next_after: f64,
}

impl Arrivals {
    pub fn new(mut rng: Rng) -> Self {
        let next_after = rng.exponential();
        Self { rng, next_after }
    }

    /// Returns true if another event occurs in a span of time. `expected_count` is the expected number of events in the
    /// span. Each call that returns true reduces it to the number of events expected after this event. Call this in a
    /// loop until it returns false.
    pub fn next_within(&mut self, expected_count: &mut f64) -> bool {
        if *expected_count < self.next_after {
            self.next_after -= *expected_count;
            *expected_count = 0.0;
            return false;
        }
        *expected_count -= self.next_after;
        self.next_after = self.rng.exponential();
        true
    }
}
