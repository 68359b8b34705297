//! The cost of scheduling.

use super::phrasing::time;
use crate::phrase;
use crate::stats::Report;
use crate::text::rich::Clause;

/// Returns the time in scheduling, if it exceeds the time in tasks.
pub(in crate::stats) fn scheduling(of: &Report) -> Option<Clause> {
    let is_expensive = of.scheduling > of.task_time && of.runs > 0;
    is_expensive.then(|| {
        phrase![
            "scheduling takes ",
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
    use crate::stats::rules::test_report::{MS, assert_clause, report};

    #[test]
    fn scheduling_is_compared_with_tasks() {
        let mut of = report("every-frame", &[], 1);
        assert_eq!(scheduling(&of), None);
        (of.scheduling, of.task_time, of.frames) = (MS(60), MS(30), 10);
        let text = "scheduling takes 6 ms a frame, more than the tasks (3 ms)";
        assert_clause(scheduling, &of, text);
    }
}
