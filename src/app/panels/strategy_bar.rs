//! The strategy bar of the Grid view. It has a tab for each strategy, and the tabs are grouped by strategy family.

use super::bar::{CommandButton, Item, show_bar, show_items};
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::widgets::theme;
use egui::{Color32, Painter, Rangef, Rect, Ui};
use lab::catalog::strategy::{STRATEGIES, StrategyEntry};

const TAB_HEIGHT: f32 = 26.0;
const TAB_SPACING: f32 = 1.0;

/// How much of a name a tab shows. The running strategy has its full name and, with `None`, so do tabs without a key.
#[derive(Clone, Copy)]
enum Names {
    Full,
    Short,
    None,
}

pub fn show(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    show_bar(ui, rect, "strategy bar", |ui| {
        ui.spacing_mut().item_spacing.x = TAB_SPACING;
        ui.spacing_mut().interact_size.y = TAB_HEIGHT;
        ui.visuals_mut().widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
        let levels = [Names::Full, Names::Short, Names::None].into_iter();
        show_items(ui, levels.map(|names| items(state, names)), output);
    });
}

fn items(state: &State, names: Names) -> Vec<Item> {
    let mut items = Vec::new();
    for family in STRATEGIES.chunk_by(|one, next| one.family == next.family) {
        if !items.is_empty() {
            items.push(Item::Icon(5.0, paint_family_divider));
        }
        let tabs = family.iter().map(|entry| tab(state, entry, names));
        items.extend(tabs.map(Item::Button));
    }
    items
}

fn tab(state: &State, entry: &'static StrategyEntry, names: Names) -> CommandButton<'static> {
    let command = Command::Strategy(entry);
    let caps = caps_of(command);
    let running = state.settings.strategy;
    let is_running = entry == running;
    let past = state.grid.past();
    let is_looked_at = entry != running && past.is_some_and(|past| past.subject.strategy == entry);
    let words = match names {
        _ if is_running || is_looked_at => entry.name,
        Names::None if !caps.is_empty() => "",
        Names::Short => short_name(entry.name),
        Names::Full | Names::None => entry.name,
    };
    CommandButton {
        log_name: format!("tab:{}", entry.key),
        name: entry.name,
        points: 12.0,
        key_first: true,
        padding: 3.0,
        outline: is_looked_at.then_some(theme::TEAL),
        command: Some(command),
        tip: format!("{} ({})\n{}", entry.name, entry.family.name(), entry.rule),
        ..CommandButton::new(words, caps, is_running)
    }
}

fn paint_family_divider(painter: &Painter, place: Rect) {
    let x = place.center().x.round() + 0.5;
    let height = Rangef::point(place.center().y).expand(9.0);
    painter.vline(x, height, (1.0, theme::HOVER));
}

/// Shortens the name of a strategy to as few words as are needed to tell it apart from all other strategies.
pub fn short_name(name: &'static str) -> &'static str {
    let is_own = |short: &&str| {
        let begins_so = STRATEGIES
            .iter()
            .filter(|entry| entry.name.starts_with(short));
        begins_so.count() == 1
    };
    let ends = name.match_indices(' ').map(|(end, _)| end);
    ends.map(|end| &name[..end]).find(is_own).unwrap_or(name)
}
