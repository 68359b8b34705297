//! What all benches share. Criterion measures the compared functions in alternating rounds, so that other load on the
//! computer affects all of them. Each function is represented by its minimum time over all samples. The times become a
//! table, which `benches/table.sh` collects.
#![allow(dead_code, reason = "each bench needs only a part")]

use criterion::{BatchSize, Criterion, SamplingMode};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The numbers of entities in most benches.
pub const SIZES: [usize; 3] = [1_000, 100_000, 1_000_000];

/// Returns the folder for the measurements of bench `name`.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The measurements of one bench.
pub struct Bench {
    name: &'static str,
    pub criterion: Criterion,
    missed: Vec<String>,
    rows: Vec<String>,
}

impl Bench {
    /// Creates a bench with short measurements, because there are many and each has several rounds.
    pub fn new(name: &'static str) -> Self {
        // Otherwise criterion would compare the results with those of an earlier run.
        let _ = fs::remove_dir_all(folder(name));
        let criterion = Criterion::default()
            .output_directory(&folder(name))
            .without_plots()
            .sample_size(10)
            .nresamples(1_000)
            .warm_up_time(Duration::from_millis(30))
            .measurement_time(Duration::from_millis(120))
            .configure_from_args();
        Self {
            name,
            criterion,
            missed: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Measures `work` in one more round of `id`.
    pub fn round(&mut self, id: &str, round: usize, mut work: impl FnMut()) {
        let mut group = self.criterion.benchmark_group(id);
        group.sampling_mode(SamplingMode::Flat);
        group.bench_function(round.to_string(), |bencher| bencher.iter(&mut work));
        group.finish();
    }

    /// Like [`Bench::round`], but calls `setup` before each iteration, without measuring it.
    pub fn round_with<T>(
        &mut self,
        id: &str,
        round: usize,
        mut setup: impl FnMut() -> T,
        mut work: impl FnMut(T),
    ) {
        let mut group = self.criterion.benchmark_group(id);
        group.sampling_mode(SamplingMode::Flat);
        group.bench_function(round.to_string(), |bencher| {
            bencher.iter_batched(&mut setup, &mut work, BatchSize::PerIteration);
        });
        group.finish();
    }

    /// Returns the minimum time of an iteration of `id` over all samples, in nanoseconds, or `None` if a filter on the
    /// command line excluded `id`.
    pub fn min_ns(&self, id: &str) -> Option<f64> {
        let path = folder(self.name).join(id.replace('/', "_")); // criterion's name for the group's folder
        let rounds = fs::read_dir(path).ok()?.flatten();
        let samples = rounds.filter_map(|round| {
            let json = fs::read_to_string(round.path().join("new/sample.json")).ok()?;
            let sample: serde_json::Value = serde_json::from_str(&json).ok()?;
            let numbers = |key: &str| {
                let list = sample[key].as_array().cloned().unwrap_or_default();
                list.into_iter().filter_map(|number| number.as_f64())
            };
            numbers("times")
                .zip(numbers("iters"))
                .map(|(time, iterations)| time / iterations)
                .reduce(f64::min)
        });
        samples.reduce(f64::min)
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
        let label = match headless::catalog::strategy::by_key(name) {
            Some(_) => format!("`{name}`"),
            None => name.to_owned(),
        };
        Some(format!(
            "| {label} | {few} | {more} | {many} | {ratio:.2} |"
        ))
    }

    /// Records that a target was missed, described by `metric`, unless it was `met`.
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
    pub fn finish(self) -> std::process::ExitCode {
        if self.rows.is_empty() {
            return std::process::ExitCode::SUCCESS;
        }
        let file = folder(self.name).join("table.md");
        let _ = fs::create_dir_all(folder(self.name)); // exists if criterion has measured something
        if let Err(error) = fs::write(&file, self.rows.join("\n") + "\n") {
            eprintln!("cannot write {}: {error}", file.display());
            return std::process::ExitCode::FAILURE;
        }
        println!("\ntable: {}", file.display());
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
