//! The world: an arena with walls, the player and the zombies. It contains the work that is expensive, but does not
//! decide when a zombie does it.

use crate::Tasks;
use macroquad::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f32::consts::TAU;

// Distances are in tiles, and times in seconds.
const WIDTH: usize = 84;
const HEIGHT: usize = 62;
pub const SIZE: Vec2 = vec2(WIDTH as f32, HEIGHT as f32);
const SIGHT: f32 = 28.0; // how far the zombies see
pub const NEAR: f32 = 8.0; // zombies within this distance of the player have full weight
const PLAYER_SPEED: f32 = 6.0;
const ZOMBIE_SPEED: f32 = 2.8;
const RADIUS: f32 = 0.24;
const HORIZON: f32 = 2.5; // how far a zombie looks ahead for a free way

// ---- The arena ----

#[derive(Default)]
pub struct Arena {
    walls: Vec<bool>,
}

/// Returns the index of the tile at a point. Points outside belong to the wall around the arena.
fn tile_at(point: Vec2) -> usize {
    let tile = point.clamp(Vec2::ZERO, SIZE - 1.0).as_uvec2();
    tile.y as usize * WIDTH + tile.x as usize
}

pub fn centre_of(tile: usize) -> Vec2 {
    vec2((tile % WIDTH) as f32, (tile / WIDTH) as f32) + 0.5
}

fn neighbours(tile: usize) -> [usize; 4] {
    [tile - WIDTH, tile - 1, tile + 1, tile + WIDTH]
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
        Self { walls }
    }

    pub fn is_wall(&self, point: Vec2) -> bool {
        self.walls[tile_at(point)]
    }

    /// Returns the distance to the first wall in a direction, at most `reach`. Walks from tile to tile.
    pub fn ray(&self, from: Vec2, direction: Vec2, reach: f32) -> f32 {
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

    fn is_visible(&self, from: Vec2, to: Vec2) -> bool {
        let distance = from.distance(to);
        self.ray(from, (to - from).normalize_or(Vec2::X), distance) >= distance
    }

    /// Moves a body, which slides along walls.
    fn slide(&self, body: &mut Vec2, way: Vec2) {
        for way in [vec2(way.x, 0.0), vec2(0.0, way.y)] {
            if !self.is_wall(*body + way + RADIUS * way.normalize_or_zero()) {
                *body += way;
            }
        }
    }
}

/// An A* search for a shortest path, which can be interrupted after each tile.
pub struct Search {
    goal: usize,
    /// For each tile, the number of steps from the start, or `u16::MAX` if the search has not reached the tile.
    steps: Vec<u16>,
    /// The frontier: for each tile, the minimum length of a path through it, the steps from the start, and its index.
    open: BinaryHeap<(Reverse<u16>, u16, usize)>,
}

impl Search {
    fn new(start: Vec2, goal: Vec2) -> Self {
        let mut steps = vec![u16::MAX; WIDTH * HEIGHT];
        steps[tile_at(start)] = 0;
        Self {
            goal: tile_at(goal),
            steps,
            open: BinaryHeap::from([(Reverse(0), 0, tile_at(start))]),
        }
    }

    /// Expands the most promising tile. Returns true if the search has ended.
    fn step(&mut self, arena: &Arena) -> bool {
        let Some((_, steps, tile)) = self.open.pop() else {
            return true;
        };
        for next in neighbours(tile) {
            if !arena.walls[next] && steps + 1 < self.steps[next] {
                self.steps[next] = steps + 1;
                let (x, y) = (next % WIDTH, next / WIDTH);
                let missing = x.abs_diff(self.goal % WIDTH) + y.abs_diff(self.goal / WIDTH);
                let length = steps + 1 + missing as u16;
                self.open.push((Reverse(length), steps + 1, next));
            }
        }
        tile == self.goal
    }

    /// Returns the tiles from the goal back to the start, which is left out.
    fn path(&self) -> Vec<usize> {
        let before = |&tile: &usize| {
            let steps = self.steps[tile].checked_sub(1)?;
            (neighbours(tile).into_iter()).find(|&next| self.steps[next] == steps)
        };
        let mut path: Vec<usize> = std::iter::successors(Some(self.goal), before).collect();
        path.pop();
        path
    }

    /// Returns the tiles that the search has reached.
    pub fn reached(&self) -> impl Iterator<Item = usize> {
        (0..self.steps.len()).filter(|&tile| self.steps[tile] < u16::MAX)
    }
}

// ---- The player and the zombies ----

pub struct Zombie {
    pub tasks: Tasks,
    pub position: Vec2,
    pub facing: Vec2,  // turns towards the heading in each frame
    pub heading: Vec2, // decided by the zombie; the length is a fraction of the speed
    pub decided_at: f32,
    pub sees_player: bool,
    pub path: Vec<usize>, // the tiles on the way to the last known place of the player, in reverse order
    pub path_found_at: f32,
    pub search: Option<Search>, // the unfinished search for a path
}

#[derive(Default)]
pub struct World {
    pub now: f32,
    pub arena: Arena,
    pub player: Vec2,
    pub gaze: Vec2,
    pub bites: u32,
    pub zombies: Vec<Zombie>,
    on_tile: Vec<Vec<(usize, Vec2)>>, // the spatial hash: indices and positions of the zombies
}

impl World {
    pub fn new() -> Self {
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
    pub fn newborn(&self, tasks: Tasks) -> Zombie {
        let random = || vec2(rand::gen_range(0.0, 1.0), rand::gen_range(0.0, 1.0));
        let mut position = self.player;
        while self.arena.is_wall(position) || position.distance(self.player) < NEAR {
            position = (random() * SIZE).floor() + 0.3 + 0.4 * random();
        }
        let heading = random() - 0.5;
        Zombie {
            tasks,
            position,
            facing: heading,
            heading,
            decided_at: self.now - random().x,
            sees_player: false,
            path: Vec::new(),
            path_found_at: f32::NEG_INFINITY,
            search: None,
        }
    }

    /// Sensing: looks for the player. Returns true if the zombie needs a path, because it sees neither the player nor
    /// the next tile of its path.
    pub fn look(&mut self, zombie: usize) -> bool {
        let zombie = &mut self.zombies[zombie];
        let is_visible = |point| self.arena.is_visible(zombie.position, point);
        zombie.sees_player =
            zombie.position.distance(self.player) < SIGHT && is_visible(self.player);
        if zombie.sees_player {
            zombie.path.clear();
        }
        let knows_way = zombie
            .path
            .last()
            .is_some_and(|&tile| is_visible(centre_of(tile)));
        !zombie.sees_player && !knows_way && zombie.search.is_none()
    }

    /// A path query: searches until `has_time` returns false. Returns true if the search has ended.
    pub fn find_path(&mut self, zombie: usize, has_time: impl Fn() -> bool) -> bool {
        let zombie = &mut self.zombies[zombie];
        let start = zombie.position;
        let search = zombie
            .search
            .get_or_insert_with(|| Search::new(start, self.player));
        // Check the time only every 32 steps, because reading the clock takes as long as a few steps.
        while !(0..32).any(|_| search.step(&self.arena)) {
            if !has_time() {
                return false;
            }
        }
        zombie.path = search.path();
        zombie.path_found_at = self.now;
        zombie.search = None;
        true
    }

    /// Returns how much a zombie matters, which is 1 near the player and less farther away.
    pub fn weight(&self, zombie: usize) -> f64 {
        let distance = self.zombies[zombie].position.distance(self.player);
        f64::from(NEAR / distance.max(NEAR)).powi(2)
    }

    pub fn can_bite(&self, zombie: usize) -> bool {
        self.zombies[zombie].position.distance(self.player) < 3.0 * RADIUS
    }

    /// A decision: goes on to the farthest visible tile of the path, and sets the heading.
    pub fn decide(&mut self, zombie: usize) {
        let Zombie { position, path, .. } = &mut self.zombies[zombie];
        while let [.., after, _] = **path
            && self.arena.is_visible(*position, centre_of(after))
        {
            path.pop();
        }
        path.pop_if(|next| position.distance(centre_of(*next)) < 1.0);
        self.zombies[zombie].heading = self.best_heading(zombie);
        self.zombies[zombie].decided_at = self.now;
    }

    /// Returns the best heading. The goal is the player if visible, otherwise the next tile of the path. Of the headings
    /// around that goal, this is the one that gets closest before a wall or a neighbour is in the way.
    /// (Moussaïd, Helbing and Theraulaz, "How simple rules determine pedestrian behavior", 2011)
    fn best_heading(&self, zombie: usize) -> Vec2 {
        let from = self.zombies[zombie].position;
        let goal = match self.zombies[zombie].path.last() {
            _ if self.zombies[zombie].sees_player => self.player,
            Some(&tile) => centre_of(tile),
            None => from, // waits for a path
        };
        let reach = from.distance(goal).min(HORIZON);
        let goal = (goal - from).normalize_or(Vec2::X);
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

    /// Moves the player, and moves all zombies along their headings, which is cheap.
    pub fn move_all(&mut self, walk: Vec2, seconds: f32) {
        self.now += seconds;
        self.gaze = walk.normalize_or(self.gaze);
        let way = walk.clamp_length_max(1.0) * PLAYER_SPEED * seconds;
        self.arena.slide(&mut self.player, way);
        self.on_tile.iter_mut().for_each(Vec::clear);
        let turn = 1.0 - (-10.0 * seconds).exp();
        for (number, zombie) in self.zombies.iter_mut().enumerate() {
            zombie.facing = zombie.facing.lerp(zombie.heading, turn);
            let way = zombie.facing * ZOMBIE_SPEED * seconds;
            self.arena.slide(&mut zombie.position, way);
            self.on_tile[tile_at(zombie.position)].push((number, zombie.position));
        }
    }

    /// Returns the direction of a scripted player, who walks into free space and ignores the zombies.
    pub fn scripted_walk(&self) -> Vec2 {
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
