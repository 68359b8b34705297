//! Compares the speed of a game with real time.

use super::Report;
use super::thresholds::SAME_SPEED;

impl Report {
    /// Returns true if the game runs in real time, as it should. Returns false if it should run at another speed.
    pub fn keeps_real_time(&self) -> bool {
        self.runs_at(1.0) && self.runs_at(self.subject.speed)
    }

    /// Returns the game time divided by the real time, or `None` if the game is as fast as it should be.
    pub(super) fn wrong_speed(&self) -> Option<f64> {
        (!self.runs_at(self.subject.speed)).then(|| self.game_span.over(self.span))
    }

    /// Returns true if the game has run at `speed` times real time. A relative error of [`SAME_SPEED`] is tolerated,
    /// and some more because the measurement may begin and end in the middle of a frame.
    fn runs_at(&self, speed: f64) -> bool {
        // A frame advances the game by the length of the previous frame, which a fixed step rounds to whole steps.
        let slack = self.slack + self.subject.pacing.step.unwrap_or_default();
        let leeway = slack.over(self.span) + SAME_SPEED;
        let measured = self.game_span.over(self.span);
        !measured.is_finite() || (measured - speed).abs() <= leeway * speed.max(1.0)
    }

    /// Returns a phrase about a game time. If the game does not run in real time, the phrase says so, as in `500 ms of
    /// game time`.
    pub(super) fn game_time(&self, mut words: String) -> String {
        if !self.keeps_real_time() {
            words += " of game time";
        }
        words
    }
}
