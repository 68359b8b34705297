//! Tests that a game with the pasted snippet of a strategy by significance runs the same tasks as the lab's lane.

use lab::catalog::knob::KnobValues;
use lab::catalog::strategy::{Family, STRATEGIES};
use lab::sim::world::{COST, ENTITIES, Plane, Point};
use lab::testing::lane_of;
use lab::text::rust;
use std::cell::Cell;
use std::time::Duration;
use timeslicer::Timeslicer;

/// The number of tasks. Together, they take more time than the default budget allows.
const COUNT: u32 = 2000;
const SPENT: Duration = Duration::from_micros(50);

thread_local! {
    /// The clock of a machine on which only tasks take time.
    static CLOCK: Cell<Duration> = Cell::default();
}

/// A game whose guards are at the positions of the lab's entities.
struct Game {
    player: Point,
    runs: Vec<(u32, Duration)>,
}

impl Game {
    fn think(&mut self, guard: u32, elapsed: Duration) {
        self.runs.push((guard, elapsed));
        CLOCK.set(CLOCK.get() + SPENT);
    }

    fn distance(&self, guard: u32) -> f64 {
        let at = Plane::with_slots(COUNT).position(guard);
        let x = f64::from(self.player.x) - f64::from(at.x);
        let y = f64::from(self.player.y) - f64::from(at.y);
        (x * x + y * y).sqrt()
    }
}

#[test]
#[allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the snippet names the arguments"
)]
fn the_pasted_lines_make_the_runs_of_the_lab() {
    let source: Vec<&str> = include_str!("pasted.rs").lines().map(str::trim).collect();
    for entry in STRATEGIES {
        if entry.family != Family::BySignificance {
            continue;
        }
        let snippet = rust::snippet(entry, &KnobValues::default());
        let (_, pasted) = snippet.split_once("// in each update").expect("it updates");
        let (pasted, _) = pasted.split_once("\n\n").expect("a death follows");
        let pasted: Vec<&str> = pasted.trim().lines().map(str::trim).collect();
        let is_below = source.windows(pasted.len()).any(|lines| lines == pasted);
        assert!(is_below, "{pasted:?}");

        let set = [(&ENTITIES, 0.0), (&COST, 50.0)];
        let mut lane = lane_of(entry.key, "variable-step", &set);
        // Add the entities after the first frame. No game time passes in it, so the game would not run tasks, but the
        // lab's lane would.
        lane.frame();
        lane.set_knob(&ENTITIES, COUNT.into());
        let mut thinking = Timeslicer::new((entry.make)()).with_clock(|| CLOCK.get());
        for guard in 0..COUNT {
            thinking.add(guard);
        }
        let mut game = Game {
            player: lane.world().target(),
            runs: Vec::new(),
        };
        for _ in 0..300 {
            lane.frame();
            for update in lane.updates() {
                CLOCK.set(update.start.since_start().into());
                game.player = update.target;
                let delta = update.delta.into();
                thinking.update_weighted(
                    delta,
                    &mut game,
                    |game, guard| {
                        let distance = game.distance(guard); // in widths of your world
                        (distance / 0.15).max(1.0).powf(-2.0)
                    },
                    |game, guard, elapsed| game.think(guard, elapsed),
                );
            }
            let runs = lane.runs().iter();
            let runs = runs.map(|run| (run.task.index, Duration::from(run.elapsed)));
            let here = game.runs.drain(..);
            assert!(runs.eq(here), "{} at {}", entry.key, lane.now());
        }
    }
}
