//! Lists the changes that a user makes while a simulation runs. The plots mark them, and they are saved together with
//! the results, because the results depend on them.

/// A changed setting, or an event such as a stall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The number of the first frame after the change.
    pub at: u64,
    /// The key of the setting. `None` for an event.
    subject: Option<String>,
    /// One or two words, or a flag with its value.
    pub label: String,
}

#[derive(Clone, Debug, Default)]
pub struct ChangeLog {
    changes: Vec<Change>,
}

impl ChangeLog {
    /// Logs that the setting with the key `subject` was changed. If the key is `None`, logs an event.
    ///
    /// If the last entry is a change of the same setting that was made at `merged_from` or later, the new entry replaces
    /// it. Dragging a slider therefore logs only one change. An event never replaces another entry.
    pub fn add(&mut self, at: u64, merged_from: u64, subject: Option<&str>, label: String) {
        let is_same = |last: &Change| {
            subject.is_some() && last.subject.as_deref() == subject && last.at >= merged_from
        };
        if self.changes.last().is_some_and(is_same) {
            self.changes.pop();
        }
        self.changes.push(Change {
            at,
            subject: subject.map(str::to_owned),
            label,
        });
    }

    /// Returns all changes, from oldest to newest.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns a line of text for each change.
    pub fn lines(&self) -> Vec<String> {
        let line = |change: &Change| format!("before frame {}: {}", change.at, change.label);
        self.changes.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dragging_a_slider_logs_one_change_and_events_are_separate() {
        let mut log = ChangeLog::default();
        for (value, at) in [0_u64, 100, 1000, 2000, 3001, 9000].into_iter().enumerate() {
            let label = format!("--entities {value}");
            log.add(at, at.saturating_sub(1000), Some("entities"), label);
        }
        for _ in 0..2 {
            log.add(9001, 8001, None, "100 births".to_owned());
        }
        log.add(9002, 8002, Some("entities"), "--entities 7".to_owned());
        let lines = [
            "before frame 2000: --entities 3",
            "before frame 3001: --entities 4",
            "before frame 9000: --entities 5",
            "before frame 9001: 100 births",
            "before frame 9001: 100 births",
            "before frame 9002: --entities 7",
        ];
        assert_eq!(log.lines(), lines);
    }
}
