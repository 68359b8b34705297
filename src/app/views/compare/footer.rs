//! The line below the rows: which of them are shown, or the settings that all lanes share; the legend, and the list of
//! columns.

use super::table_layout::INSET;
use super::{CompareDisplay, GAME_TIME};
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::panels::colour_legend::ColourLegend;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{LinePart, line, part_shown, warning};
use crate::app::widgets::{paint, theme, tooltip};
use egui::{
    Align2, ComboBox, Galley, Painter, PopupCloseBehavior, Pos2, Rect, RichText, Ui, UiBuilder,
    pos2, vec2,
};
use headless::experiment::comparison::Comparison;
use headless::sim::disturbance::SLOW_HZ;
use headless::sim::machine::DISPLAY_HZ;
use headless::sim::settings::Settings;
use headless::sim::world::{COST, ENTITIES};
use headless::stats::FIGURES;
use headless::text::format;
use std::sync::Arc;

const POINTS: f32 = 11.5;
/// Space between two parts of the line.
const GAP: f32 = 20.0;
/// Width and height of the button that lists the columns.
const COLUMNS: egui::Vec2 = vec2(84.0, 20.0);
/// Height of the list of columns.
const LIST: f32 = 420.0;

#[derive(Clone, Copy, Debug)]
pub struct Shown {
    pub first: usize,
    pub fitting: usize,
    pub count: usize,
}

/// Shows the line in `rect`: which rows are shown, or a warning if the frame loop spoils the comparison, and as many
/// settings and legends as fit.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    comparison: &Comparison,
    shown: Shown,
    display: CompareDisplay<'_>,
    answer: &mut UiResponse,
) {
    let inner = rect.shrink2(vec2(INSET, 0.0));
    if inner.width() < COLUMNS.x {
        return;
    }
    let painter = &ui.painter().with_clip_rect(rect);
    let y = inner.center().y;
    let button = Rect::from_center_size(pos2(inner.right() - COLUMNS.x / 2.0, y), COLUMNS);
    columns(ui, button, display, answer);
    let mut right = button.left() - GAP;
    if let Some(legend) = ColourLegend::of(display.colours) {
        right = legend.line(painter, pos2(right, y)) - GAP;
    }
    let mut left = inner.left();
    if shown.fitting < shown.count {
        let place = Rect::from_x_y_ranges(left..=right, inner.y_range());
        let Shown {
            first,
            fitting,
            count,
        } = shown;
        part_shown(
            painter,
            place,
            "lanes",
            first,
            fitting,
            count,
            display.smaller,
        );
        return;
    }
    if comparison.speed_follows_machine() {
        let settings = comparison.settings();
        let key = caps_of(Command::StepFrameLoop(1));
        left = loop_warning(painter, pos2(left, y), right, settings, key) + GAP;
    }
    let settings = shared_settings(comparison);
    let lay = |count: usize| line(painter, &parts(&settings[..count]), POINTS);
    let lines = (0..=settings.len()).rev().map(lay);
    let fits = |line: &Arc<Galley>| left + line.size().x <= right;
    let mut end = left;
    if let Some(line) = lines.into_iter().find(fits) {
        let at = pos2(left, y);
        end = paint::galley(painter, at, Align2::LEFT_CENTER, line, theme::DIM).right();
    }
    let end = counted_disturbance(painter, pos2(end, y), right, comparison);
    marks(painter, pos2(right, y), end + GAP, display);
}

fn columns(ui: &mut Ui, place: Rect, display: CompareDisplay<'_>, answer: &mut UiResponse) {
    let builder = UiBuilder::new().max_rect(place).id_salt("columns");
    let ui = &mut ui.new_child(builder);
    ui.spacing_mut().interact_size.y = place.height();
    ui.spacing_mut().button_padding = vec2(7.0, 1.0);
    let list = ComboBox::from_id_salt("columns")
        .width(place.width())
        .height(LIST)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .selected_text(RichText::new("Columns").size(POINTS));
    let list = list.show_ui(ui, |ui| {
        answer.list_is_open = true;
        ui.set_min_width(150.0);
        for figure in FIGURES {
            let mut is_shown = display.state.figures.contains(&figure);
            let item = ui.checkbox(&mut is_shown, figure.label);
            let panel = ui.clip_rect();
            answer.report_in(panel, format!("show:{}", figure.key), item.rect);
            tooltip::offer(&item, figure.help);
            if item.changed() {
                answer.commands.push(Command::ToggleFigure(figure));
            }
        }
    });
    answer.report("columns", list.response.rect);
    tooltip::offer(&list.response, "Chooses the figures in the table.");
}

/// Warns that the frame loop makes the speed of the game depend on the load, and names the key of the next loop. If
/// there is little room left of `right`, leaves out the reason. Returns the right end.
fn loop_warning(painter: &Painter, at: Pos2, right: f32, settings: &Settings, key: &str) -> f32 {
    let name = settings.frame_loop.name;
    let whole = format!(
        "{name}: lanes with less work run more of the game per second (press {key} for another loop)"
    );
    let short = format!("{name}: game speed follows the load (press {key})");
    warning(painter, at + vec2(5.0, 0.0), 4.5);
    let left = at.x + 14.0;
    let style = (theme::text(POINTS), theme::AMBER);
    let galley = paint::fitting(painter, [&*whole], style.clone(), right - left)
        .or_else(|| paint::fitting(painter, [&*short], style, f32::INFINITY));
    let Some(galley) = galley else {
        return left;
    };
    let at = pos2(left, at.y);
    paint::galley(painter, at, Align2::LEFT_CENTER, galley, theme::AMBER).right()
}

/// Paints the legend of the marks with its right end at `right`, if it has room to the right of `left`.
fn marks(painter: &Painter, right: Pos2, left: f32, display: CompareDisplay<'_>) {
    let is_slow = |it: &headless::stats::Report| !it.game_speed().keeps_real_time();
    let game_time = format!("{GAME_TIME} game time");
    let mut signs: Vec<(Option<Sign>, &str)> = vec![
        (Some(best), "best"),
        (
            Some(|painter, at| warning(painter, at, 4.0)),
            "beyond a limit",
        ),
    ];
    if display.state.reports.iter().any(is_slow) {
        signs.push((None, &game_time));
    }
    let lay =
        |words: &str| painter.layout_no_wrap(words.to_owned(), theme::text(POINTS), theme::DIM);
    let width = |(sign, words): &(Option<Sign>, &str)| {
        lay(words).size().x + 14.0 + sign.map_or(0.0, |_| 14.0)
    };
    let all: f32 = signs.iter().map(width).sum();
    let mut x = right.x - all;
    if x < left {
        return;
    }
    for (sign, words) in signs {
        if let Some(sign) = sign {
            sign(painter, pos2(x + 5.0, right.y));
            x += 14.0;
        }
        let at = pos2(x, right.y);
        let words = paint::galley(painter, at, Align2::LEFT_CENTER, lay(words), theme::DIM);
        x = words.right() + 14.0;
    }
}

/// Paints a sign around a point.
type Sign = fn(&Painter, Pos2);

fn best(painter: &Painter, at: Pos2) {
    painter.circle_filled(at, 3.5, theme::TEAL);
}

/// Warns that the figures include a disturbance and names the key that resets them, if the warning fits to the left of
/// `room`. Returns the right end of the line.
fn counted_disturbance(painter: &Painter, at: Pos2, room: f32, comparison: &Comparison) -> f32 {
    let Some(name) = comparison.counted_disturbance() else {
        return at.x;
    };
    let key = caps_of(Command::Measure);
    let words = format!("  ·  figures include {name} (press {key} to reset)");
    let style = (theme::text(POINTS), theme::AMBER);
    let Some(galley) = paint::fitting(painter, [&*words], style, room - at.x) else {
        return at.x;
    };
    paint::galley(painter, at, Align2::LEFT_CENTER, galley, theme::AMBER).right()
}

type Setting = Vec<(String, bool)>;

/// Returns the settings that all lanes share, the most important first.
fn shared_settings(comparison: &Comparison) -> Vec<Setting> {
    let (settings, knobs) = (comparison.settings(), comparison.knobs());
    let words = |words: &str| (words.to_owned(), false);
    let figure = |text: String| (text, true);
    let entities = knobs.get(&ENTITIES) as u64;
    let mut hz = knobs.get(&DISPLAY_HZ);
    if comparison.has_slow_display() {
        hz = hz.min(SLOW_HZ);
    }
    let plural = if entities == 1 {
        " entity"
    } else {
        " entities"
    };
    let cost = figure(format::knob(&COST, knobs.get(&COST)));
    let mut all = vec![
        vec![figure(format::grouped(entities)), words(plural)],
        vec![cost, words(" per task")],
    ];
    if !comparison.speed_follows_machine() {
        all.push(vec![words(settings.frame_loop.name)]); // else the warning names it
    }
    all.push(vec![figure(format::number(hz)), words(" Hz display")]);
    all.push(vec![words("seed"), figure(format!(" {}", settings.seed))]);
    all
}

/// Returns the parts of a line: the settings with points between them.
fn parts(settings: &[Setting]) -> Vec<LinePart<'_>> {
    let mut parts = Vec::new();
    for setting in settings {
        if !parts.is_empty() {
            parts.push(("  ·  ", false, theme::DIM));
        }
        for (text, is_figure) in setting {
            let ink = if *is_figure {
                theme::BRIGHT
            } else {
                theme::DIM
            };
            parts.push((text.as_str(), *is_figure, ink));
        }
    }
    parts
}
