//! The strategy bar of the Grid view: all strategies in families, each with its key.

use super::command_button::{CommandButton, first_that_fits, show_bar, total_width};
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::KeyButton;
use crate::app::widgets::{paint, theme};
use egui::scroll_area::{ScrollArea, ScrollBarVisibility};
use egui::style::ScrollAnimation;
use egui::{Align2, Color32, Galley, Id, Rect, Sense, Stroke, Ui, vec2};
use std::sync::Arc;
use timeslicer::strategy::{Family, STRATEGIES, StrategyEntry};

pub struct StrategyBar {
    pub strategy: &'static StrategyEntry,
    /// Strategy of the displayed past frame, if it differs from the running one.
    pub looked_at: Option<&'static StrategyEntry>,
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
    /// True if there are buttons for the previous and the next strategy.
    neighbours: bool,
    families: bool,
}

const fn detail(
    names: Names,
    points: f32,
    padding: f32,
    neighbours: bool,
    families: bool,
) -> Detail {
    Detail {
        names,
        points,
        padding,
        neighbours,
        families,
    }
}

/// All levels, from the most detail to the least. The bar takes the first that fits. If none fits, the last scrolls.
const DETAILS: [Detail; 11] = [
    detail(Names::Full, 13.0, 8.0, true, true),
    detail(Names::Full, 13.0, 8.0, true, false),
    detail(Names::Full, 13.0, 6.0, false, false),
    detail(Names::Full, 12.5, 4.0, false, false),
    detail(Names::Full, 12.0, 3.0, false, false),
    detail(Names::Short, 13.0, 6.0, false, false),
    detail(Names::Short, 12.5, 4.0, false, false),
    detail(Names::Short, 12.0, 3.0, false, false),
    detail(Names::None, 13.0, 6.0, true, false),
    detail(Names::None, 12.5, 4.0, false, false),
    detail(Names::None, 12.0, 2.0, false, false),
];

impl StrategyBar {
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

    /// Shows the row in an area that scrolls to the running strategy when that or the width changes.
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

    /// Shows all tabs. Returns the place of the running strategy's tab.
    fn show_row(&self, ui: &mut Ui, detail: Detail, answer: &mut UiResponse) -> Rect {
        let mut running = Rect::NOTHING;
        if detail.neighbours {
            neighbour(-1).show(ui, answer);
            ui.add_space(SPACING);
        }
        let mut last = None;
        for (tab, entry) in self.tabs(detail).into_iter().zip(STRATEGIES) {
            let begins_family = last != Some(entry.family);
            if begins_family && last.is_some() {
                family_line(ui);
            } else if last.is_some() {
                ui.add_space(SPACING);
            }
            if begins_family && detail.families {
                family_name(ui, entry.family);
            }
            let place = tab.show(ui, answer);
            if *entry == self.strategy {
                running = place;
            }
            last = Some(entry.family);
        }
        if detail.neighbours {
            ui.add_space(SPACING);
            neighbour(1).show(ui, answer);
        }
        running
    }

    fn detail(&self, ui: &Ui) -> (Detail, bool) {
        let key = (self.strategy.key, self.looked_at.map(|entry| entry.key));
        let width = |detail| self.width(ui, detail);
        first_that_fits(ui, "detail of the strategy bar", key, &DETAILS, width)
    }

    fn width(&self, ui: &Ui, detail: Detail) -> f32 {
        let mut width = total_width(ui, &self.tabs(detail), SPACING);
        if detail.neighbours {
            width += total_width(ui, &[-1, 1].map(neighbour), SPACING) + SPACING;
        }
        for families in STRATEGIES.chunk_by(|one, next| one.family == next.family) {
            if families[0] != STRATEGIES[0] {
                width += FAMILY_LINE - SPACING;
            }
            if detail.families {
                width += family_galley(ui, families[0].family).size().x + 2.0 * FAMILY_GAP;
            }
        }
        width
    }

    fn tabs(&self, detail: Detail) -> Vec<CommandButton<'static>> {
        let tab = |entry: &&'static StrategyEntry| {
            let entry = *entry;
            let command = Command::Strategy(entry);
            let is_running = entry == self.strategy;
            let is_looked_at = self.looked_at == Some(entry);
            let caps = caps_of(command);
            let words = match detail.names {
                _ if is_running || is_looked_at => entry.name,
                Names::None if !caps.is_empty() => "",
                Names::Short => short_name(entry.name),
                Names::Full | Names::None => entry.name,
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
        STRATEGIES.iter().map(tab).collect()
    }
}

/// Returns the button for the strategy `by` places after the running one.
fn neighbour(by: isize) -> CommandButton<'static> {
    let command = Command::StepStrategy(by);
    let caps = caps_of(command);
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

fn family_line(ui: &mut Ui) {
    let (place, _) = ui.allocate_exact_size(vec2(FAMILY_LINE, LINE_HEIGHT), Sense::hover());
    let x = place.center().x.round() + 0.5;
    let stroke = Stroke::new(1.0, theme::HOVER);
    ui.painter().vline(x, place.y_range(), stroke);
}

fn family_name(ui: &mut Ui, family: Family) {
    let galley = family_galley(ui, family);
    let size = vec2(galley.size().x + 2.0 * FAMILY_GAP, TAB);
    let (place, _) = ui.allocate_exact_size(size, Sense::hover());
    let at = place.left_center() + vec2(FAMILY_GAP, 0.0);
    paint::galley(ui.painter(), at, Align2::LEFT_CENTER, galley, theme::DIM);
}

fn family_galley(ui: &Ui, family: Family) -> Arc<Galley> {
    let painter = ui.painter();
    painter.layout_no_wrap(family.name().to_owned(), theme::text(CAPTION), theme::DIM)
}

/// Returns the first words of a strategy's name, as few as distinguish it from all other names.
fn short_name(name: &'static str) -> &'static str {
    let is_own = |short: &&str| {
        let begins_so = STRATEGIES.iter().filter(|it| it.name.starts_with(short));
        begins_so.count() == 1
    };
    let ends = name.match_indices(' ').map(|(end, _)| end);
    ends.map(|end| &name[..end]).find(is_own).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::super::command_button::tests::{assert_apart, laid_out};
    use super::*;

    /// Lays out a bar of this width while `strategy` runs. Returns its controls and its level of detail.
    fn shown(strategy: &'static StrategyEntry, width: f32) -> (UiResponse, Detail) {
        let bar = StrategyBar {
            strategy,
            looked_at: None,
        };
        let mut detail = DETAILS[0];
        let answer = laid_out(width, |ui, rect, answer| {
            bar.show(ui, rect, answer);
            show_bar(ui, rect, "measure", |ui| detail = bar.detail(ui).0);
        });
        (answer, detail)
    }

    #[test]
    fn controls_are_inside_and_apart_at_every_width() {
        for width in (200..=2000).step_by(7) {
            let strategy = STRATEGIES[width % STRATEGIES.len()];
            let (answer, _) = shown(strategy, width as f32);
            assert_apart(&answer, width as f32);
        }
    }

    #[test]
    fn the_running_strategy_is_named_at_every_width() {
        for width in (200..=2000).step_by(45) {
            for &strategy in STRATEGIES {
                let (answer, _) = shown(strategy, width as f32);
                let name = format!("tab:{}", strategy.key);
                let mut controls = answer.controls.iter();
                let tab = controls.find(|control| control.name == name);
                // A tab with only its key is narrower.
                let is_named = tab.is_some_and(|tab| tab.rect.width() > 60.0);
                assert!(is_named, "{} at {width}: {tab:?}", strategy.key);
            }
        }
    }

    #[test]
    fn names_shorten_before_they_vanish() {
        let level = |width| {
            let (_, detail) = shown(STRATEGIES[0], width as f32);
            let level = DETAILS.iter().position(|it| *it == detail);
            level.expect("it is in the list")
        };
        let levels: Vec<usize> = (200..=2000).rev().step_by(20).map(level).collect();
        assert!(levels.is_sorted(), "{levels:?}");
        let names = [1280.0, 1100.0, 700.0].map(|width| shown(STRATEGIES[0], width).1.names);
        assert_eq!(names, [Names::Full, Names::Short, Names::None]);
    }
}
