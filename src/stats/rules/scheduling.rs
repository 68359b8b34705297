//! What scheduling costs.

use super::phrasing::time;
use crate::phrase;
use crate::stats::Report;
use crate::text::rich::Clause;

/// Scheduling that takes longer than the tasks that it schedules.
pub(in crate::stats) fn scheduling(of: &Report) -> Option<Clause> {
    let is_expensive = of.scheduling > of.task_time && of.runs > 0;
    is_expensive.then(|| {
        phrase![
            "scheduling took ",
            time(of.a_frame(of.scheduling)),
            " a frame, more than the tasks (",
            time(of.a_frame(of.task_time)),
            ")"
        ]
        .normal()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::rules::test_report::{MS, report, says};

    #[test]
    fn scheduling_is_told_if_it_takes_longer_than_the_tasks() {
        let mut of = report("every-frame", &[], 1);
        assert_eq!(scheduling(&of), None);
        (of.scheduling, of.task_time, of.frames) = (MS(60), MS(30), 10);
        let text = "scheduling took 6 ms a frame, more than the tasks (3 ms)";
        says(scheduling, &of, text);
    }
}
