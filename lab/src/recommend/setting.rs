//! A setting of a strategy: the knob values that a search has chosen, with their description in words and their flags.

use crate::catalog::knob::{Knob, KnobValues};
use crate::catalog::strategy::StrategyEntry;
use crate::sim::settings::{Setting as Change, Settings};
use crate::text::format;

/// Knob values of a strategy. All other knobs have the values of the workload's settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setting {
    /// The most important knob comes first.
    pub values: Vec<(&'static Knob, f64)>,
}

impl Setting {
    pub fn get(&self, knob: &Knob) -> Option<f64> {
        let mut values = self.values.iter();
        values.find(|(it, _)| *it == knob).map(|(_, value)| *value)
    }

    /// Returns the setting with a knob changed to `value`. If the setting lacks this knob, the knob is appended.
    #[must_use]
    pub fn with(&self, knob: &'static Knob, value: f64) -> Self {
        let mut changed = self.clone();
        match changed.values.iter_mut().find(|(it, _)| *it == knob) {
            Some((_, old)) => *old = value,
            None => changed.values.push((knob, value)),
        }
        changed
    }

    /// Returns the setting without the knobs that need not be named, because they have the same value in `settings` and
    /// in `present`. The strategy's main knob is always named.
    #[must_use]
    pub fn without_unchanged(mut self, settings: &Settings, present: &KnobValues) -> Self {
        let mut is_first = true;
        self.values.retain(|(knob, value)| {
            let is_unchanged = [&settings.knobs, present]
                .iter()
                .all(|it| it.get(knob) == *value);
            std::mem::take(&mut is_first) || !is_unchanged
        });
        self
    }

    pub fn applied_to(&self, strategy: &'static StrategyEntry, settings: &Settings) -> Settings {
        let mut settings = Settings {
            strategy,
            ..settings.clone()
        };
        for &(knob, value) in &self.values {
            settings.knobs.set(knob, value);
        }
        settings
    }

    /// Returns the command-line flags that set these knobs, without the dashes, and their values.
    pub fn flags(&self) -> impl Iterator<Item = (&'static str, String)> {
        let values = self.values.iter();
        values.filter_map(|&(knob, value)| Change::Knob(knob, value).flag())
    }

    /// Describes each knob value with the same digits as its flag, such as `interval 0.293 s` or `predict costs off`.
    pub fn parts(&self) -> Vec<String> {
        let values = self.values.iter();
        values.map(|(knob, value)| set_to(knob, *value)).collect()
    }

    /// Describes the setting, such as `budget 3 ms and expire 0.9 s`. Returns `None` if it changes no knob.
    pub fn words(&self) -> Option<String> {
        let parts = self.parts();
        (!parts.is_empty()).then(|| format::listed(&parts))
    }

    /// Describes the setting in as few characters as possible, such as `3 ms, expire 0.9 s`. The main knob is not named
    /// if its unit is enough to recognise it.
    pub fn brief(&self) -> String {
        let mut parts = self.parts();
        if let [(main, value), others @ ..] = &self.values[..]
            && !main.unit.is_empty()
            && others.iter().all(|(knob, _)| knob.unit != main.unit)
        {
            parts[0] = format::exact(main, *value);
        }
        parts.join(", ")
    }
}

/// Formats the strategy and its setting, such as `Weighted share with budget 3 ms and expire 0.9 s`.
pub fn named(strategy: &StrategyEntry, setting: &Setting) -> String {
    match setting.words() {
        Some(words) => format!("{} with {words}", strategy.name),
        None => strategy.name.into(),
    }
}

fn set_to(knob: &Knob, value: f64) -> String {
    let label = knob.label.to_lowercase();
    let exact = format::exact(knob, value);
    let is_count = knob.whole && knob.unit.is_empty() && !knob.is_switch();
    if !is_count {
        return format!("{label} {exact}");
    }
    let (things, rest) = label.split_once(' ').unwrap_or((&label, ""));
    let thing = match things.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => things.trim_end_matches('s').to_owned(),
    };
    let things = if value == 1.0 { &thing } else { things };
    let words = [things, rest].join(" ");
    format!("{exact} {}", words.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::strategy::by_key;
    use crate::catalog::strategy::knobs::{BUDGET, FASTEST, GROUPS, INTERVAL, PREDICT, SLOWEST};
    use crate::catalog::strategy::weighted_share::EXPIRE;

    #[test]
    fn words_have_the_digits_of_the_flags() {
        let setting = Setting::default().with(&INTERVAL, 0.293);
        assert_eq!(setting.words().unwrap(), "interval 0.293 s");
        assert_eq!(setting.brief(), "0.293 s");
        let flags: Vec<_> = setting.flags().collect();
        assert_eq!(flags, [("interval-s", "0.293".to_owned())]);
    }

    #[test]
    fn several_knobs_are_listed() {
        let setting = Setting::default().with(&BUDGET, 3.0).with(&EXPIRE, 0.9);
        let strategy = by_key("weighted-share").unwrap();
        let words = named(strategy, &setting);
        assert_eq!(words, "Weighted share with budget 3 ms and expire 0.9 s");
        assert_eq!(setting.brief(), "3 ms, expire 0.9 s");
        let seconds = Setting::default()
            .with(&FASTEST, 0.2)
            .with(&SLOWEST, 0.5)
            .brief();
        assert_eq!(seconds, "fastest 0.2 s, slowest 0.5 s");
        let three = setting.with(&PREDICT, 0.0);
        assert_eq!(
            three.words().unwrap(),
            "budget 3 ms, expire 0.9 s and predict costs off"
        );
        let groups = Setting::default().with(&GROUPS, 1.0).brief();
        assert_eq!(groups, "1 group");
        assert_eq!(Setting::default().words(), None);
    }

    #[test]
    fn only_the_main_knob_is_kept_if_unchanged() {
        let settings = Settings::default();
        let setting = Setting::default().with(&BUDGET, 4.0).with(&EXPIRE, 3.0);
        assert_eq!(
            setting
                .clone()
                .without_unchanged(&settings, &settings.knobs),
            Setting::default().with(&BUDGET, 4.0)
        );
        // The knob is named although it has its default, because the user has to change it back.
        let present = KnobValues::with(&[(&EXPIRE, 9.0)]);
        assert_eq!(
            setting.clone().without_unchanged(&settings, &present),
            setting
        );
    }
}
