//! Layout of the table: which parts have room, and the places of its rows and columns.

use egui::{Rangef, Rect};
use headless::stats::Figure;
use timeslicer::strategy::{Family, StrategyEntry};

/// Margin at both sides of the table's content, and of its rows' outlines.
pub const INSET: f32 = 16.0;
pub const OUTLINE: f32 = 10.0;
/// Height of the headings.
const HEADING: f32 = 28.0;
/// Height of the line below the rows.
const FOOTER: f32 = 26.0;
/// Height of a caption.
const CAPTION: f32 = 17.0;
/// Minimum height of a row, without and with an area below the table.
const LEAST_ROW: f32 = 26.0;
const ROW: f32 = 35.0;
/// Maximum height of a row. The area below the table takes the rest.
const MOST_ROW: f32 = 120.0;
/// Heights of the area below the table: its share of the view, and its limits.
const LOWER_SHARE: f32 = 0.28;
const LOWER: [f32; 2] = [168.0, 340.0];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowPlace {
    pub lane: usize,
    pub rect: Rect,
}

/// Places of the table's parts. Parts without room are empty.
#[derive(Clone, Debug, PartialEq)]
pub struct TableLayout {
    pub headings: Rect,
    pub rows: Vec<RowPlace>,
    /// Captions of the families, each above its first strategy.
    pub captions: Vec<(Family, Rect)>,
    pub footer: Rect,
    pub lower: Rect,
}

#[derive(Clone, Copy, Debug)]
struct Fit {
    row: f32,
    fitting: usize,
    has_captions: bool,
    lower: f32,
}

impl TableLayout {
    pub fn fitting(view: Rect, lanes: usize, captions: usize) -> usize {
        fit(view.height(), lanes, captions).map_or(0, |fit| fit.fitting)
    }

    /// Lays out the table in `view`, with the lanes in the order of `rows` from the row `first` on. `entries` are the
    /// strategies of all lanes; with `by_family`, each family has a caption. Returns `None` if not even one row fits.
    pub fn new(
        view: Rect,
        rows: &[usize],
        first: usize,
        entries: &[&'static StrategyEntry],
        by_family: bool,
    ) -> Option<Self> {
        let captions = if by_family { families(entries) } else { 0 };
        let fit = fit(view.height(), rows.len(), captions)?;
        let x = view.x_range();
        let mut top = view.top();
        let mut take = |height: f32| {
            let part = Rect::from_x_y_ranges(x, top..=top + height);
            top += height;
            part
        };
        let headings = take(HEADING);
        let (mut places, mut named) = (Vec::new(), Vec::new());
        let mut last = None;
        for &lane in rows.iter().skip(first).take(fit.fitting) {
            let family = entries.get(lane).map(|entry| entry.family);
            if let Some(family) = family.filter(|_| fit.has_captions && family != last) {
                named.push((family, take(CAPTION)));
            }
            last = family;
            let rect = take(fit.row);
            places.push(RowPlace { lane, rect });
        }
        let bottom = view.bottom();
        let footer = take(FOOTER).intersect(view);
        let top = if fit.lower > 0.0 {
            footer.bottom()
        } else {
            bottom
        };
        let lower = Rect::from_x_y_ranges(x, top..=bottom);
        Some(Self {
            headings,
            rows: places,
            captions: named,
            footer,
            lower,
        })
    }
}

pub fn families(entries: &[&'static StrategyEntry]) -> usize {
    entries
        .chunk_by(|one, next| one.family == next.family)
        .count()
}

/// Chooses the parts for a view of this height: lower rows come first, then no captions, and then no area below the table.
/// If not even then all rows fit, only some are shown.
fn fit(height: f32, lanes: usize, captions: usize) -> Option<Fit> {
    let captions_high = captions as f32 * CAPTION;
    let of = |lower: f32, captions_high: f32, least: f32| {
        let room = height - HEADING - FOOTER - lower - captions_high;
        let row = (room / lanes.max(1) as f32).floor().min(MOST_ROW);
        (row >= least).then_some(Fit {
            row,
            fitting: lanes,
            has_captions: captions_high > 0.0,
            lower,
        })
    };
    let [least, most] = LOWER;
    let wanted = (height * LOWER_SHARE).clamp(least, most).round();
    of(wanted, captions_high, ROW)
        .or_else(|| of(least, captions_high, LEAST_ROW))
        .or_else(|| of(least, 0.0, LEAST_ROW))
        .or_else(|| of(0.0, captions_high, LEAST_ROW))
        .or_else(|| of(0.0, 0.0, LEAST_ROW))
        .or_else(|| {
            let room = height - HEADING - FOOTER;
            let fitting = (room / LEAST_ROW).floor();
            (fitting >= 1.0).then(|| Fit {
                row: (room / fitting).floor(),
                fitting: fitting as usize,
                has_captions: false,
                lower: 0.0,
            })
        })
}

/// Space between two columns.
const GAP: f32 = 10.0;
/// Minimum and maximum width of a column of figures.
const FIGURE: [f32; 2] = [62.0, 124.0];
/// Minimum width of the capsules, without and with plots.
const CROWD: [f32; 2] = [56.0, 88.0];
/// Maximum width of the capsules, relative to the height of their row.
const CROWD_OF_ROW: f32 = 4.2;
/// Minimum and maximum width of a plot.
const PLOT: [f32; 2] = [48.0, 660.0];
/// Width of the effect of a disturbance.
const EFFECT: f32 = 112.0;
/// Minimum width of names.
const LEAST_NAME: f32 = 40.0;
/// Shares of the spare width for the figures and the capsules. The plots take the rest.
const SPARE: [f32; 2] = [0.1, 0.28];

/// Horizontal places of the columns. Columns without room are `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    pub name: Rangef,
    pub crowd: Option<Rangef>,
    pub plots: Option<[Rangef; 2]>,
    pub effect: Option<Rangef>,
    pub figures: Vec<(&'static Figure, Rangef)>,
}

#[derive(Clone, Debug)]
pub struct ColumnContent<'a> {
    pub name: f32,
    /// Figures, each with the width of its heading.
    pub figures: &'a [(&'static Figure, f32)],
    pub has_effect: bool,
    pub row: f32,
}

impl Columns {
    /// Divides the range `x`: leaves out the plots first, then figures from the right, then the capsules.
    pub fn new(x: Rangef, content: &ColumnContent<'_>) -> Self {
        let inner = x.shrink(INSET);
        let width = inner.span().max(0.0);
        let name = content.name.min(width.max(LEAST_NAME));
        let room = width - name;
        let least = |figure: &(&'static Figure, f32)| figure.1.max(FIGURE[0]);
        let of_figures = |count: usize| -> f32 {
            let figures = content.figures.iter().take(count);
            figures.map(least).sum()
        };
        let effect = if content.has_effect {
            EFFECT + GAP
        } else {
            0.0
        };
        let all = content.figures.len();
        let plots = 2.0 * (PLOT[0] + GAP);
        let [alone, with_plots] = CROWD.map(|crowd| crowd + GAP);
        // Figures, capsules, plots, effect.
        let mut choices = vec![(all, with_plots, plots, effect)];
        choices.extend((1..=all).rev().map(|count| (count, alone, 0.0, effect)));
        choices.extend([(1, alone, 0.0, 0.0), (1, 0.0, 0.0, 0.0)]);
        let fits = |choice: &(usize, f32, f32, f32)| {
            let (count, crowd, plots, effect) = *choice;
            of_figures(count) + crowd + plots + effect <= room
        };
        let chosen = choices.into_iter().find(fits);
        let (count, crowd, plots, effect) = chosen.unwrap_or((0, 0.0, 0.0, 0.0));
        let spare = (room - of_figures(count) - crowd - plots - effect).max(0.0);

        let figure_spare = if plots > 0.0 {
            spare * SPARE[0]
        } else {
            spare * 0.5
        };
        let of_each = figure_spare / count.max(1) as f32;
        let figure_widths: Vec<f32> = content.figures[..count.min(all)]
            .iter()
            .map(|figure| (least(figure) + of_each).min(FIGURE[1].max(least(figure))))
            .collect();
        let taken = figure_widths.iter().sum::<f32>() - of_figures(count);
        let spare = spare - taken;
        let most_crowd = (content.row * CROWD_OF_ROW).max(crowd - GAP);
        let crowd_spare = if plots > 0.0 {
            spare * SPARE[1] / (1.0 - SPARE[0])
        } else {
            spare
        };
        let crowd_width = (crowd - GAP + crowd_spare).min(most_crowd);
        let plot_spare = spare - (crowd_width - (crowd - GAP));
        let plot_width = (PLOT[0] + plot_spare / 2.0).min(PLOT[1]);

        let mut left = inner.min;
        let mut take = |width: f32, gap: f32| {
            let range = Rangef::new(left.round(), (left + width).round());
            left += width + gap;
            range
        };
        let name = take(name, 0.0);
        let crowd = (crowd > 0.0).then(|| take(crowd_width, GAP));
        let plots = (plots > 0.0).then(|| [take(plot_width, GAP), take(plot_width, GAP)]);
        let effect = (effect > 0.0).then(|| take(EFFECT, GAP));
        // Figures are at the right end.
        let mut right = inner.max;
        let mut figures: Vec<_> = figure_widths
            .iter()
            .zip(content.figures)
            .rev()
            .map(|(width, (figure, _))| {
                let range = Rangef::new((right - width).round(), right.round());
                right -= width;
                (*figure, range)
            })
            .collect();
        figures.reverse();
        Self {
            name,
            crowd,
            plots,
            effect,
            figures,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};
    use headless::stats::FIGURES;
    use timeslicer::strategy::STRATEGIES;

    fn view(width: f32, height: f32) -> Rect {
        Rect::from_min_size(pos2(252.0, 80.0), vec2(width, height))
    }

    fn columns(width: f32, has_effect: bool) -> Columns {
        let figures: Vec<_> = FIGURES
            .iter()
            .take(6)
            .map(|figure| (figure, 70.0))
            .collect();
        let content = ColumnContent {
            name: 130.0,
            figures: &figures,
            has_effect,
            row: 38.0,
        };
        Columns::new(view(width, 1.0).x_range(), &content)
    }

    #[test]
    fn parts_vanish_in_order_and_no_row_leaves_the_view() {
        let rows: Vec<usize> = (0..STRATEGIES.len()).collect();
        let mut before = (true, true, rows.len());
        for height in (0..1500).rev().map(|height| height as f32) {
            let view = view(1028.0, height);
            let Some(table) = TableLayout::new(view, &rows, 0, STRATEGIES, true) else {
                assert!(height < HEADING + FOOTER + LEAST_ROW, "{height}");
                continue;
            };
            let parts = (
                table.lower.is_positive(),
                !table.captions.is_empty(),
                table.rows.len(),
            );
            assert!(parts <= before, "{height}: {parts:?} after {before:?}");
            before = parts;
            let captions = table.captions.iter().map(|(_, rect)| *rect);
            let rects = table.rows.iter().map(|row| row.rect).chain(captions);
            let all: Vec<Rect> = rects
                .chain([table.headings, table.footer, table.lower])
                .collect();
            for (index, rect) in all.iter().enumerate() {
                assert!(view.expand(0.5).contains_rect(*rect), "{height}: {rect}");
                let overlaps = |other: &Rect| other.intersect(*rect).is_positive();
                assert!(!all[..index].iter().any(overlaps), "{height}: {rect}");
            }
        }
        assert_eq!(before, (false, false, 1));
    }

    #[test]
    fn captions_precede_the_first_strategy_of_a_family() {
        let rows: Vec<usize> = (0..STRATEGIES.len()).collect();
        let table = TableLayout::new(view(1028.0, 720.0), &rows, 0, STRATEGIES, true).unwrap();
        assert_eq!(table.captions.len(), families(STRATEGIES));
        for (family, rect) in &table.captions {
            let below = table
                .rows
                .iter()
                .find(|row| row.rect.top() == rect.bottom());
            assert_eq!(STRATEGIES[below.expect("a row").lane].family, *family);
        }
        let table = TableLayout::new(view(1028.0, 720.0), &rows, 0, STRATEGIES, false).unwrap();
        assert!(table.captions.is_empty());
    }

    #[test]
    fn columns_are_in_order_and_inside_at_any_width() {
        for has_effect in [false, true] {
            let mut before = (true, 6, true);
            for width in (0..2400).rev().map(|width| width as f32) {
                let all = columns(width, has_effect);
                let x = view(width, 1.0).x_range();
                let ranges = [Some(all.name), all.crowd]
                    .into_iter()
                    .chain(all.plots.iter().flatten().map(|it| Some(*it)))
                    .chain([all.effect])
                    .flatten()
                    .chain(all.figures.iter().map(|(_, range)| *range));
                let ranges: Vec<Rangef> = ranges.collect();
                for pair in ranges.windows(2) {
                    assert!(pair[0].max <= pair[1].min + 1.0, "{width}: {all:?}");
                }
                let is_narrow = width < 2.0 * INSET + LEAST_NAME;
                let last = ranges.last().map_or(0.0, |range| range.max);
                assert!(is_narrow || last <= x.max - INSET + 1.0, "{width}: {all:?}");
                let parts = (all.plots.is_some(), all.figures.len(), all.crowd.is_some());
                assert!(parts <= before, "{width}: {parts:?} after {before:?}");
                before = parts;
            }
            assert_eq!(before, (false, 0, false));
        }
    }
}
