//! Lines at changes of settings.

use super::columns::Columns;
use super::heading::note;
use crate::app::widgets::theme;
use egui::{Align2, Painter, Rect, Stroke, pos2};
use headless::history::History;

/// Paints a line through both plots at each change, starting with the newest. Each label is to the right of its line,
/// if there is room before the newer line or label.
pub fn change_lines(
    painter: &Painter,
    tasks: Rect,
    times: Rect,
    columns: &Columns<'_>,
    history: &History,
) {
    let mut room_to = columns.right;
    for (mark, x) in history
        .marks()
        .rev()
        .filter_map(|mark| Some((mark, columns.x_of(mark)?)))
    {
        for plot in [tasks, times] {
            painter.vline(x, plot.y_range(), Stroke::new(1.0, theme::TEAL));
        }
        let width = painter
            .layout_no_wrap(mark.label.clone(), theme::text(10.5), theme::TEAL)
            .size()
            .x;
        let at = |x: f32| pos2(x, tasks.top() + 1.0);
        let newest = room_to >= columns.right;
        if x + 4.0 + width + 6.0 <= room_to {
            note(
                painter,
                at(x + 6.0),
                Align2::LEFT_TOP,
                &mark.label,
                theme::TEAL,
            );
            room_to = x;
        } else if newest {
            // If the newest label does not fit to the right of its line, it moves to the left.
            let ground = note(
                painter,
                at(x - 6.0),
                Align2::RIGHT_TOP,
                &mark.label,
                theme::TEAL,
            );
            room_to = ground.left();
        } else {
            room_to = room_to.min(x);
        }
    }
}
