//! Capacity in words.

use super::{Capacity, LIMIT, Limit, RARELY};
use crate::text::format::{counted, grouped, number, percent, things};
use crate::text::rich::time;
use timeslicer::time::Nanos;

impl Capacity {
    /// Returns the budget per frame or per update: `4 ms a frame`.
    pub fn budget_in_words(&self) -> String {
        let per = if self.conditions.has_fixed_step {
            "an update"
        } else {
            "a frame"
        };
        format!("{} {per}", time(self.conditions.budget()))
    }

    /// Returns the largest number of entities that fit: `1,200`, `about 850` or `no limit`.
    pub fn most_in_words(&self) -> String {
        match self.most {
            None => "no limit".to_owned(),
            Some(most) if self.is_rough() => format!("about {}", grouped(rounded(most))),
            Some(most) => grouped(rounded(most)),
        }
    }

    /// Returns [`Capacity::most_in_words`] with the noun: `1,200 entities`, `about 850 entities` or `no limit`.
    pub fn entities_in_words(&self) -> String {
        let most = self.most_in_words();
        match self.most {
            None => most,
            Some(count) => format!("{most} {}", things(count as u64, "entity")),
        }
    }

    /// Returns what a larger crowd costs if there is no limit; otherwise the strategy that fits more, if there is one.
    pub fn note(&self) -> Option<String> {
        if self.most.is_none() {
            let limit = format!("up to {}", grouped(LIMIT as u64));
            return Some(match self.round() {
                Some(round) => format!("{limit}, but a round takes {round}"),
                None => limit,
            });
        }
        let (strategy, most) = self.better?;
        let most = most.map_or_else(
            || format!("{} or more", grouped(LIMIT as u64)),
            |most| grouped(rounded(most)),
        );
        Some(format!("{} would fit {most}", strategy.name))
    }

    /// Returns the updates that a round of all tasks takes: `100 updates`. `None` if one update runs all of them, or if
    /// the number of updates does not grow with the number of entities.
    fn round(&self) -> Option<String> {
        match self.demand.limit {
            Limit::Turns(most) if most > 0 && most < self.entities => {
                let updates = self.entities.div_ceil(most);
                Some(counted(updates as u64, "update"))
            }
            _ => None,
        }
    }

    /// Explains the figures in plain words, with the numbers filled in.
    pub fn explained(&self) -> String {
        let conditions = &self.conditions;
        let budget = time(conditions.budget()).to_string();
        let cost = time(Nanos::from_nanos_f64(conditions.cost.nanos));
        let runs = number(self.mean);
        let delta = time(self.delta);
        let share = percent(self.utilisation);
        let mut text = format!(
            "Tasks need {share} of the time: {runs} runs in an update of {delta}, {cost} each. The mark on the bar is \
             the budget.\n"
        );
        let most = self.entities_in_words();
        let entities = self.entities as f64;
        let busiest = match self.demand.limit {
            Limit::Turns(most) => most.min(self.entities) as u64,
            _ => (entities * self.demand.busiest - RARELY).ceil().max(0.0) as u64,
        };
        let law = match (self.demand.limit, self.most) {
            (Limit::Turns(_), None) if self.round().is_some() => format!(
                "No update runs more than {}, however many entities there are. A larger crowd makes the rounds longer.",
                counted(busiest, "task")
            ),
            (Limit::Share, _) => format!(
                "Tasks share {budget}, so an update runs about {runs} of them, however many entities there are. A larger \
                 crowd lengthens the time between the runs of all.",
            ),
            (_, None) => format!("Even {} entities fit {budget}.", grouped(LIMIT as u64)),
            (Limit::Turns(_) | Limit::Part, Some(_)) => format!(
                "The busiest update now runs {}. Up to {most}, the busiest update takes {budget} or less.",
                counted(busiest, "task")
            ),
            (Limit::Chance, Some(_)) => format!(
                "Each task has an interval of its own, so it depends on chance how many are due in an update. Up to \
                 {most}, 99 of 100 updates take {budget} or less{}.",
                if self.target_moves {
                    ", even where the moving target has the most around it"
                } else {
                    ""
                }
            ),
            (Limit::Requests, Some(_)) => format!(
                "Requests come at random. Up to {most}, 99 of 100 updates take {budget} or less."
            ),
            (Limit::Budget, Some(_)) => format!(
                "An update stops after {budget}: about {} runs. More than {most} request more than that, and wait \
                  in a growing backlog.",
                number(conditions.runs_in_budget())
            ),
        };
        text += &law;
        if conditions.spread() > 0.0 {
            text += " Costs differ between entities, so chance moves the limit by some percent.";
        }
        text += if conditions.cost.is_measured {
            "\nThe cost of a run is measured, scheduling included."
        } else {
            "\nThe cost of a run is the wanted one, until enough runs are measured."
        };
        text
    }
}

/// Rounds a number down to three digits, because a trial knows no more.
fn rounded(count: usize) -> u64 {
    let mut unit = 1;
    while count / unit >= 1000 {
        unit *= 10;
    }
    (count / unit * unit) as u64
}
