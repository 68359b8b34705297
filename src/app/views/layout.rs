//! Divides the window into areas, in points.

use crate::app::charts::plots::LEAST_HEIGHT;
use crate::app::state::grid::LowerTab;
use egui::panel::Side;
use egui::{CentralPanel, Frame, Rect, SidePanel, TopBottomPanel, Ui, pos2};

/// Height of the top bar.
const TOP: f32 = 44.0;
/// Height of the strategy bar.
const STRATEGIES: f32 = 34.0;
/// Height of the status line, and minimum height of a window that has one.
const STATUS: f32 = 36.0;
const WITH_STATUS: f32 = 280.0;
/// Height of the projectile's strip.
const FLIGHT: f32 = 42.0;
/// Height of the lower area's tabs, usually and in a low area.
const TABS: f32 = 30.0;
const LOW_TABS: f32 = 24.0;
/// Minimum height of a lower area with tabs of the usual height.
const WITH_HIGH_TABS: f32 = 200.0;
/// Minimum height of strip and capsules together. If there is less, only the capsules are shown.
const WITH_FLIGHT: f32 = 240.0;
/// Minimum height of the capsules next to plots or a legend.
const LEAST_VIEW: f32 = 40.0;
/// Width of the panel with the knobs.
const LEFT: f32 = 252.0;
/// Width of the table next to the plots.
const TABLE: f32 = 232.0;
/// Minimum width of the view next to the knobs. If there is less, the knobs are shown only if the user asks for them.
const BESIDE_KNOBS: f32 = 300.0;
/// Minimum width of plots and table together. If there is less, only the plots are shown.
const WITH_TABLE: f32 = 600.0;

pub fn fits_knobs(width: f32) -> bool {
    width >= LEFT + BESIDE_KNOBS
}

pub fn fits_all(width: f32) -> bool {
    width >= LEFT + WITH_TABLE
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// All parts except bar, capsules and legend.
    pub panels: bool,
    pub knobs: bool,
    /// `None` if the view reaches down to the window's edge.
    pub lower: Option<LowerTab>,
    /// Height of the legend's strip; 0 without a legend.
    pub legend: f32,
    pub flight: bool,
}

/// Returns the height of the lower area in a window of height `screen`: fixed up to 800 points, then proportional, up to
/// a maximum.
fn lower_height(tab: LowerTab, screen: f32) -> f32 {
    let (least, most) = match tab {
        LowerTab::Plots => (240.0, 360.0),
        LowerTab::Timeline => (300.0, 430.0),
        LowerTab::Code => (324.0, 430.0),
    };
    (screen * least / 800.0).clamp(least, most).round()
}

/// The window's areas, all inside the window. Any of them may be empty in a small window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    pub top: Rect,
    pub strategies: Rect,
    pub status: Rect,
    pub left: Rect,
    /// The projectile's strip above the capsules, empty if there is no room.
    pub flight: Rect,
    pub view: Rect,
    /// The strip with the legend below the capsules, empty without a legend.
    pub legend: Rect,
    pub tabs: Rect,
    pub lower: Rect,
    pub table: Rect,
}

impl Layout {
    /// Divides `ui` into areas. In a small window, the least important parts are left out: the strip of the projectile,
    /// the table, the knobs, the status line, the plot of tasks, in this order.
    pub fn new(ui: &mut Ui, parts: Parts) -> Self {
        let Parts {
            panels,
            knobs,
            lower,
            legend,
            flight,
        } = parts;
        let screen = ui.max_rect();
        let has_tabs = lower.is_some();
        let top = top(ui, "bar", TOP);
        let strategies = top_if(ui, "strategies", STRATEGIES, has_tabs);
        let has_status = panels && screen.height() >= WITH_STATUS;
        let status = top_if(ui, "status", STATUS, has_status);
        let left = side_if(ui, Side::Left, "knobs", LEFT, panels && knobs);
        // In a low window, the plots shrink before the capsules.
        let rest = ui.available_rect_before_wrap();
        // A plot stays as long as there is room for it and a few capsules.
        let least = LOW_TABS + LEAST_HEIGHT;
        let fits = panels && rest.height() >= least + LEAST_VIEW;
        let height = lower.filter(|_| fits).map_or(0.0, |tab| {
            let height = lower_height(tab, screen.height()).min(0.6 * rest.height());
            height.max(least).round()
        });
        let is_wide = height > 0.0 && rest.width() >= WITH_TABLE;
        let mut table = Rect::from_min_max(pos2(rest.right(), rest.bottom() - height), rest.max);
        let (tabs, lower) = if height > 0.0 {
            let panel = panel(TopBottomPanel::bottom("lower"), height);
            let parts = panel.show_inside(ui, |ui| {
                table = side_if(ui, Side::Right, "table", TABLE, is_wide);
                ui.available_rect_before_wrap()
            });
            let is_low = height < WITH_HIGH_TABS;
            let tabs = if is_low { LOW_TABS } else { TABS };
            parts.inner.split_top_bottom_at_y(parts.inner.top() + tabs)
        } else {
            let nothing = Rect::from_min_max(rest.left_bottom(), rest.max);
            (nothing, nothing)
        };
        let above = rest.height() - height;
        let flight = flight && height > 0.0 && above >= WITH_FLIGHT;
        let flight = top_if(ui, "flight", FLIGHT, flight);
        let rest = ui.available_rect_before_wrap();
        let legend = if legend > 0.0 && rest.height() >= LEAST_VIEW + legend {
            let strip = panel(TopBottomPanel::bottom("legend"), legend);
            strip.show_inside(ui, |ui| ui.max_rect()).inner
        } else {
            rest.with_min_y(rest.bottom())
        };
        let view = CentralPanel::default().frame(Frame::NONE);
        let view = view.show_inside(ui, |ui| ui.max_rect()).inner;
        Self {
            top,
            strategies,
            status,
            left,
            flight,
            view,
            legend,
            tabs,
            lower,
            table,
        }
    }
}

fn top(ui: &mut Ui, name: &'static str, height: f32) -> Rect {
    let height = height.min(ui.available_height());
    let shown = panel(TopBottomPanel::top(name), height).show_inside(ui, |ui| ui.max_rect());
    shown.inner
}

fn panel(panel: TopBottomPanel, height: f32) -> TopBottomPanel {
    let panel = panel.exact_height(height).resizable(false);
    panel.frame(Frame::NONE).show_separator_line(false)
}

/// Adds the bar if `shown`; otherwise returns an empty area in its place.
fn top_if(ui: &mut Ui, name: &'static str, height: f32, shown: bool) -> Rect {
    if shown {
        top(ui, name, height)
    } else {
        ui.available_rect_before_wrap()
            .with_max_y(ui.cursor().top())
    }
}

/// Adds the panel if `shown`; otherwise returns an empty area in its place.
fn side_if(ui: &mut Ui, side: Side, name: &'static str, width: f32, shown: bool) -> Rect {
    let rest = ui.available_rect_before_wrap();
    if !shown {
        return match side {
            Side::Left => rest.with_max_x(rest.left()),
            Side::Right => rest.with_min_x(rest.right()),
        };
    }
    let panel = SidePanel::new(side, name);
    let panel = panel.exact_width(width.min(rest.width())).resizable(false);
    let panel = panel.frame(Frame::NONE).show_separator_line(false);
    panel.show_inside(ui, |ui| ui.max_rect()).inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    fn of(width: f32, height: f32, panels: bool) -> Layout {
        laid_out(width, height, panels, Some(LowerTab::Plots), 0.0)
    }

    fn laid_out(
        width: f32,
        height: f32,
        panels: bool,
        lower: Option<LowerTab>,
        legend: f32,
    ) -> Layout {
        let mut layout = None;
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height))),
            ..egui::RawInput::default()
        };
        let _ = egui::Context::default().run(input, |ctx| {
            let window = CentralPanel::default().frame(Frame::NONE);
            window.show(ctx, |ui| {
                let parts = Parts {
                    panels,
                    knobs: fits_knobs(width),
                    lower,
                    legend,
                    flight: true,
                };
                layout = Some(Layout::new(ui, parts));
            });
        });
        layout.expect("it was laid out")
    }

    #[test]
    fn areas_at_1280_by_800_are_as_designed() {
        let layout = of(1280.0, 800.0, true);
        assert_eq!(
            layout.view,
            Rect::from_min_max(pos2(252.0, 156.0), pos2(1280.0, 560.0))
        );
        assert_eq!(
            layout.tabs,
            Rect::from_min_max(pos2(252.0, 560.0), pos2(1048.0, 590.0))
        );
        assert_eq!(
            layout.lower,
            Rect::from_min_max(pos2(252.0, 590.0), pos2(1048.0, 800.0))
        );
        assert_eq!(layout.table.left(), layout.lower.right());
        assert_eq!(layout.table.max, pos2(1280.0, 800.0));
    }

    #[test]
    fn legend_has_a_strip_outside_of_the_capsules() {
        for panels in [true, false] {
            let with = laid_out(1280.0, 800.0, panels, Some(LowerTab::Plots), 32.0);
            let without = of(1280.0, 800.0, panels);
            assert_eq!(with.legend.height(), 32.0);
            assert_eq!(with.view.bottom(), with.legend.top());
            assert_eq!(with.legend.bottom(), without.view.bottom());
            assert!(!without.legend.is_positive());
        }
    }

    #[test]
    fn areas_are_valid_and_inside_any_window() {
        for (width, height) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (300.0, 90.0),
            (900.0, 600.0),
            (2560.0, 1440.0),
        ] {
            for panels in [true, false] {
                let layout = of(width, height, panels);
                for part in [
                    layout.top,
                    layout.strategies,
                    layout.status,
                    layout.left,
                    layout.flight,
                    layout.view,
                    layout.legend,
                    layout.tabs,
                    layout.lower,
                    layout.table,
                ] {
                    assert!(
                        part.width() >= 0.0 && part.height() >= 0.0,
                        "{width}x{height}: {part:?}"
                    );
                    assert!(
                        part.right() <= width && part.bottom() <= height,
                        "{width}x{height}: {part:?}"
                    );
                }
            }
        }
    }
}
