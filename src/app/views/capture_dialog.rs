//! The dialog about a dropped file: the progress while it is read, a choice if more than one column or zone could be meant,
//! a histogram of the times, and their summary.

use crate::app::input::output::UiOutput;
use crate::app::panels::bar::CommandButton;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::widgets::{paint, theme};
use egui::{
    Align, Align2, Id, Layout, Margin, Modal, ProgressBar, Rect, RichText, ScrollArea, Sense, Ui,
    pos2, vec2,
};
use lab::text::format::{capitalised, counted, time};
use timeslicer::time::Nanos;

const WIDTH: f32 = 520.0;
const LIST_HEIGHT: f32 = 150.0;
const PLOT_HEIGHT: f32 = 90.0;
const LABEL_HEIGHT: f32 = 18.0;
const BARS: usize = 60;

pub fn show(ui: &Ui, state: &State, output: &mut UiOutput) {
    let opening = &state.opening;
    let Some(name) = opening.file_name() else {
        return;
    };
    let frame = theme::card_frame().inner_margin(Margin::same(18));
    let modal = Modal::new(Id::new("capture")).frame(frame);
    let shown = modal.show(ui.ctx(), |ui| {
        ui.set_width((ui.ctx().screen_rect().width() - 60.0).clamp(0.0, WIDTH));
        ui.spacing_mut().item_spacing.y = 8.0;
        ui.label(RichText::new(name).heading().color(theme::BRIGHT));
        show_candidates(ui, state, output);
        if let Some(progress) = opening.progress() {
            ui.add(ProgressBar::new(progress).text("Reading"));
        }
        if let Some(preview) = &opening.preview {
            show_histogram(ui, &preview.recording.all);
            for line in preview.text.lines() {
                let words = paint::with_units(&capitalised(line));
                ui.label(RichText::new(words).size(13.0).color(theme::TEXT));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut button = |ui: &mut Ui, words: &str, key, command| {
                let button = CommandButton {
                    log_name: format!("capture:{words}"),
                    command: Some(command),
                    ..CommandButton::new(words, key, false)
                };
                button.show(ui, output)
            };
            if let Some(preview) = &opening.preview {
                let what = format!("Use {}", preview.kind.name);
                let button = button(ui, &what, "Enter", Command::UseCapture);
                if ui.memory(|memory| memory.focused().is_none()) {
                    button.request_focus(); // so that Enter presses it
                }
            }
            button(ui, "Cancel", "Esc", Command::CancelCapture);
        });
    });
    if shown.backdrop_response.clicked() {
        output.give(Command::CancelCapture);
    }
}

fn show_candidates(ui: &mut Ui, state: &State, output: &mut UiOutput) {
    let Some((candidates, chosen)) = &state.opening.candidates else {
        return;
    };
    let question = if candidates.are_zones {
        "Which name do you mean?"
    } else {
        "Which column contains the times?"
    };
    ui.label(RichText::new(question).color(theme::BRIGHT));
    let list = ScrollArea::vertical().max_height(LIST_HEIGHT);
    list.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for (index, (name, count)) in candidates.names.iter().enumerate() {
            let words = match count {
                0 => name.clone(),
                _ => format!("{name}  ({})", counted(*count, "time")),
            };
            let item = ui.selectable_label(*chosen == Some(index), words);
            output.control(&item, format!("candidate:{name}"), "");
            if item.clicked() {
                output.give(Command::ChooseCandidate(index));
            }
        }
    });
}

/// Shows a histogram of the times. The time axis is logarithmic.
fn show_histogram(ui: &mut Ui, times: &[Nanos]) {
    let ln = |time: Nanos| (time.as_nanos().max(1) as f64).ln();
    let shortest = times.iter().copied().min().unwrap_or_default();
    let longest = times.iter().copied().max().unwrap_or_default();
    let (start, span) = (ln(shortest), (ln(longest) - ln(shortest)).max(1e-9));
    let mut counts = [0_u32; BARS];
    for time in times {
        let at = ((ln(*time) - start) / span * BARS as f64) as usize;
        counts[at.min(BARS - 1)] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let size = vec2(ui.available_width(), PLOT_HEIGHT + LABEL_HEIGHT);
    let (place, _) = ui.allocate_exact_size(size, Sense::hover());
    let plot = place.with_max_y(place.bottom() - LABEL_HEIGHT);
    let painter = ui.painter();
    painter.rect_filled(plot, 0.0, theme::WELL);
    let width = plot.width() / BARS as f32;
    for (nth, count) in counts
        .into_iter()
        .enumerate()
        .filter(|(_, count)| *count > 0)
    {
        // The height of a bar is proportional to the root of its count, so that rare times are visible.
        let height = (plot.height() * (count as f32 / most as f32).sqrt()).max(1.0);
        let left = plot.left() + nth as f32 * width;
        let bar = Rect::from_min_max(
            pos2(left, plot.bottom() - height),
            pos2(left + width - 1.0, plot.bottom()),
        );
        painter.rect_filled(bar, 0.0, theme::FRAME);
    }
    let below = plot.bottom() + LABEL_HEIGHT / 2.0;
    for (x, align, at) in [
        (plot.left(), Align2::LEFT_CENTER, shortest),
        (plot.right(), Align2::RIGHT_CENTER, longest),
    ] {
        let font = theme::mono(11.0);
        painter.text(pos2(x, below), align, time(at), font, theme::DIM);
    }
}
