//! Legends that explain what the colours of the entities mean.

use crate::app::crowd::ramps::{
    SIGNIFICANCE, STALE_MS, STALENESS, colour, staleness_fraction, weight_fraction,
};
use crate::app::state::ColourMode;
use crate::app::widgets::paint::{fill_below, right};
use crate::app::widgets::theme;
use egui::{Align2, Color32, Painter, Pos2, Rect, pos2, vec2};

const BAR_SIZE: egui::Vec2 = vec2(150.0, 8.0);
/// The height of the strip that contains the legend, in points.
pub const HEIGHT: f32 = 32.0;
const MIN_STRIP_WIDTH: f32 = 250.0;

pub struct ColourLegend {
    name: &'static str,
    /// The ticks of the scale. Each tick has a position from 0 to 1 and a label. The ticks are far enough apart that
    /// their labels do not overlap.
    ticks: [(f32, &'static str); 4],
    /// Converts a position on the scale, from 0 to 1, to a colour.
    colour_at: fn(f32) -> [u8; 3],
}

impl ColourLegend {
    pub fn of(mode: ColourMode) -> Option<Self> {
        match mode {
            ColourMode::Flash => None,
            ColourMode::Staleness => Some(Self::staleness()),
            ColourMode::Significance => Some(Self {
                name: "weight",
                ticks: [
                    (0.0, "≤ 1/32"),
                    (weight_fraction(0.125), "1/8"),
                    (weight_fraction(0.5), "1/2"),
                    (1.0, "1"),
                ],
                colour_at: |place| colour(&SIGNIFICANCE, place),
            }),
        }
    }

    pub fn staleness() -> Self {
        Self {
            name: "last run", // short for "time since the last run"
            ticks: [
                (0.0, "now"),
                (staleness_fraction(100.0), "0.1 s"),
                (staleness_fraction(1_000.0), "1 s"),
                (staleness_fraction(STALE_MS), "10 s+"),
            ],
            colour_at: |place| colour(&STALENESS, place),
        }
    }

    /// Paints the legend in a single line that ends at `at`, with labels only at the two ends of the scale. Returns the
    /// x coordinate of the left end of the line.
    pub fn line(&self, painter: &Painter, at: Pos2) -> f32 {
        let [(_, from), .., (_, to)] = self.ticks;
        let words = |right_end: f32, words| {
            let at = pos2(right_end - 6.0, at.y);
            right(painter, at, words, 12.0, theme::DIM).left()
        };
        let end = words(at.x + 6.0, to) - 6.0;
        let bar = Rect::from_min_size(pos2(end - 90.0, at.y - 4.0), vec2(90.0, 8.0));
        self.gradient(painter, bar);
        words(words(bar.left(), from), self.name)
    }

    /// Paints the legend, with labels below the scale, at the right end of a strip. If the strip is too small, it stays
    /// empty.
    pub fn strip(&self, painter: &Painter, strip: Rect) {
        painter.rect_filled(strip, 0.0, theme::FLOOR);
        if strip.height() < HEIGHT || strip.width() < MIN_STRIP_WIDTH {
            return;
        }
        let corner = pos2(strip.right() - 30.0 - BAR_SIZE.x, strip.top() + 6.0);
        let bar = Rect::from_min_size(corner, BAR_SIZE);
        let at = pos2(bar.left() - 12.0, bar.center().y);
        right(painter, at, self.name, 12.0, theme::TEXT);
        self.gradient(painter, bar);
        for (place, words) in self.ticks {
            let at = pos2(bar.left() + bar.width() * place, bar.bottom());
            painter.vline(at.x, at.y..=at.y + 3.0, (1.0, theme::DIM));
            let (at, font) = (at + vec2(0.0, 11.0), theme::text(10.5));
            painter.text(at, Align2::CENTER_CENTER, words, font, theme::TEXT);
        }
    }

    pub fn gradient(&self, painter: &Painter, bar: Rect) {
        const STEPS: usize = 32;
        let steps = (0..=STEPS).map(|step| {
            let place = step as f32 / STEPS as f32;
            let [red, green, blue] = (self.colour_at)(place);
            let at = pos2(bar.left() + bar.width() * place, bar.top());
            (at, Color32::from_rgb(red, green, blue))
        });
        fill_below(painter, steps, bar.bottom());
    }
}
