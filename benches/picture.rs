//! What a frame of capsules costs, from 1,000 to 1,000,000, and what it would cost to draw each with shapes.
//!
//! `cargo bench --bench picture` opens a window of 1280x800 and waits for the graphics card (or the
//! software rasteriser) to finish each picture before it reads the clock: without that only the queueing
//! of commands would be measured.
#![allow(missing_docs, reason = "a program, not an interface")]

use macroquad::prelude::*;
use std::time::{Duration, Instant};
use timeslice_lab::app::capsules::{CapsuleLayout, CapsuleState, Capsules, Colours};

/// Frames measured of each scene in each round, after [`WARM_UP`] that are not.
const FRAMES: usize = 30;
const WARM_UP: usize = 8;
/// The scenes take turns, so that whatever else the machine does falls on all of them.
const ROUNDS: usize = 3;
/// The capsules' share of the window, as in the lab.
const AREA: Rect = Rect::new(252.0, 80.0, 1028.0, 494.0);
/// As the lab paints them unless told otherwise.
const FLASH: Colours = Colours::Flash {
    fade_ms: 500.0,
    stale_ms: 1_000.0,
};
/// The clock at the first frame, so that there is a past.
const START_MS: u32 = 10_000;

/// A repeatable source of places. Quality does not matter here.
struct Places(u32);

impl Places {
    fn next(&mut self, count: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(self.0) * u64::from(count)) >> 32) as u32
    }
}

/// Sends all queued drawing and waits until it is done.
fn finish() {
    // SAFETY: called between macroquad's own drawing calls, on its thread, with its context current; no
    // reference to its state is kept.
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

/// Times of pictures alone, and of whole frames, which have clearing and presenting in them.
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

    /// The median picture in milliseconds.
    fn picture_ms(&self) -> f64 {
        ms(median(self.pictures.clone()))
    }

    /// A line of the table.
    fn print(&self, name: &str, one: &Times) {
        let picture = self.picture_ms();
        let frame = ms(median(self.frames.clone()));
        let ratio = picture / one.picture_ms();
        println!("{name:<34} {picture:>7.2} ms {frame:>7.2} ms {ratio:>15.2}x");
    }
}

/// All that ran, spread over the last half second.
fn fill(capsules: &mut Capsules, count: u32) {
    for place in 0..count {
        let ago = (u64::from(place) * 500 / u64::from(count)) as u32;
        let gaze = place as f32 * 0.01;
        let at_ms = START_MS - ago;
        capsules.set(place, CapsuleState::Ran { at_ms, gaze });
    }
    capsules.upload();
}

/// The median time to set `changes` random places and upload them, without drawing them.
async fn measure_upload(capsules: &mut Capsules, count: u32, changes: u32) -> Duration {
    let mut places = Places(1);
    let mut times = Vec::new();
    for frame in 0..WARM_UP + FRAMES * ROUNDS {
        capsules.draw(START_MS, FLASH);
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

/// Every capsule with macroquad's shapes, as one would begin: shadow, body, gleam, visor and glint.
fn paint_with_shapes(grid: &CapsuleLayout, count: u32) {
    let radius = grid.radius();
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
    let mut capsules = match Capsules::new() {
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
            times.measure(|now_ms| capsules.draw(now_ms, FLASH)).await;
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
        "", "picture", "frame", "to 1,000"
    );
    for (name, times) in names.into_iter().zip(&painted) {
        times.print(&format!("capsules: {name}"), first);
    }
    shapes.print("circles and rectangles: 10,000", first);
    blank.print("nothing", first);

    println!("\n{:<34} {:>10}", "set and upload, of 1,000,000", "time");
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

    let dearest = painted.iter().map(Times::picture_ms).fold(0.0, f64::max);
    let flat = last.picture_ms() <= 1.5 * first.picture_ms();
    let cheap = dearest < 0.1 * shapes.picture_ms();
    let verdict = |met: bool| if met { "met" } else { "MISSED" };
    println!(
        "\n1,000,000 capsules at most 1.5 times 1,000: {}. The dearest of these under a tenth of 10,000 with shapes: {}.",
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
            "The picture cannot be measured: there is no display (DISPLAY and WAYLAND_DISPLAY are not set). \
             `xvfb-run` gives one."
        );
        return;
    }
    let window = Conf {
        window_title: "Timeslice Lab: what a picture costs".to_owned(),
        window_width: 1280,
        window_height: 800,
        platform: macroquad::miniquad::conf::Platform {
            // Waiting for the display would be measured otherwise.
            swap_interval: Some(0),
            ..Default::default()
        },
        ..Conf::default()
    };
    macroquad::Window::from_config(window, bench());
}
