//! A game in which zombies hunt you through an arena. You choose the strategy that decides which zombies think in a
//! frame: `cargo run --release --example horde`. With `-- --headless`, a scripted player plays without a window, and a
//! table compares all strategies. `--zombies N` sets the number, and `--frames N` the length of a scripted game.
//!
//! Every zombie moves in every frame, which is cheap. Its task is expensive: it looks for you through the walls, finds
//! its neighbours in a spatial hash, and picks a new heading. Until the next run it keeps that heading, so a stale
//! zombie walks into walls and past you. All calls of `timeslicer` are in `Game`, which is the part to copy.

#[path = "horde/render.rs"]
mod render;

use macroquad::prelude::*;
use render::{KEYS, Renderer};
use std::collections::VecDeque;
use std::f32::consts::TAU;
use std::io::{self, Write};
use std::panic::{set_hook, take_hook};
use std::process::exit;
use std::time::{Duration, Instant};
use timeslicer::strategy::{
    EarliestDeadline, MaxPerFrame, STRATEGIES, Strategy, TimeBudget, WeightedShare,
};
use timeslicer::{TaskId, Timeslicer};

// Distances are in tiles, and times in seconds.
const WIDTH: usize = 84;
const HEIGHT: usize = 62;
const SIZE: Vec2 = vec2(WIDTH as f32, HEIGHT as f32);
const MOST_ZOMBIES: usize = 25_000;
const PLAYER_SPEED: f32 = 6.0;
const ZOMBIE_SPEED: f32 = 2.8;
const RADIUS: f32 = 0.24;
const NEAR: f32 = 8.0; // zombies within this distance of the player have full weight
const HORIZON: f32 = 2.5; // how far a zombie looks ahead for a free way
const PATIENCE: f32 = 0.5; // a zombie requests a run after this time, even if nothing happened
const SAMPLE: usize = 40; // number of zombies whose staleness and heading are measured per frame
const NO_DISPLAY: &str = "cannot open a window: no usable display; --headless needs none";
const CAPTION: &str = "near: within 8 tiles; wrong: would now turn by more than 45 degrees\n\n";

// ---- The arena: walls, and the way to the player ----

#[derive(Default)]
struct Arena {
    walls: Vec<bool>,
    steps: Vec<f32>, // the number of steps from each tile to the player
}

/// Returns the index of the tile at a point. Points outside belong to the wall around the arena.
fn tile_at(point: Vec2) -> usize {
    let tile = point.clamp(Vec2::ZERO, SIZE - 1.0).as_uvec2();
    tile.y as usize * WIDTH + tile.x as usize
}

impl Arena {
    fn new() -> Self {
        let mut walls = vec![true; WIDTH * HEIGHT];
        let fill = |walls: &mut Vec<bool>, x, y, w, h, is_wall| {
            (y..y + h).for_each(|row| walls[row * WIDTH + x..][..w].fill(is_wall));
        };
        fill(&mut walls, 1, 1, WIDTH - 2, HEIGHT - 2, false);
        fill(&mut walls, WIDTH / 2, HEIGHT / 2, 1, 1, true); // keeps blocks away from the middle
        for _ in 0..2_000 {
            // Keep a block at least three tiles away from all others.
            let (w, h) = (rand::gen_range(2, 13), rand::gen_range(2, 9));
            let x = rand::gen_range(4, WIDTH - w - 3);
            let y = rand::gen_range(4, HEIGHT - h - 3);
            let mut rows = (y - 3..y + h + 3).map(|row| row * WIDTH + x);
            if !rows.any(|row| walls[row - 3..row + w + 3].contains(&true)) {
                fill(&mut walls, x, y, w, h, true);
            }
        }
        fill(&mut walls, WIDTH / 2, HEIGHT / 2, 1, 1, false);
        let steps = vec![f32::INFINITY; walls.len()];
        Self { walls, steps }
    }

    fn is_wall(&self, point: Vec2) -> bool {
        self.walls[tile_at(point)]
    }

    /// Returns the distance to the first wall in a direction, at most `reach`. Walks from tile to tile.
    fn ray(&self, from: Vec2, direction: Vec2, reach: f32) -> f32 {
        let step = direction.signum();
        let per_tile = direction.abs().max(Vec2::splat(1e-6)).recip();
        let mut tile = from.floor();
        let mut next = (tile + step.max(Vec2::ZERO) - from).abs() * per_tile;
        loop {
            let distance = next.min_element();
            let axis = if next.x < next.y { Vec2::X } else { Vec2::Y };
            tile += axis * step;
            next += axis * per_tile;
            if distance >= reach || self.is_wall(tile) {
                return distance.min(reach);
            }
        }
    }

    /// Computes the number of steps from each tile to the player by a breadth-first search.
    fn count_steps(&mut self, player: Vec2) {
        self.steps.fill(f32::INFINITY);
        self.steps[tile_at(player)] = 0.0;
        let mut queue = VecDeque::from([tile_at(player)]);
        while let Some(tile) = queue.pop_front() {
            for next in [tile - WIDTH, tile - 1, tile + 1, tile + WIDTH] {
                if !self.walls[next] && self.steps[next].is_infinite() {
                    self.steps[next] = self.steps[tile] + 1.0;
                    queue.push_back(next);
                }
            }
        }
    }

    /// Returns the direction in which the number of steps to the player decreases.
    fn way_to_player(&self, from: Vec2) -> Vec2 {
        let mut way = Vec2::ZERO;
        for side in (0..8).map(|eighth| Vec2::from_angle(eighth as f32 * TAU / 8.0)) {
            let fall = self.steps[tile_at(from)] - self.steps[tile_at(from + side)];
            if fall.is_finite() {
                way += side * fall;
            }
        }
        way.normalize_or_zero()
    }

    /// Moves a body, which slides along walls. Returns true if a wall was in the way.
    fn slide(&self, body: &mut Vec2, way: Vec2) -> bool {
        let before = *body + way;
        for way in [vec2(way.x, 0.0), vec2(0.0, way.y)] {
            if !self.is_wall(*body + way + RADIUS * way.normalize_or_zero()) {
                *body += way;
            }
        }
        *body != before
    }
}

// ---- The world: the player and the zombies ----

struct Zombie {
    task: TaskId,
    position: Vec2,
    heading: Vec2, // decided by the zombie's task; the length is a fraction of the speed
    facing: Vec2,  // turns towards the heading in each frame
    thought_at: f32,
}

#[derive(Default)]
struct World {
    now: f32,
    arena: Arena,
    player: Vec2,
    gaze: Vec2,
    zombies: Vec<Zombie>,
    on_tile: Vec<Vec<(usize, Vec2)>>, // the spatial hash: indices and positions of the zombies
    bites: f32,                       // a zombie that touches the player bites once per second
}

impl World {
    fn new() -> Self {
        rand::srand(3);
        Self {
            arena: Arena::new(),
            player: SIZE / 2.0 + 0.5,
            gaze: Vec2::X,
            on_tile: vec![Vec::new(); WIDTH * HEIGHT],
            ..Self::default()
        }
    }

    /// Creates a zombie on a free tile that is not near the player.
    fn newborn(&self, task: TaskId) -> Zombie {
        let random = || vec2(rand::gen_range(0.0, 1.0), rand::gen_range(0.0, 1.0));
        let mut position = self.player;
        while self.arena.is_wall(position) || position.distance(self.player) < NEAR {
            position = (random() * SIZE).floor() + 0.3 + 0.4 * random();
        }
        let (heading, thought_at) = (random() - 0.5, self.now - random().x);
        Zombie {
            task,
            position,
            heading,
            facing: heading,
            thought_at,
        }
    }

    /// Returns how much a zombie matters, which is 1 near the player and less farther away.
    fn weight(&self, zombie: usize) -> f64 {
        let distance = self.zombies[zombie].position.distance(self.player);
        f64::from(NEAR / distance.max(NEAR)).powi(2)
    }

    /// The task of a zombie.
    fn think(&mut self, zombie: usize, _elapsed: Duration) {
        self.zombies[zombie].heading = self.decide(zombie);
        self.zombies[zombie].thought_at = self.now;
    }

    /// Returns a new heading. The goal is the player if visible, otherwise the next step on the way to the player. Of
    /// the headings around that goal, chooses the one that gets closest before a wall or a neighbour is in the way.
    /// (Moussaïd, Helbing and Theraulaz, "How simple rules determine pedestrian behavior", 2011)
    fn decide(&self, zombie: usize) -> Vec2 {
        let from = self.zombies[zombie].position;
        let distance = from.distance(self.player);
        let mut goal = (self.player - from).normalize_or(Vec2::X);
        if self.arena.ray(from, goal, distance) < distance {
            goal = self.arena.way_to_player(from);
        }
        let reach = distance.min(HORIZON);
        let turned = |turn| Vec2::from_angle((turn as f32 - 8.0) * TAU / 24.0).rotate(goal);
        let headings: [Vec2; 17] = std::array::from_fn(turned);
        let mut rooms = headings.map(|heading| self.arena.ray(from, heading, reach));
        for tile in (0..9).map(|tile| vec2((tile % 3) as f32, (tile / 3) as f32)) {
            for &(other, position) in &self.on_tile[tile_at(from + tile - 1.0)] {
                for (room, &heading) in rooms.iter_mut().zip(&headings) {
                    if other != zombie {
                        *room = room.min(room_before(position - from, heading));
                    }
                }
            }
        }
        let missing = |turn: usize| (goal * reach).distance(headings[turn] * rooms[turn]);
        let turns = (0..17).min_by(|&one, &other| missing(one).total_cmp(&missing(other)));
        let best = turns.expect("17 headings");
        headings[best] * (2.0 * rooms[best]).clamp(0.01, 1.0)
    }

    fn move_player(&mut self, walk: Vec2, seconds: f32) {
        self.gaze = walk.normalize_or(self.gaze);
        let way = walk.clamp_length_max(1.0) * PLAYER_SPEED * seconds;
        self.arena.slide(&mut self.player, way);
        self.arena.count_steps(self.player);
    }

    /// Moves all zombies along their headings, which is cheap, and calls `request` for those that need a new heading.
    fn move_zombies(&mut self, seconds: f32, mut request: impl FnMut(TaskId)) {
        self.on_tile.iter_mut().for_each(Vec::clear);
        let turn = 1.0 - (-10.0 * seconds).exp();
        for (number, zombie) in self.zombies.iter_mut().enumerate() {
            let tile = tile_at(zombie.position);
            zombie.facing = zombie.facing.lerp(zombie.heading, turn);
            let way = zombie.facing * ZOMBIE_SPEED * seconds;
            let bumped = self.arena.slide(&mut zombie.position, way);
            // Strategies on request run a task after an event, or after some time without one.
            let is_impatient = self.now - zombie.thought_at > PATIENCE;
            if bumped || is_impatient || tile_at(zombie.position) != tile {
                request(zombie.task);
            }
            if zombie.position.distance(self.player) < 3.0 * RADIUS {
                self.bites += seconds;
            }
            self.on_tile[tile_at(zombie.position)].push((number, zombie.position));
        }
    }

    /// Returns the direction of a scripted player, who walks where there is room and ignores the zombies.
    fn scripted_walk(&self) -> Vec2 {
        let turned = |turn: f32| Vec2::from_angle(turn).rotate(self.gaze);
        let room = |turn: f32| self.arena.ray(self.player, turned(turn), 9.0);
        let turn = 0.02 * (room(0.6) - room(-0.6)) + 0.01 * (9.0 - room(0.0) + self.now.sin());
        turned(turn.clamp(-0.2, 0.2))
    }
}

/// Returns how far a zombie can walk along `heading` before it touches another zombie at the relative position `other`.
fn room_before(other: Vec2, heading: Vec2) -> f32 {
    let along = other.dot(heading);
    let depth = 4.0 * RADIUS * RADIUS + along * along - other.length_squared();
    if along <= 0.0 || depth <= 0.0 {
        return f32::INFINITY;
    }
    (along - depth.sqrt()).max(0.0)
}

// ---- The game: all calls of `timeslicer` ----

struct Game {
    world: World,
    horde: Timeslicer<usize>, // keyed by the zombies' indices; zombies are removed only at the end of the list
    strategy: usize,
    updated_at: Instant,
    metrics: Figures,
}

/// Creates a strategy. If it limits the work per frame, the limit is 1 ms or 100 tasks. All other settings have their
/// default values.
fn make_strategy(index: usize) -> Box<dyn Strategy> {
    const BUDGET: Duration = Duration::from_millis(1);
    let entry = &STRATEGIES[index];
    match entry.name {
        "Max per frame" => Box::new(MaxPerFrame::new(100)),
        "Time budget" => Box::new(TimeBudget::new(BUDGET)),
        "Earliest deadline" => Box::new(EarliestDeadline::new(BUDGET)),
        "Weighted share" => Box::new(WeightedShare::new(BUDGET)),
        _ => (entry.make)(),
    }
}

impl Game {
    fn new(strategy: usize, zombies: usize) -> Self {
        let mut game = Self {
            world: World::new(),
            horde: Timeslicer::new(make_strategy(strategy)),
            strategy,
            updated_at: Instant::now(),
            metrics: Figures::default(),
        };
        game.set_count(zombies);
        game
    }

    /// Switches the strategy while the game runs. All zombies keep their waiting times, and the measurements are reset.
    fn set_strategy(&mut self, strategy: usize) {
        self.strategy = strategy;
        self.metrics = Figures::default();
        self.world.bites = 0.0;
        self.horde.set_strategy(make_strategy(strategy));
    }

    fn set_count(&mut self, count: usize) {
        let old = self.world.zombies.len();
        for dead in self.world.zombies.drain(count.min(old)..) {
            self.horde.remove(dead.task);
        }
        for number in old..count {
            let newborn = self.world.newborn(self.horde.add(number));
            self.world.zombies.push(newborn);
        }
    }

    /// Advances the game by a frame.
    fn update(&mut self, delta: Duration, walk: Vec2) {
        self.metrics.seconds += self.updated_at.elapsed().as_secs_f32();
        self.updated_at = Instant::now();
        let (world, horde) = (&mut self.world, &mut self.horde);
        world.now += delta.as_secs_f32();
        world.move_player(walk, delta.as_secs_f32());
        // Strategies on request run the requested tasks; all others ignore requests.
        world.move_zombies(delta.as_secs_f32(), |task| _ = horde.request(task));
        let start = Instant::now();
        self.metrics.runs += horde.update_weighted(delta, world, World::weight, World::think);
        self.metrics.thinking.push(start.elapsed().as_secs_f32());
        self.measure();
    }

    /// Measures how stale some random zombies are, and whether they would now turn by more than 45 degrees.
    fn measure(&mut self) {
        for _ in 0..SAMPLE.min(self.world.zombies.len()) {
            let sampled = rand::gen_range(0, self.world.zombies.len()); // random, because many strategies go in turn
            let zombie = &self.world.zombies[sampled];
            let best = self.world.decide(sampled);
            let is_wrong = zombie.heading.angle_between(best).abs() > TAU / 8.0;
            let is_far = zombie.position.distance(self.world.player) > NEAR;
            let staleness = self.horde.staleness(zombie.task).unwrap_or_default();
            let sums = &mut self.metrics.near_and_far[usize::from(is_far)];
            *sums += vec3(staleness.as_secs_f32(), f32::from(is_wrong), 1.0);
        }
    }
}

#[derive(Default)]
struct Figures {
    seconds: f32,       // real time
    thinking: Vec<f32>, // the time that each frame spent on scheduling and tasks
    runs: usize,
    near_and_far: [Vec3; 2], // sums over the sampled zombies: staleness, wrong headings, count
}

impl Figures {
    fn named(&self) -> [(&'static str, f32); 8] {
        let frames = self.thinking.len().max(1) as f32;
        let [near, far] = self.near_and_far.map(|sums| sums / sums.z.max(1.0));
        let thinking: f32 = self.thinking.iter().sum();
        let mut sorted = self.thinking.clone();
        sorted.sort_by(f32::total_cmp);
        let p99 = sorted.get(sorted.len() * 99 / 100).unwrap_or(&0.0);
        [
            ("frame ms", 1e3 * self.seconds / frames),
            ("thinking ms", 1e3 * thinking / frames),
            ("thinking p99 ms", 1e3 * p99),
            ("runs a frame", self.runs as f32 / frames),
            ("near: stale ms", 1e3 * near.x),
            ("near: wrong %", 1e2 * near.y),
            ("far: stale ms", 1e3 * far.x),
            ("far: wrong %", 1e2 * far.y),
        ]
    }
}

// ---- The program ----

/// Returns where the player wants to go: to the pointer while a mouse button is down, otherwise by WASD or the arrow
/// keys.
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
async fn play(zombies: usize, frames: Option<usize>) {
    let mut game = Game::new(STRATEGIES.len() - 1, zombies);
    let mut picture = Renderer::new(&game.world.arena);
    let mut shown = Figures::default();
    for frame in 1.. {
        let count = game.world.zombies.len();
        match get_char_pressed() {
            Some('[') => game.set_count(count * 4 / 5),
            Some(']') => game.set_count((count * 5 / 4 + 1).min(MOST_ZOMBIES)),
            Some(key) => {
                if let Some(index) = KEYS.find(key) {
                    game.set_strategy(index);
                    shown = Figures::default();
                }
            }
            None => {}
        }
        let walk = if frames.is_some() {
            game.world.scripted_walk()
        } else {
            wanted_walk(&picture, game.world.player)
        };
        // Limit the step, because a longer one could cross a wall. Frames of more than 100 ms slow the game down.
        let delta = game.updated_at.elapsed();
        game.update(delta.min(Duration::from_millis(100)), walk);
        picture.draw(&game, &shown);
        if game.metrics.seconds > 1.0 {
            shown = std::mem::take(&mut game.metrics);
        }
        if is_key_pressed(KeyCode::Escape) || Some(frame) == frames {
            return;
        }
        next_frame().await;
    }
}

/// Plays the same game with each strategy for a number of frames. Prints the measurements without the first second.
fn print_table(zombies: usize, frames: usize) {
    for (index, entry) in STRATEGIES.iter().enumerate() {
        let mut game = Game::new(index, zombies);
        for frame in 0..60 + frames {
            if frame == 60 {
                game.metrics = Figures::default();
            }
            game.update(Duration::from_secs(1) / 60, game.world.scripted_walk());
        }
        let metrics = game.metrics.named();
        if index == 0 {
            let names = metrics.map(|(name, _)| format!("  {name}")).concat();
            _ = writeln!(io::stdout(), "{CAPTION}{:17}{names}  bites", "strategy");
        }
        let values = metrics.map(|(name, value)| format!("  {value:>0$.1}", name.len()));
        let (values, bites) = (values.concat(), game.world.bites);
        if writeln!(io::stdout(), "{:17}{values}{bites:>7.0}", entry.name).is_err() {
            return; // the reader has closed the pipe
        }
    }
}

fn fail(status: i32, message: &str) -> ! {
    _ = writeln!(io::stderr(), "horde: {message}");
    exit(status)
}

fn main() {
    let (mut is_headless, mut frames, mut zombies) = (false, None, 5_000);
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
            _ => {
                let allowed = "--headless, --frames N and --zombies N";
                fail(2, &format!("unknown flag '{flag}'; allowed are {allowed}"));
            }
        }
    }
    if is_headless {
        return print_table(zombies, frames.unwrap_or(600));
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
        play(zombies, frames).await;
    });
}
