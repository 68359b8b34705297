use super::*;
use crate::io::cli::{Invocation, parse};
use std::sync::atomic::Ordering;

const WORK: &str = "timeslice-lab sweep --entities 150 --cost-us 60 --churn-per-s 20 --requests-per-s 9 --seconds 1 --steps 5";

fn parsed(flags: &str) -> (Settings, SweepOptions) {
    let line = format!("{WORK} {flags}");
    match parse(line.split_whitespace()) {
        Ok((settings, Invocation::Sweep(options))) => (settings, options),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    for flags in [
        "--budget-ms 3 --worst-s 0.2",
        "--json --worst --near-ms 1",
        "--over entities=1..400 --strategy fixed-interval --strategy every-frame --budget-ms 2",
        "--over cost-us=50..90 --strategy balanced-slots --json",
    ] {
        let (settings, options) = parsed(flags);
        let print = |threads| swept(&settings, &options, threads, &AtomicBool::new(false));
        let [one, many] = [1, 8].map(print);
        assert_eq!((one.stdout, one.stderr), (many.stdout, many.stderr));
        assert_eq!((one.missing, many.missing), (None, None));
    }
}

/// Runs a plan until `enough` trials are done.
fn interrupted<P: Plan + Send>(plan: P, enough: usize) -> P {
    let (plan, stop) = (Mutex::new(plan), AtomicBool::new(false));
    run_on_threads(&plan, 1, &stop, |done, _| {
        stop.store(done >= enough, Ordering::Relaxed);
    });
    plan.into_inner().unwrap()
}

#[test]
fn an_interrupt_keeps_what_is_done() {
    let (settings, options) =
        parsed("--strategy every-frame --strategy max-per-frame --svg chart.svg");
    let after = |enough| {
        let sweep = Sweep::new(options.question(&settings));
        of_sweep(&interrupted(sweep, enough), &options)
    };
    let complete = after(usize::MAX);
    assert_eq!(complete.missing, None);
    assert!(complete.chart.is_some());
    for enough in 1..=7 {
        let Printed {
            stdout,
            stderr,
            chart,
            missing,
        } = after(enough);
        assert_eq!(chart, None, "the chart would be incomplete");
        let missing = missing.unwrap();
        let rows = enough.min(6);
        assert_eq!(stdout.lines().count(), 1 + rows);
        assert!(complete.stdout.starts_with(&stdout));
        assert_eq!(stderr.is_empty(), enough < 6, "{stderr}");
        if enough < 6 {
            let words =
                format!("interrupted after {enough} of 6 settings, so the results are incomplete");
            assert_eq!(missing, words);
        } else {
            assert!(
                missing.starts_with("interrupted after 6 settings, "),
                "{missing}"
            );
        }
    }

    let (settings, options) = parsed("--strategy fixed-interval --over entities=10..100");
    let question = options.question(&settings);
    let crossovers = Crossovers::new(question, options.over.unwrap().knob, [10.0, 100.0], 3, true);
    let crossovers = interrupted(crossovers, 5);
    let words = "values of entities, 5 settings".to_owned();
    assert_eq!(progress(&crossovers, 5), (0, 3, words));
    let printed = of_crossovers(&crossovers, &options);
    assert_eq!(printed.stdout.lines().count(), 1);
    let words = "interrupted after 0 of 3 values of entities, so the results are incomplete";
    assert_eq!(printed.missing.as_deref(), Some(words));
}

#[test]
fn json_says_whether_the_sweep_is_complete() {
    let (settings, options) = parsed("--strategy max-per-frame --json");
    for (enough, is_complete) in [(2, false), (usize::MAX, true)] {
        let sweep = interrupted(Sweep::new(options.question(&settings)), enough);
        let json = json::of_sweep(&sweep, &options);
        assert_eq!(json["complete"], is_complete);
        let rows = json["settings"].as_array().unwrap().len();
        assert_eq!(rows, enough.min(5));
    }
}

#[test]
fn advice_fits_the_width() {
    for flags in [
        "--budget-ms 1 --worst-s 0.05 --near-ms 7",
        "--over entities=0..2k --budget-ms 1 --strategy fixed-interval --strategy weighted-share",
    ] {
        let (settings, options) = parsed(flags);
        let printed = swept(&settings, &options, 4, &AtomicBool::new(false));
        assert!(!printed.stderr.is_empty());
        for line in printed.stderr.lines() {
            assert!(
                line.chars().count() <= super::super::console::WIDTH,
                "{line}"
            );
            assert_eq!(line, line.trim_end());
        }
    }
}
