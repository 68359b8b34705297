//! The columns of the table, with their layout, headings and cells. Most columns show what a strategy achieves with its
//! best setting. The others show the strategy as it is set now.

use super::common::{GAME_TIME_MARK, SIDE_MARGIN, caps, clickable};
use super::offer_button::{OfferButton, set};
use super::plots::{PlotScale, paint_frame_times};
use crate::app::input::output::UiOutput;
use crate::app::panels::status_line;
use crate::app::state::State;
use crate::app::state::best_setting::Progress;
use crate::app::state::command::{Command, CompareCommand};
use crate::app::state::compare::Offer;
use crate::app::widgets::buttons::{keycap, keycap_width, warning};
use crate::app::widgets::{paint, theme, tooltip};
use egui::text::LayoutJob;
use egui::{Align2, Color32, Galley, Painter, Pos2, Rangef, Rect, Shape, Stroke, Ui, pos2, vec2};
use lab::judge::{Choice, Limit, Outcome, Recommendation};
use lab::measure::{Metric, Report, metrics};
use lab::phrase;
use lab::text::format;
use lab::text::rich::{Clause, Phrase, multiple, time};
use std::cmp::Reverse;
use std::sync::Arc;
use timeslicer::time::Nanos;

const COLUMN_GAP: f32 = 9.0;
const METRIC_WIDTH_RANGE: [f32; 2] = [62.0, 124.0];
const OUTCOME_WIDTH_RANGE: [f32; 2] = [55.0, 84.0];
const MIN_CROWD_WIDTH: f32 = 78.0;
const MAX_CROWD_ASPECT_RATIO: f32 = 4.2;
const PLOT_WIDTH_RANGE: [f32; 2] = [56.0, 660.0];
const EFFECT_WIDTH_RANGE: [f32; 2] = [160.0, 190.0];
const MIN_SETTING_WIDTH: f32 = 104.0;
const STALENESS_WIDTH_RANGE: [f32; 2] = [70.0, 220.0];
/// The part of the staleness column that is reserved for the number next to the bar.
const MULTIPLE_WIDTH: f32 = 48.0;
const MIN_BAR_ROOM: f32 = 18.0;
const BAR_HEIGHT: f32 = 8.0;
const MIN_NAME_WIDTH: f32 = 40.0;
const SORT_ARROW_WIDTH: f32 = 15.0;
/// The opacity of an answer that is for the previous settings.
const OUTDATED_OPACITY: f32 = 0.5;

const HEADING_POINTS: f32 = 11.5;
const NAME_POINTS: f32 = 13.0;
const FIGURE_POINTS: f32 = 12.0;
const SMALL_POINTS: f32 = 10.0;
const KEYCAP_GAP: f32 = 9.0;
const AFTER_NAME: f32 = 10.0;
/// Captions for a strategy that runs as published, with its known defect. The second caption is shown while the defect
/// has no effect, so that the strategy works like the corrected version.
const AS_PUBLISHED: [&str; 2] = ["as published", "no defect yet"];
const MARK_WIDTH: f32 = 12.0;
const CELL_VERTICAL_MARGIN: f32 = 3.0;

const ANSWER_ORDER_HELP: &str =
    "Click to sort the strategies by the answer, with the best one first.";
const SORT_HELP: &str = "Click to sort by this column, starting with the best or lowest value. Click again to reverse \
    the order.";
const PRESENT_HELP: &str = "This column is measured with the current settings.";
const JUDGED_HELP: &str = "A warning sign marks values that exceed a limit of your game. Once every entity has run, \
    only the frames after this first round are compared with the limits.";

/// What a strategy achieves with its best setting.
#[derive(Debug)]
pub struct Achieved {
    /// The heading, which is also the name of the column.
    label: &'static str,
    help: &'static str,
    rank: u32,
    value: fn(&Outcome) -> Option<Nanos>,
}

static ACHIEVED: [Achieved; 4] = [
    Achieved {
        label: "near",
        help: "Mean staleness of the entities near the target.",
        rank: 10,
        value: |outcome| outcome.staleness?.near,
    },
    Achieved {
        label: "others",
        help: "Mean staleness of all other entities.",
        rank: 5,
        value: |outcome| outcome.staleness.map(|it| it.others.unwrap_or(it.mean)),
    },
    Achieved {
        label: "longest",
        help: "Longest wait of any entity.",
        rank: 10,
        value: |outcome| Some(outcome.staleness?.worst),
    },
    Achieved {
        label: "tasks",
        help: "Longest time that a frame spends on tasks.",
        rank: 10,
        value: |outcome| outcome.staleness.map(|_| outcome.tasks.max),
    },
];

/// Two of these are equal if they are the same entry of the table.
impl PartialEq for Achieved {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Column {
    Strategy,
    /// The best setting within the limits.
    Setting,
    Staleness,
    Achieved(&'static Achieved),
    Crowd,
    Times,
    Metric(&'static Metric),
    Effect,
    /// The buttons that set the best settings.
    Set,
}

impl Column {
    /// Returns true if the column is about the best settings. If a strategy keeps no limits, its row says why across
    /// these columns.
    fn is_about_best(self) -> bool {
        matches!(self, Self::Setting | Self::Staleness | Self::Achieved(_))
    }
}

/// What determines the widths of the columns.
pub struct Contents {
    pub name_width: f32,
    /// The width of the widest description of a setting.
    pub setting_width: f32,
    /// The width of the buttons.
    pub button_width: f32,
    /// The metrics, each with the width of its heading.
    pub metrics: Vec<(&'static Metric, f32)>,
    pub has_answer: bool,
    pub has_effect: bool,
    pub row_height: f32,
}

/// A column that the table may have.
struct Candidate {
    column: Column,
    /// If not all columns fit, the column with the lowest rank is removed first. Among columns of the same rank, this is
    /// the rightmost one.
    rank: u32,
    /// The minimum and the maximum width.
    widths: [f32; 2],
    /// The fraction of the spare width that the column gets.
    share: f32,
}

fn candidate(column: Column, rank: u32, widths: [f32; 2], share: f32) -> Candidate {
    Candidate {
        column,
        rank,
        widths,
        share,
    }
}

impl Contents {
    fn candidates(&self, room: f32) -> Vec<Candidate> {
        let name = self.name_width.min(room.max(MIN_NAME_WIDTH));
        let mut all = vec![candidate(Column::Strategy, 12, [name; 2], 0.0)];
        if self.has_answer {
            let widths = [
                self.setting_width.min(MIN_SETTING_WIDTH),
                self.setting_width,
            ];
            all.push(candidate(Column::Setting, 8, widths, 6.0));
            all.push(candidate(Column::Staleness, 7, STALENESS_WIDTH_RANGE, 1.2));
            all.extend(ACHIEVED.iter().map(|achieved| {
                let column = Column::Achieved(achieved);
                candidate(column, achieved.rank, OUTCOME_WIDTH_RANGE, 0.15)
            }));
        }
        let crowd = [MIN_CROWD_WIDTH, self.row_height * MAX_CROWD_ASPECT_RATIO];
        all.push(candidate(Column::Crowd, 1, crowd, 1.0));
        all.push(candidate(Column::Times, 0, PLOT_WIDTH_RANGE, 1.0));
        for (index, (metric, heading)) in self.metrics.iter().enumerate() {
            let rank = if index == 0 { 6 } else { 4 };
            let widths = [heading.max(METRIC_WIDTH_RANGE[0]), METRIC_WIDTH_RANGE[1]];
            all.push(candidate(Column::Metric(metric), rank, widths, 0.3));
        }
        if self.has_effect {
            all.push(candidate(Column::Effect, 9, EFFECT_WIDTH_RANGE, 1.0));
        }
        if self.has_answer {
            all.push(candidate(Column::Set, 11, [self.button_width; 2], 0.0));
        }
        all
    }

    /// Divides a horizontal range into columns. If space is short, columns with a low rank are left out.
    pub fn columns(&self, x: Rangef) -> Vec<(Column, Rangef)> {
        let inner = x.shrink(SIDE_MARGIN);
        let room = inner.span().max(0.0);
        let mut all = self.candidates(room);
        let gap = |column: Column| {
            if column == Column::Strategy {
                0.0
            } else {
                COLUMN_GAP
            }
        };
        let spare = |all: &[Candidate]| {
            let least = all.iter().map(|it| it.widths[0] + gap(it.column));
            room + COLUMN_GAP - least.sum::<f32>()
        };
        while spare(&all) < 0.0 && all.len() > 1 {
            let ranks = all.iter().map(|it| it.rank).enumerate();
            let first = ranks.min_by_key(|&(index, rank)| (rank, Reverse(index)));
            all.remove(first.map_or(0, |(index, _)| index));
        }
        let mut spare = spare(&all).max(0.0);
        let mut shares: f32 = all.iter().map(|it| it.share).sum();
        let mut widths = Vec::new();
        for Candidate {
            widths: [least, most],
            share,
            ..
        } in &all
        {
            // Width that a column cannot use goes to the columns after it.
            let more = spare * share / shares.max(f32::MIN_POSITIVE);
            let width = (least + more).min(most.max(*least));
            spare -= width - least;
            shares -= share;
            widths.push(width);
        }
        let mut left = inner.min;
        let columns = all
            .into_iter()
            .zip(widths)
            .map(|(Candidate { column, .. }, width)| {
                if column == Column::Set {
                    left += spare; // align the buttons to the right
                }
                let x = Rangef::new(left.round(), (left + width).round());
                left += width + gap(column);
                (column, x)
            });
        columns.collect()
    }
}

pub fn heading_width(painter: &Painter, metric: &Metric) -> f32 {
    SORT_ARROW_WIDTH + paint::width(painter, metric.label, HEADING_POINTS)
}

pub fn name_width(painter: &Painter, report: &Report) -> f32 {
    let name = paint::width(painter, report.subject.strategy.name, NAME_POINTS);
    key_width(painter, caps(report)) + name + AFTER_NAME
}

fn key_width(painter: &Painter, caps: &str) -> f32 {
    let caps = if caps.is_empty() { "0" } else { caps };
    keycap_width(painter, caps) + KEYCAP_GAP
}

/// Lays out the description of a choice's setting.
pub fn setting_galley(painter: &Painter, choice: &Choice, points: f32, width: f32) -> Arc<Galley> {
    let mut words = choice.setting.brief();
    if choice.setting.values.is_empty() {
        words = "no settings".into();
    }
    phrase_galley(painter, &words, points, [theme::TEXT, theme::BRIGHT], width)
}

fn phrase_galley(
    painter: &Painter,
    words: &Phrase,
    points: f32,
    inks: [Color32; 2],
    width: f32,
) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    paint::add_phrase(&mut job, words, points, inks);
    job.wrap.max_width = width;
    painter.layout_job(job)
}

impl Column {
    pub fn heading(
        self,
        ui: &Ui,
        place: Rect,
        scale: &PlotScale,
        state: &State,
        output: &mut UiOutput,
    ) {
        let metric = match self {
            Self::Metric(metric) => Some(metric),
            _ => None,
        };
        let order = match state.compare.order {
            Some((sorted_by, is_reversed)) if metric == Some(sorted_by) => {
                Some(sorted_by.is_descending(is_reversed))
            }
            None if self == Self::Staleness => Some(false),
            _ => None,
        };
        let disturbance = state.compare.comparison.last_disturbance();
        let longest = format::number(scale.longest.as_millis_f64());
        let times = format!(
            "Shows how much time each recent frame spent on tasks, scheduling, drawing and waiting, up to {longest} ms. \
                Hitches that tasks or scheduling caused are amber. The dashed line is the target frame time."
        );
        let [key, label, help] = match self {
            Self::Strategy => ["strategy", "Strategy", ""],
            Self::Setting => [
                "best-setting",
                "Best setting within your limits",
                "The setting with which the strategy keeps all limits and is freshest. If no setting keeps them, the \
                    row says which limit is exceeded.",
            ],
            Self::Staleness => [
                "staleness",
                "Staleness",
                "How stale the crowd is with the best setting of each strategy, weighted by significance. The numbers \
                    are multiples of the recommended strategy's staleness.",
            ],
            Self::Achieved(achieved) => [achieved.label, achieved.label, achieved.help],
            Self::Crowd => [
                "crowd",
                "as set now: crowd",
                "Shows all entities in the lane, as in the Grid view.",
            ],
            Self::Times => ["times", "frame time", times.as_str()],
            Self::Metric(metric) => [metric.key, metric.label, metric.help],
            Self::Effect => [
                "effect",
                disturbance.unwrap_or_default(),
                "Shows the effect of the last disturbance: the hitches that it added, and the highest mean staleness \
                    of the crowd in the 3 s before and the 3 s after the disturbance. The effect is shown until the \
                    metrics are reset.",
            ],
            Self::Set => return,
        };
        let shorter = match self {
            Self::Setting => ["Best setting", "Best"],
            Self::Crowd => ["crowd now", "crowd"],
            Self::Times => ["frames", ""],
            _ => [label, label],
        };
        let sort = Command::Compare(CompareCommand::Sort(metric));
        let response = clickable(ui, place, format!("column:{key}"), sort, output);
        let ink = match order {
            Some(_) => theme::TEAL,
            None if response.hovered() => theme::BRIGHT,
            None => theme::DIM,
        };
        let painter = ui.painter().with_clip_rect(place);
        let style = (theme::text(HEADING_POINTS), ink);
        let labels = [label, shorter[0], shorter[1]];
        let text = paint::fitting(&painter, labels, style, place.width() + 0.5);
        let is_figure = matches!(self, Self::Achieved(_) | Self::Metric(_));
        let (at, align) = if is_figure {
            (place.right_center(), Align2::RIGHT_CENTER)
        } else {
            (place.left_center(), Align2::LEFT_CENTER)
        };
        if let Some(text) = text {
            let words = paint::galley(&painter, at, align, text, ink);
            let x = if is_figure {
                words.left() - 8.0
            } else {
                words.right() + 9.0
            };
            if let Some(is_descending) = order {
                let points = sort_arrow(pos2(x, at.y), is_descending);
                painter.add(Shape::convex_polygon(points, ink, Stroke::NONE));
            }
        }
        tooltip::offer(
            &response,
            match metric {
                Some(metric) if limit_of(metric).is_some() => {
                    format!("{help} {PRESENT_HELP} {JUDGED_HELP}\n{SORT_HELP}")
                }
                Some(_) => format!("{help} {PRESENT_HELP}\n{SORT_HELP}"),
                None => format!("{help}\n{ANSWER_ORDER_HELP}")
                    .trim_start()
                    .to_owned(),
            },
        );
    }
}

/// Returns which of the user's limits applies to a metric, or `None` if no limit applies to it.
pub fn limit_of(metric: &Metric) -> Option<Limit> {
    let limits = [
        (&metrics::PER_FRAME_MS_TASKS_MAX, Limit::Tasks),
        (&metrics::HITCH_PERCENT, Limit::Hitches),
        (&metrics::STALENESS_MS_NEAR, Limit::Near),
        (&metrics::STALENESS_MS_WORST, Limit::Longest),
    ];
    let limit = limits.into_iter().find(|(limited, _)| *limited == metric);
    limit.map(|(_, limit)| limit)
}

/// Returns the corners of an arrow that shows the sort order. The arrow points down if the largest value comes first.
fn sort_arrow(center: Pos2, is_descending: bool) -> Vec<Pos2> {
    let down = if is_descending { 1.0 } else { -1.0 };
    let points = [(-3.5, -2.0), (3.5, -2.0), (0.0, 3.0)];
    points.map(|(x, y)| center + vec2(x, y * down)).to_vec()
}

/// Returns the area in which a row shows its capsules, or `None` if the table has no column for capsules.
pub fn capsule_area(row: Rect, columns: &[(Column, Rangef)]) -> Option<Rect> {
    let (_, x) = columns.iter().find(|it| it.0 == Column::Crowd)?;
    let y = row.y_range().shrink(CELL_VERTICAL_MARGIN);
    let y = Rangef::new(y.min.round(), y.max.round());
    Some(Rect::from_x_y_ranges(*x, y)).filter(Rect::is_positive)
}

/// A row of the comparison table. The capsules in the row are drawn separately.
pub struct Row<'a> {
    pub painter: &'a Painter,
    pub lane: usize,
    pub rect: Rect,
    pub report: &'a Report,
    /// The answer, and the strategy's best setting in it.
    pub answer: Option<(&'a Recommendation, &'a Choice)>,
    pub is_selected: bool,
    pub is_hovered: bool,
    pub is_recommended: bool,
}

impl Row<'_> {
    /// Paints the row's background if the row is selected, hovered or recommended. The area of the capsules is left out
    /// because the capsules have already been drawn.
    pub fn paint_background(&self, capsules: Option<Rect>) {
        let line = Stroke::new(1.0, theme::LINE);
        let x = self.rect.x_range().shrink(SIDE_MARGIN / 2.0);
        self.painter.hline(x, self.rect.bottom() - 0.5, line);
        let ink = match (self.is_recommended, self.is_selected, self.is_hovered) {
            (true, ..) => theme::TEAL_GROUND,
            (false, true, _) => theme::CHOSEN_ROW,
            (false, false, true) => theme::BAR,
            (false, false, false) => return,
        };
        let rect = Rect::from_x_y_ranges(x, self.rect.y_range());
        let hole = capsules.unwrap_or(Rect::NOTHING);
        paint::paint_around(self.painter, hole, rect, |painter| {
            painter.rect_filled(rect, 0.0, ink);
        });
    }

    pub fn show_cells(
        &self,
        ui: &mut Ui,
        columns: &[(Column, Rangef)],
        scale: &PlotScale,
        state: &State,
        output: &mut UiOutput,
    ) {
        let mut painter = self.painter.clone();
        if state.compare.best_setting.progress() == Progress::Outdated {
            painter.multiply_opacity(OUTDATED_OPACITY);
        }
        // Paints what belongs to the answer.
        let own = Row {
            painter: &painter,
            ..*self
        };
        let held = self.answer.filter(|(_, choice)| choice.holds());
        for &(column, x) in columns {
            let area = Rect::from_x_y_ranges(x, self.rect.y_range().shrink(CELL_VERTICAL_MARGIN));
            match (column, held) {
                (Column::Strategy, _) => self.paint_name(x),
                (Column::Times, _) => {
                    let comparison = &state.compare.comparison;
                    paint_frame_times(self.painter, area, comparison, self.lane, scale);
                }
                (Column::Effect, _) => {
                    if let Some(Some(effect)) = state.compare.effects.get(self.lane) {
                        self.paint_effect(x, effect);
                    }
                }
                (Column::Metric(metric), _) => self.paint_metric(x, metric, state),
                (Column::Setting, Some((_, choice))) => own.paint_setting(x, choice),
                (Column::Staleness, Some((all, choice))) => own.paint_staleness(x, all, choice),
                (Column::Achieved(achieved), Some((_, choice))) => {
                    let value = (achieved.value)(&choice.outcome);
                    let text = value.map(|value| time(value).to_string());
                    own.paint_figure(x, text, theme::BRIGHT);
                }
                (Column::Set, Some((_, choice))) => {
                    let key = format!("set:{}", choice.strategy.key);
                    let button = set(state, Offer::Strategy(self.lane), &key, "Set");
                    let height = OfferButton::HEIGHT.min(self.rect.height() - 2.0);
                    let place = Rect::from_center_size(area.center(), vec2(x.span(), height));
                    button.show(ui, place, output);
                }
                // The capsules are drawn separately, and a strategy that keeps no limits has a sentence instead.
                (Column::Crowd | Column::Setting | Column::Staleness, _)
                | (Column::Achieved(_) | Column::Set, None) => {}
            }
        }
        if let Some((all, choice)) = self.answer.filter(|(_, choice)| !choice.holds()) {
            let about_best = columns.iter().filter(|it| it.0.is_about_best());
            let x = about_best
                .map(|it| it.1)
                .reduce(|one, other| Rangef::new(one.min, other.max));
            if let Some(x) = x {
                own.paint_why_not(x, all, choice);
            }
        }
    }

    fn paint_name(&self, x: Rangef) {
        let (painter, subject) = (self.painter, &self.report.subject);
        let left = pos2(x.min, self.rect.center().y);
        let caps = caps(self.report);
        keycap(painter, left, caps, self.is_selected);
        let mut at = left + vec2(key_width(painter, caps), 0.0);
        if let Some(defect) = subject.defect {
            let below = at + vec2(0.0, 7.5);
            let words = AS_PUBLISHED[usize::from(defect.matches_ours_while.is_some())];
            paint::left(painter, below, words, 9.5, theme::TEXT);
            at.y -= 5.0;
        }
        let (name, to) = (subject.strategy.name, x.max - 2.0);
        paint::cut(painter, at, name, NAME_POINTS, theme::BRIGHT, to);
    }

    fn paint_setting(&self, x: Rangef, choice: &Choice) {
        let lay = |points| setting_galley(self.painter, choice, points, x.span() + 1.0);
        let large = lay(FIGURE_POINTS);
        let galley = if large.rows.len() > 1 {
            lay(SMALL_POINTS)
        } else {
            large
        };
        self.paint_left(x, galley);
    }

    fn paint_left(&self, x: Rangef, galley: Arc<Galley>) {
        let at = pos2(x.min, self.rect.center().y);
        paint::galley(self.painter, at, Align2::LEFT_CENTER, galley, theme::TEXT);
    }

    /// Paints how stale the crowd is compared with the recommended strategy. The lengths of the bars are proportional to
    /// the staleness.
    fn paint_staleness(&self, x: Rangef, all: &Recommendation, choice: &Choice) {
        let Some(times) = all.times_best(choice) else {
            return;
        };
        let held = all.choices.iter().filter(|it| it.holds());
        let most = held
            .filter_map(|it| all.times_best(it))
            .fold(times, f64::max);
        let (room, y) = (x.span() - MULTIPLE_WIDTH, self.rect.center().y);
        let (words, ink) = if self.is_recommended {
            ("best".to_owned(), theme::TEAL)
        } else {
            (multiple(times).to_string(), theme::BRIGHT)
        };
        let mut left = x.min;
        if room >= MIN_BAR_ROOM {
            let length = (room * (times / most) as f32).max(2.0);
            let bar =
                Rect::from_min_size(pos2(left, y - BAR_HEIGHT / 2.0), vec2(length, BAR_HEIGHT));
            let fill = if self.is_recommended {
                theme::TEAL
            } else {
                theme::HOVER.gamma_multiply(2.0)
            };
            self.painter.rect_filled(bar, 2.0, fill);
            left = bar.right() + 8.0;
        }
        let at = pos2(left, y);
        self.painter.text(
            at,
            Align2::LEFT_CENTER,
            words,
            theme::mono(FIGURE_POINTS),
            ink,
        );
    }

    /// Paints a number at the right edge of a column, or a dash if it is unknown. Returns its area.
    fn paint_figure(&self, x: Rangef, text: Option<String>, ink: Color32) -> Rect {
        let (text, ink) = text.map_or(("-".to_owned(), theme::DIM), |text| (text, ink));
        let at = pos2(x.max, self.rect.center().y);
        let font = theme::mono(FIGURE_POINTS);
        self.painter.text(at, Align2::RIGHT_CENTER, text, font, ink)
    }

    /// Says in one line which limit the strategy exceeds, even with its best setting.
    fn paint_why_not(&self, x: Rangef, all: &Recommendation, choice: &Choice) {
        let Some(broken) = choice.broken_briefly() else {
            return;
        };
        let x = Rangef::new(x.min + MARK_WIDTH + 2.0, x.max);
        warning(
            self.painter,
            pos2(x.min - MARK_WIDTH + 2.0, self.rect.center().y),
            4.0,
        );
        // If every row warns, amber text would say nothing.
        let ink = if all.best.is_some() {
            theme::AMBER
        } else {
            theme::TEXT
        };
        let lay = |words: &Phrase, points| {
            phrase_galley(self.painter, words, points, [ink; 2], f32::INFINITY)
        };
        let with_setting = if choice.setting.values.is_empty() {
            broken.clone()
        } else {
            phrase!("{}: {}", choice.setting.brief(), broken.clone())
        };
        let mut galleys = [&with_setting, &broken]
            .into_iter()
            .map(|words| lay(words, FIGURE_POINTS));
        let galley = galleys.find(|galley| galley.size().x <= x.span());
        let wrapped = || phrase_galley(self.painter, &broken, SMALL_POINTS, [ink; 2], x.span());
        self.paint_left(x, galley.unwrap_or_else(wrapped));
    }

    fn paint_effect(&self, x: Rangef, effect: &Clause) {
        let mut job = LayoutJob::default();
        status_line::add(&mut job, std::slice::from_ref(effect), SMALL_POINTS);
        job.wrap.max_width = x.span();
        self.paint_left(x, self.painter.layout_job(job));
    }

    fn paint_metric(&self, x: Rangef, metric: &Metric, state: &State) {
        let is_slow = metric.is_game_time() && !self.report.game_speed().keeps_real_time();
        let star = if is_slow { GAME_TIME_MARK } else { "" };
        let mut broken = state.compare.broken[self.lane].iter();
        let breaks = broken.any(|it| limit_of(metric) == Some(it.limit));
        let ink = if breaks { theme::AMBER } else { theme::BRIGHT };
        let text = metric.value_and_unit(self.report);
        let text = self.paint_figure(x, text.map(|text| text + star), ink);
        if breaks {
            let at = pos2(text.left() - MARK_WIDTH + 5.0, text.center().y);
            warning(self.painter, at, 4.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::measure::METRICS;

    #[test]
    fn columns_are_in_order_and_inside_at_any_width() {
        let has = |all: &[(Column, Rangef)], column| all.iter().any(|it| it.0 == column);
        for (metrics, has_answer, has_effect) in [
            (0, true, false),
            (0, true, true),
            (6, true, false),
            (5, false, true),
        ] {
            let metrics = METRICS.iter().take(metrics).map(|it| (*it, 70.0)).collect();
            let contents = Contents {
                name_width: 150.0,
                setting_width: 190.0,
                button_width: 48.0,
                metrics,
                has_answer,
                has_effect,
                row_height: 30.0,
            };
            let mut before = (true, true, usize::MAX);
            for width in (0..2400).rev().map(|width| width as f32) {
                let x = Rangef::new(252.0, 252.0 + width);
                let all = contents.columns(x);
                for pair in all.windows(2) {
                    assert!(pair[0].1.max <= pair[1].1.min + 1.0, "{width}: {all:?}");
                }
                let is_narrow = width < 2.0 * SIDE_MARGIN + MIN_NAME_WIDTH;
                let last = all[all.len() - 1].1.max;
                assert!(
                    is_narrow || last <= x.max - SIDE_MARGIN + 1.0,
                    "{width}: {all:?}"
                );
                let parts = (
                    has(&all, Column::Times),
                    has(&all, Column::Crowd),
                    all.len(),
                );
                assert!(parts <= before, "{width}: {parts:?} after {before:?}");
                before = parts;
                // In a window of 900 x 600 points, every value that a limit applies to is shown.
                let mut limited = ACHIEVED.iter().filter(|it| it.label != "others");
                let are_shown = limited.all(|it| has(&all, Column::Achieved(it)));
                assert!(
                    !has_answer || are_shown || width < 648.0,
                    "{width}: {all:?}"
                );
            }
        }
    }
}
