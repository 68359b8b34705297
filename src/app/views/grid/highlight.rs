//! Highlights the capsules of the tasks that ran in a frame.

use crate::app::capsules::screen_map::ScreenMap;
use crate::app::widgets::theme;
use egui::epaint::Vertex;
use egui::{Color32, Mesh, Painter, Pos2, Rect, Vec2, vec2};
use headless::history::PastFrame;

/// Maximum number of highlights. More rings would hide the capsules and take longer to draw than the capsules.
const MOST_HIGHLIGHTED: usize = 3000;

/// Minimum radius for a ring, in points; smaller capsules have a dot.
const RINGS_FROM: f32 = 4.0;

/// Half the width of a ring's line, in points.
const HALF_LINE: f32 = 0.8;

/// Maximum number of runs of a magnified crowd to look through for those in view.
const MOST_SOUGHT: usize = 100_000;

/// Highlights all capsules in view that ran in a frame, except `covered` ones, or none if too many ran.
pub fn paint(painter: &Painter, map: &ScreenMap, covered: Rect, past: &PastFrame, entities: usize) {
    let ran = past.ran.as_ref().map_or(0, Vec::len);
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
    let centers = past.ran().filter(in_view).filter_map(|it| map.center(it));
    let centers: Vec<Pos2> = centers.filter(|&at| !covered.contains(at)).collect();
    if centers.len() <= MOST_HIGHLIGHTED {
        let pixel = 1.0 / painter.ctx().pixels_per_point();
        let mesh = mesh(centers.into_iter(), map.radius(), pixel);
        painter.with_clip_rect(map.view()).add(mesh);
    }
}

/// True if few enough tasks ran. If most tasks ran, rings would only repeat what the flashes show.
fn are_highlighted(ran: usize, entities: usize, most: usize) -> bool {
    ran * 2 <= entities && ran <= most
}

/// Returns all highlights in one mesh. Their edges fade over one `pixel`, whose size is in points.
fn mesh(centers: impl Iterator<Item = Pos2>, radius: f32, pixel: f32) -> Mesh {
    let mut mesh = Mesh::default();
    if radius < RINGS_FROM {
        let size = Vec2::splat(radius.max(2.0));
        for center in centers {
            let dot = Rect::from_center_size(center, size);
            mesh.add_colored_rect(dot, theme::BRIGHT);
        }
        return mesh;
    }
    let ring = ring(radius, pixel);
    for center in centers {
        let first = mesh.vertices.len() as u32;
        mesh.vertices
            .extend(ring.vertices.iter().map(|vertex| Vertex {
                pos: vertex.pos + center.to_vec2(),
                ..*vertex
            }));
        mesh.indices
            .extend(ring.indices.iter().map(|index| first + index));
    }
    mesh
}

/// Returns a ring around a capsule at the origin, in three bands: the inner and the outer band fade.
fn ring(radius: f32, pixel: f32) -> Mesh {
    let mut mesh = Mesh::default();
    let corners = corners(radius);
    let solid = (HALF_LINE - pixel / 2.0).max(0.0);
    let bands = [
        (-solid - pixel, Color32::TRANSPARENT),
        (-solid, theme::BRIGHT),
        (solid, theme::BRIGHT),
        (solid + pixel, Color32::TRANSPARENT),
    ];
    for corner in 0..corners {
        // Half of the corners are on the upper cap, half on the lower. The sides join the caps.
        let angle = (corner as f32 + 0.5) / corners as f32 * std::f32::consts::TAU;
        let direction = Vec2::angled(angle);
        let cap = vec2(0.0, 0.75 * radius * direction.y.signum());
        for (off, ink) in bands {
            let at = cap + direction * (radius + 3.0 + off);
            mesh.colored_vertex(at.to_pos2(), ink);
        }
        for band in 0..3 {
            let (here, next) = (corner * 4 + band, (corner + 1) % corners * 4 + band);
            mesh.add_triangle(here, here + 1, next);
            mesh.add_triangle(here + 1, next, next + 1);
        }
    }
    mesh
}

/// Returns a number of corners at which a ring looks round. It is even, because each cap has half of them.
fn corners(radius: f32) -> u32 {
    2 * (7.0 + radius * 0.4).clamp(8.0, 48.0) as u32
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

    #[test]
    fn three_thousand_highlights_are_one_valid_mesh() {
        let centers = (0..3000_u16).map(|x| pos2(f32::from(x), 0.0));
        let mesh = mesh(centers, 5.0, 1.0);
        assert!(mesh.is_valid());
        assert_eq!(mesh.vertices.len(), 3000 * 4 * corners(5.0) as usize);
        assert_eq!(mesh.indices.len(), 3000 * 18 * corners(5.0) as usize);
    }
}
