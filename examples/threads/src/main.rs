//! Runs tasks on worker threads. In each frame, a timeslicer chooses which NPCs search for a path, `rayon` runs the
//! searches in parallel, and the game reports how long each search took. The program plays the same game with one thread
//! and with two, and prints the results. `--frames N` sets the length of each game.

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use timeslicer::strategy::WeightedShare;
use timeslicer::{Due, Timeslicer};

const NPCS: usize = 3_000;
const FRAME: Duration = Duration::from_micros(16_667);
/// How long the searches of a frame may take. Each thread may be busy for this time.
const BUDGET: Duration = Duration::from_millis(3);
/// The frames before the measurement, in which the timeslicer learns the costs.
const LEARNING: usize = 60;

// ---- The game ----

/// The world is a square of tiles, and the border consists of walls.
const SIDE: usize = 96;

struct World {
    walls: Vec<bool>,
    player: usize,
    npcs: Vec<Npc>,
}

struct Npc {
    tile: usize,
    path: Vec<usize>,
}

impl World {
    fn new() -> Self {
        // A random number generator by Marsaglia, "Xorshift RNGs" (2003).
        let mut state = 88_172_645_463_325_252_u64;
        let mut random = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        let is_border = |at: usize| at == 0 || at == SIDE - 1;
        let is_wall = |tile| is_border(tile % SIDE) || is_border(tile / SIDE) || random(4) == 0;
        let mut walls: Vec<bool> = (0..SIDE * SIDE).map(is_wall).collect();
        let player = SIDE * SIDE / 2 + SIDE / 2;
        walls[player] = false;
        let mut npcs = Vec::new();
        while npcs.len() < NPCS {
            let (tile, path) = (random(SIDE * SIDE), Vec::new());
            if !walls[tile] {
                npcs.push(Npc { tile, path });
            }
        }
        Self {
            walls,
            player,
            npcs,
        }
    }

    /// Returns how much an NPC matters, which is 1 near the player and less farther away.
    fn weight(&self, npc: usize) -> f64 {
        let (tile, player) = (self.npcs[npc].tile, self.player);
        let (x, y) = (tile % SIDE, tile / SIDE);
        let distance = x.abs_diff(player % SIDE) + y.abs_diff(player / SIDE);
        8.0 / distance.max(8) as f64
    }

    /// The work of an NPC: a breadth-first search for the shortest path to the player. It reads the world, but does not
    /// change it, so that many searches can run at the same time.
    fn find_path(&self, npc: usize) -> Vec<usize> {
        let start = self.npcs[npc].tile;
        // For each tile, the next tile on the way to the player, or 0 if the search has not reached the tile yet.
        let mut next = vec![0; self.walls.len()];
        next[self.player] = self.player;
        let mut queue = VecDeque::from([self.player]);
        while let Some(tile) = queue.pop_front()
            && tile != start
        {
            for neighbour in [tile - SIDE, tile - 1, tile + 1, tile + SIDE] {
                if !self.walls[neighbour] && next[neighbour] == 0 {
                    next[neighbour] = tile;
                    queue.push_back(neighbour);
                }
            }
        }
        let step = |&tile: &usize| Some(next[tile]).filter(|&next| next != tile && next != 0);
        std::iter::successors(Some(start), step).collect()
    }
}

// ---- The time slicing ----

/// Searches for the paths of the NPCs that are due, and returns how many of them there were.
fn update(
    world: &mut World,
    searching: &mut Timeslicer<usize, WeightedShare>,
    due: &mut Vec<Due<usize>>,
) -> usize {
    searching.take_due(FRAME, world, |world, &npc| world.weight(npc), due);
    // Rayon runs the closure on all threads of the pool.
    let search = |npc| {
        let start = Instant::now();
        let path = world.find_path(npc);
        (path, start.elapsed())
    };
    let found: Vec<_> = due.par_iter().map(|due| search(due.key)).collect();
    for (due, (path, cost)) in due.iter().zip(found) {
        searching.report_cost(due.task, cost);
        world.npcs[due.key].path = path;
    }
    due.len()
}

// ---- The measurement ----

/// Plays the game with a number of threads, and prints the results. Returns the number of searches per millisecond.
fn measure(threads: u32, frames: usize) -> f64 {
    let mut world = World::new();
    // The budget is the processor time of all threads together.
    let mut searching = Timeslicer::new(WeightedShare::new(BUDGET * threads));
    for npc in 0..NPCS {
        searching.add(npc);
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads as usize);
    let pool = pool.build().expect("the system can start threads");
    let mut due = Vec::new();
    let mut frame = || {
        let start = Instant::now();
        let searches = pool.install(|| update(&mut world, &mut searching, &mut due));
        (start.elapsed(), searches)
    };
    for _ in 0..LEARNING {
        frame();
    }
    let (mut times, searches): (Vec<Duration>, Vec<usize>) = (0..frames).map(|_| frame()).unzip();
    times.sort();
    let searches = searches.iter().sum::<usize>() as f64;
    let waits = searching.iter().map(|(task, _)| searching.staleness(task));
    let staleness = waits.flatten().sum::<Duration>() / NPCS as u32;
    let millis = |time: Duration| 1e3 * time.as_secs_f64();
    let speed = searches / millis(times.iter().sum());
    println!(
        "{threads:7}  {:13.1}  {:9.2}  {:15.2}  {speed:12.1}  {:8.0}",
        searches / frames as f64,
        millis(times[frames / 2]),
        millis(times[frames * 9 / 10]),
        millis(staleness),
    );
    speed
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let frames = match arguments[..] {
        [] => Some(600),
        ["--frames", number] => number.parse().ok().filter(|&frames| frames > 0),
        _ => None,
    };
    let Some(frames) = frames else {
        eprintln!("threads: expected no argument, or --frames and a number above 0");
        std::process::exit(2);
    };
    println!("{NPCS} NPCs search for paths, for at most {BUDGET:?} in each of {frames} frames\n");
    println!("threads  paths a frame  median ms  90 % at most ms  paths per ms  stale ms");
    let [one, two] = [1, 2].map(|threads| measure(threads, frames));
    println!("\nTwo threads are {:.2} times as fast as one.", two / one);
}
