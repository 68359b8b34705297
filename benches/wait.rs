//! Measures how late waits for deadlines end, and how much of a core they take. Runs empty lanes under `constant-fps`
//! on this computer, with the lab's own wait and with a plain sleep of the system.
//!
//! Run it with `cargo bench --package timeslice-benches --bench wait`. The fraction of a core is measured only on
//! Linux.

use headless::catalog::frame_loop::by_key;
use headless::catalog::frame_loop::constant_fps::LOOP_FPS;
use headless::catalog::knob::KnobValues;
use headless::sim::machine::{Host, Machine};
use headless::sim::settings::Settings;
use headless::sim::world::ENTITIES;
use headless::stats::MeasuredLane;
use std::fs;
use timeslicer::time::{ClockTime, Nanos, monotonic};

const SECONDS: f64 = 4.0;

/// This computer, but with a plain sleep of the system.
struct PlainSleep(Host);

impl Machine for PlainSleep {
    fn stall(&mut self, _time: Nanos) {}

    fn slow_display(&mut self, _hz: Option<f64>) {}

    fn clock(&self) -> ClockTime {
        self.0.clock()
    }
    fn work(&mut self, cost: Nanos) -> Nanos {
        self.0.work(cost)
    }
    fn render(&mut self) {}
    fn wait_until(&mut self, time: ClockTime) {
        std::thread::sleep((time - self.clock()).into());
    }
    fn wait_for_display(&mut self, frame_start: ClockTime) {
        self.0.wait_for_display(frame_start);
    }
}

/// Returns the processor time that this process has used, or `None` if the system does not report it.
fn processor_time() -> Option<Nanos> {
    let schedstat = fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanos = schedstat.split_whitespace().next()?.parse().ok()?;
    Some(Nanos::from_nanos(nanos))
}

fn measure(name: &str, fps: f64, machine: impl Machine) {
    let settings = Settings {
        frame_loop: by_key("constant-fps").expect("in the registry"),
        knobs: KnobValues::with(&[(&LOOP_FPS, fps), (&ENTITIES, 0.0)]),
        ..Settings::default()
    };
    let mut lane = MeasuredLane::new(settings, machine);
    let (start, processor_start) = (monotonic(), processor_time());
    let origin = lane.frame().start;
    let mut delays = Vec::new();
    for _ in 1..(fps * SECONDS) as u32 {
        let deadline = origin + lane.now().since_start(); // game time is a period ahead of the clock
        delays.push(lane.machine().clock() - deadline);
        lane.frame();
    }
    let took = (monotonic() - start).as_secs_f64();
    let used = processor_time().zip(processor_start);
    let share = used.map_or("unknown".to_owned(), |(end, start)| {
        format!("{:.1} %", (end - start).as_secs_f64() / took * 100.0)
    });

    delays.sort_unstable();
    let at = |share: f64| delays[((delays.len() - 1) as f64 * share) as usize].as_nanos() / 1000;
    println!(
        "{name:<14} {fps:>4} {:>9.3} {:>6} {:>6} {:>6} {share:>9}",
        lane.frames() as f64 / took,
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn main() {
    println!("                fps  measured    lateness, µs      share of");
    println!("                            p50    p99    max      a core");
    for fps in [25.0, 60.0, 250.0] {
        measure("the lab's wait", fps, Host::new());
        measure("plain sleep", fps, PlainSleep(Host::new()));
    }
}
