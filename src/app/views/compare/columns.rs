//! The columns of the table. Most show what a strategy achieves with its best setting, some with its current setting.

use super::common::{OUTDATED_OPACITY, SIDE_MARGIN, caps};
use super::offer_button::set;
use super::plots::paint_frame_times;
use crate::app::input::output::UiOutput;
use crate::app::panels::status_line;
use crate::app::state::State;
use crate::app::state::best_setting::Progress;
use crate::app::state::command::CompareCommand;
use crate::app::state::compare::{CompareState, Offer, OutcomeValue};
use crate::app::widgets::buttons::{keycap, keycap_width, line_job, warning};
use crate::app::widgets::{paint, theme, tooltip};
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align, Align2, Color32, Galley, Layout, Painter, Rangef, Rect, Stroke, Ui, UiBuilder, pos2,
    vec2,
};
use lab::measure::Report;
use lab::recommend::{Choice, Recommendation};
use lab::text::format::{self, multiple};
use std::cmp::Reverse;
use std::sync::Arc;
use timeslicer::time::Nanos;

const COLUMN_GAP: f32 = 9.0;
const VALUE_WIDTH_RANGE: [f32; 2] = [55.0, 84.0];
const MIN_CROWD_WIDTH: f32 = 78.0;
const MAX_CROWD_ASPECT_RATIO: f32 = 4.2;
const PLOT_WIDTH_RANGE: [f32; 2] = [56.0, 660.0];
const EFFECT_WIDTH_RANGE: [f32; 2] = [160.0, 190.0];
/// The maximum width of the column with the best settings, as a fraction of the table's width.
const MAX_SETTING_FRACTION: f32 = 0.25;
const STALENESS_WIDTH_RANGE: [f32; 2] = [70.0, 220.0];
/// The part of the staleness column that is reserved for the number next to the bar.
const MULTIPLE_WIDTH: f32 = 48.0;
const BAR_HEIGHT: f32 = 8.0;
const MIN_NAME_WIDTH: f32 = 40.0;

const HEADING_POINTS: f32 = 11.5;
const NAME_POINTS: f32 = 13.0;
const FIGURE_POINTS: f32 = 12.0;
const SMALL_POINTS: f32 = 10.0;
const KEYCAP_GAP: f32 = 9.0;
const AFTER_NAME: f32 = 1.0;
const MARK_WIDTH: f32 = 12.0;
const CELL_VERTICAL_MARGIN: f32 = 3.0;

const ANSWER_ORDER_HELP: &str =
    "Click to sort the strategies by the answer, with the best one first.";
const SORT_HELP: &str = "Click to sort by this column, starting with the lowest value. Click again to reverse the order.";
const EFFECT_HELP: &str = "Shows the hitches that tasks caused in the 3 s after the last disturbance, and the highest mean \
    staleness of the crowd in this time, or how long newborns or requests waited. The effect is shown until the metrics \
    are reset. The column is sorted by the longest wait or, for other disturbances, by the longest frame.";

#[derive(Clone, Copy)]
pub enum Content {
    Strategy,
    Setting,
    Staleness,
    Value(OutcomeValue),
    Crowd,
    Times,
    Effect,
    Set,
}

pub struct Column<'a> {
    pub content: Content,
    pub key: &'static str,
    label: &'a str,
    help: String,
    /// If not all columns fit, the column with the lowest rank is removed first (the rightmost one if ranks are equal).
    rank: u32,
    /// The minimum and the maximum width. All columns grow from one to the other in proportion.
    widths: [f32; 2],
    /// Where the column is, once [`fit`] has chosen its width.
    pub x: Rangef,
}

impl<'a> Column<'a> {
    fn new(content: Content, key: &'static str, label: &'a str, help: &str) -> Self {
        Self {
            content,
            key,
            label,
            help: help.to_owned(),
            rank: 0,
            widths: [0.0; 2],
            x: Rangef::NOTHING,
        }
    }

    fn sized(self, rank: u32, widths: [f32; 2]) -> Self {
        Self {
            rank,
            widths,
            ..self
        }
    }

    /// Returns the columns that the table has if there is room for all of them.
    pub fn all(
        painter: &Painter,
        width: f32,
        row_height: f32,
        scale_end: Nanos,
        compare: &'a CompareState,
    ) -> Vec<Self> {
        let names = compare.reports.iter().map(|report| {
            let name = paint::width(painter, report.subject.strategy.name, NAME_POINTS);
            key_width(painter, caps(report)) + name + AFTER_NAME
        });
        let name = names.fold(0.0, f32::max);
        let strategy = Self::new(Content::Strategy, "strategy", "Strategy", "");
        let mut all = vec![strategy.sized(12, [name; 2])];
        all.extend(Self::about_best(painter, width, compare));
        for &value in OutcomeValue::shown(compare.on_request()) {
            let (label, help) = heading_of(value);
            let column = Self::new(Content::Value(value), label, label, help);
            let rank = if value == OutcomeValue::Others { 5 } else { 10 };
            all.push(column.sized(rank, VALUE_WIDTH_RANGE));
        }
        let crowd = Self::new(
            Content::Crowd,
            "crowd",
            "crowd now",
            "Shows all entities in the lane, as in the Grid view.",
        );
        let crowd_widths = [MIN_CROWD_WIDTH, row_height * MAX_CROWD_ASPECT_RATIO];
        all.push(crowd.sized(1, crowd_widths));
        let longest = format::number(scale_end.as_millis_f64());
        let times = Self::new(
            Content::Times,
            "times",
            "frames now",
            &format!(
                "Shows how much time each recent frame spent on tasks, scheduling, drawing and waiting, up to \
                    {longest} ms. Hitches that tasks or scheduling caused are amber. The dashed line is the target \
                    frame time."
            ),
        );
        all.push(times.sized(0, PLOT_WIDTH_RANGE));
        if let Some(disturbance) = compare.comparison.last_disturbance() {
            let effect = Self::new(Content::Effect, "effect", disturbance, EFFECT_HELP);
            all.push(effect.sized(9, EFFECT_WIDTH_RANGE));
        }
        let button = paint::width(painter, "Is set", FIGURE_POINTS).ceil() + 14.0;
        all.push(Self::new(Content::Set, "", "", "").sized(11, [button; 2]));
        all
    }

    /// Returns the columns of the best settings and of their staleness.
    fn about_best(painter: &Painter, width: f32, compare: &CompareState) -> [Self; 2] {
        let setting = Self::new(
            Content::Setting,
            "best-setting",
            "Best setting",
            "The freshest setting with which the strategy keeps all limits. If there is none, the row names the limit \
                that the strategy exceeds.",
        );
        let all = compare.best_setting.recommendation();
        let choices = all.iter().flat_map(|all| &all.choices);
        let settings = choices.filter(|it| it.holds()).map(|choice| {
            let (words, inks) = (setting_words(choice), [theme::TEXT; 2]);
            let galley = paint::words(painter, &words, FIGURE_POINTS, inks, f32::INFINITY);
            galley.size().x
        });
        let setting_width = settings.fold(90.0, f32::max).ceil();
        let setting_width = setting_width.min((MAX_SETTING_FRACTION * width).round());
        let (label, help) = if compare.on_request() {
            (
                "Wait",
                "How long requests wait with the best setting of each strategy. The numbers are multiples of the \
                    recommended strategy's wait.",
            )
        } else {
            (
                "Staleness",
                "Staleness is the time since an entity's task last ran, so it says how old the entity's decisions are. \
                    This column shows the staleness with the best setting of each strategy. Entities near the target count \
                    more than others. The numbers are multiples of the recommended strategy's staleness. Of strategies within \
                    2 % of the freshest one, the simplest is recommended.",
            )
        };
        let staleness = Self::new(Content::Staleness, "staleness", label, help);
        [
            setting.sized(8, [setting_width; 2]),
            staleness.sized(7, STALENESS_WIDTH_RANGE),
        ]
    }
}

fn heading_of(value: OutcomeValue) -> (&'static str, &'static str) {
    match value {
        OutcomeValue::Near => ("near", "Mean staleness of the entities near the target."),
        OutcomeValue::Others => ("others", "Mean staleness of all other entities."),
        OutcomeValue::Longest => ("longest", "Longest wait of any entity."),
        OutcomeValue::MeanWait => ("mean", "Mean time from a request until its task runs."),
        OutcomeValue::LongestWait => (
            "longest",
            "Longest time from a request until its task runs. Requests that are still waiting count, too.",
        ),
        OutcomeValue::Tasks => ("tasks", "Longest time that a frame spends on tasks."),
        OutcomeValue::Effect => ("effect", EFFECT_HELP),
    }
}

/// Divides a horizontal range into columns. If space is short, columns with a low rank are left out.
pub fn fit(mut all: Vec<Column<'_>>, x: Rangef) -> Vec<Column<'_>> {
    let inner = x.shrink(SIDE_MARGIN);
    let room = inner.span().max(0.0);
    all[0].widths = all[0].widths.map(|name| name.min(room.max(MIN_NAME_WIDTH)));
    let sum = |all: &[Column<'_>], end: usize| {
        let widths = all.iter().map(|it| it.widths[end] + COLUMN_GAP);
        widths.sum::<f32>() - COLUMN_GAP
    };
    while sum(&all, 0) > room && all.len() > 1 {
        let ranks = all.iter().map(|it| it.rank).enumerate();
        let first = ranks.min_by_key(|&(index, rank)| (rank, Reverse(index)));
        all.remove(first.map_or(0, |(index, _)| index));
    }
    let [least, most] = [0, 1].map(|end| sum(&all, end));
    let grown = ((room - least) / (most - least).max(1.0)).clamp(0.0, 1.0);
    let mut left = inner.min;
    for column in &mut all {
        let [least, most] = column.widths;
        let width = egui::lerp(least..=most, grown);
        if matches!(column.content, Content::Set) {
            left = inner.max - width;
        }
        column.x = Rangef::new(left.round(), (left + width).round());
        left += width + COLUMN_GAP;
    }
    all
}

fn key_width(painter: &Painter, caps: &str) -> f32 {
    let caps = if caps.is_empty() { "0" } else { caps };
    keycap_width(painter, caps) + KEYCAP_GAP
}

fn setting_words(choice: &Choice) -> String {
    if choice.setting.values.is_empty() {
        "no settings".into()
    } else {
        choice.setting.brief()
    }
}

impl Column<'_> {
    pub fn heading(&self, ui: &Ui, y: Rangef, state: &State, output: &mut UiOutput) {
        if self.label.is_empty() {
            return;
        }
        let (value, align) = match self.content {
            Content::Value(value) => (Some(value), Align2::RIGHT_CENTER),
            Content::Effect => (Some(OutcomeValue::Effect), Align2::LEFT_CENTER),
            _ => (None, Align2::LEFT_CENTER),
        };
        let is_reversed = match state.compare.order {
            Some((sorted_by, is_reversed)) if value == Some(sorted_by) => Some(is_reversed),
            None if matches!(self.content, Content::Staleness) => Some(false),
            _ => None,
        };
        let place = Rect::from_x_y_ranges(self.x, y);
        let sort = CompareCommand::Sort(value);
        let response = output.clickable(ui, place, format!("column:{}", self.key), sort);
        let ink = match is_reversed {
            Some(_) => theme::TEAL,
            None if response.hovered() => theme::BRIGHT,
            None => theme::DIM,
        };
        let painter = ui.painter().with_clip_rect(place);
        let arrow = match is_reversed {
            Some(true) => " ▼",
            Some(false) => " ▲",
            None => "",
        };
        let label = line_job(
            &[(self.label, false, ink), (arrow, true, ink)],
            HEADING_POINTS,
        );
        let at = align.pos_in_rect(&place);
        paint::galley(&painter, at, align, painter.layout_job(label));
        let order_help = value.map_or(ANSWER_ORDER_HELP, |_| SORT_HELP);
        let tip = format!("{}\n{order_help}", self.help);
        tooltip::offer(&response, tip.trim_start());
    }
}

/// Returns the area in which a row shows its capsules, or `None` if the table has no column for capsules.
pub fn capsule_area(row: Rect, columns: &[Column<'_>]) -> Option<Rect> {
    let mut columns = columns.iter();
    let crowd = columns.find(|it| matches!(it.content, Content::Crowd))?;
    let y = row.y_range().shrink(CELL_VERTICAL_MARGIN);
    let y = Rangef::new(y.min.round(), y.max.round());
    Some(Rect::from_x_y_ranges(crowd.x, y)).filter(Rect::is_positive)
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
    /// Paints the background of a selected, hovered or recommended row beside the capsules, which are already drawn.
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
        let (left, right) = capsules.map_or((x.max, x.max), |it| (it.left(), it.right()));
        for part in [x.min..=left, right..=x.max] {
            let part = Rect::from_x_y_ranges(part, self.rect.y_range());
            self.painter.rect_filled(part, 0.0, ink);
        }
    }

    pub fn show_cells(
        &self,
        ui: &mut Ui,
        columns: &[Column<'_>],
        scale_end: Nanos,
        state: &State,
        output: &mut UiOutput,
    ) {
        let mut painter = self.painter.clone();
        if state.compare.best_setting.progress() == Progress::Outdated {
            painter.multiply_opacity(OUTDATED_OPACITY);
        }
        // This row paints the cells that belong to the answer, dimmed if the answer is outdated.
        let own = Row {
            painter: &painter,
            ..*self
        };
        let held = self.answer.filter(|(_, choice)| choice.holds());
        for column in columns {
            let x = column.x;
            let area = Rect::from_x_y_ranges(x, self.rect.y_range().shrink(CELL_VERTICAL_MARGIN));
            match (column.content, held) {
                (Content::Strategy, _) => self.paint_name(x),
                (Content::Times, _) => {
                    let comparison = &state.compare.comparison;
                    paint_frame_times(self.painter, area, comparison, self.lane, scale_end);
                }
                (Content::Effect, _) => {
                    if let Some(effect) = state.compare.comparison.effect(self.lane) {
                        let clauses = std::slice::from_ref(&effect);
                        let mut job = status_line::job(clauses, SMALL_POINTS);
                        job.wrap.max_width = x.span();
                        self.paint_left(x, self.painter.layout_job(job));
                    }
                }
                (Content::Value(value), Some(_)) => own.paint_value(x, value, &state.compare),
                (Content::Setting, Some((_, choice))) => {
                    let inks = [theme::TEXT, theme::BRIGHT];
                    own.paint_fitting(x, &setting_words(choice), inks);
                }
                (Content::Staleness, Some((all, choice))) => own.paint_staleness(x, all, choice),
                (Content::Set, Some((_, choice))) => {
                    let key = format!("set:{}", choice.strategy.key);
                    let button = set(state, Offer::Strategy(self.lane), &key, "Set");
                    let place = Rect::from_x_y_ranges(x, self.rect.y_range());
                    let builder = UiBuilder::new().max_rect(place).id_salt(key);
                    let layout = Layout::left_to_right(Align::Center);
                    button.show(&mut ui.new_child(builder.layout(layout)), output);
                }
                // The capsules are drawn separately, and a strategy that keeps no limits has a sentence instead.
                _ => {}
            }
        }
        if let Some((all, choice)) = self.answer.filter(|(_, choice)| !choice.holds()) {
            let about_best = |it: &&Column<'_>| {
                use Content::{Setting, Staleness, Value};
                matches!(it.content, Setting | Staleness | Value(_))
            };
            let about_best = columns.iter().filter(about_best).map(|it| it.x);
            let x = about_best.reduce(|one, other| Rangef::new(one.min, other.max));
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
        if subject.defect.is_some() {
            let below = at + vec2(0.0, 7.5);
            paint::left(painter, below, "as published", 9.5, theme::TEXT);
            at.y -= 5.0;
        }
        let (name, font) = (subject.strategy.name.to_owned(), theme::text(NAME_POINTS));
        let mut job = LayoutJob::simple_singleline(name, font, theme::BRIGHT);
        job.wrap = TextWrapping::truncate_at_width((x.max - at.x).max(0.0));
        paint::galley(painter, at, Align2::LEFT_CENTER, painter.layout_job(job));
    }

    fn paint_left(&self, x: Rangef, galley: Arc<Galley>) {
        let at = pos2(x.min, self.rect.center().y);
        paint::galley(self.painter, at, Align2::LEFT_CENTER, galley);
    }

    /// Paints how stale the crowd is compared with the recommended strategy, as a number and a proportional bar.
    fn paint_staleness(&self, x: Rangef, all: &Recommendation, choice: &Choice) {
        let Some(times) = all.times_best(choice) else {
            return;
        };
        let held = all.choices.iter().filter(|it| it.holds());
        let most = held
            .filter_map(|it| all.times_best(it))
            .fold(times, f64::max);
        let (room, y) = (x.span() - MULTIPLE_WIDTH, self.rect.center().y);
        let (words, ink, fill) = if self.is_recommended {
            ("best".to_owned(), theme::TEAL, theme::TEAL)
        } else {
            let fill = theme::HOVER.gamma_multiply(2.0);
            (multiple(times), theme::BRIGHT, fill)
        };
        let length = (room * (times / most) as f32).max(2.0);
        let corner = pos2(x.min, y - BAR_HEIGHT / 2.0);
        let bar = Rect::from_min_size(corner, vec2(length, BAR_HEIGHT));
        self.painter.rect_filled(bar, 2.0, fill);
        let (at, font) = (pos2(bar.right() + 8.0, y), theme::mono(FIGURE_POINTS));
        let align = Align2::LEFT_CENTER;
        self.painter.text(at, align, words, font, ink);
    }

    /// Paints a value at the right edge of a column, or a dash if it is unknown.
    fn paint_value(&self, x: Rangef, value: OutcomeValue, compare: &CompareState) {
        let (text, ink) = match compare.value(self.lane, value) {
            Some(time) => (format::time(time), theme::BRIGHT),
            None => ("-".to_owned(), theme::DIM),
        };
        let at = pos2(x.max, self.rect.center().y);
        let font = theme::mono(FIGURE_POINTS);
        self.painter.text(at, Align2::RIGHT_CENTER, text, font, ink);
    }

    /// Says in one line which limit the strategy exceeds, even with its best setting.
    fn paint_why_not(&self, x: Rangef, all: &Recommendation, choice: &Choice) {
        let Some(broken) = choice.broken_briefly() else {
            return;
        };
        if !choice.is_considered {
            return self.paint_fitting(x, &broken, [theme::DIM; 2]);
        }
        let x = Rangef::new(x.min + MARK_WIDTH + 2.0, x.max);
        warning(
            self.painter,
            pos2(x.min - MARK_WIDTH + 2.0, self.rect.center().y),
            4.0,
        );
        // Use amber only if some strategy keeps all limits, because otherwise every row would be amber.
        let ink = theme::warning_or(all.best.is_some(), theme::TEXT);
        let words = if choice.setting.values.is_empty() {
            broken
        } else {
            format!("{}: {broken}", choice.setting.brief())
        };
        self.paint_fitting(x, &words, [ink; 2]);
    }

    /// Paints words in one line. If they do not fit, they are smaller, and may take several lines.
    fn paint_fitting(&self, x: Rangef, words: &str, inks: [Color32; 2]) {
        let lay = |points| paint::words(self.painter, words, points, inks, x.span() + 1.0);
        let galley = Some(lay(FIGURE_POINTS)).filter(|galley| galley.rows.len() == 1);
        self.paint_left(x, galley.unwrap_or_else(|| lay(SMALL_POINTS)));
    }
}
