//! More work than the machine can do in the wanted interval.

use super::game_speed::keeps_real_time;
use super::phrasing::time;
use crate::phrase;
use crate::stats::Report;
use crate::text::rich::{Clause, counted};
use timeslice::time::Nanos;

/// A round of tasks that takes longer than the wanted interval is impossible; so is one that takes exactly as long, if
/// anything else takes time. Told of measured costs, once a round was measured.
pub(in crate::stats) fn overload(of: &Report) -> Option<Clause> {
    let utilisation = of.utilisation().filter(|&utilisation| utilisation >= 1.0)?;
    let (wanted, cost) = (of.wanted?, of.cost()?);
    if of.entities == 0 || of.runs < of.entities as u64 {
        return None;
    }
    // A game slower than real time may well keep its own intervals.
    let real = if of.pacing.waits_for_display && keeps_real_time(of) {
        ""
    } else {
        " of real time"
    };
    let tasks = counted(of.entities as u64, "task");
    let round = phrase![tasks, " of ", time(cost), " every ", time(wanted), real];
    let idle = of.scheduling + of.drawing;
    let words = if utilisation == 1.0 && idle.is_zero() {
        phrase![round, " leave no time for anything else"]
    } else {
        let takes = time(Nanos::from_secs_f64(utilisation * wanted.as_secs_f64()));
        phrase!["this machine cannot run ", round, ": that takes ", takes]
    };
    Some(words.warning())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{COST, COST_SPREAD, ENTITIES};
    use crate::stats::rules::test_report::{MS, report, report_on, told, warns};
    use crate::stats::test_lane::lane;
    use timeslice::strategy::knobs::INTERVAL;

    #[test]
    fn overload_begins_at_a_utilisation_of_1() {
        let of = |entities| {
            let set = [(&ENTITIES, entities), (&COST, 100.0), (&INTERVAL, 0.5)];
            report("fixed-interval", &set, 20)
        };
        assert_eq!(overload(&of(4999.0)), None);
        let all = "5,000 tasks of 0.1 ms every 500 ms leave no time for anything else";
        warns(overload, &of(5000.0), all);
        let mut drawn = of(5000.0);
        drawn.drawing = MS(1);
        let cannot =
            "this machine cannot run 5,000 tasks of 0.1 ms every 500 ms: that takes 500 ms";
        warns(overload, &drawn, cannot);
        assert!(told(overload, &of(7000.0)).0.ends_with(" takes 700 ms"));
    }

    #[test]
    fn a_game_slower_than_real_time_cannot_keep_up_with_that() {
        let set = [(&ENTITIES, 10_000.0), (&COST, 100.0)];
        for frame_loop in ["unsynced", "fixed-step"] {
            let of = report_on("fixed-interval", frame_loop, &set, 10);
            let (text, _) = told(overload, &of);
            assert!(text.ends_with(" of real time: that takes 1 s"), "{text}");
        }
    }

    #[test]
    fn a_round_that_was_not_measured_is_no_overload() {
        let set = [(&ENTITIES, 50_000.0), (&COST, 100.0), (&COST_SPREAD, 1.0)];
        let mut lane = lane("fixed-interval", &set);
        (0..2).for_each(|_| drop(lane.frame().clone()));
        let of = lane.report();
        assert!(of.runs > 0 && of.utilisation() > Some(1.0));
        assert_eq!(overload(&of), None);
    }
}
