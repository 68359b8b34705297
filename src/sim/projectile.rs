//! Two things that fly and show what a frame loop does. A [`Projectile`] crosses the picture: it is drawn at the loop's
//! position and at the position by true time. A [`Body`] is integrated by the updates' deltas, so its flight ends where
//! they take it.

use timeslice::time::{ClockTime, GameTime, Nanos};

/// How long a projectile takes to cross the picture.
pub const CROSSING: Nanos = Nanos::from_secs(2);

/// Crosses the picture at an even speed, again and again.
///
/// It moves by game time and is drawn ahead by alpha, as the game-loop chapter has it: 20 px from the left
/// edge, at 400 px an update, half an update later, makes 20 + 400 x 0.5 = 220 px. A crossing begins each
/// [`CROSSING`] of the machine's time. Its first picture aligns game time with true time, however far they were apart by
/// then; their difference afterwards is the error.
///
/// True time is the machine's clock at the frame's start. A loop that reads the clock after its updates draws
/// for that later moment, and so is ahead by what the updates took.
#[derive(Clone, Debug, Default)]
pub struct Projectile {
    /// The last picture.
    picture: Option<Picture>,
    /// When the present crossing began, on the machine's clock.
    began: ClockTime,
    /// How far the game was ahead of the machine's clock in the crossing's first picture, in nanoseconds.
    lead: i64,
    crossing: u64,
}

/// The times of a picture. Positions are computed from them on demand.
#[derive(Clone, Copy, Debug)]
struct Picture {
    now: GameTime,
    step: Nanos,
    alpha: f64,
    clock: ClockTime,
}

impl Picture {
    /// How far the drawn game is ahead of the machine's clock, in nanoseconds.
    fn lead(&self) -> i64 {
        let ahead = Nanos::from_nanos_f64(self.step.as_nanos() as f64 * self.alpha);
        signed((self.now + ahead).since_start()) - signed(self.clock.since_start())
    }
}

/// A projectile in one picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sight {
    /// The number of the crossing.
    pub crossing: u64,
    /// Its drawn position: 0 at the crossing's start, 1 at its end, above 1 if the game is too fast.
    pub drawn: f64,
    /// Its position by true time.
    pub truth: f64,
    /// How far the picture is from true time, in nanoseconds: above zero it is ahead, below it is late.
    pub error_nanos: i64,
}

impl Projectile {
    /// The projectile in the last picture.
    #[must_use]
    pub fn sight(&self) -> Sight {
        Sight {
            crossing: self.crossing(),
            drawn: self.position(),
            truth: self.true_position(),
            error_nanos: self.error_nanos(),
        }
    }

    /// Draws a picture of the frame that started at `clock`, at game time `now` and `alpha` of a `step` ahead of it.
    pub fn draw(&mut self, now: GameTime, step: Nanos, alpha: f64, clock: ClockTime) {
        let picture = Picture {
            now,
            step,
            alpha,
            clock,
        };
        if self.picture.replace(picture).is_none() {
            self.began = clock;
            self.lead = picture.lead();
        } else if clock - self.began >= CROSSING {
            let crossings = (clock - self.began).as_nanos() / CROSSING.as_nanos();
            self.began += Nanos::from_nanos(crossings * CROSSING.as_nanos());
            self.crossing += crossings;
            self.lead = picture.lead();
        }
    }

    /// The number of the present crossing, from 0; the same for all lanes that began at the same time.
    #[must_use]
    pub fn crossing(&self) -> u64 {
        self.crossing
    }

    /// The true time since the crossing began, less than [`CROSSING`].
    #[must_use]
    pub fn truth(&self) -> Nanos {
        self.picture
            .map_or(Nanos::ZERO, |picture| picture.clock - self.began)
    }

    /// How far the picture is from true time, in nanoseconds: above zero it is ahead, below it is late.
    #[must_use]
    pub fn error_nanos(&self) -> i64 {
        self.picture
            .map_or(0, |picture| picture.lead().saturating_sub(self.lead))
    }

    /// Its position by true time: 0 at the crossing's start, 1 at its end.
    #[must_use]
    pub fn true_position(&self) -> f64 {
        self.truth().over(CROSSING)
    }

    /// Its drawn position; above 1 if the game is faster than true time.
    #[must_use]
    pub fn position(&self) -> f64 {
        signed(self.truth()).saturating_add(self.error_nanos()) as f64 / CROSSING.as_nanos() as f64
    }
}

fn signed(time: Nanos) -> i64 {
    time.as_nanos().try_into().unwrap_or(i64::MAX)
}

/// How long a body flies: as long as a projectile that keeps real time crosses the picture, so that each crossing
/// ends with a comparison.
pub const FLIGHT: Nanos = CROSSING;

/// Metres a second squared, downwards.
const GRAVITY: f32 = 9.81;
/// The share of its speed that the air takes off a body in a second.
const DRAG: f32 = 0.3;
/// Metres a second, forwards and up: it comes down at about its initial height, 70 m further on.
const MUZZLE: [f32; 2] = [46.5, 10.8];

/// Position and velocity of a body, in metres and seconds, in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Forwards and up from its start.
    pub position: [f32; 2],
    /// Forwards and up.
    pub velocity: [f32; 2],
}

impl Motion {
    const LAUNCH: Self = Self {
        position: [0.0, 0.0],
        velocity: MUZZLE,
    };

    /// True if all bits are equal.
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }

    /// All of its bits: position forwards and up, velocity forwards and up.
    #[must_use]
    pub fn bits(&self) -> [u32; 4] {
        let ([x, y], [vx, vy]) = (self.position, self.velocity);
        [x, y, vx, vy].map(f32::to_bits)
    }

    /// How far apart the two positions are, in metres.
    #[must_use]
    pub fn distance(&self, other: &Self) -> f64 {
        let [x, y] =
            [0, 1].map(|axis| f64::from(self.position[axis]) - f64::from(other.position[axis]));
        (x * x + y * y).sqrt()
    }

    /// One step of symplectic Euler: the velocity first, then the position by the new velocity.
    fn step(&mut self, seconds: f32) {
        let [x, y] = &mut self.position;
        let [vx, vy] = &mut self.velocity;
        *vx -= DRAG * *vx * seconds;
        *vy -= (GRAVITY + DRAG * *vy) * seconds;
        *x += *vx * seconds;
        *y += *vy * seconds;
    }
}

/// A flight that is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// Its number, from 0.
    pub number: u64,
    /// How it ended.
    pub end: Motion,
}

/// The chapter's bullet that ends in two places: thrown, pulled down and slowed by the air, it is integrated in
/// single precision by each update's delta.
///
/// Every flight is simulated for exactly [`FLIGHT`] of game time, its last step being cut, and the next begins
/// with the next update. So a flight of fixed steps ends in the same bits on every machine, and one of variable
/// steps does not: other steps, other errors. (If updates differ among themselves, as those of 59.94 a second do by a
/// nanosecond, compare flights of the same number.)
#[derive(Clone, Debug)]
pub struct Body {
    motion: Motion,
    flown: Nanos,
    flights: u64,
    last: Option<Flight>,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            motion: Motion::LAUNCH,
            flown: Nanos::ZERO,
            flights: 0,
            last: None,
        }
    }
}

impl Body {
    /// Flies on for `delta`, or to the end of the flight.
    pub fn update(&mut self, delta: Nanos) {
        let step = delta.min(FLIGHT - self.flown);
        // A flight's nanoseconds fit, and 32 bits become a float faster than 64.
        self.motion.step(step.as_nanos() as u32 as f32 * 1e-9);
        self.flown += step;
        if self.flown == FLIGHT {
            self.last = Some(Flight {
                number: self.flights,
                end: self.motion,
            });
            self.flights += 1;
            self.motion = Motion::LAUNCH;
            self.flown = Nanos::ZERO;
        }
    }

    /// Its position and velocity.
    #[must_use]
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// The game time since its flight began.
    #[must_use]
    pub fn flown(&self) -> Nanos {
        self.flown
    }

    /// The last flight that is over.
    #[must_use]
    pub fn last_flight(&self) -> Option<&Flight> {
        self.last.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;
    const NOW: fn(u64) -> GameTime = |millis| GameTime::at(MS(millis));
    const CLOCK: fn(u64) -> ClockTime = |millis| ClockTime::at(MS(millis));

    #[test]
    fn alpha_draws_20_px_and_half_of_400_px_at_220_px() {
        // 20 px a millisecond: a picture of 40,000 px in 2 s, 400 px in an update of 20 ms.
        let width = 20.0 * CROSSING.as_millis_f64();
        let mut projectile = Projectile::default();
        projectile.draw(NOW(0), MS(20), 0.0, CLOCK(0));
        projectile.draw(NOW(1), MS(20), 0.0, CLOCK(1));
        assert_eq!(projectile.position() * width, 20.0);
        projectile.draw(NOW(1), MS(20), 0.5, CLOCK(11));
        assert_eq!(projectile.position() * width, 220.0);
        assert_eq!(projectile.true_position() * width, 220.0);
        assert_eq!(projectile.error_nanos(), 0);
    }

    #[test]
    fn the_error_is_exact_at_half_and_double_speed() {
        for (speed, error) in [(1, -500_000_000), (2, 0), (4, 1_000_000_000)] {
            let mut projectile = Projectile::default();
            for half in 0..=1000 {
                projectile.draw(NOW(half * speed / 2), MS(20), 0.0, CLOCK(half));
            }
            assert_eq!(projectile.error_nanos(), error);
            assert_eq!(projectile.true_position(), 0.5);
            assert_eq!(projectile.position(), 0.5 + error as f64 / 2e9);
        }
    }

    #[test]
    fn each_crossing_begins_with_both_times_aligned() {
        let mut projectile = Projectile::default();
        projectile.draw(NOW(700), MS(20), 0.0, CLOCK(1_000));
        projectile.draw(NOW(900), MS(20), 0.0, CLOCK(2_999));
        assert_eq!(projectile.crossing(), 0);
        assert_eq!(projectile.error_nanos(), 200_000_000 - 1_999_000_000);
        projectile.draw(NOW(901), MS(20), 0.0, CLOCK(3_007));
        assert_eq!((projectile.crossing(), projectile.error_nanos()), (1, 0));
        assert_eq!(projectile.truth(), MS(7));
        projectile.draw(NOW(2_000), MS(20), 0.0, CLOCK(1_000_000_999));
        assert_eq!(projectile.crossing(), 499_999);
        assert_eq!(
            (projectile.truth(), projectile.error_nanos()),
            (MS(1_999), 0)
        );
    }

    #[test]
    fn the_ends_of_time_are_no_panic() {
        let mut projectile = Projectile::default();
        for (now, clock) in [
            (GameTime::MAX, ClockTime::START),
            (GameTime::START, ClockTime::MAX),
        ] {
            projectile.draw(now, Nanos::MAX, 1.0, clock);
            assert!(projectile.position().is_finite());
        }
        let mut body = Body::default();
        for delta in [Nanos::ZERO, Nanos::MAX, Nanos::from_nanos(1)] {
            body.update(delta);
        }
        assert_eq!(body.flown(), Nanos::from_nanos(1));
    }

    fn flight(step: Nanos) -> Motion {
        let mut body = Body::default();
        while body.last_flight().is_none() {
            body.update(step);
        }
        body.last_flight().unwrap().end
    }

    #[test]
    fn flights_of_the_same_steps_end_in_the_same_bits() {
        let mut body = Body::default();
        let mut ends = Vec::new();
        while ends.len() < 10 {
            body.update(MS(30)); // 66 of them, and 20 ms
            if let Some(flight) = body
                .last_flight()
                .filter(|it| it.number == ends.len() as u64)
            {
                ends.push(flight.end);
            }
        }
        assert!(ends.iter().all(|end| end.is_identical(&ends[0])));
        assert!(ends[0].is_identical(&flight(MS(30))));
    }

    #[test]
    fn flights_of_other_steps_end_elsewhere() {
        let [fine, display, coarse] = [5, 16, 50].map(|step| flight(MS(step)));
        assert!(!fine.is_identical(&display));
        let (near, far) = (fine.distance(&display), fine.distance(&coarse));
        assert!(0.05 < near && near < far && far < 5.0, "{near} m, {far} m");
        assert_eq!(fine.distance(&fine), 0.0);
    }

    #[test]
    fn it_flies_far_and_comes_down_near_its_height() {
        let [x, y] = flight(MS(1)).position;
        assert!((65.0..75.0).contains(&x) && y.abs() < 2.0, "{x} {y}");
    }
}
