//! Two flying objects that make a frame loop visible. A [`Projectile`] crosses the picture and is drawn twice: at the
//! loop's position, and at the position by real time. A [`Body`] is integrated with the updates' deltas, so the end of
//! its flight depends on the loop.

use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Time that a projectile takes to cross the picture.
pub const CROSSING: Nanos = Nanos::from_secs(2);

const HALF_CROSSING: Nanos = Nanos::from_nanos(CROSSING.as_nanos() / 2);

/// Crosses the picture at constant speed, again and again.
///
/// It moves by game time and is drawn ahead by `alpha` updates, as in the game-loop chapter. For example, 20 px from
/// the left edge, at 400 px per update and half an update ahead, it is drawn at 20 + 400 x 0.5 = 220 px.
///
/// A crossing begins every [`CROSSING`] of the machine's time. It aligns game time with real time, however far apart the
/// two were: in the picture that is on the screen when the crossing begins, there is no error. Later pictures are off by
/// what the game gains or loses in the crossing.
///
/// Debt is no loss, because the loop makes up for it. If there is debt when a crossing begins, the projectile starts that
/// far behind, and catches up. So a loop that makes up for part of a stall is never ahead of real time. Debt that the
/// loop has carried for half a crossing is a constant delay, and does not count.
///
/// Real time is the machine's clock at the frame's start. The picture of a loop that reads the clock after its updates
/// is compared with that later moment.
#[derive(Clone, Debug, Default)]
pub struct Projectile {
    /// Last picture, if any.
    picture: Option<Picture>,
    /// Start of the current crossing, on the machine's clock.
    began: ClockTime,
    /// Lead of the game over the machine's clock that counts as no error, once all lag is made up, in nanoseconds.
    lead: i64,
    /// Least lag since the middle of the previous crossing: a constant delay.
    delay: Nanos,
    /// Least lag since the middle of this crossing; `None` before.
    recent_delay: Option<Nanos>,
    crossing: u64,
}

/// Times of a picture. Positions are computed from them on demand.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// Game time of the last update.
    pub now: GameTime,
    /// Game time of one update.
    pub step: Nanos,
    /// How far the picture is ahead of the last update, in updates.
    pub alpha: f64,
    /// Start of the frame, on the machine's clock.
    pub start: ClockTime,
    /// Moment that the picture shows, as in [`Frame::drawn_for`](timeslicer::frame_loop::Frame::drawn_for).
    pub drawn_for: ClockTime,
    /// How late the picture is, as in [`Frame::lag`](timeslicer::frame_loop::Frame::lag).
    pub lag: Nanos,
}

impl Picture {
    /// Returns the lead of the drawn game over the machine's clock, in nanoseconds.
    fn lead(&self) -> i64 {
        let ahead = Nanos::from_nanos_f64(self.step.as_nanos() as f64 * self.alpha);
        // Without interpolation a picture shows the moment of the last update, which is before the frame's start.
        let clock = self.drawn_for.max(self.start);
        signed((self.now + ahead).since_start()) - signed(clock.since_start())
    }

    /// Returns the lead that the game has once the loop has made up for all lag, in nanoseconds.
    fn settled_lead(&self) -> i64 {
        self.lead().saturating_add(signed(self.lag))
    }
}

/// Projectile in one picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sight {
    /// Number of the crossing, from 0.
    pub crossing: u64,
    /// Drawn position: 0 at the crossing's start, 1 at its end, above 1 if the game is too fast.
    pub drawn: f64,
    /// Position by real time.
    pub truth: f64,
    /// Error against real time, in nanoseconds: positive if the picture is ahead, negative if it is behind.
    pub error_nanos: i64,
}

impl Projectile {
    /// Returns the projectile in the last picture.
    #[must_use]
    pub fn sight(&self) -> Sight {
        Sight {
            crossing: self.crossing(),
            drawn: self.position(),
            truth: self.true_position(),
            error_nanos: self.error_nanos(),
        }
    }

    /// Records a picture.
    pub fn draw(&mut self, picture: Picture) {
        let (clock, lag) = (picture.start, picture.lag);
        let last = self.picture.replace(picture);
        let crossings = (clock - self.began).as_nanos() / CROSSING.as_nanos();
        match last {
            None => {
                self.began = clock;
                self.lead = picture.settled_lead();
            }
            Some(last) if crossings > 0 => {
                self.began += Nanos::from_nanos(crossings * CROSSING.as_nanos());
                self.crossing += crossings;
                // A picture that was on the screen for more than a crossing has no place in this crossing.
                let first = if crossings == 1 { last } else { picture };
                self.lead = first.settled_lead();
                self.delay = self.recent_delay.take().unwrap_or_default();
            }
            Some(_) => {}
        }
        self.delay = self.delay.min(lag);
        if self.truth() >= HALF_CROSSING {
            let delay = self.recent_delay.map_or(lag, |delay| delay.min(lag));
            self.recent_delay = Some(delay);
        }
    }

    /// Returns the number of the current crossing, from 0; lanes that began at the same time are in the same crossing.
    #[must_use]
    pub fn crossing(&self) -> u64 {
        self.crossing
    }

    /// Returns the real time since the crossing began, less than [`CROSSING`].
    #[must_use]
    pub fn truth(&self) -> Nanos {
        self.picture
            .map_or(Nanos::ZERO, |picture| picture.start - self.began)
    }

    /// Returns the error against real time, in nanoseconds: positive if the picture is ahead, negative if it is behind.
    #[must_use]
    pub fn error_nanos(&self) -> i64 {
        self.picture.map_or(0, |picture| {
            let lead = picture.lead().saturating_sub(self.lead);
            lead.saturating_add(signed(self.delay))
        })
    }

    /// Returns the position by real time: 0 at the crossing's start, 1 at its end.
    #[must_use]
    pub fn true_position(&self) -> f64 {
        self.truth().over(CROSSING)
    }

    /// Returns the drawn position; above 1 if the game is faster than real time.
    #[must_use]
    pub fn position(&self) -> f64 {
        signed(self.truth()).saturating_add(self.error_nanos()) as f64 / CROSSING.as_nanos() as f64
    }
}

fn signed(time: Nanos) -> i64 {
    time.as_nanos().try_into().unwrap_or(i64::MAX)
}

/// Game time of a flight. It equals [`CROSSING`], so if the game keeps real time, each crossing ends with a comparison
/// of flights.
pub const FLIGHT: Nanos = CROSSING;

/// Metres per second squared, downwards.
const GRAVITY: f32 = 9.81;
/// Share of its speed that a body loses to drag in a second.
const DRAG: f32 = 0.3;
/// Metres per second, forwards and up: the body comes down at about its initial height, 70 m further on.
const MUZZLE: [f32; 2] = [46.5, 10.8];

/// Position and velocity of a body, in metres and seconds, in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Metres forwards and up from the start.
    pub position: [f32; 2],
    /// Metres per second forwards and up.
    pub velocity: [f32; 2],
}

impl Motion {
    const LAUNCH: Self = Self {
        position: [0.0, 0.0],
        velocity: MUZZLE,
    };

    /// Returns true if all bits are equal.
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }

    /// Returns all bits: position forwards and up, velocity forwards and up.
    #[must_use]
    pub fn bits(&self) -> [u32; 4] {
        let ([x, y], [vx, vy]) = (self.position, self.velocity);
        [x, y, vx, vy].map(f32::to_bits)
    }

    /// Returns the distance between the two positions, in metres.
    #[must_use]
    pub fn distance(&self, other: &Self) -> f64 {
        let [x, y] =
            [0, 1].map(|axis| f64::from(self.position[axis]) - f64::from(other.position[axis]));
        (x * x + y * y).sqrt()
    }

    /// Makes one step of symplectic Euler: velocity first, then the position by the new velocity.
    fn step(&mut self, seconds: f32) {
        let [x, y] = &mut self.position;
        let [vx, vy] = &mut self.velocity;
        *vx -= DRAG * *vx * seconds;
        *vy -= (GRAVITY + DRAG * *vy) * seconds;
        *x += *vx * seconds;
        *y += *vy * seconds;
    }
}

/// Completed flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// Number of the flight, from 0.
    pub number: u64,
    /// Motion at its end.
    pub end: Motion,
}

/// The bullet of the game-loop chapter: if a loop has variable steps, the bullet lands in different places on different
/// machines. Gravity and drag act on it. It is integrated in single precision, with each update's delta as the step.
///
/// A flight is simulated for exactly [`FLIGHT`] of game time, so its last step may be shorter. The next flight begins
/// with the next update. With fixed steps all flights are bit-identical on every machine; with variable steps their
/// ends differ. Some fixed steps are not quite equal (at 59.94 Hz they differ by a nanosecond), so compare only flights
/// with the same number.
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
    /// Advances the flight by `delta`, or to its end.
    pub fn update(&mut self, delta: Nanos) {
        let step = delta.min(FLIGHT - self.flown);
        // A flight's nanoseconds fit in 32 bits, and 32 bits convert to a float faster than 64.
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

    /// Returns the position and the velocity.
    #[must_use]
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// Returns the game time since the current flight began.
    #[must_use]
    pub fn flown(&self) -> Nanos {
        self.flown
    }

    /// Returns the last completed flight.
    #[must_use]
    pub fn last_flight(&self) -> Option<&Flight> {
        self.last.as_ref()
    }
}

#[cfg(test)]
mod tests;
