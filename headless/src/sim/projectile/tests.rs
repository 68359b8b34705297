//! Tests of the projectile and of the body.

use super::*;

const MS: fn(u64) -> Nanos = Nanos::from_millis;
const NOW: fn(u64) -> GameTime = |millis| GameTime::at(MS(millis));
const CLOCK: fn(u64) -> ClockTime = |millis| ClockTime::at(MS(millis));

/// Returns a picture without debt.
fn picture(now: GameTime, step: Nanos, alpha: f64, start: ClockTime) -> Picture {
    Picture {
        now,
        step,
        alpha,
        start,
        drawn_for: start,
        lag: Nanos::ZERO,
    }
}

#[test]
fn alpha_0_5_draws_the_chapters_example_at_220_px() {
    // 20 px per millisecond: the picture is 40,000 px wide (2 s), and an update of 20 ms moves by 400 px.
    let width = 20.0 * CROSSING.as_millis_f64();
    let mut projectile = Projectile::default();
    projectile.draw(picture(NOW(0), MS(20), 0.0, CLOCK(0)));
    projectile.draw(picture(NOW(1), MS(20), 0.0, CLOCK(1)));
    assert_eq!(projectile.position() * width, 20.0);
    projectile.draw(picture(NOW(1), MS(20), 0.5, CLOCK(11)));
    assert_eq!(projectile.position() * width, 220.0);
    assert_eq!(projectile.true_position() * width, 220.0);
    assert_eq!(projectile.error_nanos(), 0);
}

#[test]
fn error_is_exact_at_half_and_double_speed() {
    for (speed, error) in [(1, -500_000_000), (2, 0), (4, 1_000_000_000)] {
        let mut projectile = Projectile::default();
        for half in 0..=1000 {
            projectile.draw(picture(NOW(half * speed / 2), MS(20), 0.0, CLOCK(half)));
        }
        assert_eq!(projectile.error_nanos(), error);
        assert_eq!(projectile.true_position(), 0.5);
        assert_eq!(projectile.position(), 0.5 + error as f64 / 2e9);
    }
}

#[test]
fn each_crossing_aligns_game_and_real_time() {
    let mut projectile = Projectile::default();
    projectile.draw(picture(NOW(700), MS(20), 0.0, CLOCK(1_000)));
    projectile.draw(picture(NOW(900), MS(20), 0.0, CLOCK(2_999)));
    assert_eq!(projectile.crossing(), 0);
    assert_eq!(projectile.error_nanos(), 200_000_000 - 1_999_000_000);
    projectile.draw(picture(NOW(901), MS(20), 0.0, CLOCK(3_007)));
    assert_eq!(projectile.crossing(), 1);
    assert_eq!(projectile.error_nanos(), 1_000_000 - 8_000_000);
    assert_eq!(projectile.truth(), MS(7));
    projectile.draw(picture(NOW(2_000), MS(20), 0.0, CLOCK(1_000_000_999)));
    assert_eq!(projectile.crossing(), 499_999);
    assert_eq!(
        (projectile.truth(), projectile.error_nanos()),
        (MS(1_999), 0)
    );
}

#[test]
fn extreme_times_do_not_panic() {
    let mut projectile = Projectile::default();
    for (now, clock) in [
        (GameTime::MAX, ClockTime::START),
        (GameTime::START, ClockTime::MAX),
    ] {
        projectile.draw(picture(now, Nanos::MAX, 1.0, clock));
        assert!(projectile.position().is_finite());
    }
    let mut body = Body::default();
    for delta in [Nanos::ZERO, Nanos::MAX, Nanos::from_nanos(1)] {
        body.update(delta);
    }
    assert_eq!(body.flown(), Nanos::from_nanos(1));
}

/// Draws one picture per 20 ms of the clock, from `from` to `to`. `game` returns game time and lag at a time.
fn draw(projectile: &mut Projectile, from: u64, to: u64, game: impl Fn(u64) -> (u64, u64)) {
    for clock in (from..=to).step_by(20) {
        let (now, lag) = game(clock);
        projectile.draw(Picture {
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
            let (error, crossing) = (projectile.error_nanos(), projectile.crossing());
            assert!(error <= 0, "{error} at {clock}, stall until {stall}");
            let is_same_crossing = crossing == *of_stall.get_or_insert(crossing);
            if lag == 0 && is_same_crossing {
                assert_eq!(error, -250_000_000, "{clock}, stall until {stall}");
            }
        }
        assert_eq!(projectile.error_nanos(), 0, "one crossing later");
    }
}

#[test]
fn debt_that_is_never_made_up_is_a_constant_delay() {
    let mut projectile = Projectile::default();
    // Half speed, with a debt of 250 ms.
    draw(&mut projectile, 0, 6_000, |clock| {
        (clock / 2, 250.min(clock))
    });
    assert_eq!(projectile.crossing(), 3);
    assert_eq!(projectile.error_nanos(), -10_000_000, "one picture");
    // If it is made up after all, the game does not lead.
    let mut other = projectile.clone();
    draw(&mut other, 6_020, 6_020, |_| (3_260, 0));
    assert_eq!(other.error_nanos(), -20_000_000);
    draw(&mut projectile, 6_020, 7_000, |clock| (clock / 2, 250));
    assert_eq!(projectile.error_nanos(), -510_000_000);
}

fn flight(step: Nanos) -> Motion {
    let mut body = Body::default();
    while body.last_flight().is_none() {
        body.update(step);
    }
    body.last_flight().unwrap().end
}

#[test]
fn equal_steps_end_bit_identical() {
    let mut body = Body::default();
    let mut ends = Vec::new();
    while ends.len() < 10 {
        body.update(MS(30)); // 66 full steps and one of 20 ms
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
fn different_steps_end_apart() {
    let [fine, display, coarse] = [5, 16, 50].map(|step| flight(MS(step)));
    assert!(!fine.is_identical(&display));
    let (near, far) = (fine.distance(&display), fine.distance(&coarse));
    assert!(0.05 < near && near < far && far < 5.0, "{near} m, {far} m");
    assert_eq!(fine.distance(&fine), 0.0);
}

#[test]
fn flight_lands_70_m_away_near_its_initial_height() {
    let [x, y] = flight(MS(1)).position;
    assert!((65.0..75.0).contains(&x) && y.abs() < 2.0, "{x} {y}");
}
