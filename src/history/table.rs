//! The table of figures: what the last frames were like.

use super::Observed;
use crate::text::format;

/// What stands where nothing was measured, or nothing can be.
const NOTHING: &str = "–";

/// Figures over the last frames, each worded and judged.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureTable {
    /// What they are figures of.
    pub caption: String,
    /// The lengths of frames in milliseconds: half of the frames, most, nearly all, and the longest.
    pub lengths: Vec<(&'static str, Cell)>,
    /// The other figures, from the top.
    pub rows: Vec<Row>,
}

/// A line of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub label: &'static str,
    /// Its figure.
    pub cell: Cell,
    /// What the figure is, in one sentence.
    pub tip: &'static str,
}

/// A figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing was measured, or nothing can be.
    Nothing,
    /// As it should be.
    Fine(String),
    /// A sign that something is wrong.
    Wrong(String),
}

impl Cell {
    fn wrong_if(wrong: bool, text: String) -> Self {
        if wrong {
            Self::Wrong(text)
        } else {
            Self::Fine(text)
        }
    }

    /// How it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Nothing => NOTHING,
            Self::Fine(text) | Self::Wrong(text) => text,
        }
    }
}

/// What [`FigureTable::lengths`] are, in one sentence.
pub const LENGTHS_TIP: &str = "A frame's length, from its start to the next one's, waiting included: \
     half of the frames were no longer than p50, 95 % no longer than p95, 99 % no longer than p99. \
     Amber: a hitch, longer than one and a half of the periods aimed at.";

impl FigureTable {
    /// The table of what was observed.
    #[must_use]
    pub fn of(seen: &Observed) -> Self {
        let some = seen.frames > 0;
        let caption = match (some, seen.since_change) {
            (false, false) => "no frame yet".to_owned(),
            (false, true) => "none since change".to_owned(),
            (true, _) => seen.window(),
        };
        let of = |cell: Cell| if some { cell } else { Cell::Nothing };
        let lengths = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0)];
        let lengths = lengths.map(|(name, quantile)| {
            let length = seen.frame_length(quantile).as_millis_f64();
            let wrong = length > seen.hitch().as_millis_f64();
            (name, of(Cell::wrong_if(wrong, millis(length))))
        });
        let rows = vec![
            Row {
                label: "tasks/frame, mean",
                cell: of(Cell::Fine(tenths(seen.runs_mean))),
                tip: "How many tasks ran in a frame, on the mean.",
            },
            Row {
                label: "tasks/frame, peak",
                cell: of(Cell::Fine(format::grouped(seen.runs_peak.into()))),
                tip: "The most tasks that ran in one frame.",
            },
            Row {
                label: "interval",
                cell: interval(seen),
                tip: "The time between two runs of one task, in game time: the mean over all tasks ± the \
                      standard deviation.",
            },
            Row {
                label: "staleness, worst",
                cell: staleness(seen),
                tip: "The longest that any entity waited in this time since its last run (or birth), until it \
                      ran or until now. Amber: half as long again as the wanted interval, or longer.",
            },
            Row {
                label: "looking wrong",
                cell: looking_wrong(seen),
                tip: "The share of the crowd that looks more than 10 degrees beside the target, since \
                      its tasks have not run for so long: on the mean over time. Of more than 1,000, about \
                      1,000 are asked.",
            },
            Row {
                label: "backlog",
                cell: of(Cell::Fine(format::grouped(seen.backlog.1 as u64))),
                tip: "Requests or due tasks that wait now, after the last update.",
            },
            Row {
                label: "debt lost",
                cell: of(debt_lost(seen)),
                tip: "Real time that the frame loop gave up in this time: the game will never simulate \
                      it, and is that much slower.",
            },
            Row {
                label: "overrun, worst",
                cell: of(overrun(seen)),
                tip: "What a frame's tasks took beyond the budget of its updates, at the worst; only \
                      some strategies have a budget.",
            },
        ];
        Self {
            caption,
            lengths: lengths.to_vec(),
            rows,
        }
    }
}

fn interval(seen: &Observed) -> Cell {
    let text = |(mean, deviation)| format!("{mean:.3} ± {deviation:.3} s");
    seen.interval
        .map_or(Cell::Nothing, |interval| Cell::Fine(text(interval)))
}

fn staleness(seen: &Observed) -> Cell {
    if seen.entities == 0 {
        return Cell::Nothing;
    }
    let secs = seen.worst_wait.as_secs_f64();
    // An interval ends with a frame, however short it is wanted: two frames are no reason to warn.
    let limit = seen.wanted_interval.map_or(f64::INFINITY, |wanted| {
        1.5 * wanted + 2.0 * seen.period.as_secs_f64()
    });
    Cell::wrong_if(secs > limit, format!("{secs:.3} s"))
}

fn looking_wrong(seen: &Observed) -> Cell {
    let share = seen.looking_wrong();
    share.map_or(Cell::Nothing, |share| Cell::Fine(percent(share)))
}

/// A share in percent: nothing and all are only what is nothing and all.
#[must_use]
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0 %".to_owned(),
        percent @ 0.0..9.95 => format!("{:.1} %", percent.max(0.1)),
        percent if share < 1.0 => format!("{:.0} %", percent.min(99.0)),
        _ => "100 %".to_owned(),
    }
}

fn debt_lost(seen: &Observed) -> Cell {
    let lost = seen.debt_dropped;
    let text = format!("{} ms", format::number(lost.as_millis_f64().ceil()));
    Cell::wrong_if(!lost.is_zero(), text)
}

fn overrun(seen: &Observed) -> Cell {
    if seen.budget.is_none() {
        return Cell::Nothing;
    }
    let text = format!("{:.2} ms", seen.overrun.unwrap_or_default().as_millis_f64());
    // What rounds to nothing is nothing.
    Cell::wrong_if(text != "0.00 ms", text)
}

/// A length in milliseconds, in at most four characters.
fn millis(value: f64) -> String {
    if value >= 99.95 {
        format!("{value:.0}")
    } else {
        format!("{value:.1}")
    }
}

fn tenths(value: f64) -> String {
    if value >= 1000.0 {
        format::number(value)
    } else {
        format!("{value:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{History, Intervals, PastFrame};
    use crate::sim::lane::FrameRecord;
    use crate::sim::world::ENTITIES;
    use timeslice::knob::{Knob, KnobValues};
    use timeslice::strategy::by_key;
    use timeslice::time::Nanos;

    fn frame(number: u64, length_ms: u64) -> PastFrame {
        let mut intervals = Intervals::default();
        intervals.add(Nanos::from_millis(500));
        PastFrame {
            record: FrameRecord {
                number,
                length: Nanos::from_millis(length_ms),
                task_time: Nanos::from_millis(length_ms / 2),
                updates: 1,
                runs: 10,
                backlog: 3,
                ..FrameRecord::default()
            },
            intervals,
            ..PastFrame::default()
        }
    }

    fn history(lengths_ms: &[u64]) -> History {
        let mut history = History::default();
        for (number, &ms) in (0..).zip(lengths_ms) {
            history.push(frame(number, ms));
        }
        history
    }

    fn content(
        key: &str,
        knobs: &[(&Knob, f64)],
        lengths_ms: &[u64],
        stale_ms: u64,
    ) -> FigureTable {
        let seen = Observed::over(
            &history(lengths_ms),
            by_key(key).unwrap(),
            &KnobValues::with(knobs),
            Nanos::from_millis(stale_ms),
            Nanos::MAX,
        );
        FigureTable::of(&seen)
    }

    fn cell<'a>(content: &'a FigureTable, label: &str) -> &'a Cell {
        let row = content.rows.iter().find(|row| row.label == label);
        &row.unwrap_or_else(|| panic!("no row {label}")).cell
    }

    fn fine(text: &str) -> Cell {
        Cell::Fine(text.to_owned())
    }

    fn wrong(text: &str) -> Cell {
        Cell::Wrong(text.to_owned())
    }

    #[test]
    fn each_figure_has_its_row_and_each_row_its_sentence() {
        let content = content("fixed-interval", &[], &[16; 20], 510);
        assert_eq!(content.caption, "last 0.3 s");
        assert_eq!(content.lengths[0], ("p50", fine("16.0")));
        assert_eq!(cell(&content, "tasks/frame, mean"), &fine("10.0"));
        assert_eq!(cell(&content, "tasks/frame, peak"), &fine("10"));
        assert_eq!(cell(&content, "interval"), &fine("0.500 ± 0.000 s"));
        assert_eq!(cell(&content, "staleness, worst"), &fine("0.510 s"));
        assert_eq!(cell(&content, "backlog"), &fine("3"));
        assert_eq!(cell(&content, "debt lost"), &fine("0 ms"));
        for row in content.rows {
            assert!(row.tip.ends_with('.'), "{}", row.tip);
        }
    }

    #[test]
    fn what_was_not_measured_or_does_not_apply_is_a_dash() {
        let content = content("every-frame", &[(&ENTITIES, 0.0)], &[], 0);
        assert_eq!(content.caption, "no frame yet");
        for (name, cell) in &content.lengths {
            assert_eq!(cell, &Cell::Nothing, "{name}");
        }
        for row in &content.rows {
            assert_eq!(row.cell, Cell::Nothing, "{}", row.label);
        }
    }

    #[test]
    fn only_strategies_with_a_budget_overrun_it() {
        let long = [100; 5]; // 50 ms of tasks each
        let without = content("fixed-interval", &[], &long, 0);
        assert_eq!(cell(&without, "overrun, worst"), &Cell::Nothing);
        let with = content("time-budget", &[], &long, 0);
        assert!(matches!(cell(&with, "overrun, worst"), Cell::Wrong(_)));
        let within = content("time-budget", &[], &[2; 5], 0);
        assert_eq!(cell(&within, "overrun, worst"), &fine("0.00 ms"));
    }

    #[test]
    fn a_hitch_is_amber() {
        let mut lengths = [16; 200];
        let of = |lengths: &[u64]| content("fixed-interval", &[], lengths, 0).lengths;
        (lengths[3], lengths[5]) = (24, 24);
        assert_eq!(of(&lengths)[3], ("max", fine("24.0")));
        lengths[4] = 140;
        let lengths = of(&lengths);
        assert_eq!(lengths[2], ("p99", fine("24.0")));
        assert_eq!(lengths[3], ("max", wrong("140")));
    }

    #[test]
    fn the_worst_staleness_is_of_the_whole_time_and_not_of_this_instant() {
        let mut history = history(&[16; 3]);
        let mut burst = frame(3, 16);
        burst.longest_wait = Nanos::from_millis(498);
        history.push(burst);
        let strategy = by_key("all-at-once").unwrap();
        let knobs = KnobValues::default();
        let seen = Observed::over(&history, strategy, &knobs, Nanos::ZERO, Nanos::MAX);
        let cell = cell(&FigureTable::of(&seen), "staleness, worst").clone();
        assert_eq!(cell, fine("0.498 s"));
    }

    #[test]
    fn an_entity_that_waits_much_longer_than_is_wanted_is_amber() {
        let of = |key: &str, stale_ms: u64| {
            let content = content(key, &[], &[16; 9], stale_ms);
            cell(&content, "staleness, worst").clone()
        };
        assert_eq!(of("fixed-interval", 700), fine("0.700 s"));
        assert_eq!(of("fixed-interval", 2000), wrong("2.000 s"));
        assert_eq!(of("stagger-groups", 2000), fine("2.000 s"), "wants none");
    }
}
