//! Game time compared with real time.

use super::phrasing::time;
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::SAME_SPEED;
use crate::text::format;
use crate::text::rich::{Clause, Phrase, figure};
use timeslicer::time::Nanos;

/// Speed of a game compared with real time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GameSpeed {
    /// Game time per real time. `None` if the game keeps real time.
    ratio: Option<f64>,
}

impl GameSpeed {
    /// Speed of a game that keeps real time.
    pub const REAL: Self = Self { ratio: None };

    /// Returns the speed of a game that advanced by `game` in the real time `real`. The game keeps real time if the two
    /// differ by no more than [`SAME_SPEED`] and `slack`, a difference that the lengths of frames and updates can
    /// explain.
    #[must_use]
    pub fn of(game: Nanos, real: Nanos, slack: Nanos) -> Self {
        let speed = game.over(real);
        let leeway = slack.over(real) + SAME_SPEED;
        let keeps_real_time = !speed.is_finite() || (speed - 1.0).abs() <= leeway;
        Self {
            ratio: (!keeps_real_time).then_some(speed),
        }
    }

    /// Returns the speed of a game that advanced by `game` from any moment of the first of these frames to any moment of
    /// the frame after the last one.
    #[must_use]
    pub fn over_frames(game: Nanos, lengths: impl Iterator<Item = Nanos>) -> Self {
        let (real, longest) = lengths.fold((Nanos::ZERO, Nanos::ZERO), |(sum, longest), length| {
            (sum + length, longest.max(length))
        });
        Self::of(game, real, longest + longest)
    }

    /// Returns true if game time and real time do not differ.
    #[must_use]
    pub fn keeps_real_time(self) -> bool {
        self.ratio.is_none()
    }

    /// Returns the real time that the game needs to advance by `game`. `None` if it keeps real time or does not advance.
    #[must_use]
    pub fn in_real_time(self, game: Nanos) -> Option<Nanos> {
        let speed = self.ratio.filter(|&speed| speed > 0.0)?;
        Some(Nanos::from_nanos_f64(game.as_nanos() as f64 / speed))
    }

    /// Completes `words` about the game time `game`, and an optional remark in brackets. If the game does not keep real
    /// time, says so: `500 ms of game time (1.22 s real)`.
    #[must_use]
    pub fn of_game_time(
        self,
        words: impl Into<Phrase>,
        remark: Option<Phrase>,
        game: Nanos,
    ) -> Phrase {
        let mut words = words.into();
        if !self.keeps_real_time() {
            words.push(" of game time");
        }
        let real = self
            .in_real_time(game)
            .map(|real| phrase![time(real), " real"]);
        match (remark, real) {
            (Some(remark), Some(real)) => phrase![words, " (", remark, "; ", real, ")"],
            (Some(one), None) | (None, Some(one)) => phrase![words, " (", one, ")"],
            (None, None) => words,
        }
    }
}

impl Report {
    /// Returns the game's speed.
    #[must_use]
    pub fn game_speed(&self) -> GameSpeed {
        // A frame advances the game by the length of the previous frame, or by the whole steps in that length.
        let slack = self.slack + self.subject.pacing.step.unwrap_or(Nanos::ZERO);
        GameSpeed::of(self.game_span, self.span, slack)
    }

    /// Formats a game time, and says so if the game does not keep real time.
    pub(in crate::stats) fn game_time(&self, game: Nanos) -> Phrase {
        self.game_speed().of_game_time(time(game), None, game)
    }
}

/// Warns if the game does not keep real time, or if it lost some real time.
pub(in crate::stats) fn game_speed(of: &Report) -> Option<Clause> {
    let words = if let Some(speed) = of.game_speed().ratio {
        let speed = format::number(speed);
        phrase!["game runs at ", figure(format!("{speed}×")), " real time"]
    } else if of.debt_dropped.is_zero() {
        return None;
    } else {
        phrase!["game lost ", time(of.debt_dropped), " of real time"]
    };
    Some(words.warning())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::machine::RENDER_MS;
    use crate::sim::world::{COST, ENTITIES};
    use crate::stats::rules::test_report::{MS, assert_warning, clause_of, report, report_on};
    use crate::stats::{StatusNotes, status, verdict};
    use timeslicer::strategy::STRATEGIES;

    #[test]
    fn slow_games_and_lost_time_are_warnings() {
        let set = [(&RENDER_MS, 40.0), (&ENTITIES, 1.0)];
        let of = report_on("every-frame", "unsynced", &set, 10);
        // Updates of 20 ms, 40.1 ms apart.
        assert_warning(game_speed, &of, "game runs at 0.5× real time");
        let of = report_on("every-frame", "constant-fps", &set, 10);
        assert!(clause_of(game_speed, &of).1);
        for key in ["variable-step", "fixed-step", "max-frame-skip"] {
            let of = report_on("every-frame", key, &set, 10);
            assert_eq!(game_speed(&of), None, "{key}");
        }
        let mut of = report("every-frame", &[], 1);
        of.debt_dropped = MS(250);
        assert_warning(game_speed, &of, "game lost 250 ms of real time");
    }

    #[test]
    fn game_times_are_named_if_the_game_is_slow() {
        let text = |speed: GameSpeed, remark: Option<&str>| {
            let remark = remark.map(Phrase::from);
            speed
                .of_game_time("half a second", remark, MS(500))
                .to_string()
        };
        let [real, half] = [1000, 2000].map(|real| GameSpeed::of(MS(1000), MS(real), MS(16)));
        assert_eq!(real, GameSpeed::REAL);
        assert_eq!(text(real, None), "half a second");
        assert_eq!(text(real, Some("wanted")), "half a second (wanted)");
        assert_eq!(text(half, None), "half a second of game time (1 s real)");
        assert_eq!(
            text(half, Some("wanted")),
            "half a second of game time (wanted; 1 s real)"
        );
        let still = GameSpeed::of(Nanos::ZERO, MS(1000), MS(16));
        assert_eq!(text(still, None), "half a second of game time");
    }

    #[test]
    fn intervals_name_their_time_only_in_slow_games() {
        for (render_ms, is_slow) in [(48.0, true), (20.0, false)] {
            let set = [(&RENDER_MS, render_ms), (&COST, 0.0)];
            for entry in STRATEGIES {
                let of = report_on(entry.key, "unsynced", &set, 30);
                assert_eq!(of.game_speed().keeps_real_time(), !is_slow, "{}", entry.key);
                for text in [verdict(&of), status(&of, &StatusNotes::default())] {
                    let text = text.to_string();
                    let has_interval = [
                        "interval",
                        "each every",
                        "task every",
                        "far every",
                        "once takes",
                        "gap",
                        "wait ",
                    ];
                    let has_interval = has_interval.iter().any(|word| text.contains(word));
                    let named = text.contains(" of game time (");
                    assert_eq!(named, is_slow && has_interval, "{}: {text}", entry.key);
                }
            }
        }
    }
}
