//! The Code tab, which explains when to use or avoid a strategy and shows the lines of Rust or C# that use it.

use crate::app::input::output::UiOutput;
use crate::app::panels::bar::CommandButton;
use crate::app::state::command::{Command, GridCommand};
use crate::app::state::grid::Language;
use crate::app::widgets::buttons::wide_button;
use crate::app::widgets::code_block::{BAR, COPY_LINES, CodeBlock};
use crate::app::widgets::theme;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align, Galley, Id, Layout, Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};
use lab::catalog::knob::KnobValues;
use lab::catalog::strategy::StrategyEntry;
use lab::text::{csharp, rust};
use std::sync::Arc;

const SIDE_MARGIN: f32 = 16.0;
const BOTTOM_MARGIN: f32 = 8.0;
const CODE_GAP: f32 = 6.0;
const LINE_HEIGHT: f32 = 16.0;
const LANGUAGE_BUTTONS_WIDTH: f32 = 80.0;
/// If the space for the code is shorter than this, the whole tab scrolls.
const MIN_CODE_HEIGHT: f32 = 90.0;
/// If the space next to the code is narrower than this, no plots are shown.
const MIN_PLOT_WIDTH: f32 = 230.0;

const RUNS_AS_PUBLISHED: &str = "The strategy runs the published code:";
const CODE_IS_OURS: &str = "The code below is the corrected version.";
const NO_PORT: &str = "There is no C# version yet.";
const COPY_CSHARP_TOOLTIP: &str = "Copies the whole file Timeslicer.cs, for Unity or Godot with .NET. The file begins \
    with these lines.";

/// Shows the Code tab. Returns the area that is left for plots, or an empty area if there is no room for them.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    entry: &'static StrategyEntry,
    knobs: &KnobValues,
    language: Language,
    output: &mut UiOutput,
) -> Rect {
    ui.painter().rect_filled(rect, 0.0, theme::BAR);
    let inner = rect.shrink2(vec2(SIDE_MARGIN, 0.0));
    let inner = inner.with_max_y(rect.bottom() - BOTTOM_MARGIN);
    if !inner.is_positive() {
        return Rect::NOTHING;
    }
    let mut page = ui.new_child(UiBuilder::new().max_rect(inner).id_salt("code"));
    page.set_clip_rect(rect.intersect(ui.clip_rect()));
    let mut plots = Rect::NOTHING;
    page.spacing_mut().scroll.floating_allocated_width = BAR;
    let area = ScrollArea::vertical().id_salt("code").auto_shrink(false);
    area.show(&mut page, |ui| {
        let text = description(ui, entry, knobs, language);
        let height = inner.height() - text.size().y - ui.spacing().item_spacing.y;
        let text = ui.label(text).rect;
        show_languages(ui, text.with_max_x(inner.right()), language, output);
        let (snippet, help) = match language {
            Language::Rust => (Some(rust::snippet(entry, knobs)), COPY_LINES),
            Language::CSharp => (csharp::snippet(entry, knobs), COPY_CSHARP_TOOLTIP),
        };
        let Some(snippet) = snippet else {
            if height >= MIN_CODE_HEIGHT {
                plots = rect.with_min_y(text.bottom() + CODE_GAP);
            }
            return;
        };
        let code = CodeBlock::new(ui, &snippet, 12.0, help);
        let beside_plots = rect.right() - MIN_PLOT_WIDTH - CODE_GAP - inner.left();
        let width = ui.available_width(); // narrower than `inner` if the tab has a scroll bar
        let is_high = height >= code.size().y.min(MIN_CODE_HEIGHT);
        let size = if !is_high {
            vec2(width, code.size().y)
        } else if code.size().x <= beside_plots {
            vec2(code.size().x, height)
        } else {
            vec2(width, height)
        };
        let (place, _) = ui.allocate_exact_size(size, Sense::hover());
        if size.x < width {
            plots = rect
                .with_min_x(place.right() + CODE_GAP)
                .with_min_y(place.top());
        }
        let copy = code.show(ui, place, Id::new("code block"));
        output.report_visible(&copy, "button:Copy");
        if copy.clicked() {
            output.give(Command::CopyCode(entry, language));
        }
    });
    plots
}

/// Shows the buttons that choose between Rust and C#. They are at the right end of the tab's first line.
fn show_languages(ui: &mut Ui, rect: Rect, shown: Language, output: &mut UiOutput) {
    let line = rect.with_max_y(rect.top() + LINE_HEIGHT);
    let layout = Layout::right_to_left(Align::Center);
    let builder = UiBuilder::new().max_rect(line).layout(layout);
    let mut row = ui.new_child(builder.id_salt("languages"));
    row.spacing_mut().item_spacing.x = 4.0;
    row.spacing_mut().interact_size.y = LINE_HEIGHT;
    for language in Language::ALL.into_iter().rev() {
        let button = CommandButton {
            log_name: format!("button:{}", language.name()),
            button: wide_button(0.0, language.name(), "", language == shown),
            command: Some(GridCommand::Language(language).into()),
            tip: format!("Shows the code in {}.", language.name()),
        };
        button.show(&mut row, output);
    }
}

/// Lays out the description of a strategy: its name, the rule by which it chooses tasks, and advice on when to use it.
/// The path of its Rust type or of the C# file is added if there is room. If the strategy has a known defect or is not
/// available in the selected language, the description says so.
fn description(
    ui: &Ui,
    entry: &StrategyEntry,
    knobs: &KnobValues,
    language: Language,
) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    job.wrap.max_width = ui.available_width();
    let name = TextFormat::simple(theme::text(13.5), theme::BRIGHT);
    job.append(entry.name, 0.0, name);
    let is_missing = language == Language::CSharp && !csharp::is_ported(entry);
    let path = match language {
        Language::Rust => entry.type_path(),
        Language::CSharp if is_missing => String::new(),
        Language::CSharp => csharp::PATH.to_owned(),
    };
    let mut with_path = job.clone();
    with_path.wrap = TextWrapping::no_max_width();
    let dim = TextFormat::simple(theme::mono(11.0), theme::DIM);
    with_path.append(&path, 10.0, dim);
    let width = ui.fonts(|fonts| fonts.layout_job(with_path.clone()).size().x);
    if width <= job.wrap.max_width - LANGUAGE_BUTTONS_WIDTH {
        with_path.wrap = job.wrap;
        job = with_path;
    }
    let words = |ink| TextFormat {
        line_height: Some(LINE_HEIGHT),
        ..TextFormat::simple(theme::text(12.5), ink)
    };
    let published = entry.published.filter(|_| entry.is_as_published(knobs));
    let no_port = is_missing.then_some(NO_PORT);
    let published =
        published.map(|form| format!("{RUNS_AS_PUBLISHED} {} {CODE_IS_OURS}", form.defect));
    for (sentence, beginning) in [
        (Some(entry.rule), ""),
        (Some(entry.use_when), "Use it"),
        (Some(entry.avoid_when), "Avoid it"),
        (Some(entry.known_from), "Comes from"),
        (published.as_deref(), RUNS_AS_PUBLISHED),
        (no_port, NO_PORT),
    ] {
        let Some(sentence) = sentence else { continue };
        let rest = sentence.strip_prefix(beginning).unwrap_or(sentence);
        let beginning = &sentence[..sentence.len() - rest.len()];
        job.append("\n", 0.0, words(theme::TEXT));
        job.append(beginning, 0.0, words(theme::BRIGHT));
        job.append(rest, 0.0, words(theme::TEXT));
    }
    ui.fonts(|fonts| fonts.layout_job(job))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::grid::LowerTab;
    use crate::app::state::tests::state;
    use crate::app::views::layout::{Layout, fits_knobs};
    use crate::app::views::tests::{place, window};
    use egui::Vec2;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;
    use lab::catalog::strategy::STRATEGIES;
    use lab::catalog::strategy::knobs::AS_PUBLISHED;

    fn tab<'a>(
        size: Vec2,
        entry: &'static StrategyEntry,
        knobs: &'a KnobValues,
        language: Language,
    ) -> Harness<'a, UiOutput> {
        window(size, move |ui, output| {
            let mut state = state();
            state.grid.lower = LowerTab::Code;
            state.interface.has_room_for_knobs = fits_knobs(size.x);
            let layout = Layout::new(ui.max_rect(), &state);
            let plots = show(ui, layout.lower, entry, knobs, language, output);
            output.report("lower", layout.lower);
            output.report("plots", plots);
        })
    }

    #[test]
    fn every_strategy_shows_its_sentences_and_its_code() {
        for entry in STRATEGIES {
            let code = rust::snippet(entry, &KnobValues::default()).to_string();
            for is_as_published in [0.0, 1.0] {
                let knobs = KnobValues::with(&[(&AS_PUBLISHED, is_as_published)]);
                let window = tab(vec2(1280.0, 800.0), entry, &knobs, Language::Rust);
                window.get_by_label(code.trim_end());
                let name = format!("{}{}", entry.name, entry.type_path());
                let (rule, use_when, avoid) = (entry.rule, entry.use_when, entry.avoid_when);
                let mut text = format!("{name}\n{rule}\n{use_when}\n{avoid}\n{}", entry.known_from);
                if let Some(published) = entry.published.filter(|_| is_as_published > 0.0) {
                    let defect = published.defect;
                    text = format!("{text}\n{RUNS_AS_PUBLISHED} {defect} {CODE_IS_OURS}");
                }
                window.get_by_label(&text);
            }
        }
    }

    #[test]
    fn csharp_is_shown_or_said_to_be_missing() {
        let knobs = KnobValues::default();
        for entry in STRATEGIES {
            for size in [(900.0, 600.0), (1280.0, 800.0), (1920.0, 1080.0)] {
                let window = tab(size.into(), entry, &knobs, Language::CSharp);
                let has_copy = place(&window, "button:Copy").is_some();
                let sentences = [
                    entry.rule,
                    entry.use_when,
                    entry.avoid_when,
                    entry.known_from,
                ];
                let sentences = sentences.join("\n");
                if let Some(snippet) = csharp::snippet(entry, &knobs) {
                    window.get_by_label(snippet.to_string().trim_end());
                    window.get_by_label(&format!("{}{}\n{sentences}", entry.name, csharp::PATH));
                    assert!(has_copy, "{} in {size:?}", entry.key);
                } else {
                    let name = entry.name;
                    window.get_by_label(&format!("{name}\n{sentences}\n{NO_PORT}"));
                    assert!(!has_copy, "{} in {size:?}", entry.key);
                }
            }
        }
    }

    #[test]
    fn the_usual_sizes_have_room_for_the_copy_button_and_the_plots() {
        let knobs = KnobValues::default();
        for entry in STRATEGIES {
            for (size, has_plots) in [
                (vec2(900.0, 600.0), false),
                (vec2(1280.0, 800.0), true),
                (vec2(1920.0, 1080.0), true),
            ] {
                let window = tab(size, entry, &knobs, Language::Rust);
                let [area, plots, copy] =
                    ["lower", "plots", "button:Copy"].map(|name| place(&window, name).expect(name));
                assert!(area.contains_rect(copy), "{size}: {copy}");
                assert_eq!(plots.is_positive(), has_plots, "{size}");
                assert!(!plots.intersects(copy), "{size}");
            }
        }
    }
}
