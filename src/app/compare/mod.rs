//! The view that compares: every strategy on the same work, each on a simulated machine of its own.

mod advice;
mod card;
mod panel;

pub use panel::show as show_panel;

use super::answer::Answer;
use super::capsules::Colours;
use super::command::Command;
use super::crowd::CrowdPicture;
use super::widgets::{line, warning};
use super::{stale_scale, theme};
use egui::{Align2, CornerRadius, Id, Painter, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use macroquad::math::Rect as Area;
use timeslice_lab::comparison::Comparison;
use timeslice_lab::figure;
use timeslice_lab::lane::Lane;
use timeslice_lab::machine::DISPLAY_HZ;
use timeslice_lab::metrics::{Better, FIGURES, Figure, Report, advice, verdict};
use timeslice_lab::said::Said;
use timeslice_lab::settings::Settings;
use timeslice_lab::shock::SLOW_HZ;
use timeslice_lab::strategy::time_budget::BUDGET;
use timeslice_lab::time::Nanos;
use timeslice_lab::world::{COST, ENTITIES};

const INSET: f32 = 16.0;
const GAP: f32 = 10.0;
const HEADER: f32 = 34.0;
/// What a card needs to be of use.
const LEAST: egui::Vec2 = vec2(120.0, 150.0);
/// Figures stand still for so long, that they can be read.
const STANDS_FOR: Nanos = Nanos::from_millis(250);
/// Above so many entities in all lanes together, one lane a picture is looked at anew.
const ALL_ANEW: usize = 50_000;

/// What the view keeps from one picture to the next.
#[derive(Default)]
pub struct CompareView {
    crowds: Vec<Crowd>,
    reports: Vec<Report>,
    made: Nanos,
    of: Option<(u64, usize)>,
    /// The lane that may be looked at anew in this picture.
    renews: usize,
}

/// How the lanes are shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// How often they began anew.
    pub epoch: u64,
    /// The place in the registry of the figure by which they are sorted, if by any.
    pub sorted_by: Option<usize>,
    /// Whether their capsules show how stale they are.
    pub staleness: bool,
}

/// A lane's capsules, and where they stand.
struct Crowd {
    picture: CrowdPicture,
    place: Rect,
    /// How many frames its lane had made in the last picture.
    frames: u64,
    /// Whether it has missed what happened in some.
    is_behind: bool,
}

impl CompareView {
    /// Shows the lanes in `rect`. `clock` is real time.
    pub fn show(
        &mut self,
        ui: &Ui,
        rect: Rect,
        comparison: &Comparison,
        shown: Shown,
        clock: Nanos,
        answer: &mut Answer,
    ) {
        let Shown {
            epoch,
            sorted_by,
            staleness,
        } = shown;
        let painter = ui.painter().with_clip_rect(rect);
        self.refresh(comparison, epoch, clock);
        for crowd in &mut self.crowds {
            crowd.place = Rect::NOTHING;
        }
        let inner = rect.shrink2(vec2(INSET, 0.0));
        let lanes = comparison.lanes();
        let columns = lanes.len().div_ceil(2).max(1);
        let rows = lanes.len().div_ceil(columns).max(1);
        let room = inner.size() - vec2(0.0, HEADER + INSET);
        let gaps = vec2((columns - 1) as f32, (rows - 1) as f32) * GAP;
        let size = (room - gaps) / vec2(columns as f32, rows as f32);
        if size.x < LEAST.x || size.y < LEAST.y {
            ground(&painter, rect, &[]);
            let font = theme::text(13.0);
            let words = "a larger window compares the strategies";
            painter.text(
                rect.center(),
                Align2::CENTER_CENTER,
                words,
                font,
                theme::DIM,
            );
            return;
        }
        let place = |index: usize| {
            let (row, column) = (index / columns, index % columns);
            let step = size + vec2(GAP, GAP);
            let corner = inner.min + vec2(0.0, HEADER) + vec2(column as f32, row as f32) * step;
            Rect::from_min_size(corner, size)
        };
        let places: Vec<Rect> = (0..lanes.len()).map(place).collect();
        let holes: Vec<Rect> = places
            .iter()
            .map(|place| card::capsules_in(*place))
            .collect();
        ground(&painter, rect, &holes);
        header(&painter, inner, comparison, staleness);
        let marks = marks(&self.reports);
        let scale = card::Scale::of(comparison);
        for (&lane, &place) in order(&self.reports, sorted_by).iter().zip(&places) {
            let Some(report) = self.reports.get(lane) else {
                continue;
            };
            if let Some(crowd) = self.crowds.get_mut(lane) {
                crowd.place = card::capsules_in(place).intersect(rect);
            }
            let key = lanes[lane].settings().strategy.key;
            answer.stands(format!("lane:{key}"), place);
            let response = ui.interact(place, Id::new(("lane", key)), Sense::click());
            if response.hovered() {
                let edge = Stroke::new(1.0, theme::TEAL);
                painter.rect_stroke(place, CornerRadius::same(8), edge, StrokeKind::Inside);
            }
            if response.clicked() {
                answer.commands.push(Command::OpenLane(lane));
            }
            let verdict = verdict(report).text();
            let rule = lanes[lane].settings().strategy.rule;
            response.on_hover_text(format!(
                "{verdict}\n\n{rule}\nA click opens it in the main view."
            ));
            let recent = card::Recent {
                frames: comparison.recent(lane),
                shocks: comparison.shocks(lane),
            };
            card::paint(&painter, place, lane, report, &recent, &scale);
            card::figures(
                ui,
                place,
                report,
                |figure| marks[figure][lane],
                sorted_by,
                answer,
            );
        }
        // Where the last row has room for one more.
        if lanes.len() < columns * rows && !self.reports.is_empty() {
            let advice = advice(&self.reports, budget(comparison));
            advice::show(ui, place(lanes.len()), &advice, &self.reports, answer);
        }
    }

    /// Which strategies keep within the budget of `comparison`, and which of them is the freshest, in a sentence.
    pub fn summary(&self, comparison: &Comparison) -> Said {
        advice(&self.reports, budget(comparison)).said(&self.reports)
    }

    fn refresh(&mut self, comparison: &Comparison, epoch: u64, clock: Nanos) {
        let of = Some((epoch, comparison.lanes().len()));
        if of != self.of || clock >= self.made + STANDS_FOR {
            self.reports = comparison.reports();
            self.made = clock;
        }
        if of != self.of {
            self.of = of;
            for crowd in &mut self.crowds {
                crowd.picture.renew();
            }
        }
    }

    /// Draws the capsules where the interface has left room for them.
    ///
    /// # Errors
    /// Where the driver complains of their shader.
    pub fn paint(
        &mut self,
        comparison: &mut Comparison,
        scale: f32,
        colours: Colours,
        stands: bool,
    ) -> Result<(), String> {
        while self.crowds.len() < comparison.lanes().len() {
            self.crowds.push(Crowd {
                picture: CrowdPicture::new()?,
                place: Rect::NOTHING,
                frames: 0,
                is_behind: false,
            });
        }
        let living = |lane: &Lane<_>| lane.world().tasks().len();
        let all: usize = comparison.lanes().iter().map(living).sum();
        self.renews = (self.renews + 1) % comparison.lanes().len().max(1);
        let lanes = self.crowds.iter_mut().zip(comparison.lanes_mut());
        for (number, (crowd, lane)) in lanes.enumerate() {
            let place = crowd.place * scale;
            if !place.is_positive() {
                continue;
            }
            // The news are of the last frame only. Many are looked at anew one lane after the other, for each
            // look takes time.
            crowd.is_behind |= lane.frames() > crowd.frames + 1;
            let may_renew = all <= ALL_ANEW || self.renews == number;
            if crowd.is_behind && may_renew {
                crowd.picture.renew();
                crowd.is_behind = false;
            }
            crowd.frames = lane.frames();
            let area = Area::new(place.left(), place.top(), place.width(), place.height());
            crowd.picture.follow(lane, area, stands);
            crowd.picture.draw(lane.now(), colours);
        }
        Ok(())
    }
}

/// What a frame may spend on tasks.
fn budget(comparison: &Comparison) -> Nanos {
    Nanos::from_millis_f64(comparison.knobs().get(&BUDGET))
}

/// Paints everything but the holes through which the capsules are seen.
fn ground(painter: &Painter, rect: Rect, holes: &[Rect]) {
    let mut rows: Vec<(f32, f32)> = holes
        .iter()
        .map(|hole| (hole.top(), hole.bottom()))
        .collect();
    rows.sort_by(|one, other| one.0.total_cmp(&other.0));
    rows.dedup();
    let mut top = rect.top();
    let fill = |rect: Rect| painter.rect_filled(rect, 0.0, theme::FLOOR);
    for (row_top, row_bottom) in rows {
        fill(Rect::from_x_y_ranges(rect.x_range(), top..=row_top));
        let mut left = rect.left();
        let in_row = holes.iter().filter(|hole| hole.top() == row_top);
        for hole in in_row {
            fill(Rect::from_x_y_ranges(
                left..=hole.left(),
                row_top..=row_bottom,
            ));
            left = hole.right();
        }
        fill(Rect::from_x_y_ranges(
            left..=rect.right(),
            row_top..=row_bottom,
        ));
        top = row_bottom;
    }
    fill(Rect::from_x_y_ranges(rect.x_range(), top..=rect.bottom()));
}

/// What all lanes have in common, and what the marks mean.
fn header(painter: &Painter, inner: Rect, comparison: &Comparison, stale: bool) {
    let y = inner.top() + HEADER / 2.0;
    let Some(settings) = comparison.settings_of(0) else {
        return;
    };
    let words = common(settings, comparison.has_slow_display());
    let parts: Vec<(&str, bool, egui::Color32)> = words
        .iter()
        .map(|(words, is_figure)| {
            let ink = if *is_figure {
                theme::BRIGHT
            } else {
                theme::DIM
            };
            (words.as_str(), *is_figure, ink)
        })
        .collect();
    let end = line(painter, pos2(inner.left(), y), &parts, 12.0);
    let legend = inner.right() - 214.0;
    if stale && end + 260.0 > legend {
        // What the colours mean goes first.
        stale_scale::line(painter, pos2(inner.right(), y));
        return;
    }
    if stale {
        stale_scale::line(painter, pos2(legend - 24.0, y));
    }
    if end + 20.0 > legend {
        return;
    }
    painter.circle_filled(pos2(legend, y), 4.0, theme::TEAL);
    let font = theme::text(12.0);
    let at = pos2(legend + 9.0, y);
    painter.text(at, Align2::LEFT_CENTER, "best", font.clone(), theme::DIM);
    warning(painter, pos2(legend + 52.0, y), 4.0);
    let words = "worst · a click on a name sorts";
    let at = pos2(legend + 61.0, y);
    painter.text(at, Align2::LEFT_CENTER, words, font, theme::DIM);
}

fn common(settings: &Settings, slow_display: bool) -> Vec<(String, bool)> {
    let knobs = &settings.knobs;
    let words = |words: &str| (words.to_owned(), false);
    let of = |text: String| (text, true);
    let entities = knobs.get(&ENTITIES) as u64;
    let hz = knobs.get(&DISPLAY_HZ);
    let hz = if slow_display { hz.min(SLOW_HZ) } else { hz };
    vec![
        words("seed "),
        of(settings.seed.to_string()),
        words("  ·  "),
        of(figure::grouped(entities)),
        words(if entities == 1 {
            " entity  ·  "
        } else {
            " entities  ·  "
        }),
        of(figure::knob(&COST, knobs.get(&COST))),
        words(" a task  ·  "),
        of(figure::number(hz)),
        words(" Hz display  ·  "),
        words(settings.frame_loop.name),
    ]
}

/// How a figure stands among those of the other lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Like others.
    #[default]
    None,
    /// The best, and not all are.
    Best,
    /// The worst, and not all are.
    Worst,
}

/// For each figure of the registry, the mark of each lane.
fn marks(reports: &[Report]) -> Vec<Vec<Mark>> {
    let of = |figure: &Figure| {
        let Some((best, worst)) = figure.best_and_worst(reports) else {
            return vec![Mark::None; reports.len()];
        };
        let mark = |report| match (figure.of)(report) {
            Some(value) if value == best => Mark::Best,
            Some(value) if value == worst => Mark::Worst,
            _ => Mark::None,
        };
        reports.iter().map(mark).collect()
    };
    FIGURES.iter().map(of).collect()
}

/// The lanes in the order in which they are shown: the best by that figure first, those without it last.
fn order(reports: &[Report], sorted_by: Option<usize>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..reports.len()).collect();
    if let Some(figure) = sorted_by.and_then(|index| FIGURES.get(index)) {
        let sign = if figure.better == Better::More {
            -1.0
        } else {
            1.0
        };
        let value =
            |lane: &usize| (figure.of)(&reports[*lane]).map_or(f64::INFINITY, |value| sign * value);
        order.sort_by(|one, other| value(one).total_cmp(&value(other)));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslice_lab::strategy::STRATEGIES;

    fn reports() -> Vec<Report> {
        let mut comparison = Comparison::new(&Settings::default(), STRATEGIES);
        comparison.advance(Nanos::from_secs(5));
        comparison.reports()
    }

    fn index(key: &str) -> usize {
        FIGURES.iter().position(|figure| figure.key == key).unwrap()
    }

    fn lane(key: &str) -> usize {
        STRATEGIES
            .iter()
            .position(|entry| entry.key == key)
            .unwrap()
    }

    #[test]
    fn the_best_and_the_worst_are_marked_and_nothing_where_all_are_alike() {
        let marks = marks(&reports());
        let p99 = &marks[index("frame_ms.p99")];
        assert_eq!(p99[lane("every-frame")], Mark::Worst);
        assert_eq!(p99[lane("fixed-interval")], Mark::Best);
        let debt = &marks[index("debt_dropped_ms")];
        assert!(debt.iter().all(|mark| *mark == Mark::None));
        assert!(
            marks[index("entities")]
                .iter()
                .all(|mark| *mark == Mark::None)
        );
    }

    #[test]
    fn lanes_are_sorted_by_any_figure_the_best_first_and_those_without_it_last() {
        let reports = reports();
        let natural: Vec<usize> = (0..reports.len()).collect();
        assert_eq!(order(&reports, None), natural);
        for (index, figure) in FIGURES.iter().enumerate() {
            let values: Vec<Option<f64>> = order(&reports, Some(index))
                .into_iter()
                .map(|lane| (figure.of)(&reports[lane]))
                .collect();
            let known: Vec<f64> = values.iter().flatten().copied().collect();
            assert!(
                values[..known.len()].iter().all(Option::is_some),
                "{}",
                figure.key
            );
            let sorted = known.windows(2).all(|pair| match figure.better {
                Better::More => pair[0] >= pair[1],
                Better::Less | Better::Neither => pair[0] <= pair[1],
            });
            assert!(sorted, "{}: {known:?}", figure.key);
        }
    }

    #[test]
    fn the_ground_leaves_no_more_out_than_the_holes() {
        // Painted without a panic, whatever the holes: none, one, and several in two rows.
        let ctx = egui::Context::default();
        let _ = ctx.run(egui::RawInput::default(), |ctx| {
            let painter = Painter::new(ctx.clone(), egui::LayerId::background(), Rect::EVERYTHING);
            let hole = |x: f32, y: f32| Rect::from_min_size(pos2(x, y), vec2(10.0, 5.0));
            let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 50.0));
            for holes in [
                vec![],
                vec![hole(5.0, 5.0)],
                vec![hole(5.0, 5.0), hole(30.0, 5.0), hole(5.0, 20.0)],
            ] {
                ground(&painter, rect, &holes);
            }
        });
    }
}
