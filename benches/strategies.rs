//! Compares the scheduling cost of each strategy with that of its published form and of a bare loop that only calls the
//! same tasks.
//!
//! Run it with `cargo bench --package timeslice-benches --bench strategies`. A word after `--` limits it to one
//! strategy (its key) or one size. Exits with status 1 if a target is missed.

mod crowd;
mod harness;

use crowd::Crowd;
use harness::{Bench, SIZES, noise_ns, ns};
use lab::catalog::strategy::{STRATEGIES, StrategyEntry, time_budget};
use std::fmt::Write;
use std::process::ExitCode;

const ROUNDS: usize = 8;

/// A function that runs one pass over a crowd's tasks, with one form of the strategy.
type Pass = fn(&mut Crowd);

const FORMS: [(&str, Pass); 3] = [
    ("bare", Crowd::bare),
    ("published", Crowd::published),
    ("ours", Crowd::ours),
];

fn main() -> ExitCode {
    let mut bench = Bench::new("strategies");
    let mut rows = Vec::new();
    for entry in STRATEGIES {
        let mut cells = String::new();
        for size in SIZES {
            let mut crowd = Crowd::new(entry, size);
            let id = |form| format!("{}/{size}/{form}", entry.key);
            for _ in 0..ROUNDS {
                for (form, pass) in FORMS {
                    if form == "published" && !crowd.is_published() {
                        continue;
                    }
                    bench.round(&id(form), || pass(&mut crowd));
                }
            }
            let per_run = |form| Some(bench.min_ns(&id(form))? / crowd.runs() as f64);
            let [Some(bare), published, Some(ours)] = FORMS.map(|(form, _)| per_run(form)) else {
                continue;
            };
            println!("{}, {size}: a bare call {bare:.2} ns", entry.key);
            let ours = ours - bare;
            let (mut published_cell, mut ratio_cell) = ("-".into(), "-".into());
            if let Some(published) = published {
                let published = published - bare;
                let (key, allowed) = (entry.key, allowed(entry, bare, published));
                bench.check(
                    ours <= allowed,
                    format!("{key}, {size} entities: {ours:.2} ns per run, limit {allowed:.2}"),
                );
                published_cell = above(bare, published);
                ratio_cell = ratio(bare, published, ours);
            }
            let our_cell = above(bare, ours);
            let _ = write!(cells, " {published_cell} | {our_cell} | {ratio_cell} |"); // cannot fail
        }
        if !cells.is_empty() {
            rows.push(format!("| `{}` |{cells}", entry.key));
        }
    }
    bench.table(&head(), rows);
    bench.finish()
}

/// Returns how many nanoseconds more than in the bare loop a run may cost.
fn allowed(entry: &StrategyEntry, bare: f64, published: f64) -> f64 {
    if *entry == time_budget::ENTRY {
        published / 5.0
    } else {
        published.max(0.0) + noise_ns(bare)
    }
}

/// Formats how much more a run costs than in the bare loop, or an upper bound if the difference is less than the noise.
fn above(bare: f64, cost: f64) -> String {
    let noise = noise_ns(bare);
    if cost < noise {
        format!("< {}", ns(noise))
    } else {
        ns(cost)
    }
}

/// Formats the ratio of our cost to the published cost, or a dash if the published cost is less than noise.
fn ratio(bare: f64, published: f64, ours: f64) -> String {
    if published < noise_ns(bare) {
        "-".into()
    } else {
        format!("{:.2}", ours.max(0.0) / published)
    }
}

fn head() -> String {
    let sizes = ["1,000", "100,000", "1,000,000"];
    let columns = sizes.map(|size| format!(" published, {size} | ours | ratio |"));
    format!("| scheduling, ns per run |{}", columns.concat())
}
