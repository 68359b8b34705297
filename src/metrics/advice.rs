//! Which strategy to take where a frame may spend so much on tasks.

use super::Report;
use super::verdict::{at_most, time};
use crate::observe::sentence::Said;
use crate::time::Nanos;

/// Lanes by whether they keep within a budget: indices of their reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What a frame may spend on tasks.
    pub budget: Nanos,
    /// Those whose tasks took no longer than that in 99 of 100 frames, the one first whose stalest entity was the
    /// least stale; of equals, the one that took least.
    pub keep: Vec<usize>,
    /// The others, the one first that took least.
    pub pass: Vec<usize>,
}

/// Which of these lanes keep within `budget` of tasks a frame. Those that have measured nothing are in neither list.
#[must_use]
pub fn advice(reports: &[Report], budget: Nanos) -> Advice {
    let p99 = |lane: &usize| reports[*lane].frame_tasks.p99;
    let measured = (0..reports.len()).filter(|&lane| reports[lane].frames > 0);
    let (mut keep, mut pass): (Vec<_>, Vec<_>) = measured.partition(|lane| p99(lane) <= budget);
    keep.sort_by_key(|lane| (reports[*lane].worst_staleness, p99(lane)));
    pass.sort_by_key(p99);
    Advice { budget, keep, pass }
}

impl Advice {
    /// In a sentence: who keeps within it, and the freshest of them.
    #[must_use]
    pub fn said(&self, reports: &[Report]) -> Said {
        let mut said = Said::default();
        let budget = time(self.budget);
        let all = self.keep.len() + self.pass.len();
        let Some(&best) = self.keep.first() else {
            said.say(&if all == 0 {
                "nothing was measured yet".to_owned()
            } else {
                format!("!no strategy keeps within {budget} of tasks a frame!")
            });
            return said;
        };
        let keep = self.keep.len();
        said.say(&match all - keep {
            0 => format!("all *{all}* keep within {budget} of tasks a frame"),
            _ => format!("*{keep}* of *{all}* keep within {budget} of tasks a frame"),
        });
        let freshest = reports[best].worst_staleness;
        let as_fresh = self
            .keep
            .iter()
            .filter(|&&lane| reports[lane].worst_staleness == freshest);
        let names: Vec<&str> = as_fresh.map(|&lane| reports[lane].strategy.name).collect();
        said.say(&format!(
            "the freshest of them: {}, nobody staler than {}",
            names.join(", "),
            at_most(freshest)
        ));
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::Comparison;
    use crate::knob::KnobValues;
    use crate::lane::Length;
    use crate::settings::Settings;
    use crate::strategy::STRATEGIES;
    use crate::world::{COST, ENTITIES};

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    fn reports(entities: f64, cost_us: f64, secs: u64) -> Vec<Report> {
        let settings = Settings {
            knobs: KnobValues::with(&[(&ENTITIES, entities), (&COST, cost_us)]),
            ..Settings::default()
        };
        let mut comparison = Comparison::new(&settings, STRATEGIES);
        comparison.advance_to(Length::Time(Nanos::from_secs(secs)), u64::MAX);
        comparison.reports()
    }

    fn keys(reports: &[Report], lanes: &[usize]) -> Vec<&'static str> {
        lanes
            .iter()
            .map(|&lane| reports[lane].strategy.key)
            .collect()
    }

    #[test]
    fn two_thousand_with_four_milliseconds_are_staggered() {
        let reports = reports(2_000.0, 50.0, 20);
        let advice = advice(&reports, MS(4));
        let keep = keys(&reports, &advice.keep);
        assert!(keep[..2].contains(&"stagger-groups") && keep[..2].contains(&"fixed-interval"));
        assert_eq!(keep.last(), Some(&"max-per-frame"), "the stalest");
        let pass = keys(&reports, &advice.pass);
        assert!(pass.contains(&"every-frame") && pass.contains(&"all-at-once"));
        let text = advice.said(&reports).text();
        assert!(text.contains("keep within 4 ms of tasks a frame"), "{text}");
        assert!(text.contains("the freshest of them: "), "{text}");
    }

    #[test]
    fn whoever_keeps_took_no_longer_and_whoever_passes_did() {
        let reports = reports(500.0, 100.0, 5);
        for budget in [MS(0), MS(1), MS(3), MS(10), MS(100)] {
            let advice = advice(&reports, budget);
            assert_eq!(advice.keep.len() + advice.pass.len(), reports.len());
            assert!(
                advice
                    .keep
                    .iter()
                    .all(|&lane| reports[lane].frame_tasks.p99 <= budget)
            );
            assert!(
                advice
                    .pass
                    .iter()
                    .all(|&lane| reports[lane].frame_tasks.p99 > budget)
            );
            let fresh: Vec<Nanos> = advice
                .keep
                .iter()
                .map(|&lane| reports[lane].worst_staleness)
                .collect();
            assert!(fresh.is_sorted());
        }
    }

    #[test]
    fn where_nobody_or_everybody_keeps_that_is_said() {
        let reports = reports(100.0, 1_000.0, 5);
        let said = |budget| advice(&reports, budget).said(&reports);
        assert!(said(Nanos::from_nanos(1)).is_warning());
        assert!(
            said(Nanos::SECOND)
                .text()
                .starts_with("all 7 keep within 1 s")
        );
        assert_eq!(
            advice(&[], MS(4)).said(&[]).text(),
            "nothing was measured yet"
        );
    }
}
