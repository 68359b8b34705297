//! Compares the speed of a game with real time.

use super::Report;
use super::thresholds::SAME_SPEED;
use crate::text::format::time;
use timeslicer::time::Nanos;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GameSpeed {
    /// The game time divided by the real time. `None` if the game runs in real time.
    pub(super) ratio: Option<f64>,
}

impl GameSpeed {
    pub const REAL: Self = Self { ratio: None };

    /// Returns the speed of a game whose time advanced by `game` while the real time `real` passed. The game counts as
    /// running in real time if the two times differ by no more than `slack` plus the fraction [`SAME_SPEED`] of `real`.
    /// The slack is needed because the measurement may begin and end in the middle of a frame.
    pub fn of(game: Nanos, real: Nanos, slack: Nanos) -> Self {
        let speed = game.over(real);
        let leeway = slack.over(real) + SAME_SPEED;
        let keeps_real_time = !speed.is_finite() || (speed - 1.0).abs() <= leeway;
        Self {
            ratio: (!keeps_real_time).then_some(speed),
        }
    }

    /// Returns the speed of a game whose time advanced by `game` during frames of the given lengths. The game time may
    /// differ from the total length of the frames by up to twice the longest frame. This difference is ignored, because
    /// the measurement may begin and end in the middle of a frame.
    pub fn over_frames(game: Nanos, lengths: impl Iterator<Item = Nanos>) -> Self {
        let (real, longest) = lengths.fold((Nanos::ZERO, Nanos::ZERO), |(sum, longest), length| {
            (sum + length, longest.max(length))
        });
        Self::of(game, real, longest + longest)
    }

    pub fn keeps_real_time(self) -> bool {
        self.ratio.is_none()
    }

    /// Completes a phrase about a game time. `words` is the beginning of the phrase, `game` is the game time, and
    /// `remark` is added in brackets. If the game does not run in real time, the brackets also contain the real time,
    /// as in `500 ms of game time (1.22 s real)`.
    pub fn of_game_time(self, mut words: String, remark: Option<String>, game: Nanos) -> String {
        if !self.keeps_real_time() {
            words += " of game time";
        }
        // If the game does not advance at all, no real time is long enough.
        let speed = self.ratio.filter(|&speed| speed > 0.0);
        let real = speed.map(|speed| {
            let real = Nanos::from_nanos_f64(game.as_nanos() as f64 / speed);
            format!("{} real", time(real))
        });
        match (remark, real) {
            (Some(remark), Some(real)) => format!("{words} ({remark}; {real})"),
            (Some(one), None) | (None, Some(one)) => format!("{words} ({one})"),
            (None, None) => words,
        }
    }
}

impl Report {
    pub fn game_speed(&self) -> GameSpeed {
        self.totals.game_speed(self.subject.pacing.step)
    }

    /// Formats a game time. If the game does not run in real time, the text also states how much real time this is.
    pub(super) fn game_time(&self, game: Nanos) -> String {
        self.game_speed().of_game_time(time(game), None, game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_times_are_named_if_the_game_is_slow() {
        const MS: fn(u64) -> Nanos = Nanos::from_millis;
        let [real, half] = [1000, 2000].map(|real| GameSpeed::of(MS(1000), MS(real), MS(16)));
        assert_eq!(real, GameSpeed::REAL);
        let still = GameSpeed::of(Nanos::ZERO, MS(1000), MS(16));
        for (speed, remark, end) in [
            (real, None, ""),
            (real, Some("wanted"), " (wanted)"),
            (half, None, " of game time (1 s real)"),
            (half, Some("wanted"), " of game time (wanted; 1 s real)"),
            (still, None, " of game time"),
        ] {
            let words = speed.of_game_time(
                "half a second".to_owned(),
                remark.map(str::to_owned),
                MS(500),
            );
            assert_eq!(words, format!("half a second{end}"));
        }
    }
}
