//! Significance in figures: weights as whole numbers, and the theoretical minimum of weighted staleness. The world
//! decides what matters ([`crate::sim::world`]); the collector measures staleness.

mod bounds;
mod weight;

pub use bounds::{Bounds, MOST_SAMPLED, load};
pub(super) use weight::FixedWeight;
