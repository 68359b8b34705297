//! What scheduling costs: each strategy, the algorithm as published, and a bare loop that only calls the same
//! tasks, beside one another in one run.
//!
//! `cargo bench --no-default-features --bench strategies` (a word behind `--` chooses what has it in its name: a
//! strategy's key, a size). It ends with status 1 where a target is missed.

mod crowd;
mod harness;
mod published;

use crowd::Crowd;
use harness::{Bench, ns};
use std::fmt::Write;
use std::process::ExitCode;
use timeslice::strategy::{STRATEGIES, StrategyEntry, time_budget};

const SIZES: [usize; 3] = [1_000, 100_000, 1_000_000];
const ROUNDS: usize = 8;

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
            let mut crowd = Crowd::new(entry, size);
            let id = |form| format!("{}/{size}/{form}", entry.key);
            for round in 0..ROUNDS {
                for (form, pass) in FORMS {
                    if form == "published" && !crowd.is_published() {
                        continue;
                    }
                    bench.round(&id(form), round, || pass(&mut crowd));
                }
            }
            let a_run = |form| Some(bench.least_ns(&id(form))? / crowd.runs() as f64);
            let [bare, published, ours] = FORMS.map(|(form, _)| a_run(form));
            if let (Some(bare), Some(ours)) = (bare, ours) {
                println!("{}, {size}: a bare call {bare:.2} ns", entry.key);
                let published = published.map(|published| published - bare);
                table.push((*entry, size, bare, published, ours - bare));
            }
        }
    }
    let mut rows = Vec::new();
    for entry in STRATEGIES {
        let mut cells = String::new();
        for (of, size, bare, published, ours) in &table {
            if of == entry {
                let (shown, mut of_published, mut of_ratio) =
                    (above(*bare, *ours), "-".into(), "-".into());
                if let Some(published) = *published {
                    let (key, allowed) = (entry.key, allowed(entry, *bare, published));
                    bench.hold(
                        *ours <= allowed,
                        format!("{key}, {size} entities: {ours:.2} ns a run, at most {allowed:.2}"),
                    );
                    of_published = above(*bare, published);
                    of_ratio = ratio(*bare, published, *ours);
                }
                let _ = write!(cells, " {of_published} | {shown} | {of_ratio} |"); // a string takes everything
            }
        }
        if !cells.is_empty() {
            rows.push(format!("| `{}` |{cells}", entry.key));
        }
    }
    bench.table(&head(), rows);
    bench.finish()
}

/// What differs by less is the same: so much do the least times of two loops differ that do the same, and more where
/// each call waits for memory.
fn noise_ns(bare: f64) -> f64 {
    (bare * 0.05).max(0.2)
}

/// What a run may cost above the bare loop.
fn allowed(entry: &StrategyEntry, bare: f64, published: f64) -> f64 {
    if *entry == time_budget::ENTRY {
        published / 5.0
    } else {
        published.max(0.0) + noise_ns(bare) // nothing costs less than nothing
    }
}

/// What a run costs above the bare loop, or that it is less than can be told.
fn above(bare: f64, cost: f64) -> String {
    let noise = noise_ns(bare);
    if cost < noise {
        format!("< {}", ns(noise))
    } else {
        ns(cost)
    }
}

/// How much of the published cost ours is, where that is more than noise.
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
    format!("| scheduling, ns a run |{}", columns.concat())
}
