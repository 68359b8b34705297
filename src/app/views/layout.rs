//! Where everything stands in the window, in points.

use egui::panel::Side;
use egui::{CentralPanel, Frame, Rect, SidePanel, TopBottomPanel, Ui, pos2};

/// Height of the bar with the strategies.
const TOP: f32 = 44.0;
/// Height of the line that says what the strategy does.
const SENTENCE: f32 = 36.0;
/// Height of the strip in which the projectile crosses, and what the capsules need to have it above them.
const FLIGHT: f32 = 42.0;
const WITH_FLIGHT: f32 = 240.0;
/// Width of the panel with the knobs.
const LEFT: f32 = 252.0;
/// Width of the table beside the plots.
const TABLE: f32 = 232.0;
/// What plots and table need at least together; with less the plots have it all.
const WITH_TABLE: f32 = 600.0;

/// What the lower part shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lower {
    /// The plots.
    Plots,
    /// The timeline, which needs more rows.
    Timeline,
    /// Nothing: the view reaches down to the window's edge.
    Nothing,
}

impl Lower {
    /// Its height in a window so high: as in the mock-ups at 800 points and below, and more where there
    /// is more, as long as that makes it more legible.
    fn height(self, screen: f32) -> f32 {
        let (least, most) = match self {
            Self::Plots => (226.0, 360.0),
            Self::Timeline => (300.0, 430.0),
            Self::Nothing => return 0.0,
        };
        (screen * least / 800.0).clamp(least, most).round()
    }
}

/// The window's parts. Any of them may be without extent in a small window; none lies outside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// The bar with the strategies.
    pub top: Rect,
    /// The line that says what the strategy does.
    pub sentence: Rect,
    /// The panel with the knobs.
    pub left: Rect,
    /// The projectile's strip above the capsules, without extent where there is no room for it.
    pub flight: Rect,
    /// The capsules.
    pub view: Rect,
    /// The plots.
    pub lower: Rect,
    /// The table of figures at the right of the plots, without extent where there is no room for it.
    pub table: Rect,
}

impl Layout {
    /// Divides `ui` into panels; without `panels` the view has all that is below the bar.
    pub fn new(ui: &mut Ui, panels: bool, lower: Lower) -> Self {
        let screen = ui.max_rect();
        let top = top(ui, "bar", TOP);
        let sentence = top_if(ui, "sentence", SENTENCE, panels);
        let left = side_if(ui, Side::Left, "knobs", LEFT, panels);
        // A low window gives up its plots' height before the capsules'.
        let rest = ui.available_rect_before_wrap();
        let height = lower.height(screen.height()).min(0.6 * rest.height());
        let height = if panels { height.round() } else { 0.0 };
        let is_wide = height > 0.0 && rest.width() >= WITH_TABLE;
        let mut table = Rect::from_min_max(pos2(rest.right(), rest.bottom() - height), rest.max);
        let lower = if height > 0.0 {
            let panel = panel(TopBottomPanel::bottom("lower"), height);
            let parts = panel.show_inside(ui, |ui| {
                table = side_if(ui, Side::Right, "table", TABLE, is_wide);
                ui.available_rect_before_wrap()
            });
            parts.inner
        } else {
            Rect::from_min_max(rest.left_bottom(), rest.max)
        };
        let above = rest.height() - height;
        let flight = top_if(ui, "flight", FLIGHT, height > 0.0 && above >= WITH_FLIGHT);
        let view = CentralPanel::default().frame(Frame::NONE);
        let view = view.show_inside(ui, |ui| ui.max_rect()).inner;
        Self {
            top,
            sentence,
            left,
            flight,
            view,
            lower,
            table,
        }
    }
}

/// A bar across what is left of `ui`, no higher than that.
fn top(ui: &mut Ui, name: &'static str, height: f32) -> Rect {
    let height = height.min(ui.available_height());
    let shown = panel(TopBottomPanel::top(name), height).show_inside(ui, |ui| ui.max_rect());
    shown.inner
}

fn panel(panel: TopBottomPanel, height: f32) -> TopBottomPanel {
    let panel = panel.exact_height(height).resizable(false);
    panel.frame(Frame::NONE).show_separator_line(false)
}

/// The bar if `shown`, else nothing, where it would be.
fn top_if(ui: &mut Ui, name: &'static str, height: f32, shown: bool) -> Rect {
    if shown {
        top(ui, name, height)
    } else {
        ui.available_rect_before_wrap()
            .with_max_y(ui.cursor().top())
    }
}

/// The panel if `shown`, else nothing, at the edge where it would be.
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
        let mut layout = None;
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height))),
            ..egui::RawInput::default()
        };
        let _ = egui::Context::default().run(input, |ctx| {
            let window = CentralPanel::default().frame(Frame::NONE);
            window.show(ctx, |ui| {
                layout = Some(Layout::new(ui, panels, Lower::Plots));
            });
        });
        layout.expect("it was laid out")
    }

    #[test]
    fn at_1280_by_800_it_is_the_mock_ups() {
        let layout = of(1280.0, 800.0, true);
        assert_eq!(
            layout.view,
            Rect::from_min_max(pos2(252.0, 122.0), pos2(1280.0, 574.0))
        );
        assert_eq!(
            layout.lower,
            Rect::from_min_max(pos2(252.0, 574.0), pos2(1048.0, 800.0))
        );
        assert_eq!(layout.table.left(), layout.lower.right());
        assert_eq!(layout.table.max, pos2(1280.0, 800.0));
    }

    #[test]
    fn a_small_window_has_all_parts_and_a_narrow_one_no_table() {
        let layout = of(900.0, 600.0, true);
        assert_eq!(layout.table.width(), TABLE);
        assert!(layout.lower.width() > 400.0);
        let layout = of(640.0, 400.0, true);
        assert_eq!(layout.table.width(), 0.0);
        assert_eq!(layout.lower.right(), 640.0);
    }

    #[test]
    fn a_large_window_gives_the_plots_more_room_but_the_capsules_most_of_it() {
        let layout = of(2560.0, 1440.0, true);
        assert!(layout.lower.height() > 300.0);
        assert!(layout.view.height() > 900.0);
    }

    #[test]
    fn without_panels_the_capsules_have_everything_below_the_top_bar() {
        let layout = of(1280.0, 800.0, false);
        assert_eq!(
            layout.view,
            Rect::from_min_max(pos2(0.0, 44.0), pos2(1280.0, 800.0))
        );
    }

    #[test]
    fn no_part_is_inside_out_or_outside_in_any_window() {
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
                    layout.sentence,
                    layout.left,
                    layout.flight,
                    layout.view,
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
