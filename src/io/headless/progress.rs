//! How far a long command has come, on a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// A bar on standard error, where that is a terminal. It shows itself only where there is time to look at it,
/// and takes itself away at the end.
pub(super) struct Progress {
    shares: Vec<f64>,
    since: Instant,
    drawn: Option<Instant>,
    on_terminal: bool,
}

/// What is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);
const EVERY: Duration = Duration::from_millis(100);
const WIDTH: usize = 40;

impl Progress {
    /// Of so many things that go on together.
    pub(super) fn on_stderr(things: usize) -> Self {
        Self {
            shares: vec![0.0; things],
            since: Instant::now(),
            drawn: None,
            on_terminal: io::stderr().is_terminal(),
        }
    }

    /// So much of one of them is done, from 0 to 1.
    pub(super) fn set(&mut self, thing: usize, share: f64) {
        if let Some(of_thing) = self.shares.get_mut(thing) {
            *of_thing = share;
        }
        let due = match self.drawn {
            None => self.since.elapsed() >= PATIENCE,
            Some(drawn) => drawn.elapsed() >= EVERY,
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

/// A bar that cannot be drawn is no reason to stop.
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
    fn a_bar_is_as_full_as_all_are_on_the_mean() {
        let full = |shares: &[f64]| bar(shares).matches('#').count();
        assert_eq!(
            [full(&[0.0]), full(&[0.5, 0.0]), full(&[1.0, 1.0])],
            [0, 10, WIDTH]
        );
        assert!(bar(&[0.5, 1.0]).ends_with(" 75 %"));
        assert_eq!(bar(&[]).len(), bar(&[7.0]).len());
    }
}
