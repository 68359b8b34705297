//! Where everything stands in the window, in points.

use egui::{Rect, pos2};

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
    /// Divides `screen`; without `panels` the capsules have all that is below the top bar.
    pub fn new(screen: Rect, panels: bool, lower: Lower) -> Self {
        let (left, lower, sentence) = if panels {
            (LEFT, lower.height(screen.height()), SENTENCE)
        } else {
            (0.0, 0.0, 0.0)
        };
        let top_end = (screen.top() + TOP).min(screen.bottom());
        let sentence_end = (top_end + sentence).min(screen.bottom());
        let left_end = (screen.left() + left).min(screen.right());
        // A low window gives up its plots' height before the capsules'.
        let lower_start =
            (screen.bottom() - lower).max(sentence_end + (screen.bottom() - sentence_end) * 0.4);
        let lower_start = if panels {
            lower_start.min(screen.bottom())
        } else {
            screen.bottom()
        };
        let with_table = panels && lower > 0.0 && screen.right() - left_end >= WITH_TABLE;
        let table_start = screen.right() - if with_table { TABLE } else { 0.0 };
        let over_capsules = panels && lower > 0.0 && lower_start - sentence_end >= WITH_FLIGHT;
        let flight_end = sentence_end + if over_capsules { FLIGHT } else { 0.0 };
        let span = |left: f32, top: f32, right: f32, bottom: f32| {
            Rect::from_min_max(pos2(left, top), pos2(right, bottom))
        };
        Self {
            top: span(screen.left(), screen.top(), screen.right(), top_end),
            sentence: span(screen.left(), top_end, screen.right(), sentence_end),
            left: span(screen.left(), sentence_end, left_end, screen.bottom()),
            flight: span(left_end, sentence_end, screen.right(), flight_end),
            view: span(left_end, flight_end, screen.right(), lower_start),
            lower: span(left_end, lower_start, table_start, screen.bottom()),
            table: span(table_start, lower_start, screen.right(), screen.bottom()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    fn of(width: f32, height: f32, panels: bool) -> Layout {
        Layout::new(
            Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height)),
            panels,
            Lower::Plots,
        )
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
