//! Points of the world, and the orbit of the target that the crowd watches.

use timeslice::time::{GameTime, Nanos};

/// Point in the world: from (0, 0), top left, to (1, 1), bottom right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Horizontal position, 0 at the left.
    pub x: f32,
    /// Vertical position, 0 at the top.
    pub y: f32,
}

/// Returns the target's position on its orbit: side to side and back in nine seconds, up and down in seven. The orbit
/// repeats only after a minute, so a stale gaze is rarely right by chance.
pub(super) fn orbit(now: GameTime) -> Point {
    let angle = |secs: u64| {
        let period = Nanos::from_secs(secs);
        let turn =
            (now.since_start().as_nanos() % period.as_nanos()) as f64 / period.as_nanos() as f64;
        turn * std::f64::consts::TAU
    };
    Point {
        x: (0.5 + 0.38 * libm::cos(angle(9))) as f32,
        y: (0.5 + 0.36 * libm::sin(angle(7))) as f32,
    }
}
