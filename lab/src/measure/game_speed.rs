//! Compares the speed of a game with real time.

use super::Report;
use super::thresholds::SAME_SPEED;
use timeslicer::time::Nanos;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GameSpeed {
    /// The game time divided by the real time. `None` if the game runs in real time.
    pub(super) ratio: Option<f64>,
    /// Whether the game is as fast as it should be.
    pub(super) is_wanted: bool,
}

impl GameSpeed {
    /// Returns the speed of a game that advanced by `game` in the real time `real` and should have the speed `wanted`.
    /// It runs in real time if the two times differ by no more than `slack` plus the fraction [`SAME_SPEED`] of `real`.
    /// The slack is needed because the measurement may begin and end in the middle of a frame.
    pub fn of(game: Nanos, real: Nanos, slack: Nanos, wanted: f64) -> Self {
        let speed = game.over(real);
        let leeway = slack.over(real) + SAME_SPEED;
        let is = |expected: f64| {
            !speed.is_finite() || (speed - expected).abs() <= leeway * expected.max(1.0)
        };
        let keeps_real_time = is(1.0) && is(wanted);
        Self {
            ratio: (!keeps_real_time).then_some(speed),
            is_wanted: is(wanted),
        }
    }

    pub fn keeps_real_time(self) -> bool {
        self.ratio.is_none()
    }
}

impl Report {
    pub fn game_speed(&self) -> GameSpeed {
        // A frame advances the game by the length of the previous frame, or by the whole steps in that length.
        let slack = self.slack + self.subject.pacing.step.unwrap_or_default();
        GameSpeed::of(self.game_span, self.span, slack, self.subject.speed)
    }

    /// Returns a phrase about a game time. If the game does not run in real time, the phrase says so, as in `500 ms of
    /// game time`.
    pub(super) fn game_time(&self, mut words: String) -> String {
        if !self.game_speed().keeps_real_time() {
            words += " of game time";
        }
        words
    }
}
