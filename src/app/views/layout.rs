//! Divides the window into areas, in points.

use crate::app::charts::plots::LEAST_HEIGHT;
use crate::app::state::grid::LowerTab;
use egui::Rect;

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
    /// Divides the window into areas. In a small window, the least important parts are left out: the strip of the
    /// projectile, the table, the knobs, the status line, the plot of tasks, in this order.
    pub fn new(screen: Rect, parts: Parts) -> Self {
        let mut rest = screen;
        let has_status = parts.panels && screen.height() >= WITH_STATUS;
        let has_knobs = parts.panels && parts.knobs;
        let top = cut_top(&mut rest, TOP, true);
        let strategies = cut_top(&mut rest, STRATEGIES, parts.lower.is_some());
        let status = cut_top(&mut rest, STATUS, has_status);
        let left = cut_left(&mut rest, if has_knobs { LEFT } else { 0.0 });
        // A plot stays as long as there is room for it and a few capsules.
        let least = LOW_TABS + LEAST_HEIGHT;
        let fits = parts.panels && rest.height() >= least + LEAST_VIEW;
        let height = parts.lower.filter(|_| fits).map_or(0.0, |tab| {
            // In a low window, the plots shrink before the capsules.
            let height = lower_height(tab, screen.height()).min(0.6 * rest.height());
            height.max(least).round()
        });
        let mut below = cut_bottom(&mut rest, height);
        let is_wide = height > 0.0 && below.width() >= WITH_TABLE;
        let beside_table = below.width() - if is_wide { TABLE } else { 0.0 };
        let mut lower = cut_left(&mut below, beside_table);
        let is_low = height < WITH_HIGH_TABS;
        let tabs = if is_low { LOW_TABS } else { TABS };
        let tabs = cut_top(&mut lower, tabs, height > 0.0);
        let has_flight = parts.flight && height > 0.0 && rest.height() >= WITH_FLIGHT;
        let flight = cut_top(&mut rest, FLIGHT, has_flight);
        let has_legend = rest.height() >= LEAST_VIEW + parts.legend;
        let legend = cut_bottom(&mut rest, if has_legend { parts.legend } else { 0.0 });
        Self {
            top,
            strategies,
            status,
            left,
            flight,
            view: rest,
            legend,
            tabs,
            lower,
            table: below,
        }
    }
}

/// Cuts a strip off the top of `rest`, which is empty unless `is_shown`.
fn cut_top(rest: &mut Rect, height: f32, is_shown: bool) -> Rect {
    let height = if is_shown {
        height.min(rest.height())
    } else {
        0.0
    };
    let (strip, others) = rest.split_top_bottom_at_y(rest.top() + height);
    *rest = others;
    strip
}

fn cut_bottom(rest: &mut Rect, height: f32) -> Rect {
    let (others, strip) = rest.split_top_bottom_at_y(rest.bottom() - height);
    *rest = others;
    strip
}

fn cut_left(rest: &mut Rect, width: f32) -> Rect {
    let (strip, others) = rest.split_left_right_at_x(rest.left() + width.min(rest.width()));
    *rest = others;
    strip
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Pos2, pos2, vec2};

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
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        let parts = Parts {
            panels,
            knobs: fits_knobs(width),
            lower,
            legend,
            flight: true,
        };
        Layout::new(screen, parts)
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
