//! Divides the window into areas for the bars, the knobs, the view and the panels below it. All lengths are in points.

use crate::app::panels::colour_legend;
use crate::app::plots::recent_frames::LEAST_HEIGHT;
use crate::app::state::State;
use crate::app::state::grid::LowerTab;
use egui::Rect;
use lab::cli::View;

const TOP_BAR_HEIGHT: f32 = 44.0;
const STRATEGY_BAR_HEIGHT: f32 = 34.0;
const STATUS_LINE_HEIGHT: f32 = 36.0;
const MIN_WINDOW_HEIGHT_FOR_STATUS: f32 = 280.0;
const TABS_HEIGHT: f32 = 30.0;
const MIN_VIEW_HEIGHT: f32 = 40.0;
const KNOB_PANEL_WIDTH: f32 = 252.0;
const STATS_TABLE_WIDTH: f32 = 232.0;
/// The minimum width for the view. In a narrower window, the knob panel is hidden unless the user asks for it.
const MIN_VIEW_WIDTH: f32 = 300.0;
const MIN_PANEL_WIDTH_FOR_TABLE: f32 = 600.0;

pub fn fits_knobs(width: f32) -> bool {
    width >= KNOB_PANEL_WIDTH + MIN_VIEW_WIDTH
}

pub fn fits_all(width: f32) -> bool {
    width >= KNOB_PANEL_WIDTH + MIN_PANEL_WIDTH_FOR_TABLE
}

/// Returns the height of the lower panel: constant in a window of up to 800 points, then growing to a maximum.
fn lower_height(tab: LowerTab, window_height: f32) -> f32 {
    let (least, most) = match tab {
        LowerTab::Plots => (240.0, 360.0),
        LowerTab::Timeline => (300.0, 430.0),
        LowerTab::Code => (324.0, 430.0),
    };
    (window_height * least / 800.0).clamp(least, most).round()
}

/// The areas into which the window is divided. In a small window, some of the areas are empty.
pub struct Layout {
    pub top: Rect,
    pub strategies: Rect,
    pub status: Rect,
    pub left: Rect,
    pub view: Rect,
    /// The strip below the capsules that shows the legend. It is empty if the current colours have no legend.
    pub legend: Rect,
    pub tabs: Rect,
    pub lower: Rect,
    pub table: Rect,
}

impl Layout {
    /// In a small window, first the table is left empty, then the knobs, the status line and finally the plots.
    pub fn new(screen: Rect, state: &State) -> Self {
        let (panels, in_grid) = (state.interface.panels, state.view == View::Grid);
        let mut rest = screen;
        // The Compare view begins with its answer instead of a status line.
        let has_status = panels
            && state.view != View::Compare
            && screen.height() >= MIN_WINDOW_HEIGHT_FOR_STATUS;
        let top = cut_top(&mut rest, TOP_BAR_HEIGHT, true);
        let strategies = cut_top(&mut rest, STRATEGY_BAR_HEIGHT, in_grid);
        let status = cut_top(&mut rest, STATUS_LINE_HEIGHT, has_status);
        let left = cut_left(&mut rest, KNOB_PANEL_WIDTH, state.interface.shows_knobs());
        // Show the plots if a minimal plot fits together with a few capsules.
        let least = TABS_HEIGHT + LEAST_HEIGHT;
        let has_lower = in_grid && panels && rest.height() >= least + MIN_VIEW_HEIGHT;
        // In a short window, shrink the plots before the capsules.
        let height = lower_height(state.grid.lower, screen.height()).min(0.6 * rest.height());
        let mut table = cut_bottom(&mut rest, height.max(least).round(), has_lower);
        let is_wide = has_lower && table.width() >= MIN_PANEL_WIDTH_FOR_TABLE;
        let beside_table = table.width() - if is_wide { STATS_TABLE_WIDTH } else { 0.0 };
        let mut lower = cut_left(&mut table, beside_table, true);
        let tabs = cut_top(&mut lower, TABS_HEIGHT, has_lower);
        // The Compare view shows its legend in the footer of its table.
        let has_legend = in_grid && state.interface.shows_staleness();
        let fits = rest.height() >= MIN_VIEW_HEIGHT + colour_legend::HEIGHT;
        let legend = cut_bottom(&mut rest, colour_legend::HEIGHT, has_legend && fits);
        Self {
            top,
            strategies,
            status,
            left,
            view: rest,
            legend,
            tabs,
            lower,
            table,
        }
    }
}

/// Removes a strip from the top of `rest` and returns it. If `is_shown` is false, the strip is empty.
fn cut_top(rest: &mut Rect, height: f32, is_shown: bool) -> Rect {
    let height = if is_shown { height } else { 0.0 };
    let (strip, others) = rest.split_top_bottom_at_y(rest.top() + height.min(rest.height()));
    *rest = others;
    strip
}

fn cut_bottom(rest: &mut Rect, height: f32, is_shown: bool) -> Rect {
    let height = if is_shown { height } else { 0.0 };
    let (others, strip) = rest.split_top_bottom_at_y(rest.bottom() - height);
    *rest = others;
    strip
}

fn cut_left(rest: &mut Rect, width: f32, is_shown: bool) -> Rect {
    let width = if is_shown { width } else { 0.0 };
    let (strip, others) = rest.split_left_right_at_x(rest.left() + width.min(rest.width()));
    *rest = others;
    strip
}
