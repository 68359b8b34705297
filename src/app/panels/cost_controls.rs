//! The controls for the workload. Sliders set the costs of tasks unless they come from a file, which is then named.

use crate::app::input::output::UiOutput;
use crate::app::panels::knob_control::{controls, reset_button, row_with_reset};
use crate::app::state::command::Command;
use crate::app::widgets::theme;
use egui::{Label, RichText, Sense, Ui};
use lab::catalog::knob::Knob;
use lab::import::tail_words;
use lab::sim::recording::Recording;
use lab::sim::settings::Settings;
use lab::sim::world::{COST, COST_PER_RUN, COST_SPREAD};
use lab::text::format;
use timeslicer::time::Nanos;

const MIN_LABEL_GAP: f32 = 8.0;
const RESET_ARROW_WIDTH: f32 = 22.0;

pub fn show(
    ui: &mut Ui,
    settings: &Settings,
    knobs: &'static [Knob],
    place: &'static str,
    output: &mut UiOutput,
) {
    for knob in knobs {
        let is_cost = [COST, COST_SPREAD].contains(knob);
        match &settings.own_costs {
            Some(own) if *knob == COST => file_row(ui, own, output),
            Some(_) if is_cost => {}
            _ if *knob == COST_PER_RUN && !settings.costs_differ() => {}
            _ => controls(ui, [knob], &settings.knobs, place, output),
        }
        if *knob == COST_SPREAD && settings.costs_differ() && !settings.mean_cost().is_zero() {
            range_row(ui, settings, output);
        }
    }
}

fn file_row(ui: &mut Ui, own: &Recording, output: &mut UiOutput) {
    const RESET_LABEL: &str = "Use the cost sliders again";
    const RESET_TIP: &str =
        "Discard the costs from the file, and use the Task cost and Cost spread sliders again.";
    let label = |ui: &mut Ui| ui.label(COST.label);
    let row = row_with_reset(ui, label, |ui, _| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.scope(|ui| {
            let room = ui.available_width() - RESET_ARROW_WIDTH - MIN_LABEL_GAP;
            ui.set_max_width(room.max(0.0));
            let file = RichText::new(&*own.name).color(theme::BRIGHT);
            ui.add(Label::new(file).truncate());
        });
        if reset_button(ui, RESET_LABEL, RESET_TIP, "revert:costs", output) {
            output.give(Command::CostsByKnobs);
        }
    });
    let area = ui.interact(row.response.rect, ui.id().with("costs"), Sense::hover());
    let count = format::counted(own.all.len() as u64, "cost");
    let help = format!(
        "{} contains {count}. Each entity gets one of these costs at random when it is born.\nTo replace the costs, \
         drop another file here.",
        own.name
    );
    output.control(&area, "costs", help);
}

fn range_row(ui: &mut Ui, settings: &Settings, output: &mut UiOutput) {
    let cost = |cost: Nanos| format::knob(&COST, cost.as_nanos() as f64 / 1e3);
    let [from, to] = settings.cost_range().map(cost);
    let mean = cost(settings.mean_cost());
    let mostly = if settings.own_costs.is_none() {
        "mostly "
    } else {
        ""
    };
    let words = format!(
        "mean {mean}, {mostly}{from} to {to}\n{}",
        tail_words(settings.tail())
    );
    let text = RichText::new(words).size(11.0).color(theme::DIM);
    let row = ui.label(text);
    let help = match &settings.own_costs {
        Some(own) => format!("The mean and the range of the task costs in {}.", own.name),
        None => "The mean of the task costs, and their range. One cost in a thousand lies beyond each end.".to_owned(),
    };
    output.control(&row, "part:costs", help);
}
