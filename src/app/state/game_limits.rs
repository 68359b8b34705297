//! The limits that the user's game must stay within, each of which can be turned on or off.

use lab::catalog::knob::Knob;
use lab::catalog::strategy::knobs::BUDGET;
use lab::recommend::{Limit, Limits};
use timeslicer::time::Nanos;

/// The limit on task time per frame, declared as a knob so that it can be edited. It is not the budget of a strategy.
pub static TASKS_LIMIT: Knob = Knob {
    key: "tasks-ms",
    label: "Task time per frame",
    help: "Maximum time that a frame of your game may spend on tasks, with any strategy. The flag --budget-ms sets this \
        limit. The knob Budget, which only some strategies use, can be lower.",
    ..BUDGET
};

/// The limits of the user's game. A limit that is turned off keeps its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLimits {
    pub in_effect: Limits,
    /// The latest values of limits that have been on, for when they are turned on again. Other limits have defaults.
    values: Limits,
}

impl GameLimits {
    /// Creates limits. Those in `limits` are turned on, and the others are turned off.
    pub fn new(limits: Limits) -> Self {
        Self {
            in_effect: limits,
            values: limits,
        }
    }

    pub fn is_on(&self, limit: Limit) -> bool {
        self.in_effect.is_set(limit)
    }

    /// Returns the value of a limit, even if it is off. The limit on the frame rate has none, so it is zero.
    pub fn value(&self, limit: Limit) -> Nanos {
        let default = || knob_of(limit).map_or(Nanos::ZERO, Knob::default_span);
        self.values.value(limit).unwrap_or_else(default)
    }

    /// Sets the value of a limit and turns it on. `None` turns it off, and it keeps its value.
    pub fn set(&mut self, limit: Limit, value: Option<Nanos>) {
        self.in_effect = self.in_effect.with(limit, value);
        if value.is_some() {
            self.values = self.values.with(limit, value);
        }
    }

    pub fn switch(&mut self, limit: Limit) {
        let value = (!self.is_on(limit)).then(|| self.value(limit));
        self.set(limit, value);
    }
}

/// Returns the knob with the range and the unit of a limit. The limit on the frame rate has no value.
pub fn knob_of(limit: Limit) -> Option<&'static Knob> {
    match limit {
        Limit::Tasks => Some(&TASKS_LIMIT),
        _ => limit.knob(),
    }
}

/// Returns the name of a limit in the log. Scripts rely on these names.
pub fn key_of(limit: Limit) -> &'static str {
    knob_of(limit).map_or("frame-rate", |knob| knob.key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::recommend::NEAR_LIMIT;

    #[test]
    fn a_limit_that_is_off_keeps_its_value() {
        let mut limits = GameLimits::new(Limits {
            tasks: Some(Nanos::from_millis(3)),
            ..Limits::default()
        });
        assert!(limits.is_on(Limit::Tasks) && limits.is_on(Limit::Hitches));
        assert!(!limits.is_on(Limit::Near) && !limits.is_on(Limit::Longest));
        assert_eq!(limits.value(Limit::Near), NEAR_LIMIT.default_span());
        let in_effect = limits.in_effect;
        for limit in Limit::SETTABLE
            .into_iter()
            .filter(|it| in_effect.concern(*it))
        {
            let is_on = limits.is_on(limit);
            let value = Nanos::from_millis(7);
            if knob_of(limit).is_some() {
                limits.set(limit, Some(value));
                assert!(limits.is_on(limit), "{limit:?}");
                limits.switch(limit);
                assert_eq!(limits.value(limit), value);
                assert_eq!(limits.in_effect.allowed(limit), None);
                limits.switch(limit);
                assert_eq!(limits.in_effect.allowed(limit), Some(value));
            } else {
                limits.switch(limit);
                assert_eq!(limits.in_effect.allows_slow_frames, is_on);
            }
        }
    }
}
