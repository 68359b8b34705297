//! What was changed by hand while something ran: then its settings alone do not make it again.

use crate::time::Nanos;

/// No more changes are remembered than this; of those before, how many there were.
const MOST: usize = 1000;

/// The changes, oldest first. Those of one subject in a row, as by dragging a slider, are one.
#[derive(Clone, Debug, Default)]
pub struct ByHand {
    changes: Vec<Change>,
    left_out: usize,
}

#[derive(Clone, Debug)]
struct Change {
    at: Nanos,
    subject: String,
    what: String,
}

impl ByHand {
    /// Something was changed at that time.
    pub fn note(&mut self, at: Nanos, subject: &str, what: String) {
        let is_full = self.changes.len() == MOST;
        let all_told = self.left_out == 0;
        let last = self.changes.last_mut();
        if let Some(last) = last.filter(|last| all_told && last.subject == subject) {
            (last.at, last.what) = (at, what);
        } else if is_full {
            self.left_out += 1;
        } else {
            let subject = subject.to_owned();
            self.changes.push(Change { at, subject, what });
        }
    }

    /// Whether nothing was changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Each change in words, with its time.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let told = self.changes.iter();
        let mut lines: Vec<String> = told
            .map(|change| format!("at {} s: {}", change.at.in_seconds(), change.what))
            .collect();
        if self.left_out > 0 {
            lines.push(format!("and {} more", self.left_out));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dragging_a_slider_is_one_change_and_there_is_an_end_to_them() {
        let mut by_hand = ByHand::default();
        assert!(by_hand.is_empty());
        for value in 0..5 {
            let at = Nanos::from_millis(100 * value);
            by_hand.note(at, "entities", format!("--entities {value}"));
        }
        by_hand.note(Nanos::SECOND, "Stall", "Stall 500 ms".to_owned());
        let lines = ["at 0.4 s: --entities 4", "at 1 s: Stall 500 ms"];
        assert_eq!(by_hand.lines(), lines);
        for number in 0..2 * MOST {
            let subject = ["one", "other"][number % 2];
            by_hand.note(Nanos::SECOND, subject, String::new());
        }
        let lines = by_hand.lines();
        assert_eq!(lines.len(), MOST + 1);
        assert_eq!(lines[MOST], "and 1002 more");
    }
}
