//! Compares the scheduling cost of a game that uses a `Timeslicer` with that of the same game on the library's
//! lower-level parts.
//!
//! Run it with `cargo bench --package timeslice-benches --bench front_door`. A word after `--` limits it to one
//! strategy (its key) or one size. Exits with status 1 if a target is missed.

mod crowd;
mod harness;

use crowd::Crowd;
use harness::{Bench, SIZES, noise_ns, ns};
use lab::catalog::strategy::STRATEGIES;
use std::fmt::Write;
use std::process::ExitCode;

const ROUNDS: usize = 8;
/// The maximum cost of scheduling through a `Timeslicer`, as a multiple of the cost with the lower-level parts.
const MOST: f64 = 1.1;

fn main() -> ExitCode {
    let mut bench = Bench::new("front_door");
    let mut rows = Vec::new();
    for entry in STRATEGIES {
        let mut cells = String::new();
        for size in SIZES {
            let mut crowd = Crowd::new(entry, size);
            let mut timeslicer = crowd.front_door(entry);
            let id = |form| format!("{}/{size}/{form}", entry.key);
            for _ in 0..ROUNDS {
                bench.round(&id("bare"), || crowd.bare());
                bench.round(&id("parts"), || crowd.pass_with_parts());
                bench.round(&id("front door"), || {
                    crowd.pass_through(&mut timeslicer);
                });
            }
            let runs = crowd.runs() as f64;
            let per_run = |form| Some(bench.min_ns(&id(form))? / runs);
            let times = [per_run("bare"), per_run("parts"), per_run("front door")];
            if let [Some(bare), Some(parts), Some(front)] = times {
                let [with_parts, through] = [parts - bare, front - bare];
                let most = with_parts.max(0.0) * MOST + noise_ns(bare);
                bench.check(
                    through <= most,
                    format!(
                        "{}, {size} entities: {through:.2} ns per run, limit {most:.2}",
                        entry.key
                    ),
                );
                let _ = write!(
                    cells,
                    " {} | {} | {:.2} |",
                    ns(parts),
                    ns(front),
                    front / parts
                ); // cannot fail
            }
        }
        if !cells.is_empty() {
            rows.push(format!("| `{}` |{cells}", entry.key));
        }
    }
    let columns = ["1,000", "100,000", "1,000,000"];
    let columns = columns.map(|size| format!(" parts, {size} | front door | ratio |"));
    bench.table(&format!("| a run, ns |{}", columns.concat()), rows);
    bench.finish()
}
