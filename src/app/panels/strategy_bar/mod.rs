//! The strategy bar of the Grid view: all strategies in families, each with its key.

use super::command_button::{CommandButton, first_that_fits, show_bar, total_width};
use crate::app::input::bindings::{Binding, caps_of};
use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::KeyButton;
use crate::app::widgets::{paint, theme};
use egui::scroll_area::{ScrollArea, ScrollBarVisibility};
use egui::style::ScrollAnimation;
use egui::{Align2, Color32, Galley, Id, Rect, Sense, Stroke, Ui, vec2};
use std::sync::Arc;
use timeslicer::strategy::{Family, StrategyEntry};

pub struct StrategyBar<'a> {
    pub strategies: &'a [&'static StrategyEntry],
    pub strategy: &'static StrategyEntry,
    /// Strategy of the displayed past frame, if it differs from the running one.
    pub looked_at: Option<&'static StrategyEntry>,
    pub bindings: &'a [Binding],
}

const TAB: f32 = 26.0;
/// Space between two tabs.
const SPACING: f32 = 2.0;
/// Size of the families' names.
const CAPTION: f32 = 11.0;
/// Space at both ends of the name of a family.
const FAMILY_GAP: f32 = 4.0;
/// Width and height of the line between two families, with the space at both sides.
const FAMILY_LINE: f32 = 9.0;
const LINE_HEIGHT: f32 = 18.0;

/// Names of the strategies other than the running one and that of the displayed past frame, whose full names are always
/// shown. A strategy without a key always shows its name, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Names {
    Full,
    Short,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Detail {
    names: Names,
    /// Size of the names, in points.
    points: f32,
    padding: f32,
    neighbours: bool,
    families: bool,
}

impl Detail {
    const fn new(names: Names, points: f32, padding: f32) -> Self {
        Self {
            names,
            points,
            padding,
            neighbours: false,
            families: false,
        }
    }

    const fn with_neighbours(self) -> Self {
        Self {
            neighbours: true,
            ..self
        }
    }

    const fn with_families(self) -> Self {
        Self {
            families: true,
            ..self
        }
    }
}

/// All levels, from the most detail to the least. The bar takes the first that fits. If none fits, the last scrolls.
const DETAILS: [Detail; 11] = [
    Detail::new(Names::Full, 13.0, 8.0)
        .with_neighbours()
        .with_families(),
    Detail::new(Names::Full, 13.0, 8.0).with_neighbours(),
    Detail::new(Names::Full, 13.0, 6.0),
    Detail::new(Names::Full, 12.5, 4.0),
    Detail::new(Names::Full, 12.0, 3.0),
    Detail::new(Names::Short, 13.0, 6.0),
    Detail::new(Names::Short, 12.5, 4.0),
    Detail::new(Names::Short, 12.0, 3.0),
    Detail::new(Names::None, 13.0, 6.0).with_neighbours(),
    Detail::new(Names::None, 12.5, 4.0),
    Detail::new(Names::None, 12.0, 2.0),
];

impl StrategyBar<'_> {
    pub fn show(&self, ui: &mut Ui, rect: Rect, answer: &mut UiResponse) {
        show_bar(ui, rect, "strategy bar", |ui| {
            ui.spacing_mut().interact_size.y = TAB;
            ui.visuals_mut().widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
            let (detail, fits) = self.detail(ui);
            if fits {
                self.show_row(ui, detail, answer);
            } else {
                self.show_scrolling(ui, detail, answer);
            }
        });
    }

    fn show_scrolling(&self, ui: &mut Ui, detail: Detail, answer: &mut UiResponse) {
        let shown = Id::new((self.strategy.key, ui.available_width().to_bits()));
        let place = Id::new("strategy bar scrolled to");
        let is_new = ui.data(|data| data.get_temp(place)) != Some(shown);
        ui.data_mut(|data| data.insert_temp(place, shown));
        ui.style_mut().always_scroll_the_only_direction = true;
        let area = ScrollArea::horizontal().id_salt("strategies");
        let area = area.scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden);
        area.show(ui, |ui| {
            let running = self.show_row(ui, detail, answer);
            if is_new {
                ui.scroll_to_rect_animation(running, None, ScrollAnimation::none());
            }
        });
    }

    fn show_row(&self, ui: &mut Ui, detail: Detail, answer: &mut UiResponse) -> Rect {
        let mut running = Rect::NOTHING;
        if detail.neighbours {
            self.neighbour(-1).show(ui, answer);
            ui.add_space(SPACING);
        }
        let mut last = None;
        for (item, entry) in self.tabs(detail).into_iter().zip(self.strategies) {
            let begins_family = last != Some(entry.family);
            if begins_family && last.is_some() {
                family_line(ui);
            } else if last.is_some() {
                ui.add_space(SPACING);
            }
            if begins_family && detail.families {
                family_name(ui, entry.family);
            }
            let place = item.show(ui, answer);
            if *entry == self.strategy {
                running = place;
            }
            last = Some(entry.family);
        }
        if detail.neighbours {
            ui.add_space(SPACING);
            self.neighbour(1).show(ui, answer);
        }
        running
    }

    fn detail(&self, ui: &Ui) -> (Detail, bool) {
        let looked_at = self.looked_at.map(|entry| entry.key);
        let key = (self.strategy.key, looked_at, self.strategies.len());
        let width = |detail| self.width(ui, detail);
        first_that_fits(ui, "detail of the strategy bar", key, &DETAILS, width)
    }

    fn width(&self, ui: &Ui, detail: Detail) -> f32 {
        let tabs = total_width(ui, &self.tabs(detail), SPACING);
        let ends = if detail.neighbours {
            let both = [-1, 1].map(|by| self.neighbour(by));
            total_width(ui, &both, SPACING) + SPACING
        } else {
            0.0
        };
        let mut families: Vec<Family> = self.strategies.iter().map(|it| it.family).collect();
        families.dedup();
        let lines = families.len().saturating_sub(1) as f32 * (FAMILY_LINE - SPACING);
        let names = families.iter().filter(|_| detail.families);
        let names: f32 = names.map(|family| family_width(ui, *family)).sum();
        tabs + ends + lines + names
    }

    fn caps_of(&self, command: Command) -> &str {
        caps_of(self.bindings, command)
    }

    fn neighbour(&self, by: isize) -> CommandButton<'_> {
        let command = Command::StepStrategy(by);
        let caps = self.caps_of(command);
        let name = if by < 0 {
            "Previous strategy"
        } else {
            "Next strategy"
        };
        CommandButton {
            log_name: format!("button:{caps}"),
            button: KeyButton {
                caps,
                padding: 2.0,
                name,
                ..KeyButton::default()
            },
            command,
            tip: name.to_owned(),
        }
    }

    fn tabs(&self, detail: Detail) -> Vec<CommandButton<'_>> {
        let mut names: Vec<&str> = self.strategies.iter().map(|entry| entry.name).collect();
        if detail.names == Names::Short {
            names = short_names(&names);
        }
        let tab = |(entry, name): (&&'static StrategyEntry, &'static str)| {
            let command = Command::Strategy(entry);
            let is_running = *entry == self.strategy;
            let is_looked_at = self.looked_at == Some(*entry);
            let caps = self.caps_of(command);
            let words = if is_running || is_looked_at {
                entry.name
            } else if detail.names == Names::None && !caps.is_empty() {
                ""
            } else {
                name
            };
            CommandButton {
                log_name: format!("tab:{}", entry.key),
                button: KeyButton {
                    words,
                    points: detail.points,
                    caps,
                    key_first: true,
                    lit: is_running,
                    padding: detail.padding,
                    outline: is_looked_at.then_some(theme::TEAL),
                    name: entry.name,
                    ..KeyButton::default()
                },
                command,
                tip: format!("{} ({})\n{}", entry.name, entry.family.name(), entry.rule),
            }
        };
        self.strategies.iter().zip(names).map(tab).collect()
    }
}

fn family_line(ui: &mut Ui) {
    let (place, _) = ui.allocate_exact_size(vec2(FAMILY_LINE, LINE_HEIGHT), Sense::hover());
    let x = place.center().x.round() + 0.5;
    let stroke = Stroke::new(1.0, theme::HOVER);
    ui.painter().vline(x, place.y_range(), stroke);
}

fn family_name(ui: &mut Ui, family: Family) {
    let galley = family_galley(ui, family);
    let (place, _) = ui.allocate_exact_size(vec2(family_width(ui, family), TAB), Sense::hover());
    let at = place.left_center() + vec2(FAMILY_GAP, 0.0);
    paint::galley(ui.painter(), at, Align2::LEFT_CENTER, galley, theme::DIM);
}

fn family_width(ui: &Ui, family: Family) -> f32 {
    family_galley(ui, family).size().x + 2.0 * FAMILY_GAP
}

fn family_galley(ui: &Ui, family: Family) -> Arc<Galley> {
    let painter = ui.painter();
    painter.layout_no_wrap(family.name().to_owned(), theme::text(CAPTION), theme::DIM)
}

/// Returns for each name its first words, as few as distinguish it from all other names.
fn short_names<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let short = |name: &&'a str| {
        let is_own = |end: &usize| {
            let short = &name[..*end];
            let begins_so = |other: &&&str| other.starts_with(short);
            names.iter().filter(begins_so).count() == 1
        };
        let mut ends = name.match_indices(' ').map(|(end, _)| end);
        ends.find(is_own).map_or(*name, |end| &name[..end])
    };
    names.iter().map(short).collect()
}

#[cfg(test)]
mod tests;
