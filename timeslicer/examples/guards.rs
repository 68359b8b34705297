//! Guards that think twice a second, at any frame rate. One of the guards dies, and another one is born.

use std::time::Duration;
use timeslicer::Timeslicer;
use timeslicer::strategy::FixedInterval;

fn main() {
    let interval = Duration::from_millis(500);
    let mut thinking = Timeslicer::new(FixedInterval::new(interval));

    let _ann = thinking.add("Ann");
    let ben = thinking.add("Ben");
    let _cleo = thinking.add("Cleo");

    for frame in 1..=24 {
        let delta = Duration::from_millis(70); // the time since the last frame

        if frame == 12 {
            println!("frame {frame:2}: Ben dies, Dora is born");
            thinking.remove(ben);
            thinking.add("Dora");
        }

        thinking.update(delta, |guard, elapsed| {
            println!("frame {frame:2}: {guard} thinks, {elapsed:?} after the last time");
        });
    }
}
