//! One strategy in a plain game loop. Each guard thinks twice a second, at any frame rate.

use timeslicer::scheduler::{TaskId, Tasks, UpdateContext};
use timeslicer::strategy::{FixedInterval, Strategy};
use timeslicer::time::{GameTime, Nanos};

const NAMES: [&str; 3] = ["Ann", "Ben", "Cleo"];

fn main() {
    let mut tasks = Tasks::new();
    let mut strategy = FixedInterval::new(Nanos::from_millis(500));
    let mut now = GameTime::START;

    let guards = NAMES.map(|_| tasks.insert(now));
    for guard in guards {
        strategy.insert(guard);
    }

    for frame in 1..=24 {
        let delta = Nanos::from_millis(70); // your engine's time since the last frame
        now += delta;

        if frame == 12 {
            println!("frame {frame:2}: Ben dies");
            tasks.remove(guards[1]);
            strategy.remove(guards[1]);
        }

        let mut think = |guard: TaskId, elapsed: Nanos| {
            let name = NAMES[guard.index as usize];
            println!("frame {frame:2}: {name} thinks, {elapsed} ms after its last run");
        };
        strategy.update(&mut UpdateContext::new(delta, now, &mut tasks, &mut think));
    }
}
