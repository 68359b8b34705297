//! The line below the rows: which of them are shown, or the settings that all lanes share; the legend, and the list of
//! columns.

use super::columns::paint_mark;
use super::{CompareDisplay, GAME_TIME, INSET};
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::panels::colour_legend::ColourLegend;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{LinePart, line, part_shown, warning};
use crate::app::widgets::{paint, theme, tooltip};
use egui::{
    Align2, ComboBox, Painter, PopupCloseBehavior, Pos2, Rect, RichText, Ui, UiBuilder, pos2, vec2,
};
use headless::experiment::comparison::Comparison;
use headless::sim::disturbance::SLOW_HZ;
use headless::sim::machine::DISPLAY_HZ;
use headless::sim::world::{COST, ENTITIES};
use headless::stats::{FIGURES, Mark};
use headless::text::format;

const POINTS: f32 = 11.5;
/// Space between two parts of the line.
const GAP: f32 = 20.0;
/// Width and height of the button that lists the columns.
const COLUMNS: egui::Vec2 = vec2(84.0, 20.0);
/// Height of the list of columns.
const LIST: f32 = 420.0;

/// Shows the line in `rect`: which rows are shown, or a warning if the frame loop spoils the comparison, and as many
/// settings and legends as fit. If some rows are `hidden`, it has the first row shown, the number of rows shown, and the
/// number of all rows.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    hidden: Option<(usize, usize, usize)>,
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
    if let Some((first, fitting, count)) = hidden {
        let (place, smaller) = (inner.with_max_x(right), display.smaller);
        return part_shown(painter, place, "lanes", first, fitting, count, smaller);
    }
    let comparison = display.comparison;
    let mut at = inner.left_center();
    if comparison.speed_follows_machine() {
        at.x = loop_warning(painter, at, right, comparison) + GAP;
    }
    at.x = settings(painter, at, right, comparison);
    if let Some(name) = comparison.counted_disturbance() {
        let key = caps_of(Command::Measure);
        let words = format!("  ·  figures include {name} (press {key} to reset)");
        at.x = amber(painter, at, &[&words], right - at.x).unwrap_or(at.x);
    }
    legend_of_marks(painter, pos2(right, y), at.x + GAP, display);
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

/// Paints the first of the `texts` that is at most `room` wide. Returns its right end, if there is such a text.
fn amber(painter: &Painter, at: Pos2, texts: &[&str], room: f32) -> Option<f32> {
    let style = (theme::text(POINTS), theme::AMBER);
    let galley = paint::fitting(painter, texts.iter().copied(), style, room)?;
    Some(paint::galley(painter, at, Align2::LEFT_CENTER, galley, theme::AMBER).right())
}

/// Warns that the frame loop makes the speed of the game depend on the load, and names the key of the next loop. If
/// there is little room left of `right`, leaves out the reason. Returns the right end.
fn loop_warning(painter: &Painter, at: Pos2, right: f32, comparison: &Comparison) -> f32 {
    let name = comparison.settings().frame_loop.name;
    let key = caps_of(Command::StepFrameLoop(1));
    let whole = format!(
        "{name}: lanes with less work run more of the game per second (press {key} for another loop)"
    );
    let short = format!("{name}: game speed follows the load (press {key})");
    warning(painter, at + vec2(5.0, 0.0), 4.5);
    let at = at + vec2(14.0, 0.0);
    amber(painter, at, &[&whole], right - at.x)
        .or_else(|| amber(painter, at, &[&short], f32::INFINITY))
        .unwrap_or(at.x)
}

fn words(text: &str) -> LinePart<'_> {
    (text, false, theme::DIM)
}

fn figure(text: &str) -> LinePart<'_> {
    (text, true, theme::BRIGHT)
}

/// Paints the settings that all lanes share, the most important first, as many as fit. Returns their right end.
fn settings(painter: &Painter, at: Pos2, right: f32, comparison: &Comparison) -> f32 {
    let (settings, knobs) = (comparison.settings(), comparison.knobs());
    let entities = knobs.get(&ENTITIES) as u64;
    let plural = if entities == 1 {
        " entity"
    } else {
        " entities"
    };
    let entities = format::grouped(entities);
    let cost = format::knob(&COST, knobs.get(&COST));
    let mut hz = knobs.get(&DISPLAY_HZ);
    if comparison.has_slow_display() {
        hz = hz.min(SLOW_HZ);
    }
    let hz = format::number(hz);
    let seed = format!(" {}", settings.seed);
    let mut all = vec![
        vec![figure(&entities), words(plural)],
        vec![figure(&cost), words(" per task")],
    ];
    if !comparison.speed_follows_machine() {
        all.push(vec![words(settings.frame_loop.name)]); // else the warning names it
    }
    all.push(vec![figure(&hz), words(" Hz display")]);
    all.push(vec![words("seed"), figure(&seed)]);
    let separator = words("  ·  ");
    let lay = |count: usize| line(painter, &all[..count].join(&separator), POINTS);
    let mut lines = (0..=all.len()).rev().map(lay);
    let line = lines.find(|line| at.x + line.size().x <= right);
    line.map_or(at.x, |line| {
        paint::galley(painter, at, Align2::LEFT_CENTER, line, theme::DIM).right()
    })
}

/// Paints the legend of the marks with its right end at `right`, if it has room to the right of `left`.
fn legend_of_marks(painter: &Painter, right: Pos2, left: f32, display: CompareDisplay<'_>) {
    /// Width of a mark, and of the space after a text.
    const MARK: f32 = 14.0;
    let game_time = format!("{GAME_TIME} game time");
    let mut marks = vec![(Mark::Best, "best"), (Mark::Warning, "beyond a limit")];
    if display.has_game_time() {
        marks.push((Mark::None, &game_time));
    }
    let before = |mark| if mark == Mark::None { 0.0 } else { MARK };
    let width = |(mark, words): &(Mark, &str)| {
        let (words, font) = ((*words).to_owned(), theme::text(POINTS));
        let words = painter.layout_no_wrap(words, font, theme::DIM);
        words.size().x + MARK + before(*mark)
    };
    let mut at = right - vec2(marks.iter().map(width).sum(), 0.0);
    if at.x < left {
        return;
    }
    for (mark, words) in marks {
        paint_mark(painter, at + vec2(5.0, 0.0), mark);
        at.x += before(mark);
        at.x = paint::left(painter, at, words, POINTS, theme::DIM).right() + MARK;
    }
}
