//! The view that compares: every strategy on the same work, each on a simulated machine of its own.

mod advice;
mod card;
mod panel;

use super::layout::Layout;
use super::{UiContext, smaller, with_lag};
use crate::app::capsules::Colours;
use crate::app::capsules::sync::CrowdPicture;
use crate::app::input::bindings::{Binding, caps_of};
use crate::app::input::response::UiResponse;
use crate::app::panels::staleness_legend;
use crate::app::panels::status_line::Sentence;
use crate::app::state::command::Command;
use crate::app::state::{ColourMode, State};
use crate::app::widgets::buttons::{line, more_room, warning};
use crate::app::widgets::theme;
use crate::experiment::comparison::Comparison;
use crate::sim::disturbance::SLOW_HZ;
use crate::sim::machine::DISPLAY_HZ;
use crate::sim::settings::Settings;
use crate::sim::world::{COST, ENTITIES};
use crate::stats::MeasuredLane;
use crate::stats::{FIGURES, Figure, Mark, Report, recommend, verdict};
use crate::text::format;
use egui::{
    Align2, CornerRadius, Id, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use macroquad::math::Rect as Area;
use timeslice::strategy::StrategyEntry;
use timeslice::strategy::time_budget::BUDGET;
use timeslice::time::{ClockTime, Nanos, monotonic};

const INSET: f32 = 16.0;
const GAP: f32 = 10.0;
const HEADER: f32 = 34.0;
/// What a card needs to be of use.
const LEAST: Vec2 = vec2(120.0, 125.0);
/// Figures stand still for so long, that they can be read.
const STANDS_FOR: Nanos = Nanos::from_millis(250);
/// Above so many entities in all lanes together, one lane a picture is looked at anew.
const ALL_ANEW: usize = 50_000;

/// What the view keeps from one picture to the next.
#[derive(Default)]
pub struct CompareView {
    crowds: Vec<Crowd>,
    reports: Vec<Report>,
    made: ClockTime,
    of: Option<(u64, usize)>,
    /// The lane that may be looked at anew in this picture.
    renews: usize,
}

/// How the lanes are shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// How often they began anew.
    pub epoch: u64,
    /// The place in the registry of the figure by which they are sorted, if by any.
    pub sorted_by: Option<usize>,
    /// Whether their capsules show how stale they are.
    pub staleness: bool,
    /// Whether the panels are shown.
    pub panels: bool,
    /// The key that makes words smaller, where they are large.
    pub smaller: Option<&'a str>,
    /// The keys.
    pub bindings: &'a [Binding],
}

/// How the cards stand: row by row, all of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cards {
    corner: Pos2,
    columns: usize,
    rows: usize,
    size: Vec2,
}

impl Cards {
    /// So many lanes in `rect`, and the advice behind the last of them, if possible: in two rows, else in one, else in
    /// as many as it takes. None where there is no room for what makes a card useful.
    fn fitted(lanes: usize, rect: Rect) -> Option<Self> {
        let ways = [lanes + 1, lanes].into_iter().flat_map(|cells| {
            let rows = [2, 1].into_iter().chain(3..=cells.max(3));
            rows.map(move |rows| cells.div_ceil(rows).max(1))
                .map(move |columns| (columns, cells.div_ceil(columns).max(1)))
        });
        ways.map(|(columns, rows)| {
            let gaps = vec2((columns - 1) as f32, (rows - 1) as f32) * GAP;
            Self {
                corner: rect.min,
                columns,
                rows,
                size: (rect.size() - gaps) / vec2(columns as f32, rows as f32),
            }
        })
        .find(|cards| cards.size.x >= LEAST.x && cards.size.y >= LEAST.y)
    }

    /// Where the card of that number stands.
    fn place(&self, index: usize) -> Rect {
        let (row, column) = (index / self.columns, index % self.columns);
        let step = vec2(column as f32, row as f32) * (self.size + vec2(GAP, GAP));
        Rect::from_min_size(self.corner + step, self.size)
    }

    /// Where the advice stands: behind so many lanes, where the last row has room for it.
    fn advice(&self, lanes: usize) -> Option<Rect> {
        let place = Some(self.place(lanes)).filter(|_| lanes < self.columns * self.rows);
        place.filter(|place| advice::has_room(*place, lanes))
    }
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
    /// Lays out the lanes and the panel beside them.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        layout: &Layout,
        state: &State,
        context: &mut UiContext<'_>,
    ) {
        let Some(comparison) = &state.compare.comparison else {
            return; // it begins with the next frame
        };
        let shown = Shown {
            epoch: state.compare.epoch,
            sorted_by: state.compare.sorted_by,
            staleness: state.colours == ColourMode::Staleness,
            panels: state.interface.panels,
            smaller: smaller(state.interface.scale, context.bindings),
            bindings: context.bindings,
        };
        let clock = monotonic();
        self.show_lanes(ui, layout.view, comparison, shown, clock, context.answer);
        if !state.interface.panels {
            return;
        }
        let summary = recommend(&self.reports, budget(comparison)).text(&self.reports);
        let sentence = Sentence {
            subject: "Compare",
            said: &with_lag(state.experiment_clock.lags, &summary),
            explained: "Figures are of all simulated time since the last change.".to_owned(),
            clock: format!("{:.2} s", comparison.time().as_secs_f64()),
            simulated: true,
            clock_steps: None,
        };
        sentence.show(ui, layout.sentence);
        let UiContext { typing, answer, .. } = context;
        panel::show(ui, layout.left, comparison, shown, typing, answer);
    }

    /// Shows the lanes in `rect`. `clock` is real time.
    fn show_lanes(
        &mut self,
        ui: &Ui,
        rect: Rect,
        comparison: &Comparison,
        shown: Shown<'_>,
        clock: ClockTime,
        answer: &mut UiResponse,
    ) {
        let painter = ui.painter().with_clip_rect(rect);
        self.refresh(comparison, shown.epoch, clock);
        for crowd in &mut self.crowds {
            crowd.place = Rect::NOTHING;
        }
        let inner = rect.shrink2(vec2(INSET, 0.0));
        let lanes = comparison.lanes();
        let below = Rect::from_min_max(inner.min + vec2(0.0, HEADER), inner.max - vec2(0.0, INSET));
        let Some(cards) = Cards::fitted(lanes.len(), below) else {
            ground(&painter, rect, &[]);
            let hide = caps_of(shown.bindings, Command::Panels);
            let hide = Some(hide).filter(|_| shown.panels);
            let does = "compares the strategies";
            more_room(&painter, rect, does, hide, shown.smaller);
            return;
        };
        let places: Vec<Rect> = (0..lanes.len()).map(|index| cards.place(index)).collect();
        let holes: Vec<Rect> = places
            .iter()
            .map(|place| card::capsules_in(*place))
            .collect();
        ground(&painter, rect, &holes);
        header(&painter, inner, comparison, shown);
        let marks = marks(&self.reports);
        let scale = card::Scale::of(comparison);
        let sorted_by = shown.sorted_by.and_then(|index| FIGURES.get(index));
        let in_order = sorted_by.map_or_else(
            || (0..self.reports.len()).collect(),
            |figure| figure.order(&self.reports),
        );
        for (&lane, &place) in in_order.iter().zip(&places) {
            let Some(report) = self.reports.get(lane) else {
                continue;
            };
            if let Some(crowd) = self.crowds.get_mut(lane) {
                crowd.place = card::capsules_in(place).intersect(rect);
            }
            let StrategyEntry { key, rule, .. } = *report.strategy;
            let caps = card::caps(report, shown.bindings);
            answer.stands(format!("lane:{key}"), place);
            let response = ui.interact(place, Id::new(("lane", key)), Sense::click());
            if response.hovered() {
                let edge = Stroke::new(1.0, theme::TEAL);
                painter.rect_stroke(place, CornerRadius::same(8), edge, StrokeKind::Inside);
            }
            if response.clicked() {
                answer.commands.push(Command::OpenLane(lane));
            }
            let verdict = verdict(report);
            response.on_hover_text(format!(
                "{verdict}\n\n{rule}\nA click opens it in the main view, and so does {caps}."
            ));
            let recent = card::Recent {
                frames: comparison.recent(lane),
                disturbances: comparison.disturbances(lane),
            };
            card::paint(&painter, place, caps, report, &recent, &scale);
            card::figures(
                ui,
                place,
                report,
                |figure| marks[figure][lane],
                shown.sorted_by,
                answer,
            );
        }
        let place = cards.advice(lanes.len());
        if let Some(place) = place.filter(|_| !self.reports.is_empty()) {
            let advice = recommend(&self.reports, budget(comparison));
            advice::show(ui, place, &advice, &self.reports, answer);
        }
    }

    fn refresh(&mut self, comparison: &Comparison, epoch: u64, clock: ClockTime) {
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
    pub fn paint_capsules(
        &mut self,
        comparison: &mut Comparison,
        pixels_per_point: f32,
        colours: Colours,
        is_paused: bool,
    ) -> Result<(), String> {
        while self.crowds.len() < comparison.lanes().len() {
            self.crowds.push(Crowd {
                picture: CrowdPicture::new()?,
                place: Rect::NOTHING,
                frames: 0,
                is_behind: false,
            });
        }
        let living = |lane: &MeasuredLane<_>| lane.world().tasks().len();
        let all: usize = comparison.lanes().iter().map(living).sum();
        self.renews = (self.renews + 1) % comparison.lanes().len().max(1);
        let lanes = self.crowds.iter_mut().zip(comparison.lanes_mut());
        for (number, (crowd, lane)) in lanes.enumerate() {
            let place = crowd.place * pixels_per_point;
            if !place.is_positive() {
                continue;
            }
            // The news are of the last frame only. Many are looked at anew one lane after the other, for each
            // look takes time.
            let new = lane.frames().saturating_sub(crowd.frames);
            crowd.is_behind |= new > 1 || (new == 1 && !lane.lists_all_runs());
            let may_renew = all <= ALL_ANEW || self.renews == number;
            if crowd.is_behind && may_renew {
                crowd.picture.renew();
                crowd.is_behind = false;
            }
            crowd.frames = lane.frames();
            let area = Area::new(place.left(), place.top(), place.width(), place.height());
            crowd.picture.follow(lane, area, is_paused);
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
    for part in around(rect, holes) {
        painter.rect_filled(part, 0.0, theme::FLOOR);
    }
}

/// `rect` without the holes, which stand in rows, from the left to the right in each.
fn around(rect: Rect, holes: &[Rect]) -> Vec<Rect> {
    let mut rows: Vec<(f32, f32)> = holes
        .iter()
        .map(|hole| (hole.top(), hole.bottom()))
        .collect();
    rows.sort_by(|one, other| one.0.total_cmp(&other.0));
    rows.dedup();
    let mut parts = Vec::new();
    let mut top = rect.top();
    for (row_top, row_bottom) in rows {
        parts.push(Rect::from_x_y_ranges(rect.x_range(), top..=row_top));
        let mut left = rect.left();
        for hole in holes.iter().filter(|hole| hole.top() == row_top) {
            let y = row_top..=row_bottom;
            parts.push(Rect::from_x_y_ranges(left..=hole.left(), y));
            left = hole.right();
        }
        let y = row_top..=row_bottom;
        parts.push(Rect::from_x_y_ranges(left..=rect.right(), y));
        top = row_bottom;
    }
    parts.push(Rect::from_x_y_ranges(rect.x_range(), top..=rect.bottom()));
    parts
}

/// What all lanes have in common, and what the marks mean.
fn header(painter: &Painter, inner: Rect, comparison: &Comparison, shown: Shown<'_>) {
    let stale = shown.staleness;
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
    let room = legend - if stale { 284.0 } else { 20.0 };
    let end = counted_shock(painter, pos2(end, y), room, comparison, shown.bindings);
    if stale && end + 260.0 > legend {
        // What the colours mean goes first.
        staleness_legend::line(painter, pos2(inner.right(), y));
        return;
    }
    if stale {
        staleness_legend::line(painter, pos2(legend - 24.0, y));
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

/// Says that the figures have a disturbance in them, and which key leaves it out, where that has room to the left of `room`.
/// Returns where it ends.
fn counted_shock(
    painter: &Painter,
    at: Pos2,
    room: f32,
    comparison: &Comparison,
    bindings: &[Binding],
) -> f32 {
    let Some(name) = comparison.counted_shock() else {
        return at.x;
    };
    let key = caps_of(bindings, Command::Measure);
    let words = format!("  ·  figures count {name}: {key} begins them anew");
    let galley = painter.layout_no_wrap(words, theme::text(12.0), theme::AMBER);
    let end = at.x + galley.size().x;
    if end > room {
        return at.x;
    }
    let top = at.y - galley.size().y / 2.0;
    painter.galley(pos2(at.x, top), galley, theme::AMBER);
    end
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
        of(format::grouped(entities)),
        words(if entities == 1 {
            " entity  ·  "
        } else {
            " entities  ·  "
        }),
        of(format::knob(&COST, knobs.get(&COST))),
        words(" a task  ·  "),
        of(format::number(hz)),
        words(" Hz display  ·  "),
        words(settings.frame_loop.name),
    ]
}

/// For each figure of the registry, the mark of each lane.
fn marks(reports: &[Report]) -> Vec<Vec<Mark>> {
    let of = |figure: &Figure| figure.marks(reports, |value| card::written(value, figure.unit));
    FIGURES.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslice::strategy::STRATEGIES;

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
    fn any_number_of_lanes_has_room_and_the_advice_behind_them() {
        let window =
            |width: f32, height: f32| Rect::from_min_size(pos2(268.0, 114.0), vec2(width, height));
        let at_1280_by_800 = window(996.0, 670.0);
        for lanes in 1..=12 {
            let cards = Cards::fitted(lanes, at_1280_by_800).expect("there is room");
            let advice = cards.advice(lanes).expect("there is room for it");
            let places: Vec<Rect> = (0..lanes).map(|index| cards.place(index)).collect();
            for (index, place) in places.iter().chain([&advice]).enumerate() {
                assert!(
                    at_1280_by_800.expand(0.1).contains_rect(*place),
                    "{lanes}: {place:?}"
                );
                let others = places.iter().take(index);
                assert!(
                    others.into_iter().all(|other| !other.intersects(*place)),
                    "{lanes}"
                );
            }
        }
        let of_seven = Cards::fitted(7, at_1280_by_800).expect("there is room");
        assert_eq!((of_seven.columns, of_seven.rows), (4, 2));
        // Telephones, upright and lying, without their panels; and lying with them.
        for room in [
            window(358.0, 750.0),
            window(812.0, 296.0),
            window(560.0, 260.0),
        ] {
            let cards = Cards::fitted(7, room).expect("there is room");
            assert!(cards.columns > 1 && cards.rows > 1);
        }
        assert_eq!(Cards::fitted(7, window(106.0, 670.0)), None);
        assert_eq!(Cards::fitted(7, window(-20.0, -30.0)), None);
    }

    #[test]
    fn the_ground_leaves_no_more_out_than_the_holes() {
        // None, one, and several in two rows.
        let hole = |x: f32, y: f32| Rect::from_min_size(pos2(x, y), vec2(10.0, 5.0));
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 50.0));
        for holes in [
            vec![],
            vec![hole(5.0, 5.0)],
            vec![hole(5.0, 5.0), hole(30.0, 5.0), hole(5.0, 20.0)],
        ] {
            let painted = around(rect, &holes);
            let area = |rects: &[Rect]| rects.iter().map(Rect::area).sum::<f32>();
            assert_eq!(area(&painted) + area(&holes), rect.area(), "{holes:?}");
            let meets = |hole: &Rect| painted.iter().any(|it| it.intersect(*hole).is_positive());
            assert!(!holes.iter().any(meets), "{holes:?}");
        }
    }
}
