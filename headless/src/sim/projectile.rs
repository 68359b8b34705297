//! Two flying objects that make a frame loop visible. A [`Projectile`] crosses the picture and is drawn twice: at the
//! loop's position, and at the position by real time. A [`Body`] is integrated with the updates' deltas, so the end of
//! its flight depends on the loop.

use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Time that a projectile takes to cross the picture.
pub const LAP: Nanos = Nanos::from_secs(2);

const HALF_LAP: Nanos = Nanos::from_nanos(LAP.as_nanos() / 2);

/// Time between two bounces of the projectile.
const HOP: Nanos = Nanos::from_millis(400);
/// Time from the start of a lap to its first bounce. Bounces are just after an update at most usual steps. That is
/// the worst case for a picture drawn ahead, because it takes a whole step to notice the bounce.
const FIRST_BOUNCE: Nanos = Nanos::from_millis(2);

/// Crosses the picture at constant speed, again and again, and bounces off the floor.
///
/// It moves by game time and is drawn ahead by `alpha` updates, as in the game-loop chapter. For example, 20 px from
/// the left edge, at 400 px per update and half an update ahead, it is drawn at 20 + 400 x 0.5 = 220 px. If `alpha` is
/// negative, it is drawn between its positions after the last two updates.
///
/// A bounce shows the price of drawing ahead: until the next update, the picture continues the fall below the floor.
///
/// A lap begins every [`LAP`] of the machine's time. It aligns game time with real time, however far apart the
/// two were: in the picture that is on the screen when the lap begins, there is no error. Later pictures are off by
/// what the game gains or loses in the lap.
///
/// Debt is no loss, because the loop makes up for it. If there is debt when a lap begins, the projectile starts that
/// far behind, and catches up. So a loop that makes up for part of a stall is never ahead of real time. Debt that the
/// loop has carried for half a lap is a constant delay, and does not count.
///
/// Real time is the machine's clock at the frame's start. The picture of a loop that reads the clock after its updates
/// is compared with that later moment.
#[derive(Clone, Debug, Default)]
pub struct Projectile {
    picture: Option<RenderedFrame>,
    /// Start of the current lap, on the machine's clock.
    began: ClockTime,
    /// Lead of the game over the machine's clock that counts as no error, once all lag is made up, in nanoseconds.
    lead: i64,
    /// Least lag since the middle of the previous lap: a constant delay.
    delay: Nanos,
    /// Least lag since the middle of this lap; `None` before.
    recent_delay: Option<Nanos>,
    lap: u64,
}

/// Times of a picture. Positions are computed from them on demand.
#[derive(Clone, Copy, Debug)]
pub struct RenderedFrame {
    /// Game time of the last update.
    pub now: GameTime,
    pub step: Nanos,
    /// How far the picture is ahead of the last update, in updates.
    pub alpha: f64,
    pub start: ClockTime,
    /// Moment for which the picture is drawn, as in [`Frame::drawn_for`](timeslicer::frame_loop::Frame::drawn_for).
    pub drawn_for: ClockTime,
    /// As in [`Frame::late`](timeslicer::frame_loop::Frame::late).
    pub late: Nanos,
    /// How far the game is behind, as in [`Frame::lag`](timeslicer::frame_loop::Frame::lag).
    pub lag: Nanos,
}

impl RenderedFrame {
    /// Returns the time by which the picture is ahead of the last update, in nanoseconds.
    fn ahead(&self) -> i64 {
        let nanos = self.step.as_nanos() as f64 * self.alpha;
        signed(Nanos::from_nanos_f64(nanos)) - signed(Nanos::from_nanos_f64(-nanos))
    }

    /// Returns the lead of the drawn game over the machine's clock, in nanoseconds.
    fn lead(&self) -> i64 {
        let drawn = signed(self.now.since_start()).saturating_add(self.ahead());
        drawn.saturating_sub(signed(self.drawn_for.since_start()))
    }

    /// Returns the lead that a picture of the present has once the loop has made up for all lag, in nanoseconds.
    fn settled_lead(&self) -> i64 {
        let lead = self.lead().saturating_add(signed(self.late));
        lead.saturating_add(signed(self.lag))
    }
}

/// Projectile in one picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sight {
    /// Number of the lap, from 0.
    pub lap: u64,
    /// Drawn position: 0 at the lap's start, 1 at its end, above 1 if the game is too fast.
    pub drawn: f64,
    /// Position after the last update, on the same scale.
    pub updated: f64,
    pub truth: f64,
    /// Drawn height above the floor, as a share of the greatest height: negative if the picture overshoots a bounce.
    pub height: f64,
    /// Error against real time, in nanoseconds: positive if the picture is ahead, negative if it is behind.
    pub error_nanos: i64,
}

impl Sight {
    /// Returns the distance by which the picture overshoots a bounce, in metres.
    pub fn overshoot(&self) -> f64 {
        (-self.height).max(0.0) * PEAK
    }
}

/// Greatest height of the projectile, in metres.
const PEAK: f64 = GRAVITY as f64 * HOP_SECONDS * HOP_SECONDS / 8.0;
const HOP_SECONDS: f64 = HOP.as_nanos() as f64 / 1e9;

/// Returns the projectile's height at a position, as a share of its greatest height, and the change of the height per
/// lap.
fn height_and_climb(position: f64) -> (f64, f64) {
    let hop = HOP.over(LAP);
    let share = (position - FIRST_BOUNCE.over(LAP)).rem_euclid(hop) / hop;
    (4.0 * share * (1.0 - share), 4.0 * (1.0 - 2.0 * share) / hop)
}

/// Returns the projectile's height at a position, as a share of its greatest height.
pub fn height(position: f64) -> f64 {
    height_and_climb(position).0
}

impl Projectile {
    /// Returns the projectile in the last picture. Lanes that began at the same time are in the same lap.
    pub fn sight(&self) -> Sight {
        let Some(picture) = self.picture else {
            return Sight::default();
        };
        let truth = picture.start - self.began;
        let error = picture.lead().saturating_sub(self.lead);
        let error_nanos = error.saturating_add(signed(self.delay));
        let drawn = signed(truth).saturating_add(error_nanos);
        let laps = |nanos: i64| nanos as f64 / LAP.as_nanos() as f64;
        let (drawn, ahead) = (laps(drawn), laps(picture.ahead()));
        let updated = drawn - ahead;
        let (last_height, climb) = height_and_climb(updated);
        let height = if picture.alpha < 0.0 {
            let earlier = height(updated - picture.step.over(LAP));
            last_height + picture.alpha * (last_height - earlier)
        } else {
            last_height + ahead * climb
        };
        Sight {
            lap: self.lap,
            drawn,
            updated,
            truth: truth.over(LAP),
            height,
            error_nanos,
        }
    }

    pub fn draw(&mut self, picture: RenderedFrame) {
        let (clock, lag) = (picture.start, picture.lag);
        let last = self.picture.replace(picture);
        let laps = (clock - self.began).as_nanos() / LAP.as_nanos();
        match last {
            None => {
                self.began = clock;
                self.lead = picture.settled_lead();
            }
            Some(last) if laps > 0 => {
                self.began += Nanos::from_nanos(laps * LAP.as_nanos());
                self.lap += laps;
                // A picture that was on the screen for more than a lap has no place in this lap.
                let first = if laps == 1 { last } else { picture };
                self.lead = first.settled_lead();
                self.delay = self.recent_delay.take().unwrap_or_default();
            }
            Some(_) => {}
        }
        self.delay = self.delay.min(lag);
        if clock - self.began >= HALF_LAP {
            let delay = self.recent_delay.map_or(lag, |delay| delay.min(lag));
            self.recent_delay = Some(delay);
        }
    }
}

fn signed(time: Nanos) -> i64 {
    time.as_nanos().try_into().unwrap_or(i64::MAX)
}

/// Game time of a flight. It equals [`LAP`], so if the game keeps real time, each lap ends with a comparison
/// of flights.
pub const SHOT: Nanos = LAP;

/// Metres per second squared, downwards.
const GRAVITY: f32 = 9.81;
/// Share of its speed that a body loses to drag in a second.
const DRAG: f32 = 0.3;
/// Maximum number of flights whose ends a body keeps: those of a day and a half in real time.
const MOST_ENDS: usize = 65_536;

/// Position and velocity of a body, forwards and up, in metres and seconds, in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    x: f32,
    y: f32,
    vx: f32,
    vy: f32,
}

impl Default for Motion {
    /// Returns the launch. With its velocity, the body comes down at about its initial height, 70 m further on.
    fn default() -> Self {
        let (vx, vy) = (46.5, 10.8);
        Self {
            x: 0.0,
            y: 0.0,
            vx,
            vy,
        }
    }
}

impl Motion {
    pub fn bits(&self) -> [u32; 4] {
        [self.x, self.y, self.vx, self.vy].map(f32::to_bits)
    }

    pub fn distance(&self, other: &Self) -> f64 {
        let x = f64::from(self.x) - f64::from(other.x);
        let y = f64::from(self.y) - f64::from(other.y);
        (x * x + y * y).sqrt()
    }

    /// Makes one step of symplectic Euler: velocity first, then the position by the new velocity.
    fn step(&mut self, seconds: f32) {
        self.vx -= DRAG * self.vx * seconds;
        self.vy -= (GRAVITY + DRAG * self.vy) * seconds;
        self.x += self.vx * seconds;
        self.y += self.vy * seconds;
    }
}

/// The bullet of the game-loop chapter: if a loop has variable steps, the bullet lands in different places on different
/// machines. Gravity and drag act on it. It is integrated in single precision, with each update's delta as the step.
///
/// A flight is simulated for exactly [`SHOT`] of game time, so its last step may be shorter. The next flight begins
/// with the next update. With fixed steps all flights are bit-identical on every machine; with variable steps their
/// ends differ. Some fixed steps are not quite equal (at 59.94 Hz they differ by a nanosecond), so compare only flights
/// with the same number.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub motion: Motion,
    /// Game time since the launch.
    pub flown: Nanos,
    /// Ends of the first flights.
    pub ends: Vec<Motion>,
}

impl Body {
    /// Advances the flight by `delta`, or to its end.
    pub fn update(&mut self, delta: Nanos) {
        let step = delta.min(SHOT - self.flown);
        // A flight's nanoseconds fit in 32 bits, and 32 bits convert to a float faster than 64.
        self.motion.step(step.as_nanos() as u32 as f32 * 1e-9);
        self.flown += step;
        if self.flown == SHOT {
            self.flown = Nanos::ZERO;
            let end = std::mem::take(&mut self.motion);
            if self.ends.len() < MOST_ENDS {
                self.ends.push(end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;
    const NOW: fn(u64) -> GameTime = |millis| GameTime::at(MS(millis));
    const CLOCK: fn(u64) -> ClockTime = |millis| ClockTime::at(MS(millis));

    /// Returns a picture without debt.
    fn picture(now: GameTime, step: Nanos, alpha: f64, start: ClockTime) -> RenderedFrame {
        RenderedFrame {
            now,
            step,
            alpha,
            start,
            drawn_for: start,
            late: Nanos::ZERO,
            lag: Nanos::ZERO,
        }
    }

    #[test]
    fn alpha_0_5_draws_the_chapters_example_at_220_px() {
        // 20 px per millisecond: the picture is 40,000 px wide (2 s), and an update of 20 ms moves by 400 px.
        let width = 20.0 * LAP.as_millis_f64();
        let mut projectile = Projectile::default();
        projectile.draw(picture(NOW(0), MS(20), 0.0, CLOCK(0)));
        projectile.draw(picture(NOW(1), MS(20), 0.0, CLOCK(1)));
        assert_eq!(projectile.sight().drawn * width, 20.0);
        projectile.draw(picture(NOW(1), MS(20), 0.5, CLOCK(11)));
        assert_eq!(projectile.sight().drawn * width, 220.0);
        assert_eq!(projectile.sight().truth * width, 220.0);
        assert_eq!(projectile.sight().error_nanos, 0);
    }

    #[test]
    fn each_crossing_aligns_game_and_real_time() {
        let mut projectile = Projectile::default();
        projectile.draw(picture(NOW(700), MS(20), 0.0, CLOCK(1_000)));
        projectile.draw(picture(NOW(900), MS(20), 0.0, CLOCK(2_999)));
        assert_eq!(projectile.sight().lap, 0);
        assert_eq!(projectile.sight().error_nanos, 200_000_000 - 1_999_000_000);
        projectile.draw(picture(NOW(901), MS(20), 0.0, CLOCK(3_007)));
        assert_eq!(projectile.sight().lap, 1);
        assert_eq!(projectile.sight().error_nanos, 1_000_000 - 8_000_000);
        assert_eq!(projectile.sight().truth, 0.0035);
        projectile.draw(picture(NOW(2_000), MS(20), 0.0, CLOCK(1_000_000_999)));
        assert_eq!(projectile.sight().lap, 499_999);
        assert_eq!(projectile.sight().truth, 0.9995);
        assert_eq!(projectile.sight().error_nanos, 0);
    }

    #[test]
    fn extreme_times_do_not_panic() {
        let mut projectile = Projectile::default();
        for (now, clock) in [
            (GameTime::MAX, ClockTime::START),
            (GameTime::START, ClockTime::MAX),
        ] {
            projectile.draw(picture(now, Nanos::MAX, 1.0, clock));
            assert!(projectile.sight().drawn.is_finite());
        }
        let mut body = Body::default();
        for delta in [Nanos::ZERO, Nanos::MAX, Nanos::from_nanos(1)] {
            body.update(delta);
        }
        assert_eq!(body.flown, Nanos::from_nanos(1));
    }

    /// Draws one picture per 20 ms of the clock, from `from` to `to`. `game` returns game time and lag at a time.
    fn draw(projectile: &mut Projectile, from: u64, to: u64, game: impl Fn(u64) -> (u64, u64)) {
        for clock in (from..=to).step_by(20) {
            let (now, lag) = game(clock);
            projectile.draw(RenderedFrame {
                lag: MS(lag),
                ..picture(NOW(now), MS(20), 0.0, CLOCK(clock))
            });
        }
    }

    #[test]
    fn making_up_for_a_stall_never_leads_to_being_ahead() {
        // A stall of 500 ms ends at `stall`; 250 ms of it are dropped, the rest is made up at double speed.
        for stall in (1_520..=2_600).step_by(20) {
            let mut projectile = Projectile::default();
            draw(&mut projectile, 0, stall - 500, |clock| (clock, 0));
            let mut of_stall = None;
            for clock in (stall..stall + 3_000).step_by(20) {
                let lag = 250_u64.saturating_sub(clock - stall);
                draw(&mut projectile, clock, clock, |clock| {
                    (clock - 250 - lag, lag)
                });
                let (error, lap) = (projectile.sight().error_nanos, projectile.sight().lap);
                assert!(error <= 0, "{error} at {clock}, stall until {stall}");
                let is_same_lap = lap == *of_stall.get_or_insert(lap);
                if lag == 0 && is_same_lap {
                    assert_eq!(error, -250_000_000, "{clock}, stall until {stall}");
                }
            }
            assert_eq!(projectile.sight().error_nanos, 0, "one lap later");
        }
    }

    #[test]
    fn debt_that_is_never_made_up_is_a_constant_delay() {
        let mut projectile = Projectile::default();
        // Half speed, with a debt of 250 ms.
        draw(&mut projectile, 0, 6_000, |clock| {
            (clock / 2, 250.min(clock))
        });
        assert_eq!(projectile.sight().lap, 3);
        assert_eq!(projectile.sight().error_nanos, -10_000_000, "one picture");
        // If it is made up after all, the game does not lead.
        let mut other = projectile.clone();
        draw(&mut other, 6_020, 6_020, |_| (3_260, 0));
        assert_eq!(other.sight().error_nanos, -20_000_000);
        draw(&mut projectile, 6_020, 7_000, |clock| (clock / 2, 250));
        assert_eq!(projectile.sight().error_nanos, -510_000_000);
    }

    /// Returns the pictures of a game with updates of 20 ms at every millisecond of the first lap.
    fn pictures(mode: u64) -> Vec<Sight> {
        let mut projectile = Projectile::default();
        let picture = |clock: u64| {
            let (updated, fraction) = (clock / 20 * 20, (clock % 20) as f64 / 20.0);
            let (alpha, late) =
                [(0.0, clock % 20), (fraction, 0), (fraction - 1.0, 20)][mode as usize];
            RenderedFrame {
                late: MS(late),
                ..picture(NOW(updated), MS(20), alpha, CLOCK(clock))
            }
        };
        let sight = |clock| {
            projectile.draw(picture(clock));
            projectile.sight()
        };
        (0..2_000).map(sight).collect()
    }

    #[test]
    fn only_pictures_drawn_ahead_overshoot_and_only_others_are_late() {
        let [last_update, ahead, between] = [0, 1, 2].map(pictures);
        let overshoot = |sights: &[Sight]| {
            let overshoots = sights.iter().map(Sight::overshoot);
            overshoots.fold(0.0, f64::max)
        };
        assert_eq!((overshoot(&last_update), overshoot(&between)), (0.0, 0.0));
        // The fall continues for up to 17 ms after a bounce, at the speed of the last update.
        let fall = f64::from(GRAVITY) * 0.2;
        let measured = overshoot(&ahead);
        assert!(
            (0.8 * 0.017 * fall..0.017 * fall).contains(&measured),
            "{measured}"
        );
        assert!(ahead.iter().all(|sight| sight.error_nanos == 0));
        assert!(between.iter().all(|sight| sight.error_nanos == -20_000_000));
        let errors = last_update.iter().map(|sight| sight.error_nanos);
        assert_eq!(errors.min(), Some(-19_000_000));
        for (sight, late) in ahead.iter().zip(&between) {
            assert!((sight.updated - late.updated).abs() < 1e-9);
            // An interpolated picture is on a chord of the path.
            let off = late.height - height(late.drawn);
            assert!(off.abs() < 0.1, "{off} at {}", late.drawn);
        }
    }

    #[test]
    fn a_picture_one_step_late_stays_late_in_every_crossing() {
        let mut projectile = Projectile::default();
        for clock in (0..20_000).step_by(10) {
            let fraction = (clock % 40) as f64 / 40.0;
            projectile.draw(RenderedFrame {
                late: MS(40),
                ..picture(NOW(clock / 40 * 40), MS(40), fraction - 1.0, CLOCK(clock))
            });
            assert_eq!(projectile.sight().error_nanos, -40_000_000, "{clock}");
        }
    }

    fn flight(step: Nanos) -> Motion {
        let mut body = Body::default();
        while body.ends.is_empty() {
            body.update(step);
        }
        body.ends[0]
    }

    #[test]
    fn equal_steps_end_bit_identical() {
        let mut body = Body::default();
        while body.ends.len() < 10 {
            body.update(MS(30)); // 66 full steps and one of 20 ms
        }
        let bits = flight(MS(30)).bits();
        assert!(body.ends.iter().all(|end| end.bits() == bits));
        // Coarser steps land further off.
        let [fine, display, coarse] = [5, 16, 50].map(|step| flight(MS(step)));
        assert_ne!(fine.bits(), display.bits());
        let (near, far) = (fine.distance(&display), fine.distance(&coarse));
        assert!(0.05 < near && near < far && far < 5.0, "{near} m, {far} m");
    }
}
