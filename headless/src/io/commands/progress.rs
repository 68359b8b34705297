//! The progress bar of long commands.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// A progress bar on standard error, if that is a terminal. The bar appears after [`PATIENCE`] and is erased on drop.
pub(super) struct Progress {
    shares: Vec<f64>,
    started: Instant,
    drawn: Option<Instant>,
    on_terminal: bool,
}

/// Commands that take less time than this show no bar.
const PATIENCE: Duration = Duration::from_millis(500);
const INTERVAL: Duration = Duration::from_millis(100);
const WIDTH: usize = 40;

impl Progress {
    pub(super) fn on_stderr(jobs: usize) -> Self {
        Self {
            shares: vec![0.0; jobs],
            started: Instant::now(),
            drawn: None,
            on_terminal: io::stderr().is_terminal(),
        }
    }

    /// Sets the progress of a job, from 0 to 1.
    pub(super) fn set(&mut self, job: usize, share: f64) {
        if let Some(slot) = self.shares.get_mut(job) {
            *slot = share;
        }
        let due = match self.drawn {
            None => self.started.elapsed() >= PATIENCE,
            Some(drawn) => drawn.elapsed() >= INTERVAL,
        };
        if self.on_terminal && due {
            self.drawn = Some(Instant::now());
            show(&format!("\r{}", bar(&self.shares)));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            show("\r\x1b[K");
        }
    }
}

/// Writes to standard error. Ignores failures, because they must not stop the command.
fn show(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr
        .write_all(text.as_bytes())
        .and_then(|()| stderr.flush());
}

fn bar(shares: &[f64]) -> String {
    let share = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    let share = share.clamp(0.0, 1.0);
    let done = (share * WIDTH as f64) as usize;
    let percent = (share * 100.0) as u32;
    format!(
        "[{}{}] {percent:>3} %",
        "#".repeat(done),
        " ".repeat(WIDTH - done)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_shows_the_mean_of_all_jobs() {
        let full = |shares: &[f64]| bar(shares).matches('#').count();
        assert_eq!(
            [full(&[0.0]), full(&[0.5, 0.0]), full(&[1.0, 1.0])],
            [0, 10, WIDTH]
        );
        assert!(bar(&[0.5, 1.0]).ends_with(" 75 %"));
        assert_eq!(bar(&[]).len(), bar(&[7.0]).len());
    }
}
