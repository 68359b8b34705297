//! The table at the lower right: what the last frames were like, in figures.

use super::figure;
use super::history::History;
use super::observed::Observed;
use super::pacing::PERIOD;
use super::theme;
use egui::{
    Align2, Color32, CornerRadius, Id, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2,
};
use timeslice_lab::lane::Lane;
use timeslice_lab::machine::Machine;
use timeslice_lab::time::Nanos;

/// Figures stand still for so long, that they can be read.
const STANDS_FOR: Nanos = Nanos::from_millis(250);
/// Room at the left and at the right.
const INSET: f32 = 16.0;
/// From the top to the first row, and from a row to the next.
const ROWS: f32 = 95.0;
const ROW: f32 = 20.0;

/// What stands where nothing was measured, or nothing can be.
const NOTHING: &str = "–";

/// The table, which is made anew four times a second.
#[derive(Default)]
pub struct Table {
    content: Option<Content>,
    /// When that was.
    made: Nanos,
    /// The last frame then, and the first one after the last change.
    of: (u64, u64),
}

/// All that it shows.
#[derive(Clone, Debug, PartialEq)]
struct Content {
    caption: String,
    lengths: Vec<(&'static str, Cell)>,
    rows: Vec<Row>,
}

/// A line of it.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    label: &'static str,
    cell: Cell,
    /// What the figure is, in one sentence.
    tip: &'static str,
}

/// A figure.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Nothing,
    Fine(String),
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

    fn ink(&self) -> Color32 {
        match self {
            Self::Nothing => theme::DIM,
            Self::Fine(_) => theme::BRIGHT,
            Self::Wrong(_) => theme::AMBER,
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Nothing => NOTHING,
            Self::Fine(text) | Self::Wrong(text) => text,
        }
    }
}

const LENGTHS_TIP: &str = "A frame's length, from its start to the next one's, waiting included: \
     half of the frames were no longer than p50, 95 % no longer than p95, 99 % no longer than p99. \
     Amber: longer than two periods of the display.";

impl Table {
    /// Shows it in `rect`, if it has any extent. `stands` is whether game time does: then nothing changes
    /// but by a step.
    pub fn show<M: Machine>(
        &mut self,
        ui: &Ui,
        rect: Rect,
        lane: &Lane<M>,
        history: &History,
        stands: bool,
        clock: Nanos,
    ) {
        if rect.width() < 1.0 || rect.height() < 1.0 {
            return;
        }
        self.refresh(lane, history, stands, clock);
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
        let edge = Stroke::new(1.0, theme::LINE);
        painter.hline(rect.x_range(), rect.top() + 0.5, edge);
        let divider = rect.top() + 14.0..=rect.bottom() - 14.0;
        painter.vline(rect.left() + 0.5, divider, edge);
        if let Some(content) = &self.content {
            content.show(ui, &painter, rect);
        }
    }

    fn refresh<M: Machine>(
        &mut self,
        lane: &Lane<M>,
        history: &History,
        stands: bool,
        clock: Nanos,
    ) {
        let frame = lane.last_frame().number;
        let changed = history.marks().last().map_or(0, |mark| mark.frame);
        let (last, last_change) = self.of;
        let news = frame != last || lane.frames() == 0;
        let at_once = stands || frame < last || changed != last_change || self.content.is_none();
        if self.content.is_some() && !(news && at_once) && clock - self.made < STANDS_FOR {
            return;
        }
        let settings = lane.settings();
        let seen = Observed::over(
            history,
            settings.strategy,
            &settings.knobs,
            lane.worst_staleness(),
            Nanos::MAX,
        );
        self.content = Some(Content::of(&seen, changed > 0));
        self.made = clock;
        self.of = (frame, changed);
    }
}

impl Content {
    /// `changed`: something was changed within the frames that are remembered.
    fn of(seen: &Observed, changed: bool) -> Self {
        let some = seen.frames > 0;
        let caption = match (some, changed) {
            (false, _) => "no frame yet".to_owned(),
            (true, true) => format!(
                "{} since the last change",
                count(seen.frames, "frame", "frames")
            ),
            (true, false) => format!("last {}", count(seen.frames, "frame", "frames")),
        };
        let of = |cell: Cell| if some { cell } else { Cell::Nothing };
        let lengths = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0)];
        let lengths = lengths.map(|(name, quantile)| {
            let length = seen.frame_length(quantile).as_millis_f64();
            let wrong = length > 2.0 * PERIOD.as_millis_f64();
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
                cell: of(Cell::Fine(figure::grouped(seen.runs_peak.into()))),
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
                tip: "How long ago the last run of the stalest entity is now, or its birth if it has \
                      never run. Amber: half as long again as the wanted interval, or longer.",
            },
            Row {
                label: "backlog",
                cell: of(Cell::Fine(figure::grouped(seen.backlog.1 as u64))),
                tip: "Requests or due tasks that wait now, after the last update.",
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

    fn show(&self, ui: &Ui, painter: &Painter, rect: Rect) {
        let (left, right) = (rect.left() + INSET, rect.right() - INSET - 2.0);
        let label = |y: f32, text: &str, ink| {
            let at = pos2(left, y);
            painter.text(at, Align2::LEFT_CENTER, text, theme::text(12.5), ink)
        };
        label(rect.top() + 19.0, &self.caption, theme::DIM);

        // Frame lengths: a small table of its own.
        let (heads, figures) = (rect.top() + 50.0, rect.top() + 67.0);
        if figures + 10.0 > rect.bottom() {
            return;
        }
        label(heads, "frame ms", theme::TEXT);
        let column = (right - left - 46.0) / 4.0;
        for (index, (name, cell)) in (1..).zip(&self.lengths) {
            let x = right - (self.lengths.len() as f32 - index as f32) * column;
            let head = theme::text(11.0);
            painter.text(pos2(x, heads), Align2::RIGHT_CENTER, name, head, theme::DIM);
            // No room for the triangle before the figure: it stands beside the column's head.
            paint_figure(painter, pos2(x, figures), cell, false);
            if matches!(cell, Cell::Wrong(_)) {
                triangle(painter, pos2(x - 27.0, heads));
            }
        }
        let area = Rect::from_x_y_ranges(left..=right, heads - 9.0..=figures + 9.0);
        tip(ui, area, "lengths", LENGTHS_TIP);
        painter.hline(
            left..=right,
            rect.top() + 81.5,
            Stroke::new(1.0, theme::LINE),
        );

        for (index, row) in self.rows.iter().enumerate() {
            let y = rect.top() + ROWS + index as f32 * ROW;
            if y + ROW / 2.0 > rect.bottom() {
                break;
            }
            label(y, row.label, theme::TEXT);
            paint_figure(painter, pos2(right, y), &row.cell, true);
            let area = Rect::from_x_y_ranges(left..=right, y - ROW / 2.0..=y + ROW / 2.0);
            tip(ui, area, row.label, row.tip);
        }
    }
}

fn tip(ui: &Ui, area: Rect, name: &str, words: &str) {
    ui.interact(area, Id::new(("table", name)), Sense::hover())
        .on_hover_text(words);
}

fn paint_figure(painter: &Painter, right: Pos2, cell: &Cell, marked: bool) {
    let font = theme::mono(12.0);
    let place = painter.text(right, Align2::RIGHT_CENTER, cell.text(), font, cell.ink());
    if marked && matches!(cell, Cell::Wrong(_)) {
        triangle(painter, pos2(place.left() - 9.0, right.y));
    }
}

/// The warning's sign, for those who don't tell amber from white.
fn triangle(painter: &Painter, center: Pos2) {
    let points = [(-4.0, 3.5), (0.0, -3.5), (4.0, 3.5)].map(|(x, y)| center + vec2(x, y));
    painter.add(Shape::convex_polygon(
        points.to_vec(),
        theme::AMBER,
        Stroke::NONE,
    ));
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
    let secs = seen.worst_staleness.as_secs_f64();
    // An interval ends with a frame, however short it is wanted: two frames are no reason to warn.
    let limit = seen.wanted_interval.map_or(f64::INFINITY, |wanted| {
        1.5 * wanted + 2.0 * PERIOD.as_secs_f64()
    });
    Cell::wrong_if(secs > limit, format!("{secs:.3} s"))
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
        figure::number(value)
    } else {
        format!("{value:.1}")
    }
}

fn count(number: usize, one: &str, many: &str) -> String {
    let word = if number == 1 { one } else { many };
    format!("{} {word}", figure::grouped(number as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::history::{Intervals, PastFrame};
    use timeslice_lab::knob::{Knob, KnobValues};
    use timeslice_lab::machine::Host;
    use timeslice_lab::metrics::FrameRecord;
    use timeslice_lab::settings::Settings;
    use timeslice_lab::strategy::by_key;
    use timeslice_lab::world::{COST, ENTITIES};

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

    fn content(key: &str, knobs: &[(&Knob, f64)], lengths_ms: &[u64], stale_ms: u64) -> Content {
        let seen = Observed::over(
            &history(lengths_ms),
            by_key(key).unwrap(),
            &KnobValues::with(knobs),
            Nanos::from_millis(stale_ms),
            Nanos::MAX,
        );
        Content::of(&seen, false)
    }

    fn cell<'a>(content: &'a Content, label: &str) -> &'a Cell {
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
        assert_eq!(content.caption, "last 20 frames");
        assert_eq!(content.lengths[0], ("p50", fine("16.0")));
        assert_eq!(cell(&content, "tasks/frame, mean"), &fine("10.0"));
        assert_eq!(cell(&content, "tasks/frame, peak"), &fine("10"));
        assert_eq!(cell(&content, "interval"), &fine("0.500 ± 0.000 s"));
        assert_eq!(cell(&content, "staleness, worst"), &fine("0.510 s"));
        assert_eq!(cell(&content, "backlog"), &fine("3"));
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
    fn a_frame_of_more_than_two_periods_is_amber() {
        let mut lengths = [16; 200];
        let of = |lengths: &[u64]| content("fixed-interval", &[], lengths, 0).lengths;
        (lengths[3], lengths[5]) = (33, 33);
        assert_eq!(of(&lengths)[3], ("max", fine("33.0")));
        lengths[4] = 140;
        let lengths = of(&lengths);
        assert_eq!(lengths[2], ("p99", fine("33.0")));
        assert_eq!(lengths[3], ("max", wrong("140")));
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

    #[test]
    fn figures_stand_long_enough_to_be_read_but_never_outlive_a_change() {
        let settings = Settings {
            knobs: KnobValues::with(&[(&ENTITIES, 10.0), (&COST, 0.0)]),
            ..Settings::default()
        };
        let mut lane = Lane::new(settings, Host::new());
        let mut history = History::default();
        let mut table = Table::default();
        let mut caption_after = |frames: u64, mark: bool, at_ms: u64, stands: bool| {
            for _ in 0..frames {
                let record = lane.frame().clone();
                history.push(PastFrame {
                    record,
                    ..PastFrame::default()
                });
            }
            if mark {
                history.mark(lane.frames(), "entities", String::new());
                history.push(frame(lane.frames(), 16));
            }
            table.refresh(&lane, &history, stands, Nanos::from_millis(at_ms));
            table.content.clone().unwrap().caption
        };
        assert_eq!(caption_after(1, false, 1, false), "last 1 frame");
        assert_eq!(caption_after(5, false, 90, false), "last 1 frame");
        assert_eq!(caption_after(5, false, 260, false), "last 11 frames");
        assert_eq!(caption_after(1, false, 270, true), "last 12 frames");
        let changed = caption_after(1, true, 280, false);
        assert_eq!(changed, "1 frame since the last change");
    }
}
