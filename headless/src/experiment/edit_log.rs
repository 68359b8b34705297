//! Log of manual changes. To reproduce a result, the settings and all these changes are needed.

use timeslicer::time::Nanos;

/// Changes of one setting within this time are merged, for example while a slider is dragged.
const MERGED_WITHIN: Nanos = Nanos::SECOND;

#[derive(Default)]
pub struct EditLog(Vec<Edit>);

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
        let is_same = |last: &mut Edit| {
            last.subject.as_deref() == Some(subject) && at <= last.at + MERGED_WITHIN
        };
        self.0.pop_if(is_same);
        let subject = Some(subject.to_owned());
        self.0.push(Edit { at, subject, label });
    }

    /// Logs an event at time `at`; repeated events are logged separately.
    pub fn note(&mut self, at: Nanos, label: String) {
        let subject = None;
        self.0.push(Edit { at, subject, label });
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn lines(&self) -> Vec<String> {
        let line = |edit: &Edit| format!("at {} s: {}", edit.at.in_seconds(), edit.label);
        self.0.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dragging_a_slider_logs_one_change_and_events_are_separate() {
        let mut edit_log = EditLog::default();
        for (value, ms) in [0, 100, 1000, 2000, 3001, 9000].into_iter().enumerate() {
            let at = Nanos::from_millis(ms);
            edit_log.set(at, "entities", format!("--entities {value}"));
        }
        for _ in 0..2 {
            edit_log.note(Nanos::from_secs(10), "100 births".to_owned());
        }
        let lines = [
            "at 2 s: --entities 3",
            "at 3.001 s: --entities 4",
            "at 9 s: --entities 5",
            "at 10 s: 100 births",
            "at 10 s: 100 births",
        ];
        assert_eq!(edit_log.lines(), lines);
    }
}
