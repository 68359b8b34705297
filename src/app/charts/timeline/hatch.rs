//! Hatching of frames whose runs are no longer recorded.

use egui::{Color32, Mesh, Pos2, Rect, pos2, vec2};

/// Distance between lines along an axis, in points.
const STEP: f32 = 8.0;

/// Adds diagonal lines inside `rect` to `mesh`, rising to the right. Lines of neighbouring rects join.
pub fn hatch(mesh: &mut Mesh, rect: Rect, ink: Color32) {
    for (from, to) in lines(rect) {
        let first = mesh.vertices.len() as u32;
        for corner in [from, from + vec2(1.5, 0.0), to + vec2(1.5, 0.0), to] {
            mesh.colored_vertex(pos2(corner.x.min(rect.right()), corner.y), ink);
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first, first + 2, first + 3);
    }
}

/// Returns the lines' ends. On each line, x + y is a multiple of the step.
fn lines(rect: Rect) -> impl Iterator<Item = (Pos2, Pos2)> {
    let first = ((rect.left() + rect.top()) / STEP).ceil() as u32;
    let last = ((rect.right() + rect.bottom()) / STEP).floor() as u32;
    (first..=last).map(move |line| {
        let sum = line as f32 * STEP;
        let left = (sum - rect.bottom()).max(rect.left());
        let right = (sum - rect.top()).min(rect.right());
        (pos2(left, sum - left), pos2(right, sum - right))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_inside_and_continue_in_the_next_rect() {
        let left = Rect::from_min_max(pos2(10.0, 20.0), pos2(16.0, 220.0));
        let right = Rect::from_min_max(pos2(16.0, 20.0), pos2(22.0, 220.0));
        for (from, to) in lines(left).chain(lines(right)) {
            let of = if from.x < 16.0 { left } else { right };
            assert!(of.contains(from) && of.contains(to), "{from} {to}");
        }
        let on: Vec<(Pos2, Pos2)> = lines(right).collect();
        let whole = lines(left).filter(|(_, to)| to.x == 16.0);
        for (_, to) in whole {
            assert!(on.iter().any(|(from, _)| *from == to), "{to}");
        }
        assert!(on.len() > 20);
    }
}
