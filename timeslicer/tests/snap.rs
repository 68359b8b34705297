//! Tests of snapping, which two frame loops use so that the jitter of the clock does not change the rhythm of updates.

use std::time::Duration;
use timeslicer::frame_loop::{FixedStep, Frame, FrameLoop, Game, MaxFrameSkip};
use timeslicer::time::{ClockTime, Nanos};

#[derive(Default)]
struct TestGame {
    clock: ClockTime,
    now: Nanos,
}

impl Game for TestGame {
    fn update(&mut self, delta: Duration) {
        self.now += delta.into();
    }

    fn clock(&self) -> ClockTime {
        self.clock
    }
}

const STEP: Nanos = Nanos::from_nanos(16_666_667);

fn fixed_step() -> FixedStep {
    FixedStep::new(STEP.into(), Duration::from_secs(10))
}

/// Runs a frame of each loop at each of these times, in milliseconds. Returns the number of updates in each frame.
fn run(times: &[f64]) -> [Vec<u32>; 2] {
    let mut max_frame_skip = MaxFrameSkip::new(STEP.into(), 1000, None);
    [
        run_loop(&mut fixed_step(), 0.0, times),
        // `MaxFrameSkip` runs each update at the beginning of its step, so the game is one step further ahead.
        run_loop(&mut max_frame_skip, STEP.as_millis_f64(), times),
    ]
}

/// Runs frames, and checks that the game never deviates from real time by more than a step and the tolerance.
fn run_loop(frame_loop: &mut dyn FrameLoop, ahead: f64, times: &[f64]) -> Vec<u32> {
    let (mut game, mut last) = (TestGame::default(), times[0]);
    let counts = times.iter().map(|&time| {
        game.clock = ClockTime::at(Nanos::from_millis_f64(time));
        let delta = Nanos::from_millis_f64(time) - Nanos::from_millis_f64(last);
        last = time;
        let mut frame = Frame::new(game.clock, delta, &mut game);
        let alpha = frame_loop.updates(&mut frame);
        let (updates, lag) = (frame.updates, frame.lag.as_millis_f64());

        let remainder = time - times[0] - game.now.as_millis_f64() + ahead;
        let step = STEP.as_millis_f64();
        assert!((-1.001..=step + 1.001).contains(&remainder), "{remainder}");
        // What is drawn is never late, and early by at most the tolerance.
        let late = remainder - lag - alpha * step;
        assert!((-1.001..0.001).contains(&late), "{late}");
        assert!((0.0..=1.0).contains(&alpha), "{alpha}");
        updates
    });
    counts.collect()
}

fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005);
        state = state.wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Returns the times at which frames start, as read from a clock with jitter. The jitter is normally distributed with
/// a standard deviation of 0.3 ms, clamped to three standard deviations.
fn jittery(frames: u32, hz: f64, random: &mut impl FnMut() -> f64) -> Vec<f64> {
    let times = (0..frames).map(|frame| {
        let normal = (0..12).map(|_| random()).sum::<f64>() - 6.0;
        100.0 + f64::from(frame) * 1e3 / hz + 0.3 * normal.clamp(-3.0, 3.0)
    });
    times.collect()
}

#[test]
fn jitter_does_not_disturb_the_rhythm() {
    // In a steady rhythm, every stretch of `frames` frames has this many updates. At 59.94 Hz, the game needs an
    // extra update in every 1,000 frames.
    for (hz, frames, updates, most_exceptions) in [
        (60.0, 1, 1, 2),
        (59.94, 1, 1, 10),
        (120.0, 2, 1, 4),
        (144.0, 12, 5, 6),
        (30.0, 1, 2, 2),
    ] {
        for seed in 0..10 {
            for counts in run(&jittery(9_000, hz, &mut random(seed))) {
                let stretches = counts[1..].windows(frames);
                let exceptions = stretches
                    .filter(|it| it.iter().sum::<u32>() != updates)
                    .count();
                assert!(exceptions <= most_exceptions, "{hz} Hz: {exceptions}");
            }
        }
    }
}

#[test]
fn real_time_is_kept_whatever_the_display_does() {
    for seed in 0..20 {
        let mut random = random(seed);
        let mut times = vec![];
        let mut time = 100.0;
        for hz in [60.0, 144.0, 30.0] {
            let frames = jittery(300, hz, &mut random);
            times.extend(frames.iter().map(|frame| time + frame));
            time += 300.0 * 1e3 / hz + 5_000.0 + 20.0 * random(); // changes during a stall
        }
        for _ in 0..1_000 {
            time += 2.0 + 38.0 * random(); // a display with adaptive sync
            times.push(time + 100.0);
        }
        run(&times);
    }
}

#[test]
fn frames_that_drift_like_a_random_walk_deviate_less_often() {
    let mut random = random(1);
    let mut time = 0.0;
    let times = std::iter::repeat_with(|| {
        time += 16.167 + random();
        time
    });
    let times: Vec<_> = times.take(20_000).collect();
    let deviations = |frame_loop: &mut FixedStep| {
        let counts = run_loop(frame_loop, 0.0, &times);
        counts.iter().filter(|&&updates| updates != 1).count()
    };
    let published = deviations(&mut fixed_step().with_snap(Duration::ZERO));
    let snapped = deviations(&mut fixed_step());
    assert!(published > 5 * snapped, "{published} {snapped}");
}
