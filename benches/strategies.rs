//! What scheduling costs: each strategy, the algorithm as published, and a bare loop that only calls the same
//! tasks, beside one another in one run.
//!
//! `cargo bench --no-default-features --bench strategies` (a word behind `--` chooses what has it in its name: a
//! strategy's key, a size). It ends with status 1 where a target is missed.

mod crowd;
mod harness;
mod published;

use crowd::Crowd;
use harness::Bench;
use std::process::ExitCode;
use timeslice_lab::strategy::STRATEGIES;

const SIZES: [usize; 3] = [1_000, 100_000, 1_000_000];
const ROUNDS: usize = 5;

/// A pass of a crowd in one of its forms.
type Pass = fn(&mut Crowd);

const FORMS: [(&str, Pass); 3] = [
    ("bare", Crowd::bare),
    ("published", Crowd::published),
    ("ours", Crowd::ours),
];

fn main() -> ExitCode {
    let mut bench = Bench::new("strategies");
    let mut table = Vec::new();
    for entry in STRATEGIES {
        for size in SIZES {
            let Some(mut crowd) = Crowd::new(entry, size) else {
                bench.hold(false, format!("{}: no published form", entry.key));
                continue;
            };
            let id = |form| format!("{}/{size}/{form}", entry.key);
            for round in 0..ROUNDS {
                for (form, pass) in FORMS {
                    bench.round(&id(form), round, || pass(&mut crowd));
                }
            }
            let a_run = |form| Some(bench.least_ns(&id(form))? / crowd.runs() as f64);
            let [bare, published, ours] = FORMS.map(|(form, _)| a_run(form));
            if let (Some(bare), Some(published), Some(ours)) = (bare, published, ours) {
                table.push((entry.key, size, bare, published - bare, ours - bare));
            }
        }
    }
    println!(
        "{:<16} {:>9} {:>8} {:>10} {:>8} {:>6}",
        "strategy", "entities", "bare", "published", "ours", "ratio"
    );
    for (key, size, bare, published, ours) in table {
        println!(
            "{key:<16} {size:>9} {bare:>8.2} {published:>10.2} {ours:>8.2} {:>6.2}",
            ours / published
        );
    }
    bench.finish()
}
