//! What was changed by hand while something ran: then its settings alone do not make it again.

use timeslice::time::Nanos;

/// No more changes are remembered than this; of those before, how many there were.
const MOST: usize = 1000;

/// What is set again within so much time, as by dragging a slider, is one change.
const ONE_GO: Nanos = Nanos::SECOND;

/// The changes, oldest first.
#[derive(Clone, Debug, Default)]
pub struct EditLog {
    edits: Vec<Edit>,
    left_out: usize,
}

#[derive(Clone, Debug)]
struct Edit {
    at: Nanos,
    /// What was set; none for what merely happened.
    subject: Option<String>,
    what: String,
}

impl EditLog {
    /// Something has another value from then on: whatever it was given a moment before counts for nothing.
    pub fn set(&mut self, at: Nanos, subject: &str, what: String) {
        let all_told = self.left_out == 0;
        let last = self.edits.last_mut().filter(|last| {
            all_told && last.subject.as_deref() == Some(subject) && at <= last.at + ONE_GO
        });
        match last {
            Some(last) => (last.at, last.what) = (at, what),
            None => self.add(at, Some(subject.to_owned()), what),
        }
    }

    /// Something happened then: as often as it did.
    pub fn note(&mut self, at: Nanos, what: String) {
        self.add(at, None, what);
    }

    fn add(&mut self, at: Nanos, subject: Option<String>, what: String) {
        if self.edits.len() == MOST {
            self.left_out += 1;
        } else {
            self.edits.push(Edit { at, subject, what });
        }
    }

    /// Whether nothing was changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Each change in words, with its time.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let told = self.edits.iter();
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
    fn dragging_a_slider_is_one_change_and_another_go_is_another() {
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
    fn what_happens_twice_happened_twice() {
        let mut edit_log = EditLog::default();
        let births = || "100 births".to_owned();
        edit_log.note(Nanos::SECOND, births());
        edit_log.note(Nanos::SECOND, births());
        assert_eq!(edit_log.lines(), ["at 1 s: 100 births"; 2]);
    }

    #[test]
    fn there_is_an_end_to_them() {
        let mut edit_log = EditLog::default();
        for number in 0..2 * MOST {
            let subject = ["one", "other"][number % 2];
            edit_log.set(Nanos::SECOND, subject, String::new());
        }
        let lines = edit_log.lines();
        assert_eq!(lines.len(), MOST + 1);
        assert_eq!(lines[MOST], "and 1000 more");
    }
}
