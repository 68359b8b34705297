//! A game in which zombies hunt you through an arena: `cargo run --release --example horde`. The zombies do three kinds
//! of expensive work, which together take at most 2 ms of each frame:
//!
//! - *Sensing*, ten times a second: a zombie looks for you, because walls may hide you.
//! - *Path queries*, on request: a zombie that lost sight of you searches for a path. A long search takes several frames.
//! - *Decisions*, by significance: a zombie avoids walls and its neighbours, and picks a new heading. Zombies near you
//!   decide most often. Until its next decision, a zombie keeps its heading, so a stale one walks past you.
//!
//! Moving is cheap, so every zombie moves in every frame. A zombie that reaches you bites and dies, and another one is
//! born. All calls of `timeslicer` are in `Game`, which is the part to copy.
//!
//! The keys choose the strategy for the decisions. With `-- --headless`, a scripted player plays without a window, and a
//! table compares all strategies. `--zombies N` sets the number of zombies, `--budget-ms N` the time of a frame for all
//! three kinds, and `--frames N` the length of a scripted game.

#[path = "horde/render.rs"]
mod render;
#[path = "horde/world.rs"]
mod world;

use macroquad::prelude::*;
use render::{KEYS, Renderer};
use std::io::{self, Write};
use std::panic::{set_hook, take_hook};
use std::process::exit;
use std::time::{Duration, Instant};
use timeslicer::strategy::{FixedInterval, MaxPerFrame, STRATEGIES, Strategy, TimeBudget};
use timeslicer::{SharedBudget, TaskId, Timeslicer};
use world::{NEAR, World};

const MOST_ZOMBIES: usize = 25_000;
const NO_DISPLAY: &str = "cannot open a window: no usable display; --headless needs none";

// ---- The game: all calls of `timeslicer` ----

struct Game {
    world: World,
    // The keys of the tasks are the zombies' indices.
    sensing: Timeslicer<usize, FixedInterval>,
    paths: Timeslicer<usize, TimeBudget>,
    decisions: Timeslicer<usize>,
    budget: SharedBudget,
    strategy: usize, // of the decisions
    metrics: Metrics,
}

/// The tasks of a zombie, one for each kind of work.
struct Tasks {
    sensing: TaskId,
    path: TaskId,
    decision: TaskId,
}

/// Creates a strategy for the decisions, with its default settings. The shared budget limits it in addition to its own.
fn make_strategy(index: usize) -> Box<dyn Strategy> {
    match STRATEGIES[index].name {
        "Max per frame" => Box::new(MaxPerFrame::new(100)), // the default is for small games
        _ => (STRATEGIES[index].make)(),
    }
}

impl Game {
    fn new(strategy: usize, zombies: usize, budget: Duration) -> Self {
        // If there is more work than time, decisions get half of the time, and sensing and paths get a quarter each.
        let shared = SharedBudget::new(budget);
        let sensing = Timeslicer::new(FixedInterval::new(Duration::from_millis(100)));
        let paths = Timeslicer::new(TimeBudget::new(budget));
        let decisions = Timeslicer::new(make_strategy(strategy));
        let mut game = Self {
            world: World::new(),
            sensing: sensing.with_shared_budget(&shared, 1.0),
            paths: paths.with_shared_budget(&shared, 1.0),
            decisions: decisions.with_shared_budget(&shared, 2.0),
            budget: shared,
            strategy,
            metrics: Metrics::default(),
        };
        game.set_count(zombies);
        game
    }

    /// Switches the strategy for the decisions and resets the measurements. How long each zombie has waited is kept.
    fn set_strategy(&mut self, strategy: usize) {
        self.strategy = strategy;
        self.metrics = Metrics::default();
        self.world.bites = 0;
        self.decisions.set_strategy(make_strategy(strategy));
    }

    fn set_count(&mut self, count: usize) {
        let old = self.world.zombies.len();
        for dead in self.world.zombies.drain(count.min(old)..) {
            self.sensing.remove(dead.tasks.sensing);
            self.paths.remove(dead.tasks.path);
            self.decisions.remove(dead.tasks.decision);
        }
        for zombie in old..count {
            let tasks = Tasks {
                sensing: self.sensing.add(zombie),
                path: self.paths.add(zombie),
                decision: self.decisions.add(zombie),
            };
            self.world.zombies.push(self.world.newborn(tasks));
        }
    }

    fn update(&mut self, delta: Duration, walk: Vec2) {
        self.world.move_all(walk, delta.as_secs_f32());
        self.budget.begin_frame();
        self.sensing.update(delta, |zombie, _elapsed| {
            let needs_path = self.world.look(zombie);
            let tasks = &self.world.zombies[zombie].tasks;
            if needs_path {
                self.paths.request(tasks.path);
            }
            self.decisions.request(tasks.decision); // the keys may have chosen a strategy on request
        });
        let (world, alike) = (&mut self.world, |_: &World, _: &usize| 1.0);
        self.paths.update_with(delta, world, alike, |world, run| {
            let has_time = || run.remaining() != Some(Duration::ZERO);
            if !world.find_path(*run.key(), has_time) {
                run.again(); // goes on in this frame if there is time, or else in the next
            }
        });
        let weight = |world: &World, zombie: &usize| world.weight(*zombie);
        let (world, decisions) = (&mut self.world, &mut self.decisions);
        decisions.update_with(delta, world, weight, |world, run| {
            let zombie = *run.key();
            if !world.can_bite(zombie) {
                return world.decide(zombie);
            }
            // After the bite, the zombie dies, and another one is born in its place.
            world.bites += 1;
            self.sensing.remove(world.zombies[zombie].tasks.sensing);
            self.paths.remove(world.zombies[zombie].tasks.path);
            run.remove(run.task());
            world.zombies[zombie] = world.newborn(Tasks {
                sensing: self.sensing.add(zombie),
                path: self.paths.add(zombie),
                decision: run.add(zombie),
            });
        });
        self.measure();
    }

    fn measure(&mut self) {
        let [sensing, paths] = [self.sensing.last_update(), self.paths.last_update()];
        let reports = [sensing, paths, self.decisions.last_update()];
        self.metrics
            .spent
            .push(reports.map(|report| 1e3 * report.spent.as_secs_f32()));
        self.metrics.decisions += self.decisions.last_update().runs;
        self.metrics.waiting = self.paths.backlog();
        for zombie in &self.world.zombies {
            let is_far = zombie.position.distance(self.world.player) > NEAR;
            let staleness = self.decisions.staleness(zombie.tasks.decision);
            let staleness = 1e3 * staleness.unwrap_or_default().as_secs_f32();
            self.metrics.near_and_far[usize::from(is_far)] += vec2(staleness, 1.0);
        }
    }
}

#[derive(Default)]
struct Metrics {
    spent: Vec<[f32; 3]>, // what each frame spent on sensing, paths and decisions, in milliseconds
    waiting: usize,       // the number of zombies that are waiting for a path
    decisions: usize,
    near_and_far: [Vec2; 2], // the sum of the staleness of all zombies, and their number
}

impl Metrics {
    /// Returns the metrics per frame. The first three are the times of the kinds of work.
    fn named(&self) -> [(&'static str, f32); 8] {
        let frames = self.spent.len().max(1) as f32;
        let mean = |kind: usize| self.spent.iter().map(|spent| spent[kind]).sum::<f32>() / frames;
        let [near, far] = self.near_and_far.map(|sums| sums.x / sums.y.max(1.0));
        [
            ("sensing ms", mean(0)),
            ("paths ms", mean(1)),
            ("decisions ms", mean(2)),
            ("together ms", mean(0) + mean(1) + mean(2)),
            ("waiting for a path", self.waiting as f32),
            ("decisions a frame", self.decisions as f32 / frames),
            ("stale ms, near", near),
            ("stale ms, far", far),
        ]
    }
}

// ---- The program ----

/// Returns the direction to the pointer while a mouse button is down, otherwise that of the WASD or arrow keys.
fn wanted_walk(picture: &Renderer, player: Vec2) -> Vec2 {
    if is_mouse_button_down(MouseButton::Left) {
        return (Vec2::from(mouse_position()) - picture.to_pixels(player)) / picture.tile;
    }
    let down = |one, other| f32::from(is_key_down(one) || is_key_down(other));
    let x = down(KeyCode::D, KeyCode::Right) - down(KeyCode::A, KeyCode::Left);
    let y = down(KeyCode::S, KeyCode::Down) - down(KeyCode::W, KeyCode::Up);
    vec2(x, y)
}

/// Runs the game until Escape is pressed, or with a scripted player for a number of frames.
async fn play(zombies: usize, budget: Duration, frames: Option<usize>) {
    let mut game = Game::new(STRATEGIES.len() - 1, zombies, budget);
    let mut picture = Renderer::new(&game.world.arena);
    let mut shown = (Instant::now(), Metrics::default());
    let mut updated_at = Instant::now();
    for frame in 1.. {
        let count = game.world.zombies.len();
        match get_char_pressed() {
            Some('[') => game.set_count(count * 4 / 5),
            Some(']') => game.set_count((count * 5 / 4 + 1).min(MOST_ZOMBIES)),
            key => {
                if let Some(index) = key.and_then(|key| KEYS.find(key)) {
                    game.set_strategy(index);
                }
            }
        }
        let walk = if frames.is_some() {
            game.world.scripted_walk()
        } else {
            wanted_walk(&picture, game.world.player)
        };
        // Limit the step, because a longer one could cross a wall. Frames of more than 100 ms slow the game down.
        let delta = updated_at.elapsed().min(Duration::from_millis(100));
        updated_at = Instant::now();
        game.update(delta, walk);
        picture.draw(&game, &shown.1);
        if shown.0.elapsed() > Duration::from_secs(1) {
            shown = (Instant::now(), std::mem::take(&mut game.metrics));
        }
        if is_key_pressed(KeyCode::Escape) || Some(frame) == frames {
            return;
        }
        next_frame().await;
    }
}

/// Plays the same game with each strategy for a number of frames. Prints the measurements without the first second.
fn print_table(zombies: usize, budget: Duration, frames: usize) {
    for (index, entry) in STRATEGIES.iter().enumerate() {
        let mut game = Game::new(index, zombies, budget);
        for frame in 0..60 + frames {
            if frame == 60 {
                game.metrics = Metrics::default();
            }
            game.update(Duration::from_secs(1) / 60, game.world.scripted_walk());
        }
        let metrics = game.metrics.named();
        if index == 0 {
            let names = metrics.map(|(name, _)| format!("  {name}")).concat();
            _ = writeln!(io::stdout(), "{:17}{names}  bites", "decisions by");
        }
        let values = metrics.map(|(name, value)| format!("  {value:>0$.1}", name.len()));
        let (values, bites) = (values.concat(), game.world.bites);
        if writeln!(io::stdout(), "{:17}{values}{bites:>7}", entry.name).is_err() {
            return; // the reader has closed the pipe
        }
    }
}

fn fail(status: i32, message: &str) -> ! {
    _ = writeln!(io::stderr(), "horde: {message}");
    exit(status)
}

fn main() {
    let (mut is_headless, mut frames, mut zombies, mut budget_ms) = (false, None, 5_000, 2);
    let mut words = (std::env::args_os().skip(1)).map(|word| word.to_string_lossy().into_owned());
    while let Some(flag) = words.next() {
        let mut number = |least: usize, most| {
            let word = words.next().unwrap_or_default();
            let number = word.parse().unwrap_or(usize::MAX);
            if !(least..=most).contains(&number) {
                let allowed = format!("a whole number from {least} to {most}");
                fail(2, &format!("{flag} needs {allowed}, not '{word}'"));
            }
            number
        };
        match &*flag {
            "--headless" => is_headless = true,
            "--frames" => frames = Some(number(1, 1_000_000)),
            "--zombies" => zombies = number(0, MOST_ZOMBIES),
            "--budget-ms" => budget_ms = number(1, 1_000),
            _ => {
                let allowed = "--headless, --frames N, --zombies N and --budget-ms N";
                fail(2, &format!("unknown flag '{flag}'; allowed are {allowed}"));
            }
        }
    }
    let budget = Duration::from_millis(budget_ms as u64);
    if is_headless {
        return print_table(zombies, budget, frames.unwrap_or(600));
    }
    let conf = Conf {
        window_title: "Horde".to_owned(),
        window_width: 1280,
        window_height: 800,
        high_dpi: true,
        ..Conf::default()
    };
    // Without a display, macroquad panics before the first frame.
    set_hook(Box::new(|_| fail(1, NO_DISPLAY)));
    macroquad::Window::from_config(conf, async move {
        drop(take_hook());
        play(zombies, budget, frames).await;
    });
}
