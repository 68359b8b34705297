//! The controls for the workload, with a histogram of the task costs. If the user has loaded task costs from a file,
//! the name of the file replaces the cost sliders.

use crate::app::input::output::UiOutput;
use crate::app::panels::knob_control::{reset_button, row_with_reset};
use crate::app::state::command::Command;
use crate::app::widgets::theme;
use egui::{Align2, Label, Pos2, Rect, RichText, Sense, Ui, vec2};
use lab::catalog::knob::Knob;
use lab::measure::CostHistogram;
use lab::sim::settings::Settings;
use lab::sim::world::{COST, COST_SPREAD, OwnCosts};
use lab::text::format;
use timeslicer::time::Nanos;

const BAR_COUNT: usize = 36;
const HISTOGRAM_HEIGHT: f32 = 26.0;
const MIN_LABEL_GAP: f32 = 8.0;
const RESET_ARROW_WIDTH: f32 = 22.0;

/// Shows a control for each of the given settings of the workload, using the `control` function. If the user has loaded
/// task costs from a file, the name of the file replaces the cost settings.
pub fn show(
    ui: &mut Ui,
    settings: &Settings,
    knobs: &'static [Knob],
    output: &mut UiOutput,
    control: impl Fn(&mut Ui, &'static Knob, &mut UiOutput),
) {
    for knob in knobs {
        let is_cost = [COST, COST_SPREAD].contains(knob);
        match &settings.own_costs {
            Some(own) if *knob == COST => file_row(ui, own, output),
            Some(_) if is_cost => {}
            _ => control(ui, knob, output),
        }
        if *knob == COST_SPREAD
            && let Some(costs) = CostHistogram::of(settings, BAR_COUNT)
        {
            histogram(ui, &costs, settings.own_costs.as_ref(), output);
        }
    }
}

/// Shows the name of the file with the task costs, and a button that brings back the cost sliders.
fn file_row(ui: &mut Ui, own: &OwnCosts, output: &mut UiOutput) {
    const RESET_LABEL: &str = "Use the cost sliders again";
    const RESET_TIP: &str =
        "Discard the costs from the file, and use the Task cost and Cost spread sliders again.";
    let label = |ui: &mut Ui| ui.label(COST.label);
    let row = row_with_reset(ui, label, |ui, _| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.scope(|ui| {
            let room = ui.available_width() - RESET_ARROW_WIDTH - MIN_LABEL_GAP;
            ui.set_max_width(room.max(0.0));
            let file = RichText::new(own.name()).color(theme::BRIGHT);
            ui.add(Label::new(file).truncate());
        });
        if reset_button(ui, RESET_LABEL, RESET_TIP, "revert:costs", output) {
            output.give(Command::CostsByKnobs);
        }
    });
    let area = ui.interact(row.response.rect, ui.id().with("costs"), Sense::hover());
    let count = format::counted(own.sorted().len() as u64, "cost");
    let help = format!(
        "{} contains {count}. Each entity gets one of these costs at random when it is born.\nTo replace the costs, \
         drop another file here.",
        own.name()
    );
    output.control(&area, "costs", help);
}

fn histogram(ui: &mut Ui, costs: &CostHistogram, own: Option<&OwnCosts>, output: &mut UiOutput) {
    let section = ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        let size = vec2(ui.available_width(), HISTOGRAM_HEIGHT);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        paint_bars_and_mean(ui, rect, costs);
        axis_labels(ui, costs);
    });
    let area = ui.interact(
        section.response.rect,
        ui.id().with("histogram"),
        Sense::hover(),
    );
    output.control(&area, "part:costs", explained(costs, own));
}

fn paint_bars_and_mean(ui: &Ui, rect: Rect, costs: &CostHistogram) {
    let painter = ui.painter();
    painter.rect_filled(rect, 2.0, theme::WELL);
    if costs.is_logarithmic {
        for x in powers_of_ten(costs) {
            let x = (rect.left() + x as f32 * rect.width()).round() - 0.5;
            painter.vline(x, rect.y_range(), (1.0, theme::LINE));
        }
    }
    let most = costs.shares.iter().copied().fold(0.0, f64::max);
    let inner = rect.shrink2(vec2(1.0, 2.0));
    // If there is only one bar, it is as wide as one of `BAR_COUNT` bars.
    let width = inner.width() / BAR_COUNT as f32;
    let left = match costs.shares.len() {
        1 => inner.center().x - width / 2.0,
        _ => inner.left(),
    };
    let shares = costs.shares.iter().enumerate();
    for (index, share) in shares.filter(|(_, share)| **share > 0.0) {
        // Make even the smallest bar visible.
        let height = ((share / most) as f32 * inner.height()).max(1.0);
        let x = left + index as f32 * width;
        let y = inner.bottom() - height..=inner.bottom();
        let bar = Rect::from_x_y_ranges(x..=x + width - 1.0, y);
        painter.rect_filled(bar, 0.0, theme::FRAME);
    }
    let mean = inner.left() + costs.place_of(costs.mean) as f32 * inner.width();
    painter.vline(mean.round() - 0.5, rect.y_range(), (1.0, theme::BRIGHT));
}

/// Returns the positions of all powers of ten on the cost axis, from 0 at its start to 1 at its end.
fn powers_of_ten(costs: &CostHistogram) -> impl Iterator<Item = f64> {
    let powers = (0..).map(|power| Nanos::from_nanos(10_u64.saturating_pow(power)));
    let (from, to) = (costs.from, costs.to);
    let within = powers
        .skip_while(move |power| *power <= from)
        .take_while(move |power| *power < to);
    within.map(|power| costs.place_of(power))
}

/// Shows labels for both ends of the axis and for the mean.
fn axis_labels(ui: &mut Ui, costs: &CostHistogram) {
    let size = vec2(ui.available_width(), 14.0);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let label = |at: Pos2, align: Align2, words: String| {
        let painter = ui.painter();
        painter.text(at, align, words, theme::text(10.5), theme::DIM);
    };
    if costs.shares.len() > 1 {
        let zero = if costs.has_zeros_below { "0, " } else { "" };
        let from = format!("{zero}{}", cost(costs.from));
        label(rect.left_center(), Align2::LEFT_CENTER, from);
        label(rect.right_center(), Align2::RIGHT_CENTER, cost(costs.to));
    }
    let mean = format!("mean {}", cost(costs.mean));
    label(rect.center(), Align2::CENTER_CENTER, mean);
}

fn cost(cost: Nanos) -> String {
    format::knob(&COST, cost.as_nanos() as f64 / 1e3)
}

fn explained(costs: &CostHistogram, own: Option<&OwnCosts>) -> String {
    let source = match own {
        Some(own) => format!(
            "This histogram shows the distribution of the {} in {}.",
            format::counted(own.sorted().len() as u64, "task cost"),
            own.name()
        ),
        None => "This histogram shows the distribution of the task costs. One cost in a thousand lies beyond each end \
                 of the axis."
            .to_owned(),
    };
    let scale = if costs.is_logarithmic {
        "logarithmic, with a line at each power of ten"
    } else {
        "linear"
    };
    format!(
        "{source} The axis is {scale}. The bright line marks the mean cost, {}.",
        cost(costs.mean)
    )
}
