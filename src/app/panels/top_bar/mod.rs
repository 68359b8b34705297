//! The top bar: strategies on the left, views and general buttons on the right.

mod detail;

use crate::app::input::bindings::{
    Binding, COPY_LINK, KNOBS, PANELS, PAUSE, RESTART, STEP, caps_of,
};
use crate::app::input::response::UiResponse;
use crate::app::platform::IS_PAGE;
use crate::app::state::command::Command;
use crate::app::state::view::View;
use crate::app::widgets::buttons::KeyButton;
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use detail::{DETAILS, Detail, Logo, Named, TABS};
use egui::text::LayoutJob;
use egui::{
    Align, Color32, Frame, Id, Label, Layout, Margin, Rect, RichText, ScrollArea, Sense, Stroke,
    Ui, UiBuilder, Vec2, scroll_area::ScrollBarVisibility, vec2,
};
use timeslice::strategy::StrategyEntry;

/// The bar's content.
pub struct TopBar<'a> {
    /// The displayed view.
    pub view: View,
    /// All strategies.
    pub strategies: &'a [&'static StrategyEntry],
    /// The running strategy.
    pub strategy: &'static StrategyEntry,
    /// Strategy of the displayed past frame, if it differs from the running one.
    pub looked_at: Option<&'static StrategyEntry>,
    /// True if game time is paused.
    pub paused: bool,
    /// True if the panels are shown.
    pub panels: bool,
    /// True if the knobs are shown; `None` if they need no button.
    pub knobs: Option<bool>,
    /// Key bindings.
    pub bindings: &'a [Binding],
}

/// The program's name.
const NAME: &str = "timeslice";
/// In a window narrower than this, the tabs have a row of their own.
const ONE_ROW: f32 = 620.0;
/// Share of the first of two rows in the bar's height.
const FIRST_ROW: f32 = 0.58;
/// Margin at both ends of the bar.
const MARGIN: f32 = 12.0;
/// Minimum width of a view's title.
const TITLE: f32 = 240.0;
/// Space between the bar's groups.
const GAP: f32 = 12.0;

/// True if the tabs of the Grid view have a row of their own.
pub fn has_two_rows(ui: &Ui) -> bool {
    ui.ctx().screen_rect().width() < ONE_ROW
}

/// A button of the bar.
struct Item<'a> {
    /// Name in the log.
    log_name: String,
    button: KeyButton<'a>,
    command: Command,
    tip: String,
}

impl Item<'_> {
    fn show(self, ui: &mut Ui, answer: &mut UiResponse) {
        let response = self.button.show(ui);
        answer.report_in(ui.clip_rect(), self.log_name, response.rect);
        if response.clicked() {
            answer.commands.push(self.command);
        }
        tooltip::offer(&response, self.tip);
    }
}

fn total_width(ui: &Ui, items: &[Item<'_>], spacing: f32) -> f32 {
    let widths: f32 = items
        .iter()
        .map(|item| item.button.width(ui) + spacing)
        .sum();
    (widths - spacing).max(0.0)
}

/// Space between buttons, between tabs, and between views.
const SPACING: [f32; 3] = [4.0, 2.0, 2.0];

impl TopBar<'_> {
    /// Shows the bar in `rect`.
    pub fn show(&self, ui: &mut Ui, rect: Rect, answer: &mut UiResponse) {
        let mut bar = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("bar"));
        bar.set_clip_rect(rect.intersect(ui.clip_rect()));
        let frame = Frame::NONE.fill(theme::BAR);
        frame
            .inner_margin(Margin::symmetric(MARGIN as i8, 0))
            .show(&mut bar, |ui| {
                let two_rows = self.view == View::Grid && has_two_rows(ui);
                let all = ui.max_rect();
                ui.set_min_size(all.size());
                let (first, second) = if two_rows {
                    all.split_top_bottom_at_fraction(FIRST_ROW)
                } else {
                    (all, all)
                };
                let row = |rect: Rect| {
                    let layout = Layout::left_to_right(Align::Center);
                    UiBuilder::new().max_rect(rect).layout(layout)
                };
                self.contents(&mut ui.new_child(row(first)), answer, two_rows);
                if two_rows {
                    self.second_row(&mut ui.new_child(row(second)), answer);
                }
            });
        let edge = Stroke::new(1.0, theme::LINE);
        bar.painter()
            .hline(rect.x_range(), rect.bottom() - 0.5, edge);
    }

    fn contents(&self, ui: &mut Ui, answer: &mut UiResponse, two_rows: bool) {
        style_row(ui);
        let detail = self.detail(ui);
        if detail.logo != Logo::None {
            logo(ui, detail.logo == Logo::Named);
            ui.add_space(GAP);
        }
        let right = self.right_width(ui, detail);
        let middle = ui.available_width() - right - GAP;
        if two_rows {
            // The middle is in the second row.
        } else if self.view == View::Grid {
            show_tabs(ui, self.tabs(detail), answer);
        } else if middle > 40.0 {
            ui.allocate_ui_with_layout(
                vec2(middle, ui.available_height()),
                Layout::left_to_right(Align::Center),
                |ui| {
                    let title = RichText::new(self.view.title()).size(13.5);
                    ui.add(Label::new(title).truncate())
                },
            );
        }
        ui.add_space((ui.available_width() - right).max(0.0));
        let views = self.views(detail);
        let size = vec2(total_width(ui, &views, SPACING[2]) + 4.0, theme::BUTTON);
        let (well, _) = ui.allocate_exact_size(size, Sense::hover());
        ui.painter().rect_filled(well, theme::RADIUS, theme::WELL);
        let layout = Layout::left_to_right(Align::Center);
        let mut row = ui.new_child(UiBuilder::new().max_rect(well.shrink(2.0)).layout(layout));
        row.spacing_mut().item_spacing.x = SPACING[2];
        row.spacing_mut().interact_size.y = well.height() - 4.0;
        row.visuals_mut().widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
        row.visuals_mut().selection.bg_fill = theme::HOVER;
        for view in views {
            view.show(&mut row, answer);
        }
        ui.add_space(GAP);
        ui.spacing_mut().item_spacing.x = SPACING[0];
        for button in self.buttons(detail) {
            button.show(ui, answer);
        }
    }

    /// Shows the tabs of the strategies in a row of their own. If even the shortest tabs do not fit, they scroll.
    fn second_row(&self, ui: &mut Ui, answer: &mut UiResponse) {
        style_row(ui);
        let room = ui.available_width();
        let tabs = TABS.map(|detail| self.tabs(detail));
        let width = |tabs: &[Item<'_>]| total_width(ui, tabs, SPACING[1]);
        let fitting = tabs.iter().position(|tabs| width(tabs) <= room);
        let fitting = fitting.unwrap_or(TABS.len() - 1);
        let tabs = tabs.into_iter().nth(fitting).unwrap_or_default();
        let area =
            ScrollArea::horizontal().scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden);
        area.show(ui, |ui| show_tabs(ui, tabs, answer));
    }

    /// Returns the most detail that fits. Caches the result while nothing changes, because measuring the bar takes
    /// longer than showing it.
    fn detail(&self, ui: &Ui) -> Detail {
        let room = ui.available_width();
        let looked_at = self.looked_at.map(|entry| entry.key);
        let shown = (self.view.name(), self.strategy.key, looked_at, self.knobs);
        let scale = ui.ctx().pixels_per_point().to_bits();
        let key = Id::new((room.to_bits(), scale, shown, self.strategies.len()));
        let place = Id::new("detail of the bar");
        let kept = ui.data(|data| data.get_temp::<(Id, usize)>(place));
        let kept = kept.filter(|(kept, _)| *kept == key);
        let index = kept.map_or_else(|| self.first_that_fits(ui, room), |(_, index)| index);
        ui.data_mut(|data| data.insert_temp(place, (key, index)));
        DETAILS[index]
    }

    fn first_that_fits(&self, ui: &Ui, room: f32) -> usize {
        let fits = |detail: &Detail| self.width(ui, *detail) <= room;
        DETAILS.iter().position(fits).unwrap_or(DETAILS.len() - 1)
    }

    fn width(&self, ui: &Ui, detail: Detail) -> f32 {
        let logo = match detail.logo {
            Logo::None => 0.0,
            Logo::Sign => LOGO.x + GAP,
            Logo::Named => LOGO.x + GAP + 10.0 + width_of(ui, NAME, 16.0),
        };
        let middle = match self.view {
            View::Grid if has_two_rows(ui) => 0.0,
            View::Grid => total_width(ui, &self.tabs(detail), SPACING[1]),
            _ if detail.tabs == Named::None => 0.0,
            // The title may be cut, because the names of the views matter more.
            view => width_of(ui, view.title(), 13.5).min(TITLE),
        };
        logo + middle + GAP + self.right_width(ui, detail)
    }

    fn right_width(&self, ui: &Ui, detail: Detail) -> f32 {
        let views = total_width(ui, &self.views(detail), SPACING[2]) + 4.0;
        views + GAP + total_width(ui, &self.buttons(detail), SPACING[0])
    }

    fn caps_of(&self, command: Command) -> &str {
        caps_of(self.bindings, command)
    }

    /// Returns the tabs of the views.
    fn views(&self, detail: Detail) -> Vec<Item<'_>> {
        let item = |view: View| {
            let chosen = view == self.view;
            let command = Command::View(view);
            let caps = self.caps_of(command);
            let is_in = |named| named == Named::All || (named == Named::Chosen && chosen);
            let (named, keyed) = (is_in(detail.views), is_in(detail.view_keys));
            let words = if named { view.name() } else { "" };
            let key = if keyed || !named { caps } else { "" };
            Item {
                log_name: format!("view:{caps}"),
                button: KeyButton {
                    words,
                    points: 13.0,
                    caps: key,
                    lit: chosen,
                    padding: detail.button_padding - 1.0,
                    name: view.name(),
                    ..KeyButton::default()
                },
                command,
                tip: format!("{} ({caps})\n{}", view.name(), view.explained()),
            }
        };
        View::ALL.map(item).into()
    }

    /// Returns the buttons at the right end.
    fn buttons(&self, detail: Detail) -> Vec<Item<'_>> {
        let pause = if self.paused { "▶" } else { "⏸" };
        // Instead of a button to quit, a page has one that copies its address.
        let last = if IS_PAGE {
            ("🔗", Command::CopyLink, false, COPY_LINK)
        } else {
            ("🗙", Command::Escape, false, "Quit")
        };
        let buttons = [
            (pause, Command::Pause, self.paused, PAUSE),
            ("⏭", Command::Step, false, STEP),
            ("⟲", Command::Restart, false, RESTART),
            ("☰", Command::Panels, !self.panels, PANELS),
            ("🔧", Command::Knobs, self.knobs == Some(true), KNOBS),
            ("", Command::Help, false, "Help"),
            last,
        ];
        let shown = |command| match command {
            Command::Escape => detail.quit,
            Command::Knobs => self.knobs.is_some(),
            _ => true,
        };
        let buttons = buttons
            .into_iter()
            .filter(|&(_, command, ..)| shown(command));
        let item = |(icon, command, lit, tip): (&'static str, Command, bool, &'static str)| {
            let caps = self.caps_of(command);
            let icon = match detail.icons {
                Named::All => icon,
                Named::Chosen if matches!(command, Command::Pause | Command::Step) => icon,
                _ => "",
            };
            Item {
                log_name: format!("button:{caps}"),
                button: KeyButton {
                    words: icon,
                    points: 14.0,
                    caps,
                    lit,
                    padding: detail.button_padding,
                    name: tip,
                    ..KeyButton::default()
                },
                command,
                tip: if command == Command::Knobs {
                    format!(
                        "{tip}. This window has no room for all panels: enlarge it or reduce the text size."
                    )
                } else {
                    tip.to_owned()
                },
            }
        };
        buttons.map(item).collect()
    }

    /// Returns the tabs of the strategies, between the buttons for the previous and the next strategy.
    fn tabs(&self, detail: Detail) -> Vec<Item<'_>> {
        let neighbour = |by: isize, tip: &'static str| {
            let command = Command::StepStrategy(by);
            let caps = self.caps_of(command);
            Item {
                log_name: format!("button:{caps}"),
                button: KeyButton {
                    caps,
                    padding: 2.0,
                    name: tip,
                    ..KeyButton::default()
                },
                command,
                tip: tip.to_owned(),
            }
        };
        let tab = |entry: &&'static StrategyEntry| {
            let command = Command::Strategy(entry);
            let chosen = *entry == self.strategy;
            let outlined = self.looked_at == Some(*entry);
            let caps = self.caps_of(command);
            let named = match detail.tabs {
                Named::All => true,
                Named::Chosen => chosen || outlined || caps.is_empty(),
                Named::None => caps.is_empty(),
            };
            let words = if named { entry.name } else { "" };
            Item {
                log_name: format!("tab:{}", entry.key),
                button: KeyButton {
                    words,
                    points: detail.points,
                    caps,
                    key_first: true,
                    lit: chosen,
                    padding: detail.padding,
                    outline: outlined.then_some(theme::TEAL),
                    name: entry.name,
                    ..KeyButton::default()
                },
                command,
                tip: format!("{}\n{}", entry.name, entry.rule),
            }
        };
        let mut items: Vec<Item<'_>> = self.strategies.iter().map(tab).collect();
        if detail.neighbours {
            items.insert(0, neighbour(-1, "Previous strategy"));
            items.push(neighbour(1, "Next strategy"));
        }
        items
    }
}

/// Sets the spacing of a row of the bar.
fn style_row(ui: &mut Ui) {
    ui.spacing_mut().item_spacing.x = 0.0;
    ui.spacing_mut().interact_size.y = theme::BUTTON;
    ui.spacing_mut().button_padding.y = 2.0;
}

/// Shows the tabs of the strategies.
fn show_tabs(ui: &mut Ui, tabs: Vec<Item<'_>>, answer: &mut UiResponse) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = SPACING[1];
        ui.visuals_mut().widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
        for tab in tabs {
            tab.show(ui, answer);
        }
    });
}

/// Size of the logo.
const LOGO: Vec2 = vec2(16.0, 20.0);

/// Shows the logo and, if `named`, the program's name.
fn logo(ui: &mut Ui, named: bool) {
    let bars = [
        (0.0, 4.0, 6.0, theme::BRIGHT),
        (5.5, 0.0, 5.0, theme::RED),
        (11.0, -6.0, 6.0, theme::BRIGHT),
    ];
    let (place, _) = ui.allocate_exact_size(LOGO, Sense::hover());
    for (x, y, height, ink) in bars {
        let corner = place.left_center() + vec2(x, y - height / 2.0);
        let bar = Rect::from_min_size(corner, vec2(4.0, height));
        ui.painter().rect_filled(bar, 1.0, ink);
    }
    if named {
        ui.add_space(10.0);
        ui.label(RichText::new(NAME).size(16.0).color(theme::BRIGHT));
    }
}

fn width_of(ui: &Ui, words: &str, points: f32) -> f32 {
    let job = LayoutJob::simple_singleline(words.to_owned(), theme::text(points), theme::TEXT);
    ui.fonts(|fonts| fonts.layout_job(job)).size().x
}

#[cfg(test)]
mod tests;
