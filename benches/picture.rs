//! Measures how long it takes to draw 1,000 to 1,000,000 capsules, and compares it with drawing each capsule from
//! shapes.
//!
//! Run it with `cargo bench --package timeslice-benches --bench picture`. It opens a window of 1280x800. Before it
//! reads the clock, it waits for the graphics card (or the software rasteriser) to finish each frame. Otherwise it
//! would measure only how long it takes to queue commands. Exits with status 1 if a target is missed.
#![allow(missing_docs, reason = "a program without an interface")]

use headless::sim::world::Point;
use macroquad::prelude::*;
use std::time::{Duration, Instant};
use timeslice_lab::app::capsules::{
    CapsuleLayout, CapsuleState, Capsules, ColourMode, Colours, Zoom,
};
use timeslicer::time::{GameTime, Nanos};

/// The number of frames measured per scene and round.
const FRAMES: usize = 30;
/// The number of frames drawn before the measured frames.
const WARM_UP: usize = 8;
/// The number of rounds. The scenes alternate, so that other load on the computer affects all of them.
const ROUNDS: usize = 3;
/// The area of the window that the capsules cover, as in the lab.
const AREA: Rect = Rect::new(252.0, 80.0, 1028.0, 494.0);
/// The lab's default colours.
const FLASH: Colours = Colours {
    mode: ColourMode::Flash,
    fade_ms: 500.0,
    near: 0.15,
    falloff: 2.0,
};
/// The clock time of the first frame, late enough that earlier runs have a positive time.
const START_MS: u32 = 10_000;

/// A linear congruential generator of random slots. It is repeatable, but not of high quality.
struct Places(u32);

impl Places {
    fn next(&mut self, count: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(self.0) * u64::from(count)) >> 32) as u32
    }
}

/// Draws a frame at this time, with the target in the corner.
fn draw(capsules: &Capsules, now_ms: u32) {
    let now = GameTime::at(Nanos::from_millis(now_ms.into()));
    capsules.draw(now, Point::default(), FLASH, Zoom::ALL);
}

/// Submits all queued drawing and waits until it has finished.
fn finish() {
    // SAFETY: called between macroquad's own drawing calls, on macroquad's thread, with its context
    // current. No reference to macroquad's state is kept.
    unsafe {
        get_internal_gl().flush();
        macroquad::miniquad::gl::glFinish();
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The times of drawing alone, and of whole frames with clearing and presenting.
#[derive(Default)]
struct Times {
    pictures: Vec<Duration>,
    frames: Vec<Duration>,
}

impl Times {
    /// Draws and measures [`FRAMES`] more frames.
    async fn measure(&mut self, mut paint: impl FnMut(u32)) {
        for frame in 0..WARM_UP + FRAMES {
            let begin = Instant::now();
            clear_background(BLACK);
            finish();
            let start = Instant::now();
            paint(START_MS + frame as u32 * 16);
            finish();
            let picture = start.elapsed();
            next_frame().await;
            if frame >= WARM_UP {
                self.pictures.push(picture);
                self.frames.push(begin.elapsed());
            }
        }
    }

    /// Returns the median drawing time in milliseconds.
    fn picture_ms(&self) -> f64 {
        ms(median(self.pictures.clone()))
    }

    /// Prints a row of the table, with the ratio to `baseline`.
    fn print(&self, name: &str, baseline: &Times) {
        let picture = self.picture_ms();
        let frame = ms(median(self.frames.clone()));
        let ratio = picture / baseline.picture_ms();
        println!("{name:<34} {picture:>7.2} ms {frame:>7.2} ms {ratio:>15.2}x");
    }
}

/// Gives every capsule a run, spread evenly over the last half second.
fn fill(capsules: &mut Capsules, count: u32) {
    for place in 0..count {
        let ago = (u64::from(place) * 500 / u64::from(count)) as u32;
        let gaze = place as f32 * 0.01;
        let at_ms = START_MS - ago;
        capsules.set(place, CapsuleState::Ran { at_ms, gaze });
    }
    capsules.upload();
}

/// Returns the median time to change `changes` random slots and upload them, without drawing.
async fn measure_upload(capsules: &mut Capsules, count: u32, changes: u32) -> Duration {
    let mut places = Places(1);
    let mut times = Vec::new();
    for frame in 0..WARM_UP + FRAMES * ROUNDS {
        draw(capsules, START_MS);
        finish();
        let start = Instant::now();
        for _ in 0..changes {
            let at_ms = START_MS + frame as u32;
            let gaze = frame as f32;
            capsules.set(places.next(count), CapsuleState::Ran { at_ms, gaze });
        }
        capsules.upload();
        if frame >= WARM_UP {
            times.push(start.elapsed());
        }
        next_frame().await;
    }
    median(times)
}

/// Draws every capsule with macroquad's shapes (shadow, body, gleam, visor and glint), as an obvious first version
/// would.
fn paint_with_shapes(grid: &CapsuleLayout, count: u32) {
    let radius = grid.radius as f32;
    let body = Color::from_hex(0x00e9_e6df);
    let shadow = Color::new(0.0, 0.0, 0.0, 0.4);
    let half = radius * 0.75;
    for place in 0..count {
        let Vec2 { x, y } = grid.center(place);
        draw_circle(x + radius * 0.2, y + half * 1.2, radius, shadow);
        draw_circle(x, y - half, radius, body);
        draw_circle(x, y + half, radius, body);
        draw_rectangle(x - radius, y - half, radius * 2.0, half * 2.0, body);
        draw_circle(x - radius * 0.3, y - half * 1.3, radius * 0.2, WHITE);
        draw_rectangle(x, y - half, radius, radius * 0.5, BLACK);
        draw_rectangle(x + half, y - half, radius * 0.2, radius * 0.2, WHITE);
    }
}

async fn bench() {
    next_frame().await;
    let mut capsules = match Capsules::new(None) {
        Ok(capsules) => capsules,
        Err(sentence) => {
            eprintln!("{sentence}");
            return;
        }
    };
    let counts = [1_000, 10_000, 100_000, 1_000_000];
    let names = ["1,000", "10,000", "100,000", "1,000,000"];
    let mut painted: [Times; 4] = Default::default();
    let mut shapes = Times::default();
    let mut blank = Times::default();
    for _ in 0..ROUNDS {
        for (count, times) in counts.into_iter().zip(&mut painted) {
            capsules.arrange(count, AREA);
            fill(&mut capsules, count);
            times.measure(|now_ms| draw(&capsules, now_ms)).await;
        }
        let grid = CapsuleLayout::fit(10_000, AREA);
        shapes.measure(|_| paint_with_shapes(&grid, 10_000)).await;
        blank.measure(|_| ()).await;
    }
    let [first, .., last] = &painted;
    println!(
        "1280x800, capsules on 1028x494, median of {} frames\n",
        FRAMES * ROUNDS
    );
    println!(
        "{:<34} {:>10} {:>10} {:>16}",
        "", "drawing", "frame", "ratio to 1,000"
    );
    for (name, times) in names.into_iter().zip(&painted) {
        times.print(&format!("capsules: {name}"), first);
    }
    shapes.print("shapes: 10,000", first);
    blank.print("nothing", first);

    println!(
        "\n{:<34} {:>10}",
        "set and upload, 1,000,000 capsules", "time"
    );
    for (changes, name) in [
        (0, "0"),
        (1, "1"),
        (100, "100"),
        (10_000, "10,000"),
        (33_333, "33,333"),
    ] {
        let time = measure_upload(&mut capsules, 1_000_000, changes).await;
        println!(
            "{:<34} {:>7.3} ms",
            format!("random changes: {name}"),
            ms(time)
        );
    }

    let slowest = painted.iter().map(Times::picture_ms).fold(0.0, f64::max);
    let flat = last.picture_ms() <= 1.5 * first.picture_ms();
    let cheap = slowest < 0.1 * shapes.picture_ms();
    let verdict = |met: bool| if met { "met" } else { "MISSED" };
    println!(
        "\n1,000,000 capsules at most 1.5 times 1,000: {}. Slowest of these under a tenth of 10,000 with shapes: {}.",
        verdict(flat),
        verdict(cheap),
    );
    if !(flat && cheap) {
        std::process::exit(1);
    }
}

fn main() {
    let has = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "linux") && !has("DISPLAY") && !has("WAYLAND_DISPLAY") {
        println!(
            "Cannot measure drawing without a display (DISPLAY and WAYLAND_DISPLAY are not set). Try `xvfb-run`."
        );
        return;
    }
    let window = Conf {
        window_title: "Timeslice Lab: drawing benchmark".to_owned(),
        window_width: 1280,
        window_height: 800,
        platform: macroquad::miniquad::conf::Platform {
            // Turn vsync off.
            swap_interval: Some(0),
            ..Default::default()
        },
        ..Conf::default()
    };
    macroquad::Window::from_config(window, bench());
}
