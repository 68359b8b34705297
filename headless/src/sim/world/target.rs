//! The orbit of the target that the crowd watches.

use super::plane::{HEIGHT, Point, WIDTH};
use timeslicer::time::{GameTime, Nanos};

/// Time after which the orbit repeats.
pub(crate) const ORBIT_PERIOD: Nanos = Nanos::from_secs(63);

/// Returns the target's position on its orbit: side to side and back in nine seconds, up and down in seven. The orbit
/// repeats only after a minute, so a stale gaze is rarely right by chance.
pub(crate) fn orbit(now: GameTime) -> Point {
    let angle = |secs: u64| {
        let period = Nanos::from_secs(secs);
        let turn =
            (now.since_start().as_nanos() % period.as_nanos()) as f64 / period.as_nanos() as f64;
        turn * std::f64::consts::TAU
    };
    Point {
        x: WIDTH * (0.5 + 0.38 * libm::cos(angle(9))) as f32,
        y: HEIGHT * (0.5 + 0.36 * libm::sin(angle(7))) as f32,
    }
}
