//! The bar at the top: strategies on the left, views and what works on time on the right.

use crate::app::input::bindings::{Binding, caps_of};
use crate::app::input::response::UiResponse;
use crate::app::platform::IS_PAGE;
use crate::app::state::command::Command;
use crate::app::state::view::View;
use crate::app::widgets::buttons::{Icon, icon_button, icon_button_width, keycap, keycap_width};
use crate::app::widgets::theme;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, CornerRadius, Id, Painter, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use timeslice::strategy::{STRATEGIES, StrategyEntry};

/// What the bar shows.
pub struct TopBar<'a> {
    /// The view that is shown.
    pub view: View,
    /// The strategy that runs.
    pub strategy: &'static StrategyEntry,
    /// Another one, that ran in the past frame that is looked at.
    pub looked_at: Option<&'static StrategyEntry>,
    /// Whether game time stands.
    pub paused: bool,
    /// Whether the panels are shown.
    pub panels: bool,
    /// The keys.
    pub bindings: &'a [Binding],
}

const NAME: &str = "timeslice";
/// A bar of this width has room for the program's name beside those of the strategies.
const WITH_NAME: f32 = 1640.0;

/// A bar of this width has room for the names and keys of all views beside the names of the strategies.
const WITH_VIEWS: f32 = 1400.0;

/// From this width on to that of [`WITH_NAME`] the strategies' names need the room of the button that quits.
const WITH_NAMES: f32 = 1200.0;

/// A bar narrower than this shows buttons by their keys alone, and no logo.
const NARROW: f32 = 760.0;

/// In a bar narrower than this the strategies have no tabs.
const WITH_TABS: f32 = 560.0;

/// Whether the bar of this window has room for the strategies' tabs.
pub fn has_tabs(ui: &Ui) -> bool {
    ui.ctx().screen_rect().width() >= WITH_TABS
}

/// Width of the keys at both ends of the tabs.
const NEIGHBOUR: f32 = 22.0;

impl TopBar<'_> {
    /// Shows it in `rect`; what is clicked is added to `answer`.
    pub fn show(&self, ui: &Ui, rect: Rect, answer: &mut UiResponse) {
        let painter = ui.painter();
        painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
        painter.hline(
            rect.x_range(),
            rect.bottom() - 0.5,
            Stroke::new(1.0, theme::LINE),
        );
        let controls_left = self.controls(ui, rect, answer);
        let mut left = rect.left() + 16.0;
        if rect.width() >= NARROW {
            let named = rect.width() >= WITH_NAME;
            left = logo(painter, pos2(left, rect.center().y), named) + 14.0;
        }
        let views_left = self.views(
            ui,
            pos2(controls_left, rect.center().y),
            rect.width(),
            answer,
        );
        let between = Rect::from_x_y_ranges(left..=views_left - 10.0, rect.y_range());
        if self.view == View::Grid {
            if has_tabs(ui) {
                self.tabs(ui, between, answer);
            }
        } else {
            let mut job = LayoutJob::simple_singleline(
                self.view.title().to_owned(),
                theme::text(13.5),
                theme::TEXT,
            );
            job.wrap = TextWrapping::truncate_at_width((between.width() - 10.0).max(0.0));
            let galley = painter.layout_job(job);
            let at = pos2(left + 10.0, rect.center().y - galley.size().y / 2.0);
            painter.galley(at, galley, theme::TEXT);
        }
    }

    /// The tabs of the views, their right end at `right`; returns where they begin.
    fn views(&self, ui: &Ui, right: egui::Pos2, room: f32, answer: &mut UiResponse) -> f32 {
        let painter = ui.painter();
        // Their names before their keys: those are told when one is pointed at.
        let named = |view: View| room >= WITH_NAMES || (view == self.view && room >= NARROW);
        let keyed = |view: View| room >= WITH_VIEWS || view == self.view || !named(view);
        let name_of = |view: View| {
            let ink = if view == self.view {
                theme::BRIGHT
            } else {
                theme::TEXT
            };
            painter.layout_no_wrap(view.name().to_owned(), theme::text(13.0), ink)
        };
        let width_of = |view: View| {
            let name = named(view).then(|| name_of(view).size().x);
            let cap = keyed(view).then(|| keycap_width(painter, self.caps_of_view(view)));
            let between = if name.is_some() && cap.is_some() {
                6.0
            } else {
                0.0
            };
            14.0 + name.unwrap_or(0.0) + between + cap.unwrap_or(0.0)
        };
        let width: f32 = View::ALL.map(width_of).iter().sum();
        let gaps = 2.0 * (View::ALL.len() - 1) as f32;
        let (ground, center) = (width + gaps + 4.0, right.y);
        let left = right.x - ground;
        let size = vec2(ground, theme::BUTTON);
        let well = Rect::from_min_size(pos2(left, center - theme::BUTTON / 2.0), size);
        painter.rect_filled(well, CornerRadius::same(theme::RADIUS), theme::WELL);
        let mut x = left + 2.0;
        for view in View::ALL {
            let size = vec2(width_of(view), theme::BUTTON - 4.0);
            let place = Rect::from_min_size(pos2(x, center - size.y / 2.0), size);
            x += size.x + 2.0;
            let chosen = view == self.view;
            let response = ui.interact(place, Id::new(("view", view.name())), Sense::click());
            answer.stands(format!("view:{}", self.caps_of_view(view)), place);
            if chosen || response.hovered() {
                let ground = if chosen { theme::HOVER } else { theme::RAISED };
                painter.rect_filled(place, CornerRadius::same(5), ground);
            }
            let mut words_end = place.left() + 8.0;
            if named(view) {
                let galley = name_of(view);
                let at = pos2(words_end, center - galley.size().y / 2.0);
                words_end += galley.size().x + 6.0;
                painter.galley(at, galley, theme::TEXT);
            }
            let caps = self.caps_of_view(view);
            if keyed(view) {
                keycap(painter, pos2(words_end, center), caps, chosen);
            }
            if response.clicked() {
                answer.commands.push(Command::View(view));
            }
            let (name, explained) = (view.name(), view.explained());
            response.on_hover_text(format!("{name} ({caps})\n{explained}"));
        }
        left
    }

    fn caps_of_view(&self, view: View) -> &str {
        caps_of(self.bindings, Command::View(view))
    }

    /// The buttons at the right end; returns where they begin.
    fn controls(&self, ui: &Ui, rect: Rect, answer: &mut UiResponse) -> f32 {
        let pause = if self.paused { Icon::Play } else { Icon::Pause };
        // A page is left by closing it, and has an address instead.
        let last = if IS_PAGE {
            let tip = "Copy a link to the present settings";
            (Icon::Link, Command::CopyLink, false, tip)
        } else {
            (Icon::Quit, Command::Escape, false, "Quit")
        };
        let buttons = [
            last,
            (Icon::None, Command::Help, false, "Keys"),
            (
                Icon::Panels,
                Command::Panels,
                !self.panels,
                "Hide or show the panels",
            ),
            (
                Icon::Restart,
                Command::Restart,
                false,
                "Restart with the present settings",
            ),
            (
                Icon::Step,
                Command::Step,
                false,
                "One frame of game time, then pause",
            ),
            (pause, Command::Pause, self.paused, "Pause, go on"),
        ];
        let mut right = rect.right() - 12.0;
        // The window has a button of its own to close it.
        let with_quit = !(WITH_NAMES..WITH_NAME).contains(&rect.width());
        let shown = buttons
            .into_iter()
            .filter(|(icon, ..)| *icon != Icon::Quit || with_quit);
        for (icon, command, lit, tip) in shown {
            let wordless = command != Command::Pause && command != Command::Step;
            let icon = if rect.width() < NARROW || (wordless && rect.width() < WITH_NAME) {
                Icon::None
            } else {
                icon
            };
            let caps = caps_of(self.bindings, command);
            let width = icon_button_width(ui.painter(), icon, caps);
            let size = vec2(width, theme::BUTTON);
            let button = Rect::from_center_size(pos2(right - width / 2.0, rect.center().y), size);
            answer.stands(format!("button:{caps}"), button);
            if icon_button(ui, button, icon, caps, lit, tip).clicked() {
                answer.commands.push(command);
            }
            right -= width + 4.0;
        }
        right - 8.0
    }

    fn tabs(&self, ui: &Ui, rect: Rect, answer: &mut UiResponse) {
        let painter = &ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let tabs: Vec<Tab> = STRATEGIES
            .iter()
            .enumerate()
            .map(|(index, entry)| {
                let caps = caps_of(self.bindings, Command::Strategy(index));
                Tab {
                    index,
                    name: entry.name,
                    caps,
                    chosen: entry.key == self.strategy.key,
                    looked_at: self.looked_at.is_some_and(|past| past.key == entry.key),
                }
            })
            .collect();
        let style = TabStyle::widest_that_fits(painter, &tabs, rect.width() - 2.0 * NEIGHBOUR);
        let mut left = rect.left();
        self.neighbour(ui, pos2(left, rect.center().y), -1, answer);
        left += NEIGHBOUR;
        for tab in &tabs {
            let width = style.width(painter, tab);
            let place = Rect::from_min_size(
                pos2(left, rect.center().y - theme::BUTTON / 2.0),
                vec2(width, theme::BUTTON),
            );
            left += width + style.gap;
            if place.right() > rect.right() + 1.0 {
                break; // in a very narrow window the keys still work
            }
            answer.stands(format!("tab:{}", STRATEGIES[tab.index].key), place);
            let response = ui.interact(place, Id::new(("tab", tab.index)), Sense::click());
            if tab.chosen {
                painter.rect_filled(place, CornerRadius::same(theme::RADIUS), theme::TEAL_GROUND);
            } else if response.hovered() {
                painter.rect_filled(place, CornerRadius::same(theme::RADIUS), theme::RAISED);
            }
            if tab.looked_at {
                let edge = Stroke::new(1.0, theme::TEAL);
                let corners = CornerRadius::same(theme::RADIUS);
                painter.rect_stroke(place, corners, edge, StrokeKind::Inside);
            }
            let text_left = keycap(
                painter,
                pos2(place.left() + style.inset, place.center().y),
                tab.caps,
                tab.chosen,
            );
            if style.named(tab) {
                let ink = if tab.chosen {
                    theme::BRIGHT
                } else {
                    theme::TEXT
                };
                let at = pos2(text_left + 6.0, place.center().y);
                painter.text(
                    at,
                    Align2::LEFT_CENTER,
                    tab.name,
                    theme::text(style.points),
                    ink,
                );
            }
            if response.clicked() {
                answer.commands.push(Command::Strategy(tab.index));
            }
            let entry = STRATEGIES[tab.index];
            response.on_hover_text(format!("{}\n{}", entry.name, entry.rule));
        }
        if left + NEIGHBOUR <= rect.right() {
            self.neighbour(ui, pos2(left, rect.center().y), 1, answer);
        }
    }

    /// The key that goes to the strategy before or after the chosen one.
    fn neighbour(&self, ui: &Ui, left: egui::Pos2, by: isize, answer: &mut UiResponse) {
        let command = Command::StepStrategy(by);
        let place = Rect::from_min_size(
            left - vec2(0.0, theme::BUTTON / 2.0),
            vec2(NEIGHBOUR - 2.0, theme::BUTTON),
        );
        let response = ui.interact(place, Id::new(("neighbour", by)), Sense::click());
        let caps = caps_of(self.bindings, command);
        answer.stands(format!("button:{caps}"), place);
        keycap(
            ui.painter(),
            left + vec2(2.0, 0.0),
            caps,
            response.hovered(),
        );
        if response.clicked() {
            answer.commands.push(command);
        }
        response.on_hover_text(if by < 0 {
            "Previous strategy"
        } else {
            "Next strategy"
        });
    }
}

struct Tab<'a> {
    index: usize,
    name: &'static str,
    caps: &'a str,
    chosen: bool,
    looked_at: bool,
}

/// How much room tabs take: names and space where there is enough of it, else only the chosen one's name.
#[derive(Clone, Copy)]
struct TabStyle {
    points: f32,
    inset: f32,
    gap: f32,
    all_named: bool,
}

impl TabStyle {
    fn widest_that_fits(painter: &Painter, tabs: &[Tab<'_>], room: f32) -> Self {
        let style = |points, inset, gap, all_named| Self {
            points,
            inset,
            gap,
            all_named,
        };
        let styles = [
            style(13.5, 10.0, 4.0, true),
            style(13.5, 6.0, 2.0, true),
            style(12.5, 5.0, 1.0, true),
            style(12.5, 3.5, 0.0, true),
            style(12.0, 3.5, 0.0, true),
            style(13.5, 8.0, 4.0, false),
            style(13.5, 3.0, 1.0, false),
        ];
        let fits = |style: &&Self| {
            let widths: f32 = tabs
                .iter()
                .map(|tab| style.width(painter, tab) + style.gap)
                .sum();
            widths <= room
        };
        *styles
            .iter()
            .find(fits)
            .unwrap_or(&styles[styles.len() - 1])
    }

    fn named(&self, tab: &Tab<'_>) -> bool {
        self.all_named || tab.chosen || tab.looked_at
    }

    fn width(&self, painter: &Painter, tab: &Tab<'_>) -> f32 {
        let name = if self.named(tab) {
            let galley =
                painter.layout_no_wrap(tab.name.to_owned(), theme::text(self.points), theme::TEXT);
            6.0 + galley.size().x
        } else {
            0.0
        };
        2.0 * self.inset + keycap_width(painter, tab.caps) + name
    }
}

/// Paints the bars, and the name where there is room for it; returns where it ends.
fn logo(painter: &Painter, left: egui::Pos2, named: bool) -> f32 {
    let bars = [
        (0.0, 4.0, 6.0, theme::BRIGHT),
        (5.5, 0.0, 5.0, theme::RED),
        (11.0, -6.0, 6.0, theme::BRIGHT),
    ];
    for (x, y, height, ink) in bars {
        let bar = Rect::from_min_size(left + vec2(x, y - height / 2.0), vec2(4.0, height));
        painter.rect_filled(bar, 1.0, ink);
    }
    if !named {
        return left.x + 16.0;
    }
    let at = left + vec2(27.0, 0.0);
    painter
        .text(
            at,
            Align2::LEFT_CENTER,
            NAME,
            theme::text(16.0),
            theme::BRIGHT,
        )
        .right()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The style in which so many tabs stand in a bar of that width, and how wide they are then.
    fn fitted(count: usize, room: f32) -> (bool, f32) {
        let mut found = (false, f32::INFINITY);
        let ctx = egui::Context::default();
        let _ = ctx.run(egui::RawInput::default(), |ctx| {
            let layer = egui::LayerId::background();
            let painter = Painter::new(ctx.clone(), layer, Rect::EVERYTHING);
            let tabs: Vec<Tab> = STRATEGIES
                .iter()
                .cycle()
                .take(count)
                .enumerate()
                .map(|(index, entry)| Tab {
                    index,
                    name: entry.name,
                    caps: "0",
                    chosen: index == 3,
                    looked_at: false,
                })
                .collect();
            let style = TabStyle::widest_that_fits(&painter, &tabs, room);
            let widths = tabs
                .iter()
                .map(|tab| style.width(&painter, tab) + style.gap);
            found = (style.all_named, widths.sum());
        });
        found
    }

    #[test]
    fn ten_strategies_have_room_in_any_window_that_the_lab_works_in() {
        for room in [440.0, 780.0, 1400.0] {
            let (_, width) = fitted(10, room);
            assert!(width <= room, "{width} in {room}");
        }
        assert!(fitted(10, 1400.0).0, "a wide bar names them all");
    }

    #[test]
    fn all_of_todays_are_named_in_a_window_of_1280_and_on_a_page_which_has_a_button_more() {
        for room in [726.0, 690.0] {
            assert!(fitted(STRATEGIES.len(), room).0, "{room}");
        }
        assert!(!fitted(STRATEGIES.len(), 400.0).0);
    }
}
