use super::*;
use crate::cli::{Invocation, parse};
use std::sync::atomic::Ordering;

const WORK: &str = "timeslice-lab sweep --entities 150 --cost-us 60 --churn-per-s 20 --requests-per-s 9 --seconds 1 --steps 5";

fn parsed(flags: &str) -> (Settings, SweepOptions) {
    let line = format!("{WORK} {flags}");
    match parse(line.split_whitespace()) {
        Ok((settings, Invocation::Sweep(options))) => (settings, options),
        other => panic!("{line}: {other:?}"),
    }
}

/// Runs a plan until `enough` trials are done.
fn interrupted<P: Plan>(plan: P, enough: usize) -> P {
    let stop = AtomicBool::new(false);
    run_on_threads(&plan, 1, &stop, |done, _| {
        stop.store(done >= enough, Ordering::Relaxed);
    });
    plan
}

#[test]
fn an_interrupt_keeps_what_is_done() {
    let (settings, mut options) = parsed("--strategy every-frame --strategy max-per-frame");
    let mut after = |enough, json| {
        options.json = json;
        let sweep = Sweep::new(options.question(&settings));
        of_sweep(&interrupted(sweep, enough), &options)
    };
    let complete = after(usize::MAX, false);
    assert_eq!(complete.missing, None);
    for enough in [1, 5, 6, 7] {
        let printed = after(enough, false);
        assert_eq!(printed.stdout.lines().count(), 1 + enough.min(6));
        assert!(complete.stdout.starts_with(&printed.stdout));
        assert_eq!(printed.stderr, "", "nothing is recommended yet");
        let words = if enough < 6 {
            format!("interrupted after {enough} of 6 settings, so the results are incomplete")
        } else {
            "interrupted after 6 settings, before the search for the best one was over".to_owned()
        };
        assert_eq!(printed.missing, Some(words));
    }
    for (enough, is_complete) in [(1, false), (usize::MAX, true)] {
        let words = format!("\"complete\": {is_complete}");
        assert!(after(enough, true).stdout.contains(&words));
    }
}

#[test]
fn an_interrupt_keeps_the_values_that_are_done() {
    let (settings, options) = parsed("--strategy fixed-interval --over entities=10..100");
    let over = options.over.unwrap().knob;
    let crossovers = Crossovers::new(options.question(&settings), over, [10.0, 100.0], 3, None);
    let crossovers = interrupted(crossovers, 5);
    let words = "values of entities, 5 settings".to_owned();
    assert_eq!(progress(&crossovers, 5), (0, 3, words));
    let printed = of_crossovers(&crossovers, &options);
    assert_eq!(printed.stdout.lines().count(), 1);
    let words = "interrupted after 0 of 3 values of entities, so the results are incomplete";
    assert_eq!(printed.missing.as_deref(), Some(words));
}
