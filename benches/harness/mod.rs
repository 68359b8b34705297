//! What all benches share. The compared functions are measured in alternating rounds, so that other load on the computer
//! affects all of them. Each function is represented by its minimum time over all samples, because other load can only
//! make a sample longer. The times become a table, which `benches/table.sh` collects.
#![allow(dead_code, reason = "each bench needs only a part")]

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The numbers of entities in most benches.
pub const SIZES: [usize; 3] = [1_000, 100_000, 1_000_000];

/// The minimum duration of a sample. It is long enough that the time to read the clock does not matter.
const SAMPLE: Duration = Duration::from_millis(10);
/// The number of samples in each round.
const SAMPLES: u32 = 10;

pub struct Bench {
    name: &'static str,
    /// Only ids that contain this text are measured. The user gives it on the command line.
    filter: String,
    /// For each id, the minimum time per iteration, in nanoseconds.
    times: HashMap<String, f64>,
    missed: Vec<String>,
    rows: Vec<String>,
}

impl Bench {
    pub fn new(name: &'static str) -> Self {
        // Cargo passes `--bench` to every bench.
        let filter = std::env::args()
            .skip(1)
            .find(|word| !word.starts_with("--"));
        Self {
            name,
            filter: filter.unwrap_or_default(),
            times: HashMap::new(),
            missed: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Measures `work` in one more round of `id`.
    pub fn round(&mut self, id: &str, mut work: impl FnMut()) {
        if !id.contains(&self.filter) {
            return;
        }
        let mut time_of = |iterations: u32| {
            let start = Instant::now();
            for _ in 0..iterations {
                work();
            }
            start.elapsed()
        };
        let mut iterations = 1;
        while time_of(iterations) < SAMPLE {
            iterations *= 2;
        }
        for _ in 0..SAMPLES {
            let time = time_of(iterations).as_secs_f64() * 1e9 / f64::from(iterations);
            let least = self.times.entry(id.to_owned()).or_insert(time);
            *least = time.min(*least);
        }
    }

    /// Returns the minimum time per iteration of `id`, in nanoseconds, or `None` if `id` was not measured.
    pub fn min_ns(&self, id: &str) -> Option<f64> {
        self.times.get(id).copied()
    }

    /// Returns the cells of a table row: the minimum times of `name` at each of [`SIZES`], divided by `count`, and the
    /// ratio of the last to the first. The target is missed if the ratio exceeds `most`.
    pub fn row_of_sizes(&mut self, name: &str, count: f64, most: f64) -> Option<String> {
        let times = SIZES.map(|size| self.min_ns(&format!("{name}/{size}")));
        let [Some(few), Some(more), Some(many)] = times else {
            return None;
        };
        let ratio = many / few;
        self.check(ratio <= most, format!("{name}: a ratio of {ratio:.2}"));
        let [few, more, many] = [few, more, many].map(|time| ns(time / count));
        let label = match lab::catalog::strategy::by_key(name) {
            Some(_) => format!("`{name}`"),
            None => name.to_owned(),
        };
        Some(format!(
            "| {label} | {few} | {more} | {many} | {ratio:.2} |"
        ))
    }

    /// Records a missed target if `met` is false. `metric` describes the target and the measured value.
    pub fn check(&mut self, met: bool, metric: impl Into<String>) {
        if !met {
            self.missed.push(metric.into());
        }
    }

    /// Stores and prints the table, unless it has no rows.
    pub fn table(&mut self, head: &str, rows: Vec<String>) {
        if rows.is_empty() {
            return;
        }
        let columns = head.matches('|').count() - 1;
        self.rows = vec![head.to_owned(), format!("|{}", "---|".repeat(columns))];
        self.rows.extend(rows);
        println!("\n{}", self.rows.join("\n"));
    }

    /// Writes the table to a file for `benches/table.sh` and prints the missed targets.
    pub fn finish(self) -> ExitCode {
        if !self.rows.is_empty() {
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.md", self.name));
            if let Err(error) = fs::write(&file, self.rows.join("\n") + "\n") {
                eprintln!("cannot write {}: {error}", file.display());
                return ExitCode::FAILURE;
            }
            println!("\ntable: {}", file.display());
        }
        for metric in &self.missed {
            println!("MISSED: {metric}");
        }
        u8::from(!self.missed.is_empty()).into()
    }
}

/// Formats nanoseconds for a table, with two significant digits below 10 and whole numbers above.
pub fn ns(time: f64) -> String {
    if time.abs() < 9.95 {
        format!("{time:.1}")
    } else {
        format!("{time:.0}")
    }
}

/// Returns the difference below which two times count as equal, because the minimum times of two identical loops can
/// differ by that much. It is larger if each call waits for memory.
pub fn noise_ns(bare: f64) -> f64 {
    (bare * 0.05).max(0.2)
}
