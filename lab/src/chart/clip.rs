//! Clips curves to the area of the plot.

use super::drawing::{Area, Point, point};

/// Returns the parts of a curve that lie inside the area.
pub fn clipped(curve: &[Point], area: Area) -> Vec<Vec<Point>> {
    let mut parts: Vec<Vec<Point>> = Vec::new();
    for pair in curve.windows(2) {
        let Some([from, to]) = segment(pair[0], pair[1], area) else {
            continue;
        };
        match parts.last_mut() {
            Some(part) if part.last() == Some(&from) => part.push(to),
            _ => parts.push(vec![from, to]),
        }
    }
    parts
}

/// Returns the part of a line that lies inside the area, using the Liang-Barsky algorithm.
fn segment(from: Point, to: Point, area: Area) -> Option<[Point; 2]> {
    let (x, y) = (to.x - from.x, to.y - from.y);
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    let edges = [
        (-x, from.x - area.left),
        (x, area.right - from.x),
        (-y, from.y - area.top),
        (y, area.bottom - from.y),
    ];
    for (towards, room) in edges {
        if towards == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if towards < 0.0 {
            enters = enters.max(room / towards);
        } else {
            leaves = leaves.min(room / towards);
        }
    }
    let at = |share: f64| match share {
        0.0 => from,
        1.0 => to,
        _ => point(from.x + share * x, from.y + share * y),
    };
    (enters <= leaves).then(|| [at(enters), at(leaves)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_leaves_at_the_edge_and_comes_back() {
        let area = Area {
            left: 0.0,
            top: 0.0,
            right: 100.0,
            bottom: 100.0,
        };
        let curve = [(0.0, 50.0), (20.0, -50.0), (40.0, 50.0), (60.0, 50.0)];
        let curve = curve.map(|(x, y)| point(x, y));
        let parts = clipped(&curve, area);
        let expected = [
            vec![point(0.0, 50.0), point(10.0, 0.0)],
            vec![point(30.0, 0.0), point(40.0, 50.0), point(60.0, 50.0)],
        ];
        assert_eq!(parts, expected);
        assert!(clipped(&[point(-5.0, 10.0), point(-1.0, 20.0)], area).is_empty());
    }
}
