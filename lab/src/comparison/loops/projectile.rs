//! Simulates two flying objects that make the effect of a frame loop visible.
//!
//! A [`Projectile`] crosses the screen and is drawn twice, at its position in game time and at its position in real
//! time. A [`Body`] is launched again and again, and each flight is called a shot. Each update moves the body by one
//! step, so the frame loop affects where a shot ends.

use crate::sim::lane::FrameRecord;
use timeslicer::time::{ClockTime, Nanos};

/// How long the projectile takes to cross the screen.
pub const LAP: Nanos = Nanos::from_secs(2);

const HALF_LAP: Nanos = Nanos::from_nanos(LAP.as_nanos() / 2);

/// The time from one bounce of the projectile to the next.
const HOP: Nanos = Nanos::from_millis(400);
/// The time from the start of a lap to its first bounce. With most step lengths, the projectile then bounces just after
/// an update, which is the worst case for extrapolation.
const FIRST_BOUNCE: Nanos = Nanos::from_millis(2);

/// A projectile that crosses the screen again and again at constant speed and bounces off the floor.
///
/// It moves in game time and is drawn ahead by `alpha` updates, as in the "Game Loop" chapter of Game Programming
/// Patterns. For example, if it is 20 px from the left edge, moves 400 px per update and is drawn half an update ahead,
/// it appears at 20 + 400 x 0.5 = 220 px. If `alpha` is negative, the position is interpolated between the last two
/// updates.
///
/// A bounce shows the price of extrapolation. Until the next update, the projectile keeps falling below the floor.
///
/// A new lap begins every [`LAP`] on the machine's clock. It realigns game time with real time, so the frame that is on
/// screen when the lap begins has no error. Later frames are off by the time that the game gains or loses in the lap.
///
/// Debt, which is real time that the loop still has to simulate, does not count as lost time, because the loop catches
/// up. If there is debt when a lap begins, the projectile starts that far behind. A loop that catches up on part of a
/// stall is therefore never ahead of real time. Debt that the loop has carried for half a lap is a constant delay and
/// does not count as an error.
///
/// Real time is the time on the machine's clock when the frame starts. If the loop reads the clock again after its
/// updates, the frame is compared with that later time.
#[derive(Clone, Debug, Default)]
pub struct Projectile {
    /// How far the latest frame was ahead of the clock, in ns, not counting delays. `None` before the first frame.
    lead: Option<i64>,
    lap_start: ClockTime,
    /// How far, in nanoseconds, a rendered frame may be ahead of the machine's clock without counting as an error.
    /// Updated at the start of each lap.
    allowed_lead: i64,
    /// The smallest lag of all frames since the middle of the previous lap. It does not count as an error, because
    /// every recent frame lagged by at least this time.
    delay: Nanos,
    /// The smallest lag of all frames since the middle of this lap, or `None` in the first half of the lap.
    recent_delay: Option<Nanos>,
    lap: u64,
}

/// The projectile as it is drawn in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// The number of the current lap, counted from 0.
    pub lap: u64,
    /// The position at which the projectile is drawn, from 0 at the start of the lap to 1 at its end. It exceeds 1 if
    /// the game runs too fast.
    pub drawn: f64,
    /// The position after the last update, from 0 at the start of the lap to 1 at its end.
    pub updated: f64,
    pub truth: f64,
    /// The drawn height above the floor, as a fraction of the peak height. It is negative if the frame overshoots a
    /// bounce.
    pub height: f64,
    /// The error compared to real time, in nanoseconds. It is positive if the frame is ahead of real time, and negative
    /// if it is behind.
    pub error_nanos: i64,
}

impl Sight {
    /// Returns how far the frame overshoots a bounce, in metres.
    pub fn overshoot(&self) -> f64 {
        (-self.height).max(0.0) * PEAK
    }
}

/// The peak height of the projectile, in metres.
const PEAK: f64 = GRAVITY as f64 * HOP_SECONDS * HOP_SECONDS / 8.0;
const HOP_SECONDS: f64 = HOP.as_nanos() as f64 / 1e9;

/// Returns the height of the projectile at a position in the lap, as a fraction of its peak height, and the rate at
/// which the height changes per lap.
fn height_and_climb(position: f64) -> (f64, f64) {
    let hop = HOP.over(LAP);
    let share = (position - FIRST_BOUNCE.over(LAP)).rem_euclid(hop) / hop;
    (4.0 * share * (1.0 - share), 4.0 * (1.0 - 2.0 * share) / hop)
}

/// Returns the height of the projectile at a position in the lap, as a fraction of its peak height.
pub fn height(position: f64) -> f64 {
    height_and_climb(position).0
}

impl Projectile {
    /// Computes how the projectile is drawn in a frame, after its updates. `speed` is the speed that the game should
    /// have, so only a deviation from it counts as an error.
    pub fn draw(&mut self, frame: &FrameRecord, speed: f64) -> Sight {
        let real = |game: Nanos| Nanos::from_nanos_f64(game.as_nanos() as f64 / speed);
        let (now, step) = (real(frame.now.since_start()), real(frame.step));
        let ahead = ahead(step, frame.alpha);
        let lead = (signed(now).saturating_add(ahead))
            .saturating_sub(signed(frame.drawn_for.since_start()));
        self.begin_lap(frame, lead);

        let truth = frame.start.saturating_since(self.lap_start);
        let error = lead.saturating_sub(self.allowed_lead);
        let error_nanos = error.saturating_add(signed(self.delay));
        let drawn = signed(truth).saturating_add(error_nanos);
        let laps = |nanos: i64| nanos as f64 / LAP.as_nanos() as f64;
        let (drawn, ahead) = (laps(drawn), laps(ahead));
        let updated = drawn - ahead;
        let (last_height, climb) = height_and_climb(updated);
        let height = if frame.alpha < 0.0 {
            let earlier = height(updated - step.over(LAP));
            last_height + frame.alpha * (last_height - earlier)
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

    /// Begins a new lap if the current one has ended. `lead` is how far the frame is ahead of the machine's clock, in
    /// nanoseconds.
    fn begin_lap(&mut self, frame: &FrameRecord, lead: i64) {
        let (clock, lag) = (frame.start, frame.lag);
        // How far the frame would be ahead if `late` and `lag` were zero.
        let lead = lead.saturating_add(signed(frame.late));
        let lead = lead.saturating_add(signed(lag));
        let laps = clock.saturating_since(self.lap_start).as_nanos() / LAP.as_nanos();
        match self.lead.replace(lead) {
            None => {
                self.lap_start = clock;
                self.allowed_lead = lead;
            }
            Some(last) if laps > 0 => {
                self.lap_start += Nanos::from_nanos(laps * LAP.as_nanos());
                self.lap += laps;
                // A frame that was on screen for more than a lap does not belong to this lap.
                self.allowed_lead = if laps == 1 { last } else { lead };
                self.delay = self.recent_delay.take().unwrap_or_default();
            }
            Some(_) => {}
        }
        self.delay = self.delay.min(lag);
        if clock.saturating_since(self.lap_start) >= HALF_LAP {
            let delay = self.recent_delay.map_or(lag, |delay| delay.min(lag));
            self.recent_delay = Some(delay);
        }
    }
}

/// Returns how many nanoseconds the rendered frame is ahead of the last update. Negative if the frame is interpolated.
fn ahead(step: Nanos, alpha: f64) -> i64 {
    let nanos = step.as_nanos() as f64 * alpha;
    signed(Nanos::from_nanos_f64(nanos)) - signed(Nanos::from_nanos_f64(-nanos))
}

fn signed(time: Nanos) -> i64 {
    time.as_nanos().try_into().unwrap_or(i64::MAX)
}

/// How long a body flies after each launch, in game time. Each flight takes one lap, so that two games can be compared
/// after each lap.
pub const SHOT: Nanos = LAP;

/// The downward acceleration, in metres per second squared.
const GRAVITY: f32 = 9.81;
/// The fraction of its speed that a body loses to drag per second.
const DRAG: f32 = 0.3;
/// The maximum length of [`Body::ends`]. A game reaches it after a day and a half.
const MOST_ENDS: usize = 65_536;

/// The position and the velocity of a body, in metres and metres per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    x: f32,
    y: f32,
    vx: f32,
    vy: f32,
}

impl Default for Motion {
    /// Returns the motion with which a body is launched.
    fn default() -> Self {
        Self {
            x: 0.0,
            y: 0.0,
            vx: 46.5,
            vy: 10.8,
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

    /// Advances the motion with the symplectic Euler method, which updates the velocity first and then uses the new
    /// velocity to update the position.
    fn step(&mut self, seconds: f32) {
        self.vx -= DRAG * self.vx * seconds;
        self.vy -= (GRAVITY + DRAG * self.vy) * seconds;
        self.x += self.vx * seconds;
        self.y += self.vy * seconds;
    }
}

/// A flying body, like the bullet in the "Game Loop" chapter of Game Programming Patterns. With variable steps, it
/// lands in different places on different machines. Gravity and drag act on it. It is integrated in single precision,
/// with each update's delta as the step.
///
/// A shot is a flight that lasts exactly [`SHOT`] of game time, so its last step may be shorter. The next shot begins
/// with the next update. With fixed steps, all shots are bit-identical on every machine. Some fixed steps are not quite
/// equal (at 59.94 Hz they differ by a nanosecond), so compare only shots with the same number.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub motion: Motion,
    /// The game time since the body was last launched.
    pub flown: Nanos,
    /// The motion at the end of each flight so far, oldest first.
    pub ends: Vec<Motion>,
}

impl Body {
    /// Advances the flight of the body by `delta`. If the flight ends during this time, launches the body again.
    pub fn update(&mut self, delta: Nanos) {
        let step = delta.min(SHOT - self.flown);
        // A shot's nanoseconds fit in 32 bits, and 32-bit integers convert to a float faster than 64-bit ones.
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
    use crate::testing::MS;
    use timeslicer::time::GameTime;

    const NOW: fn(u64) -> GameTime = |millis| GameTime::at(MS(millis));
    const CLOCK: fn(u64) -> ClockTime = |millis| ClockTime::at(MS(millis));

    /// Returns a rendered frame without debt.
    fn frame(now: GameTime, step: Nanos, alpha: f64, start: ClockTime) -> FrameRecord {
        FrameRecord {
            now,
            step,
            alpha,
            start,
            drawn_for: start,
            ..FrameRecord::default()
        }
    }

    #[test]
    fn alpha_0_5_draws_the_chapters_example_at_220_px() {
        // The screen is 40,000 px wide (2 s), so the projectile moves by 20 px per millisecond and 400 px per update.
        let width = 20.0 * LAP.as_millis_f64();
        let mut projectile = Projectile::default();
        projectile.draw(&frame(NOW(0), MS(20), 0.0, CLOCK(0)), 1.0);
        let sight = projectile.draw(&frame(NOW(1), MS(20), 0.0, CLOCK(1)), 1.0);
        assert_eq!(sight.drawn * width, 20.0);
        let sight = projectile.draw(&frame(NOW(1), MS(20), 0.5, CLOCK(11)), 1.0);
        assert_eq!(sight.drawn * width, 220.0);
        assert_eq!(sight.truth * width, 220.0);
        assert_eq!(sight.error_nanos, 0);
    }

    #[test]
    fn each_crossing_aligns_game_and_real_time() {
        let mut projectile = Projectile::default();
        let mut draw =
            |now, clock| projectile.draw(&frame(NOW(now), MS(20), 0.0, CLOCK(clock)), 1.0);
        draw(700, 1_000);
        let sight = draw(900, 2_999);
        assert_eq!(sight.lap, 0);
        assert_eq!(sight.error_nanos, 200_000_000 - 1_999_000_000);
        let sight = draw(901, 3_007);
        assert_eq!(sight.lap, 1);
        assert_eq!(sight.error_nanos, 1_000_000 - 8_000_000);
        assert_eq!(sight.truth, 0.0035);
        let sight = draw(2_000, 1_000_000_999);
        assert_eq!(sight.lap, 499_999);
        assert_eq!(sight.truth, 0.9995);
        assert_eq!(sight.error_nanos, 0);
    }

    /// Draws one frame for every 20 ms on the clock, from `from` to `to`. `game` returns the game time and the lag for
    /// a clock time. Returns what the last frame shows.
    fn draw(
        projectile: &mut Projectile,
        from: u64,
        to: u64,
        game: impl Fn(u64) -> (u64, u64),
    ) -> Sight {
        let sights = (from..=to).step_by(20).map(|clock| {
            let (now, lag) = game(clock);
            let frame = FrameRecord {
                lag: MS(lag),
                ..frame(NOW(now), MS(20), 0.0, CLOCK(clock))
            };
            projectile.draw(&frame, 1.0)
        });
        sights.last().expect("a frame")
    }

    #[test]
    fn making_up_for_a_stall_never_leads_to_being_ahead() {
        // A stall of 500 ms ends at `stall`. Half of it is dropped, and the game catches up on the other half at double
        // speed.
        for stall in (1_520..=2_600).step_by(20) {
            let mut projectile = Projectile::default();
            draw(&mut projectile, 0, stall - 500, |clock| (clock, 0));
            let (mut of_stall, mut last_error) = (None, 0);
            for clock in (stall..stall + 3_000).step_by(20) {
                let lag = 250_u64.saturating_sub(clock - stall);
                let sight = draw(&mut projectile, clock, clock, |clock| {
                    (clock - 250 - lag, lag)
                });
                let (error, lap) = (sight.error_nanos, sight.lap);
                last_error = error;
                assert!(error <= 0, "{error} at {clock}, stall until {stall}");
                let is_same_lap = lap == *of_stall.get_or_insert(lap);
                if lag == 0 && is_same_lap {
                    assert_eq!(error, -250_000_000, "{clock}, stall until {stall}");
                }
            }
            assert_eq!(last_error, 0, "one lap later");
        }
    }

    #[test]
    fn debt_that_is_never_made_up_is_a_constant_delay() {
        let mut projectile = Projectile::default();
        // The game runs at half speed, with a debt of 250 ms.
        let sight = draw(&mut projectile, 0, 6_000, |clock| {
            (clock / 2, 250.min(clock))
        });
        assert_eq!(sight.lap, 3);
        assert_eq!(sight.error_nanos, -10_000_000, "one frame");
        // If the game catches up after all, it is not ahead of real time.
        let mut other = projectile.clone();
        let sight = draw(&mut other, 6_020, 6_020, |_| (3_260, 0));
        assert_eq!(sight.error_nanos, -20_000_000);
        let sight = draw(&mut projectile, 6_020, 7_000, |clock| (clock / 2, 250));
        assert_eq!(sight.error_nanos, -510_000_000);
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
    }

    #[test]
    fn coarser_steps_end_further_away() {
        let [fine, display, coarse] = [5, 16, 50].map(|step| flight(MS(step)));
        let (near, far) = (fine.distance(&display), fine.distance(&coarse));
        assert!(0.05 < near && near < far && far < 5.0, "{near} m, {far} m");
    }
}
