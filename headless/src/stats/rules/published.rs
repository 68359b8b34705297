//! Strategies as their articles published them, and the defects of these forms.

use crate::phrase;
use crate::stats::Report;
use crate::text::rich::{Clause, counted};

/// Returns a clause if the strategy runs as published: how often the defect has shown, which is a warning, or that it has
/// not shown.
pub(in crate::stats) fn published(of: &Report) -> Option<Clause> {
    let defect = of.subject.defect?;
    if defect.count == 0 {
        return Some(phrase!["as published"].normal());
    }
    let count = counted(defect.count, defect.thing);
    Some(phrase![defect.before, " ", count].warning())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{CHURN, ENTITIES};
    use crate::stats::rules::test_report::{assert_clause, report};
    use crate::testing::lane;
    use timeslicer::knob::Knob;
    use timeslicer::strategy::STRATEGIES;
    use timeslicer::strategy::knobs::AS_PUBLISHED;
    use timeslicer::strategy::stagger_groups::GROUPS;
    use timeslicer::time::Nanos;

    #[test]
    fn our_form_is_not_mentioned() {
        for entry in STRATEGIES {
            assert_eq!(published(&report(entry.key, &[(&CHURN, 50.0)], 1)), None);
        }
    }

    #[test]
    fn a_defect_is_a_warning_once_it_shows() {
        let skipped = |churn: f64| {
            let set: [(&Knob, f64); 2] = [(&AS_PUBLISHED, 1.0), (&CHURN, churn)];
            report("fixed-interval", &set, 5)
        };
        assert_clause(published, &skipped(0.0), "as published");
        let of = skipped(50.0);
        let count = of.subject.defect.unwrap().count;
        let clause = published(&of).unwrap();
        assert!(clause.is_warning() && count > 50);
        let text = format!("the published cursor skipped {count} turns");
        assert_eq!(clause.to_string(), text);
    }

    #[test]
    fn a_reset_of_the_figures_resets_the_defect() {
        let set: [(&Knob, f64); 2] = [(&AS_PUBLISHED, 1.0), (&CHURN, 50.0)];
        let mut lane = lane("fixed-interval", &set);
        let mut count_after = |is_reset: bool| {
            (0..200).for_each(|_| drop(lane.frame().clone()));
            if is_reset {
                lane.clear_statistics();
            }
            lane.report().subject.defect.unwrap().count
        };
        let [before, reset, after] = [false, true, false].map(&mut count_after);
        assert!(before > 20 && reset == 0 && after > 20);
        assert!(after < 2 * before, "{after}");
        for value in [0.0, 1.0] {
            lane.set_knob(&AS_PUBLISHED, value);
        }
        (0..200).for_each(|_| drop(lane.frame().clone()));
        assert!(lane.report().subject.defect.unwrap().count > 20);
    }

    #[test]
    fn lost_tasks_count_until_the_strategy_starts_again() {
        let set: [(&Knob, f64); 2] = [(&ENTITIES, 300.0), (&AS_PUBLISHED, 1.0)];
        let mut lane = lane("stagger-groups", &set);
        lane.frame();
        lane.set_knob(&GROUPS, 20.0);
        (0..100).for_each(|_| drop(lane.frame().clone()));
        let text = published(&lane.report()).unwrap().to_string();
        assert_eq!(text, "the published groups lost 100 tasks");
        assert!(lane.worst_staleness() > Nanos::SECOND);
        for value in [0.0, 1.0] {
            lane.set_knob(&AS_PUBLISHED, value);
        }
        assert_clause(published, &lane.report(), "as published");
    }
}
