//! Game time compared with real time.

use super::phrasing::time;
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::SAME_SPEED;
use crate::text::format;
use crate::text::rich::{Clause, figure};
use timeslice::time::Nanos;

/// Warns if the game does not keep real time, or if it lost some real time.
pub(in crate::stats) fn game_speed(of: &Report) -> Option<Clause> {
    let words = if !keeps_real_time(of) {
        let speed = format::number(of.game_span.over(of.span));
        phrase!["game runs at ", figure(format!("{speed}×")), " real time"]
    } else if of.debt_dropped.is_zero() {
        return None;
    } else {
        phrase!["game lost ", time(of.debt_dropped), " of real time"]
    };
    Some(words.warning())
}

/// Returns true if game time and the machine's time differ by no more than the lengths of frames and updates can
/// explain.
pub(in crate::stats) fn keeps_real_time(of: &Report) -> bool {
    // A frame advances the game by the length of the previous frame, or by the whole steps in that length.
    let slack = of.slack + of.subject.pacing.step.unwrap_or(Nanos::ZERO);
    let leeway = slack.over(of.span) + SAME_SPEED;
    let speed = of.game_span.over(of.span);
    !speed.is_finite() || (speed - 1.0).abs() <= leeway
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::machine::RENDER_MS;
    use crate::sim::world::ENTITIES;
    use crate::stats::rules::test_report::{MS, assert_warning, clause_of, report, report_on};

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
}
