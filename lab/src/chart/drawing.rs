//! Draws lines, text and marks as SVG elements.

use super::style::Style;
use svg::Document;
use svg::node::Value;
use svg::node::element::{Circle, Description, Line, Polygon, Polyline, Rectangle, Text, Title};

pub const WIDTH: f64 = 900.0;

pub const INK: &str = "#1f2328";
pub const DIM: &str = "#57606a";
pub const GRID: &str = "#e4e7eb";
pub const AXIS: &str = "#8c959f";
pub const CARD: &str = "#ffffff";

/// Text uses the font of the reader's system, because an image in a README cannot load another font.
const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/// A position in pixels from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

pub const fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    pub fn contains(&self, at: Point) -> bool {
        (self.left..=self.right).contains(&at.x) && (self.top..=self.bottom).contains(&at.y)
    }
}

/// Which point of a line of text is at the given position: its start, its middle or its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Copy, Debug)]
pub struct Font {
    pub size: f64,
    pub colour: &'static str,
    pub is_bold: bool,
}

pub const HEADING: Font = Font {
    size: 17.0,
    colour: INK,
    is_bold: true,
};
pub const BODY: Font = Font {
    size: 12.0,
    colour: INK,
    is_bold: false,
};
pub const STRONG: Font = Font {
    is_bold: true,
    ..BODY
};
pub const NOTE: Font = Font {
    size: 11.0,
    colour: DIM,
    is_bold: false,
};
pub const DARK_NOTE: Font = Font {
    colour: INK,
    ..NOTE
};

#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    pub colour: &'static str,
    pub width: f64,
    /// The lengths of dashes and gaps, as in SVG's `stroke-dasharray`. Empty for a solid line.
    pub dashes: &'static str,
}

impl Stroke {
    pub const fn solid(colour: &'static str, width: f64) -> Self {
        Self {
            colour,
            width,
            dashes: "",
        }
    }
}

/// An SVG image on a white card.
pub struct Drawing {
    document: Document,
}

/// Formats a coordinate with at most one decimal.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0" } else { text }.to_owned()
}

fn points(places: &[Point]) -> String {
    let places = places.iter();
    let places = places.map(|at| format!("{},{}", number(at.x), number(at.y)));
    places.collect::<Vec<_>>().join(" ")
}

impl Drawing {
    /// Creates an empty image with a white card of this height. `description` is for readers who cannot see the image.
    pub fn new(height: f64, title: &str, description: &str) -> Self {
        let document = Document::new()
            .set("width", number(WIDTH))
            .set("height", number(height))
            .set(
                "viewBox",
                format!("0 0 {} {}", number(WIDTH), number(height)),
            )
            .set("font-family", FONT)
            .set("role", "img")
            .add(Title::new(title))
            .add(Description::new().add(svg::node::Text::new(description)));
        let mut drawing = Self { document };
        let card = Rectangle::new()
            .set("x", "0.5")
            .set("y", "0.5")
            .set("width", number(WIDTH - 1.0))
            .set("height", number(height - 1.0))
            .set("rx", "8")
            .set("fill", CARD)
            .set("stroke", "#d0d7de");
        drawing.add(card);
        drawing
    }

    fn add(&mut self, element: impl Into<Box<dyn svg::Node>>) {
        svg::Node::append(&mut self.document, element);
    }

    /// Draws a line of text. `at` is a point on its baseline.
    pub fn text(&mut self, at: Point, anchor: Anchor, font: Font, words: &str) {
        let mut text = Text::new(words)
            .set("x", number(at.x))
            .set("y", number(at.y))
            .set("font-size", number(font.size))
            .set("fill", font.colour);
        match anchor {
            Anchor::Start => {}
            Anchor::Middle => text = text.set("text-anchor", "middle"),
            Anchor::End => text = text.set("text-anchor", "end"),
        }
        if font.is_bold {
            text = text.set("font-weight", "600");
        }
        self.add(text);
    }

    pub fn rectangle(&mut self, area: Area, colour: &'static str, opacity: &'static str) {
        let rectangle = Rectangle::new()
            .set("x", number(area.left))
            .set("y", number(area.top))
            .set("width", number(area.right - area.left))
            .set("height", number(area.bottom - area.top))
            .set("fill", colour)
            .set("fill-opacity", opacity);
        self.add(rectangle);
    }

    pub fn line(&mut self, from: Point, to: Point, stroke: Stroke) {
        let line = Line::new()
            .set("x1", number(from.x))
            .set("y1", number(from.y))
            .set("x2", number(to.x))
            .set("y2", number(to.y));
        self.add(stroked(line, stroke));
    }

    pub fn polyline(&mut self, places: &[Point], stroke: Stroke) {
        let line = Polyline::new()
            .set("points", points(places))
            .set("fill", "none")
            .set("stroke-linejoin", "round");
        self.add(stroked(line, stroke));
    }

    /// Draws the mark of a strategy, which is either filled or hollow.
    pub fn mark(&mut self, at: Point, radius: f64, style: Style, is_filled: bool) {
        let fill = if is_filled { style.colour } else { CARD };
        let stroke = Stroke::solid(style.colour, 1.4);
        if style.mark.is_empty() {
            let circle = Circle::new()
                .set("cx", number(at.x))
                .set("cy", number(at.y))
                .set("r", number(radius))
                .set("fill", fill);
            return self.add(stroked(circle, stroke));
        }
        let corners = style.mark.iter();
        let corners = corners.map(|(x, y)| point(at.x + radius * x, at.y + radius * y));
        let polygon = Polygon::new()
            .set("points", points(&corners.collect::<Vec<_>>()))
            .set("fill", fill);
        self.add(stroked(polygon, stroke));
    }

    pub fn finish(self) -> String {
        self.document.to_string() + "\n"
    }
}

/// Extends all SVG elements with a method that sets an attribute and returns the element.
trait SetAttribute {
    fn with(self, name: &str, value: impl Into<Value>) -> Self;
}

impl<T: svg::Node> SetAttribute for T {
    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.assign(name, value);
        self
    }
}

fn stroked<T: svg::Node>(element: T, stroke: Stroke) -> T {
    let element = element
        .with("stroke", stroke.colour)
        .with("stroke-width", number(stroke.width));
    if stroke.dashes.is_empty() {
        element
    } else {
        element.with("stroke-dasharray", stroke.dashes)
    }
}

/// Estimates the width of a line of text in pixels. The estimate is large enough for all common fonts.
pub fn width(words: &str, font: Font) -> f64 {
    let of = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' | '·' => 0.34,
        'f' | 't' | 'r' | '-' | '(' | ')' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' => 0.97,
        'A'..='Z' | '×' => 0.76,
        _ => 0.64,
    };
    let weight = if font.is_bold { 1.1 } else { 1.0 };
    words.chars().map(of).sum::<f64>() * font.size * weight
}

/// Breaks text into lines that are at most `max_width` pixels wide.
pub fn wrapped(words: &str, font: Font, max_width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut all = words.split(' ').peekable();
    while let Some(word) = all.next() {
        // A number stays together with its unit, and a list separator stays on the line of the item before it.
        let with = all.next_if(|next| {
            ["ns", "µs", "ms", "s", "·", "%"].contains(&next.trim_end_matches(','))
        });
        let word = with.map_or_else(|| word.to_owned(), |with| format!("{word} {with}"));
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), font) <= max_width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}
