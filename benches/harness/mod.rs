//! What the benches share: criterion measures, in rounds that take turns, so that whatever else the computer does
//! falls on all that is compared; the least time of all samples stands for each; figures become a table that
//! `benches/table.sh` puts into the README.
#![allow(dead_code, reason = "each bench needs a part of it")]

use criterion::{BatchSize, Criterion, SamplingMode};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where the figures of the bench `name` are kept.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// One bench's measurements.
pub struct Bench {
    name: &'static str,
    pub criterion: Criterion,
    missed: Vec<String>,
    rows: Vec<String>,
}

impl Bench {
    /// Short measurements, since there are many and each is made in several rounds.
    pub fn new(name: &'static str) -> Self {
        // What an earlier run has left would be compared with, and reported, at every turn.
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

    /// Measures what `once` does, as one more round of `id`.
    pub fn round(&mut self, id: &str, round: usize, mut once: impl FnMut()) {
        let mut group = self.criterion.benchmark_group(id);
        group.sampling_mode(SamplingMode::Flat);
        group.bench_function(round.to_string(), |bencher| bencher.iter(&mut once));
        group.finish();
    }

    /// [`Bench::round`] where something has to be made ready each time, which is not measured.
    pub fn round_with<T>(
        &mut self,
        id: &str,
        round: usize,
        make_ready: impl FnMut() -> T,
        once: impl FnMut(T),
    ) {
        let (mut make_ready, mut once) = (make_ready, once);
        let mut group = self.criterion.benchmark_group(id);
        group.sampling_mode(SamplingMode::Flat);
        group.bench_function(round.to_string(), |bencher| {
            bencher.iter_batched(&mut make_ready, &mut once, BatchSize::PerIteration);
        });
        group.finish();
    }

    /// The least time, in nanoseconds, of an iteration of `id` over all samples of its rounds; none where it
    /// was not measured (a filter on the command line).
    pub fn least_ns(&self, id: &str) -> Option<f64> {
        let place = folder(self.name).join(id.replace('/', "_")); // as criterion names it
        let rounds = fs::read_dir(place).ok()?.flatten();
        let samples = rounds.filter_map(|round| {
            let json = fs::read_to_string(round.path().join("new/sample.json")).ok()?;
            let sample: serde_json::Value = serde_json::from_str(&json).ok()?;
            let numbers = |key: &str| {
                let list = sample[key].as_array().cloned().unwrap_or_default();
                list.into_iter().filter_map(|number| number.as_f64())
            };
            let each = numbers("times").zip(numbers("iters"));
            each.map(|(time, iterations)| time / iterations)
                .reduce(f64::min)
        });
        samples.reduce(f64::min)
    }

    /// Holds a figure against its target.
    pub fn hold(&mut self, kept: bool, what: impl Into<String>) {
        if !kept {
            self.missed.push(what.into());
        }
    }

    /// The table: its head, and its rows, if anything was measured.
    pub fn table(&mut self, head: &str, rows: Vec<String>) {
        if rows.is_empty() {
            return;
        }
        let columns = head.matches('|').count() - 1;
        self.rows = vec![head.to_owned(), format!("|{}", "---|".repeat(columns))];
        self.rows.extend(rows);
        println!("\n{}", self.rows.join("\n"));
    }

    /// Writes the rows down for `benches/table.sh`, and says what was missed.
    pub fn finish(self) -> std::process::ExitCode {
        if self.rows.is_empty() {
            return std::process::ExitCode::SUCCESS;
        }
        let file = folder(self.name).join("table.md");
        if let Err(error) = fs::write(&file, self.rows.join("\n") + "\n") {
            eprintln!("the table is not written: {error}");
            return std::process::ExitCode::FAILURE;
        }
        println!("\nthe table: {}", file.display());
        for what in &self.missed {
            println!("MISSED: {what}");
        }
        u8::from(!self.missed.is_empty()).into()
    }
}

/// Nanoseconds in a table: as many digits as mean something.
#[must_use]
pub fn ns(time: f64) -> String {
    if time.abs() < 9.95 {
        format!("{time:.1}")
    } else {
        format!("{time:.0}")
    }
}
