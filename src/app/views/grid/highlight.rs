//! Highlights the capsules of the tasks that ran in a frame.

use super::inspector;
use crate::app::capsules::screen_map::ScreenMap;
use crate::app::widgets::theme;
use egui::epaint::{TessellationOptions, Tessellator};
use egui::{Mesh, Painter, Pos2, Rect, Stroke, Vec2};
use headless::history::PastFrame;

/// Maximum number of highlights. More rings would hide the capsules and take longer to draw than the capsules.
const MOST_HIGHLIGHTED: usize = 3000;

/// Minimum radius for a ring, in points; smaller capsules have a dot.
const RINGS_FROM: f32 = 4.0;

/// Maximum number of runs of a magnified crowd to look through for those in view.
const MOST_SOUGHT: usize = 100_000;

/// Highlights all capsules in view that ran in a frame, except `covered` ones, or none if too many ran.
pub fn paint(painter: &Painter, map: &ScreenMap, covered: Rect, past: &PastFrame, entities: usize) {
    let ran = past.runs().len();
    let is_magnified = map.zoom().is_magnified();
    let most = if is_magnified {
        MOST_SOUGHT
    } else {
        MOST_HIGHLIGHTED
    };
    if !are_highlighted(ran, entities, most) {
        return;
    }
    let in_view = |place: &u32| !is_magnified || map.shows(*place);
    let places = past.runs().iter().map(|run| run.task.index);
    let centers = places.filter(in_view).filter_map(|it| map.center(it));
    let centers: Vec<Pos2> = centers.filter(|&at| !covered.contains(at)).collect();
    if centers.len() <= MOST_HIGHLIGHTED {
        let pixels_per_point = painter.ctx().pixels_per_point();
        let mesh = mesh(centers.into_iter(), map.radius(), pixels_per_point);
        painter.with_clip_rect(map.view()).add(mesh);
    }
}

/// True if few enough tasks ran. If most tasks ran, rings would only repeat what the flashes show.
fn are_highlighted(ran: usize, entities: usize, most: usize) -> bool {
    ran * 2 <= entities && ran <= most
}

fn mesh(centers: impl Iterator<Item = Pos2>, radius: f32, pixels_per_point: f32) -> Mesh {
    let mut mesh = Mesh::default();
    if radius < RINGS_FROM {
        let size = Vec2::splat(radius.max(2.0));
        for center in centers {
            let dot = Rect::from_center_size(center, size);
            mesh.add_colored_rect(dot, theme::BRIGHT);
        }
        return mesh;
    }
    let ring = ring(radius, pixels_per_point);
    for center in centers {
        let first = mesh.vertices.len();
        mesh.append_ref(&ring);
        for vertex in &mut mesh.vertices[first..] {
            vertex.pos += center.to_vec2();
        }
    }
    mesh
}

/// Returns a ring around a capsule at the origin. Tessellating it once is cheaper than painting thousands of rings.
fn ring(radius: f32, pixels_per_point: f32) -> Mesh {
    let shape = inspector::ring(Pos2::ZERO, radius, Stroke::new(1.6, theme::BRIGHT));
    let options = TessellationOptions::default();
    let mut tessellator = Tessellator::new(pixels_per_point, options, [1, 1], Vec::new());
    let mut mesh = Mesh::default();
    tessellator.tessellate_rect(&shape, &mut mesh);
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn all_capsules_are_highlighted_or_none() {
        for (ran, entities, marked) in [
            (200, 400, true),
            (201, 400, false),
            (3000, 10_000, true),
            (3001, 1_000_000, false),
            (1, 1, false),
            (0, 0, true),
        ] {
            assert_eq!(
                are_highlighted(ran, entities, MOST_HIGHLIGHTED),
                marked,
                "{ran} of {entities}"
            );
        }
    }

    #[test]
    fn a_highlight_tightly_encloses_its_capsule() {
        for radius in [0.4, 2.0, 4.0, 9.0, 100.0] {
            let center = pos2(50.0, 70.0);
            let bounds = mesh(std::iter::once(center), radius, 1.0).calc_bounds();
            assert!((bounds.center() - center).length() < 0.01, "{bounds}");
            let half = bounds.size() / 2.0;
            let encloses = half.x > radius && half.y > 1.75 * radius;
            assert!(encloses || radius < RINGS_FROM, "{bounds}");
            assert!(
                half.x < radius + 5.0 && half.y < 1.75 * radius + 5.0,
                "{bounds}"
            );
        }
    }
}
