//! The Compare view: a card for each lane, a list of the strategies within budget, and a panel with the knobs of all
//! lanes. Figures and their ranks come from `stats`; this folder measures nothing.

mod card;
mod cards;
mod crowds;
mod header;
mod panel;
mod recommendation;

use super::layout::Layout;
use super::{UiContext, smaller, with_lag};
use crate::app::capsules::Colours;
use crate::app::input::bindings::{Binding, caps_of};
use crate::app::input::response::UiResponse;
use crate::app::panels::status_line::StatusLine;
use crate::app::state::command::Command;
use crate::app::state::{ColourMode, State};
use crate::app::widgets::buttons::{part_shown, too_small};
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use crate::app::widgets::wheel::first_shown;
use crate::experiment::comparison::{Comparison, Effect};
use crate::sim::settings::Settings;
use crate::stats::{FIGURES, Figure, Rank, Report, recommend, verdict};
use crate::text::format;
use card::{BarScale, RecentFrames};
use cards::{CardLayout, ground};
use crowds::Crowds;
use egui::{CornerRadius, Id, Rect, Sense, Stroke, StrokeKind, Ui, vec2};
use timeslice::strategy::knobs::BUDGET;
use timeslice::time::{ClockTime, Nanos, monotonic};

const INSET: f32 = 16.0;
const HEADER: f32 = 34.0;
/// Time between updates of the figures, long enough to read them.
const HELD: Nanos = Nanos::from_millis(250);

/// Data that the view keeps from one picture to the next.
#[derive(Default)]
pub struct CompareView {
    crowds: Crowds,
    reports: Vec<Report>,
    /// Effect of the last disturbance on each lane.
    effects: Vec<Option<Effect>>,
    /// Label of that disturbance.
    disturbance: Option<String>,
    /// Time of the reports and effects.
    reported_at: ClockTime,
    /// Epoch of the comparison and number of lanes at that time.
    reported: Option<(u64, usize)>,
}

/// Display settings of the view.
#[derive(Clone, Copy, Debug)]
pub struct CompareDisplay<'a> {
    /// Number of restarts of the comparison and resets of its figures.
    pub epoch: u64,
    /// Index of the figure to sort lanes by.
    pub sorted_by: Option<usize>,
    /// True if capsules show their staleness.
    pub staleness: bool,
    /// Settings that the Grid view shares.
    pub settings: &'a Settings,
    /// True if the panels are shown.
    pub panels: bool,
    /// Key that reduces the text size, if the text is large.
    pub smaller: Option<&'a str>,
    /// Key bindings.
    pub bindings: &'a [Binding],
}

impl CompareView {
    /// Lays out the lanes, the status and the panel.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        layout: &Layout,
        state: &State,
        context: &mut UiContext<'_>,
    ) {
        let Some(comparison) = &state.compare.comparison else {
            return; // the comparison begins with the next frame
        };
        let display = CompareDisplay {
            epoch: state.compare.epoch,
            sorted_by: state.compare.sorted_by,
            staleness: state.colours == ColourMode::Staleness,
            settings: &state.settings,
            panels: state.interface.panels,
            smaller: smaller(state.interface.scale, context.bindings),
            bindings: context.bindings,
        };
        self.refresh(comparison, display.epoch, monotonic());
        self.show_lanes(ui, layout.view, comparison, display, context.answer);
        if !state.interface.panels {
            return;
        }
        let summary = recommend(&self.reports, budget(comparison)).text(&self.reports);
        let line = StatusLine {
            subject: "Compare",
            status: &with_lag(state.experiment_clock.lags, &summary),
            explanation: "Figures cover all simulated time since the last change.".to_owned(),
            clock: format::time(comparison.time().as_secs_f64()),
            simulated: true,
            clock_steps: None,
        };
        line.show(ui, layout.status);
        let subject = (comparison, &*self.reports);
        panel::show(ui, layout.left, subject, display, context.answer);
    }

    /// Shows a card for each lane in `rect`, then the recommendation.
    fn show_lanes(
        &mut self,
        ui: &Ui,
        rect: Rect,
        comparison: &Comparison,
        display: CompareDisplay<'_>,
        answer: &mut UiResponse,
    ) {
        self.crowds.hide();
        let painter = ui.painter().with_clip_rect(rect);
        let inner = rect.shrink2(vec2(INSET, 0.0));
        let lanes = comparison.lanes().len();
        let below = Rect::from_min_max(inner.min + vec2(0.0, HEADER), inner.max - vec2(0.0, INSET));
        // If not all cards fit, as many as possible are shown, and the wheel scrolls.
        let most = (1..=lanes)
            .rev()
            .find_map(|fitting| Some((fitting, CardLayout::fitted(fitting, below)?)));
        let Some((fitting, cards)) = most else {
            ground(&painter, rect, &[]);
            let hide = caps_of(display.bindings, Command::Panels);
            let hide = Some(hide).filter(|_| display.panels);
            too_small(&painter, rect, "the comparison", hide, display.smaller);
            return;
        };
        let places: Vec<Rect> = (0..fitting).map(|index| cards.place(index)).collect();
        let capsules = places.iter().map(|place| card::capsules_in(*place));
        ground(&painter, rect, &capsules.collect::<Vec<_>>());
        let first = first_shown(ui, rect, Id::new("first lane"), fitting, lanes);
        if fitting < lanes {
            let head = inner.with_max_y(below.top());
            part_shown(
                &painter,
                head,
                "lanes",
                first,
                fitting,
                lanes,
                display.smaller,
            );
        } else {
            header::show(&painter, inner, comparison, display);
        }
        let ranks = ranks(&self.reports);
        let scale = BarScale::of(comparison);
        let order = self.order(display.sorted_by).into_iter().skip(first);
        for (lane, &place) in order.zip(&places) {
            let Some(report) = self.reports.get(lane) else {
                continue;
            };
            let capsules = card::capsules_in(place).intersect(rect);
            self.crowds.show(lane, capsules);
            let caps = card::caps(report, display.bindings);
            let effect = self.effects[lane].as_ref();
            open_on_click(ui, place, lane, (report, effect), caps, answer);
            let recent = RecentFrames {
                frames: comparison.recent(lane),
                disturbances: comparison.disturbances(lane),
            };
            card::paint(&painter, place, caps, report, &recent, &scale);
            if let (Some(effect), Some(name)) = (effect, &self.disturbance) {
                let shown = card::effect(&painter, place, name, effect);
                let key = report.subject.strategy.key;
                answer.report(format!("effect:{key}"), shown);
            }
            let rank = |figure: usize| ranks[figure][lane];
            card::figures(ui, place, report, rank, display.sorted_by, answer);
        }
        let place = cards.recommendation(lanes).filter(|_| fitting == lanes);
        if let Some(place) = place.filter(|_| !self.reports.is_empty()) {
            let recommendation = recommend(&self.reports, budget(comparison));
            recommendation::show(ui, place, &recommendation, &self.reports, answer);
        }
    }

    /// Returns the lanes in the order of their cards.
    fn order(&self, sorted_by: Option<usize>) -> Vec<usize> {
        let figure = sorted_by.and_then(|index| FIGURES.get(index));
        figure.map_or_else(
            || (0..self.reports.len()).collect(),
            |figure| figure.order(&self.reports),
        )
    }

    /// Makes new reports if the old reports were shown long enough, or if the lanes or the last disturbance are new.
    /// `clock` is real time.
    fn refresh(&mut self, comparison: &Comparison, epoch: u64, clock: ClockTime) {
        let lanes = Some((epoch, comparison.lanes().len()));
        let is_new = lanes != self.reported;
        let is_disturbed = self.disturbance.as_deref() != comparison.last_disturbance();
        if is_new || is_disturbed || clock >= self.reported_at + HELD {
            self.disturbance = comparison.last_disturbance().map(str::to_owned);
            self.reports = comparison.reports();
            for report in &mut self.reports {
                report.subject.recovery = None; // the cards show the effect instead
            }
            let lanes = 0..comparison.lanes().len();
            self.effects = lanes.map(|lane| comparison.effect(lane)).collect();
            self.reported_at = clock;
        }
        if is_new {
            self.reported = lanes;
            self.crowds.renew();
        }
    }

    /// Draws the capsules in the places from the layout.
    ///
    /// # Errors
    /// If the graphics driver rejects the capsules' shader.
    pub fn paint_capsules(
        &mut self,
        comparison: &mut Comparison,
        pixels_per_point: f32,
        colours: Colours,
        is_paused: bool,
    ) -> Result<(), String> {
        self.crowds
            .paint(comparison, pixels_per_point, colours, is_paused)
    }
}

/// Opens the lane on a click on its card.
fn open_on_click(
    ui: &Ui,
    place: Rect,
    lane: usize,
    (report, effect): (&Report, Option<&Effect>),
    caps: &str,
    answer: &mut UiResponse,
) {
    let key = report.subject.strategy.key;
    answer.report(format!("lane:{key}"), place);
    // Not `Sense::click()`: that can take the keyboard focus, which would not be visible here.
    let response = ui.interact(place, Id::new(("lane", key)), Sense::CLICK);
    if response.hovered() {
        let edge = Stroke::new(1.0, theme::TEAL);
        let corners = CornerRadius::same(8);
        ui.painter()
            .rect_stroke(place, corners, edge, StrokeKind::Inside);
    }
    if response.clicked() {
        answer.commands.push(Command::OpenLane(lane));
    }
    let or_press = if caps.is_empty() {
        String::new()
    } else {
        format!(" or press {caps}")
    };
    let (verdict, rule) = (verdict(report), report.subject.strategy.rule);
    let effect = effect.map_or_else(String::new, |effect| format!("{}\n\n", effect.in_full()));
    let text = format!("{effect}{verdict}\n\n{rule}\nClick{or_press} to open it in Grid.");
    tooltip::offer(&response, text);
}

/// Returns the time that a frame may spend on tasks.
fn budget(comparison: &Comparison) -> Nanos {
    Nanos::from_millis_f64(comparison.knobs().get(&BUDGET))
}

/// Returns the rank of each lane for each figure of the registry.
fn ranks(reports: &[Report]) -> Vec<Vec<Rank>> {
    let of = |figure: &Figure| figure.ranks(reports, |value| card::written(value, figure.unit));
    FIGURES.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::input::bindings::bindings;
    use crate::app::views::tests::{TOOLTIP_SIZES, check_tooltips, click, window};
    use crate::sim::disturbance::Disturbance;
    use egui::{Key, Vec2};
    use timeslice::strategy::{STRATEGIES, StrategyEntry, every_frame, fixed_interval};

    fn display<'a>(comparison: &'a Comparison, bindings: &'a [Binding]) -> CompareDisplay<'a> {
        CompareDisplay {
            epoch: 0,
            sorted_by: None,
            staleness: false,
            settings: comparison.settings(),
            panels: false,
            smaller: None,
            bindings,
        }
    }

    fn index(key: &str) -> usize {
        FIGURES.iter().position(|figure| figure.key == key).unwrap()
    }

    fn lane(strategy: &StrategyEntry) -> usize {
        let lane = STRATEGIES.iter().position(|entry| *entry == strategy);
        lane.expect("it is registered")
    }

    #[test]
    fn cards_take_clicks_but_no_focus() {
        let mut comparison = Comparison::new(&Settings::default(), STRATEGIES);
        comparison.advance(Nanos::from_secs(1));
        let bindings = bindings();
        let display = display(&comparison, &bindings);
        let mut view = CompareView::default();
        view.refresh(&comparison, 0, monotonic());
        let mut window = window(vec2(1280.0, 800.0), |ui, answer| {
            view.show_lanes(ui, ui.max_rect(), &comparison, display, answer);
        });
        for _ in STRATEGIES {
            window.press_key(Key::Tab);
            window.step();
            assert_eq!(window.ctx.memory(egui::Memory::focused), None);
        }
        for (lane, entry) in STRATEGIES.iter().enumerate() {
            for control in ["lane", "advice"] {
                click(&mut window, &format!("{control}:{}", entry.key));
                let last = window.state().commands.last();
                assert_eq!(last, Some(&Command::OpenLane(lane)), "{control}");
            }
        }
        click(
            &mut window,
            &format!("figure:{}:{}", STRATEGIES[0].key, "hitch_percent"),
        );
        let last = window.state().commands.last();
        assert_eq!(last, Some(&Command::SortBy(index("hitch_percent"))));
    }

    #[test]
    fn no_tooltip_covers_its_card_or_figure() {
        let mut comparison = Comparison::new(&Settings::default(), STRATEGIES);
        comparison.advance(Nanos::from_secs(1));
        let bindings = bindings();
        let display = display(&comparison, &bindings);
        for size in TOOLTIP_SIZES {
            let mut view = CompareView::default();
            view.refresh(&comparison, 0, monotonic());
            let mut window = window(size, |ui, answer| {
                view.show_lanes(ui, ui.max_rect(), &comparison, display, answer);
            });
            let controls = window.state().controls.len();
            assert_eq!(check_tooltips(&mut window), controls, "{size}");
        }
    }

    #[test]
    fn every_card_has_the_effect_of_a_disturbance() {
        let bindings = bindings();
        let effects = |size: Vec2, comparison: &Comparison| {
            let display = display(comparison, &bindings);
            let mut view = CompareView::default();
            view.refresh(comparison, 0, monotonic());
            let window = window(size, |ui, answer| {
                view.show_lanes(ui, ui.max_rect(), comparison, display, answer);
            });
            let controls = &window.state().controls;
            let place = |name: String| controls.iter().find(|it| it.name == name).map(|it| it.rect);
            let places = STRATEGIES.iter().filter_map(|entry| {
                let card = place(format!("lane:{}", entry.key))?;
                Some((card, place(format!("effect:{}", entry.key))?))
            });
            places.collect::<Vec<_>>()
        };
        let mut comparison = Comparison::new(&Settings::default(), STRATEGIES);
        comparison.advance(Nanos::from_secs(2));
        // Without its panels, the view of a window of 900 x 600, 1280 x 800 and 1920 x 1080.
        let sizes = [
            vec2(648.0, 520.0),
            vec2(1028.0, 720.0),
            vec2(1668.0, 1000.0),
        ];
        for size in sizes {
            assert!(effects(size, &comparison).is_empty(), "not disturbed");
        }
        for disturbance in [Disturbance::Stall, Disturbance::AllRequest] {
            comparison.disturb(disturbance);
            comparison.advance(Nanos::from_secs(30));
            for size in sizes {
                let effects = effects(size, &comparison);
                assert_eq!(effects.len(), STRATEGIES.len());
                let offset = |&(card, effect): &(Rect, Rect)| effect.left_center() - card.min;
                let first = offset(&effects[0]);
                for place in &effects {
                    assert!((offset(place) - first).length() < 2.0, "the same place");
                    assert!(place.0.contains_rect(place.1), "{place:?}");
                }
            }
        }
        comparison.clear_statistics();
        assert!(effects(sizes[1], &comparison).is_empty(), "reset");
    }

    #[test]
    fn a_new_disturbance_is_not_shown_with_an_old_effect() {
        let mut comparison = Comparison::new(&Settings::default(), STRATEGIES);
        let (mut view, clock) = (CompareView::default(), monotonic());
        for disturbance in [Some(Disturbance::Stall), Some(Disturbance::Births), None] {
            match disturbance {
                Some(disturbance) => comparison.disturb(disturbance),
                None => comparison.clear_statistics(),
            }
            view.refresh(&comparison, 0, clock); // all in the same moment
            let present = (0..STRATEGIES.len()).map(|lane| comparison.effect(lane));
            assert!(present.eq(view.effects.iter().cloned()), "{disturbance:?}");
            assert_eq!(view.disturbance.as_deref(), comparison.last_disturbance());
        }
    }

    #[test]
    fn best_and_worst_are_marked_unless_all_are_equal() {
        let mut comparison = Comparison::new(&Settings::default(), STRATEGIES);
        comparison.advance(Nanos::from_secs(5));
        let ranks = ranks(&comparison.reports());
        let p99 = &ranks[index("frame_ms.p99")];
        assert_eq!(p99[lane(&every_frame::ENTRY)], Rank::Worst);
        assert_eq!(p99[lane(&fixed_interval::ENTRY)], Rank::Best);
        for key in ["debt_dropped_ms", "entities"] {
            let ranks = &ranks[index(key)];
            assert!(ranks.iter().all(|rank| *rank == Rank::None), "{key}");
        }
    }
}
