//! The Code tab, which explains when to use or avoid a strategy and shows the lines of Rust or C# that use it.

use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::panels::bar::CommandButton;
use crate::app::panels::code_block::{BAR, COPY_LINES, CodeBlock};
use crate::app::state::State;
use crate::app::state::command::{Command, GridCommand};
use crate::app::state::grid::Language;
use crate::app::widgets::row::row;
use crate::app::widgets::theme;
use egui::{Align, Id, Label, Layout, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, vec2};
use lab::catalog::knob::KnobValues;
use lab::catalog::strategy::StrategyEntry;
use lab::catalog::strategy::knobs::AS_PUBLISHED;
use lab::text::{csharp, rust};

const SIDE_MARGIN: f32 = 16.0;
const BOTTOM_MARGIN: f32 = 8.0;
const LINE_HEIGHT: f32 = 16.0;
/// If the space for the code is shorter than this, the whole tab scrolls.
const MIN_CODE_HEIGHT: f32 = 90.0;

const COPY_CSHARP_TOOLTIP: &str = "Copies the whole file Timeslicer.cs, for Unity or Godot with .NET. The file begins \
    with these lines.";

pub fn show(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    let (settings, language) = (state.grid.lane.settings(), state.grid.language);
    let (entry, knobs) = (settings.strategy, &settings.knobs);
    ui.painter().rect_filled(rect, 0.0, theme::BAR);
    let inner = rect.shrink2(vec2(SIDE_MARGIN, 0.0));
    let inner = inner.with_max_y(rect.bottom() - BOTTOM_MARGIN);
    if !inner.is_positive() {
        return;
    }
    let mut page = ui.new_child(UiBuilder::new().max_rect(inner).id_salt("code"));
    page.set_clip_rect(rect.intersect(ui.clip_rect()));
    page.spacing_mut().scroll.floating_allocated_width = BAR;
    let area = ScrollArea::vertical().id_salt("code").auto_shrink(false);
    area.show(&mut page, |ui| {
        show_title(ui, entry, knobs, language, output);
        let text = RichText::new(description(entry, knobs)).line_height(Some(LINE_HEIGHT));
        ui.label(text);
        let height = inner.height() - ui.min_rect().height() - ui.spacing().item_spacing.y;
        let (snippet, help) = match language {
            Language::Rust => (rust::snippet(entry, knobs), COPY_LINES),
            Language::CSharp => (csharp::snippet(entry, knobs), COPY_CSHARP_TOOLTIP),
        };
        let code = CodeBlock::new(ui, &snippet, 12.0, help);
        let is_high = height >= code.size().y.min(MIN_CODE_HEIGHT);
        let height = if is_high { height } else { code.size().y };
        let size = vec2(ui.available_width(), height);
        let (place, _) = ui.allocate_exact_size(size, Sense::hover());
        let copy = Command::CopyCode(entry, language);
        code.show(ui, place, Id::new("code block"), copy, output);
    });
}

/// Shows the name of the strategy, the path of its Rust type or of the C# file, a button that makes the strategy run as
/// published if it can, and the buttons that choose between Rust and C#.
fn show_title(
    ui: &mut Ui,
    entry: &'static StrategyEntry,
    knobs: &KnobValues,
    shown: Language,
    output: &mut UiOutput,
) {
    let name = RichText::new(entry.name).size(13.5).color(theme::BRIGHT);
    let path = match shown {
        Language::Rust => format!("timeslicer::strategy::{}", entry.type_name()),
        Language::CSharp => csharp::PATH.to_owned(),
    };
    let path = RichText::new(path)
        .font(theme::mono(11.0))
        .color(theme::DIM);
    let name = |ui: &mut Ui| ui.label(name);
    row(ui, LINE_HEIGHT, name, |ui, _| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().interact_size.y = LINE_HEIGHT;
        for language in Language::ALL.into_iter().rev() {
            let words = match language {
                Language::Rust => "Rust",
                Language::CSharp => "C# (Unity, Godot)",
            };
            let button = CommandButton {
                log_name: format!("button:{}", language.name()),
                command: Some(GridCommand::Language(language).into()),
                tip: format!("Shows the code in {}.", language.name()),
                ..CommandButton::new(words, "", language == shown)
            };
            button.show(ui, output);
        }
        if entry.published.is_some() {
            let (command, is_on) = (Command::AsPublished, entry.is_as_published(knobs));
            let button = CommandButton {
                log_name: AS_PUBLISHED.key.to_owned(),
                command: Some(command),
                tip: AS_PUBLISHED.help.to_owned(),
                ..CommandButton::new(AS_PUBLISHED.label, caps_of(command), is_on)
            };
            button.show(ui, output);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(path).truncate());
        });
    });
}

/// Describes a strategy: the rule by which it chooses tasks, when to use it, and its known defect if it has one.
fn description(entry: &StrategyEntry, knobs: &KnobValues) -> String {
    let mut sentences = [entry.rule, entry.use_when, entry.avoid_when]
        .map(str::to_owned)
        .to_vec();
    sentences.push(format!("Comes from {}.", entry.source));
    if let Some(published) = entry.published.filter(|_| entry.is_as_published(knobs)) {
        let defect = published.defect;
        sentences.push(format!(
            "The strategy runs the published code: {defect} The code below is the corrected version."
        ));
    }
    sentences.join("\n")
}
