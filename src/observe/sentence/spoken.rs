//! What was said last, held long enough to be read.

use super::Said;
use crate::observe::History;
use crate::strategy::StrategyEntry;
use crate::time::Nanos;

/// What was said last, held long enough to be read.
#[derive(Debug, Default)]
pub struct Spoken {
    said: Said,
    at: Nanos,
    about: Option<About>,
}

/// What a sentence is about: another one is said at once when this changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    strategy: &'static str,
    epoch: u64,
    changed_at: u64,
    paused: bool,
    warned: bool,
}

impl About {
    /// What a sentence is about that speaks of `history`; `warned` is whether it is to be a warning.
    #[must_use]
    pub fn of(strategy: &StrategyEntry, history: &History, paused: bool, warned: bool) -> Self {
        Self {
            strategy: strategy.key,
            epoch: history.epoch(),
            changed_at: history.changed_at(),
            paused,
            warned,
        }
    }
}

/// How long a sentence stands.
const HELD: Nanos = Nanos::from_millis(250);

impl Spoken {
    /// The sentence that stands at `clock`; `say` makes a new one where it is time for one.
    pub fn hold(&mut self, clock: Nanos, about: About, say: impl FnOnce() -> Said) -> &Said {
        if self.about != Some(about) || clock >= self.at + HELD {
            *self = Self {
                said: say(),
                at: clock,
                about: Some(about),
            };
        }
        &self.said
    }
}
