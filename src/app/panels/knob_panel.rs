//! The panel on the left: a slider for each knob, the chosen strategy's own among them.

use super::top_bar;
use crate::app::input::bindings::{Binding, caps_of};
use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{keycap, keycap_width, label_button};
use crate::app::widgets::slider;
use crate::app::widgets::slider::slider;
use crate::app::widgets::theme;
use crate::app::widgets::value::Typing;
use crate::sim::disturbance::Disturbance;
use crate::sim::settings::{FADE, Settings};
use crate::sim::world;
use crate::sim::world::REQUESTS;
use crate::text::format;
use egui::{
    Align2, ComboBox, CornerRadius, Id, Rect, ScrollArea, Sense, Stroke, Ui, UiBuilder, pos2, vec2,
};
use timeslice::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use timeslice::knob::Knob;
use timeslice::strategy::STRATEGIES;

pub const INSET: f32 = 18.0;

/// What the panel shows, and what it needs to do so.
pub struct KnobPanel<'a> {
    /// What is set.
    pub settings: &'a Settings,
    /// Whether the display has dropped to a lower rate.
    pub slow_display: bool,
    /// Whether capsules show how stale they are.
    pub staleness: bool,
    /// The keys.
    pub bindings: &'a [Binding],
    /// The value that is being typed.
    pub typing: &'a mut Typing,
    /// What the user sets goes here.
    pub answer: &'a mut UiResponse,
}

impl KnobPanel<'_> {
    /// Shows the sliders in `rect`.
    pub fn show(mut self, ui: &mut Ui, rect: Rect) {
        scrolled(ui, rect, |ui| self.sections(ui, rect));
    }

    fn sections(&mut self, ui: &mut Ui, panel: Rect) {
        let strategy = self.settings.strategy;
        heading(ui, panel, "Workload", "");
        for knob in world::KNOBS {
            let unheard = knob.key == REQUESTS.key && !strategy.on_request();
            self.row(ui, panel, knob, unheard);
        }
        divider(ui, panel);
        if top_bar::has_tabs(ui) {
            heading(ui, panel, "Strategy", strategy.name);
        } else {
            heading(ui, panel, "Strategy", "");
            self.strategy(ui, panel);
        }
        if strategy.knobs.is_empty() {
            note(ui, panel, "has nothing to adjust");
        }
        for knob in strategy.knobs {
            self.row(ui, panel, knob, false);
        }
        divider(ui, panel);
        self.frame_loop(ui, panel);
        divider(ui, panel);
        break_it(ui, panel, self.slow_display, self.bindings, self.answer);
        divider(ui, panel);
        heading(ui, panel, "Picture", "");
        self.row(ui, panel, &FADE, self.staleness);
        staleness(ui, panel, self.staleness, self.bindings, self.answer);
        if !self.staleness {
            legend(ui, panel, self.settings.knobs.get(&FADE));
        }
    }

    /// The chooser of strategies, for who has no keyboard in a window too narrow for their tabs: a telephone.
    fn strategy(&mut self, ui: &mut Ui, panel: Rect) {
        let chosen = self.settings.strategy;
        let place = stretch(ui, panel, 32.0);
        let place = place.with_max_y(place.top() + 26.0);
        self.answer.stands_in(panel, "strategy", place);
        let mut row = ui.new_child(UiBuilder::new().max_rect(place));
        ComboBox::from_id_salt("strategy")
            .width(place.width())
            .selected_text(chosen.name)
            .show_ui(&mut row, |ui| {
                for (index, entry) in STRATEGIES.iter().enumerate() {
                    let item = ui.selectable_label(chosen.key == entry.key, entry.name);
                    self.answer
                        .stands(format!("strategy:{}", entry.key), item.rect);
                    if item.clicked() {
                        self.answer.commands.push(Command::Strategy(index));
                    }
                }
            });
    }

    /// The frame loop: which, and its knobs.
    fn frame_loop(&mut self, ui: &mut Ui, panel: Rect) {
        let frame_loop = self.settings.frame_loop;
        loop_chooser(ui, panel, frame_loop, self.bindings, self.answer);
        for knob in frame_loop.knobs {
            self.row(ui, panel, knob, false);
        }
    }

    fn row(&mut self, ui: &mut Ui, panel: Rect, knob: &'static Knob, dimmed: bool) {
        let row = KnobRow {
            panel,
            name: knob.key,
            knob,
            value: self.settings.knobs.get(knob),
            dimmed,
        };
        if let Some(value) = row.show(ui, self.typing, self.answer) {
            self.answer.commands.push(Command::Turn(knob, value));
        }
    }
}

/// A knob's slider in a panel.
pub struct KnobRow<'a> {
    /// The panel.
    pub panel: Rect,
    /// What it is told from others by.
    pub name: &'a str,
    /// The knob.
    pub knob: &'static Knob,
    /// What it is set to.
    pub value: f64,
    /// Whether nothing that runs listens to it.
    pub dimmed: bool,
}

impl KnobRow<'_> {
    /// Shows it in the panel's next stretch. Returns the value that the user sets, if any.
    pub fn show(self, ui: &mut Ui, typing: &mut Typing, answer: &mut UiResponse) -> Option<f64> {
        let place = stretch(ui, self.panel, slider::HEIGHT);
        answer.stands_in(self.panel, self.name, place);
        let (name, knob) = (self.name, self.knob);
        slider(ui, place, name, knob, self.value, self.dimmed, typing)
    }
}

/// The chooser of frame loops, with its key.
pub fn loop_chooser(
    ui: &mut Ui,
    panel: Rect,
    frame_loop: &'static FrameLoopEntry,
    bindings: &[Binding],
    answer: &mut UiResponse,
) {
    heading(ui, panel, "Frame loop", "");
    let rect = stretch(ui, panel, 32.0);
    let caps = caps_of(bindings, Command::StepFrameLoop(1));
    let key = pos2(
        rect.right() - keycap_width(ui.painter(), caps),
        rect.top() - 16.0,
    );
    keycap(ui.painter(), key, caps, false);
    let place = rect.with_max_y(rect.top() + 26.0);
    answer.stands_in(panel, "loop", place);
    let mut row = ui.new_child(UiBuilder::new().max_rect(place));
    let chooser = ComboBox::from_id_salt("loop")
        .width(place.width())
        .selected_text(frame_loop.name)
        .show_ui(&mut row, |ui| {
            for (index, entry) in FRAME_LOOPS.iter().enumerate() {
                let chosen = entry.key == frame_loop.key;
                let item = ui.selectable_label(chosen, entry.name);
                answer.stands(format!("loop:{}", entry.key), item.rect);
                if item.on_hover_text(entry.rule).clicked() {
                    answer.commands.push(Command::FrameLoop(index));
                }
            }
        });
    chooser.response.on_hover_text(frame_loop.rule);
}

/// Buttons that do something to all lanes in sight, each with its key.
pub fn break_it(
    ui: &mut Ui,
    panel: Rect,
    slow_display: bool,
    bindings: &[Binding],
    answer: &mut UiResponse,
) {
    heading(ui, panel, "Break it", "");
    for pair in Disturbance::ALL.chunks(2) {
        let row = stretch(ui, panel, 32.0);
        let width = (row.width() - 8.0) / 2.0;
        for (index, &disturbance) in pair.iter().enumerate() {
            let left = row.left() + index as f32 * (width + 8.0);
            let place = Rect::from_min_size(pos2(left, row.top()), vec2(width, 26.0));
            let caps = caps_of(bindings, Command::Disturb(disturbance));
            answer.stands_in(panel, format!("button:{caps}"), place);
            let is_on = disturbance == Disturbance::SlowDisplay && slow_display;
            let response = label_button(ui, place, disturbance.name(), caps, is_on);
            if response.clicked() {
                answer.commands.push(Command::Disturb(disturbance));
            }
            response.on_hover_text(disturbance.explained());
        }
    }
}

/// The button that lets capsules show how stale they are, or who ran.
pub fn staleness(
    ui: &mut Ui,
    panel: Rect,
    shown: bool,
    bindings: &[Binding],
    answer: &mut UiResponse,
) {
    let row = stretch(ui, panel, 32.0);
    let place = row.with_max_y(row.top() + 26.0);
    let caps = caps_of(bindings, Command::Staleness);
    answer.stands_in(panel, format!("button:{caps}"), place);
    let words = if shown {
        "Show who ran"
    } else {
        "Show how stale they are"
    };
    let response = label_button(ui, place, words, caps, shown);
    if response.clicked() {
        answer.commands.push(Command::Staleness);
    }
    response.on_hover_text(
        "Colours by how long ago each task ran, instead of the flash; and a plot of how many look at the wrong place.",
    );
}

/// A panel on the left, whose content may be scrolled where it is too long.
pub fn scrolled(ui: &mut Ui, rect: Rect, content: impl FnOnce(&mut Ui)) {
    let painter = ui.painter();
    painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.vline(rect.right() - 0.5, rect.y_range(), edge);
    if rect.width() < 2.0 * INSET || rect.height() < 20.0 {
        return;
    }
    let mut inner = ui.new_child(UiBuilder::new().max_rect(rect));
    inner.set_clip_rect(rect);
    let scroll = ScrollArea::vertical().auto_shrink(false);
    scroll.show(&mut inner, |ui| {
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        content(ui);
    });
}

/// Takes the next stretch of the panel, inset on both sides.
pub fn stretch(ui: &mut Ui, panel: Rect, height: f32) -> Rect {
    let (rect, _) = ui.allocate_exact_size(vec2(panel.width(), height), Sense::hover());
    Rect::from_x_y_ranges(panel.left() + INSET..=panel.right() - INSET, rect.y_range())
}

pub fn heading(ui: &mut Ui, panel: Rect, title: &str, remark: &str) {
    let rect = stretch(ui, panel, 34.0);
    let y = rect.top() + 20.0;
    let (left, right) = (pos2(rect.left(), y), pos2(rect.right(), y));
    ui.painter().text(
        left,
        Align2::LEFT_CENTER,
        title,
        theme::text(13.5),
        theme::BRIGHT,
    );
    ui.painter().text(
        right,
        Align2::RIGHT_CENTER,
        remark,
        theme::text(12.0),
        theme::DIM,
    );
}

pub fn divider(ui: &mut Ui, panel: Rect) {
    let rect = stretch(ui, panel, 10.0);
    ui.painter().hline(
        rect.x_range(),
        rect.center().y,
        Stroke::new(1.0, theme::LINE),
    );
}

fn note(ui: &mut Ui, panel: Rect, text: &str) {
    let rect = stretch(ui, panel, 24.0);
    let at = rect.left_center() - vec2(0.0, 2.0);
    ui.painter()
        .text(at, Align2::LEFT_CENTER, text, theme::text(12.0), theme::DIM);
}

fn legend(ui: &mut Ui, panel: Rect, fade_ms: f64) {
    let rect = stretch(ui, panel, 30.0);
    let painter = ui.painter();
    let mut x = rect.left() + 5.0;
    for shade in theme::SHADES {
        painter.circle_filled(pos2(x, rect.center().y), 4.5, shade);
        x += 13.0;
    }
    let at = pos2(x + 4.0, rect.center().y);
    let stale = format::number(fade_ms * 2.0 / 1000.0);
    painter.text(
        at,
        Align2::LEFT_CENTER,
        format!("ran, cools, rested, stale: {stale} s"),
        theme::text(12.0),
        theme::DIM,
    );
    let legend = ui.interact(rect, Id::new("legend"), Sense::hover());
    legend.on_hover_text("The visor looks where the target was when the task last ran. (? shows what all signs mean.)");
}
