//! Log of manual changes. To reproduce a result, the settings and all these changes are needed.

use timeslicer::time::Nanos;

/// Maximum number of logged changes; later ones are only counted.
const LIMIT: usize = 1000;

/// Changes of one setting within this time are merged, for example while a slider is dragged.
const MERGED_WITHIN: Nanos = Nanos::SECOND;

/// Manual changes, oldest first.
#[derive(Clone, Debug, Default)]
pub struct EditLog {
    edits: Vec<Edit>,
    unlogged: usize,
}

#[derive(Clone, Debug)]
struct Edit {
    at: Nanos,
    /// Key of the changed setting; `None` for an event.
    subject: Option<String>,
    label: String,
}

impl EditLog {
    /// Logs that the setting `subject` changed at time `at`. Replaces the last change if it was to the same setting
    /// shortly before.
    pub fn set(&mut self, at: Nanos, subject: &str, label: String) {
        let is_complete = self.unlogged == 0;
        let last = self.edits.last_mut().filter(|last| {
            is_complete && last.subject.as_deref() == Some(subject) && at <= last.at + MERGED_WITHIN
        });
        match last {
            Some(last) => (last.at, last.label) = (at, label),
            None => self.add(at, Some(subject.to_owned()), label),
        }
    }

    /// Logs an event at time `at`; repeated events are logged separately.
    pub fn note(&mut self, at: Nanos, label: String) {
        self.add(at, None, label);
    }

    fn add(&mut self, at: Nanos, subject: Option<String>, label: String) {
        if self.edits.len() == LIMIT {
            self.unlogged += 1;
        } else {
            self.edits.push(Edit { at, subject, label });
        }
    }

    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Returns a line of text for each change, with its time.
    pub fn lines(&self) -> Vec<String> {
        let edits = self.edits.iter();
        let mut lines: Vec<String> = edits
            .map(|change| format!("at {} s: {}", change.at.in_seconds(), change.label))
            .collect();
        if self.unlogged > 0 {
            lines.push(format!("and {} more", self.unlogged));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dragging_a_slider_logs_one_change() {
        let mut edit_log = EditLog::default();
        assert!(edit_log.is_empty());
        let millis = [0, 100, 1000, 2000, 3001, 9000];
        for (value, at) in millis.into_iter().enumerate() {
            let at = Nanos::from_millis(at);
            edit_log.set(at, "entities", format!("--entities {value}"));
        }
        let lines = [
            "at 2 s: --entities 3",
            "at 3.001 s: --entities 4",
            "at 9 s: --entities 5",
        ];
        assert_eq!(edit_log.lines(), lines);
    }

    #[test]
    fn repeated_events_are_logged_separately() {
        let mut edit_log = EditLog::default();
        let births = || "100 births".to_owned();
        edit_log.note(Nanos::SECOND, births());
        edit_log.note(Nanos::SECOND, births());
        assert_eq!(edit_log.lines(), ["at 1 s: 100 births"; 2]);
    }

    #[test]
    fn log_has_a_limit() {
        let mut edit_log = EditLog::default();
        for number in 0..2 * LIMIT {
            let subject = ["one", "other"][number % 2];
            edit_log.set(Nanos::SECOND, subject, String::new());
        }
        let lines = edit_log.lines();
        assert_eq!(lines.len(), LIMIT + 1);
        assert_eq!(lines[LIMIT], "and 1000 more");
    }
}
