//! Logs the changes that a user makes while a comparison runs. They are saved together with the results, because
//! the results depend on them.

use timeslicer::time::Nanos;

/// The maximum number of logged changes. Any further ones are counted, but not logged.
const MAX_LOGGED: usize = 1000;

/// If the same setting changes again within this time, the newer change replaces the older one. Dragging a slider
/// therefore logs only one change.
const MERGED_WITHIN: Nanos = Nanos::SECOND;

#[derive(Clone, Debug, Default)]
pub struct ChangeLog {
    edits: Vec<Edit>,
    unlogged: usize,
}

#[derive(Clone, Debug)]
struct Edit {
    at: Nanos,
    setting_key: Option<String>,
    label: String,
}

impl ChangeLog {
    /// Logs that the setting with the key `setting_key` was changed. If the key is `None`, logs another event, such as
    /// a burst of births.
    ///
    /// If the last entry is a recent change of the same setting, the new entry replaces it. An event never replaces
    /// another entry.
    pub fn add(&mut self, at: Nanos, setting_key: Option<&str>, label: String) {
        if let Some(last) = self.edits.last_mut()
            && self.unlogged == 0
            && setting_key.is_some()
            && last.setting_key.as_deref() == setting_key
            && at <= last.at + MERGED_WITHIN
        {
            (last.at, last.label) = (at, label);
        } else if self.edits.len() == MAX_LOGGED {
            self.unlogged += 1;
        } else {
            let setting_key = setting_key.map(str::to_owned);
            self.edits.push(Edit {
                at,
                setting_key,
                label,
            });
        }
    }

    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

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
    fn dragging_a_slider_logs_one_change_and_events_are_separate() {
        let mut change_log = ChangeLog::default();
        for (value, ms) in [0, 100, 1000, 2000, 3001, 9000].into_iter().enumerate() {
            let at = Nanos::from_millis(ms);
            change_log.add(at, Some("entities"), format!("--entities {value}"));
        }
        for _ in 0..2 {
            change_log.add(Nanos::from_secs(10), None, "100 births".to_owned());
        }
        let lines = [
            "at 2 s: --entities 3",
            "at 3.001 s: --entities 4",
            "at 9 s: --entities 5",
            "at 10 s: 100 births",
            "at 10 s: 100 births",
        ];
        assert_eq!(change_log.lines(), lines);
        for _ in 0..MAX_LOGGED {
            change_log.add(Nanos::from_secs(11), None, String::new());
        }
        let lines = change_log.lines();
        assert_eq!(lines.len(), MAX_LOGGED + 1);
        assert_eq!(lines[MAX_LOGGED], "and 5 more");
    }
}
