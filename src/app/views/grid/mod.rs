//! The Grid view: the capsules of one lane, their overlay, and the panels and charts around them, which have folders of
//! their own.

mod code_page;
mod full_rate;
mod highlight;
mod inspector;
mod lower_tabs;
mod magnifier;
mod overlay;
mod overview;
pub mod projectile_strip;
mod target;

use super::UiContext;
use super::layout::Layout;
use crate::app::capsules::screen_map::{ScreenMap, pixels};
use crate::app::capsules::sync::CrowdPicture;
use crate::app::capsules::{Colours, Zoom};
use crate::app::charts::plots::{Plots, UpperPlot};
use crate::app::charts::timeline::Timeline;
use crate::app::panels::colour_legend::ColourLegend;
use crate::app::panels::status_line::StatusLine;
use crate::app::panels::{knob_panel, stats_table};
use crate::app::platform::IS_PAGE;
use crate::app::state::command::Command;
use crate::app::state::grid::{GridState, LowerTab};
use crate::app::state::{ColourMode, Flow, State};
use crate::app::widgets::paint;
use egui::{Rect, Ui};
use headless::history::{LongestWait, RecentStats, WINDOW, past_frame_text};
use headless::sim::lane::ChangedPlaces;
use headless::sim::world::NEAR;
use headless::stats::{coarse_clock, round};
use headless::text::format;
use overlay::Overlay;
use overview::Overview;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{Nanos, monotonic};

/// Cause that limits the frame rate of a loop that waits for nothing.

pub struct GridView {
    clock_step: Option<Nanos>,
    crowd: Option<CrowdPicture>,
    /// Epoch of the history in the last picture. It changes when the lane is replaced.
    shown: Option<u64>,
    overlay: Overlay,
    timeline: Timeline,
    plots: Plots,
    recent: Option<RecentStats>,
    /// True if the clock was too coarse for the last figures.
    was_coarse: bool,
    area: Rect,
    zoom: Zoom,
    overview: Option<Overview>,
}

impl GridView {
    pub fn new(clock_step: Option<Nanos>) -> Self {
        Self {
            clock_step,
            crowd: None,
            shown: None,
            overlay: Overlay::default(),
            timeline: Timeline::default(),
            plots: Plots::default(),
            recent: None,
            was_coarse: false,
            area: Rect::ZERO,
            zoom: Zoom::ALL,
            overview: None,
        }
    }

    pub fn show(
        &mut self,
        ui: &mut Ui,
        layout: &Layout,
        state: &State,
        context: &mut UiContext<'_>,
    ) {
        self.area = layout.view;
        let (panels, help) = (state.interface.panels, state.interface.help);
        let places = state.grid.lane.world().tasks().end();
        let map = ScreenMap::new(places, layout.view, ui.ctx().pixels_per_point());
        let map = map.zoomed(state.grid.zoom);
        self.zoom = map.zoom();
        if magnifier::is_useless(state.grid.zoom, &map) {
            // The key that shows all capsules must be free again.
            context.answer.commands.push(Command::Zoom(Zoom::ALL));
        }
        self.overview = Overview::of(&map).filter(|_| panels);
        let covered = self.overview.map_or(Rect::NOTHING, |it| it.card);
        let pointer = ui
            .input(|input| input.pointer.latest_pos())
            .filter(|_| !help)
            .filter(|&at| !covered.contains(at))
            .filter(|&at| !context.covered.is_some_and(|card| card.contains(at)));
        self.overlay
            .listen(ui, &map, pointer, state, context.answer);
        let mut listed = None;
        if panels {
            listed = self.show_panels(ui, layout, &map, state, context);
        }
        if full_rate::is_shown(ui, state, context.answer) {
            let past = state.grid.past();
            let target = past.map_or(state.grid.lane.world().target(), |past| past.target);
            let near = state.grid.lane.settings().knobs.get(&NEAR);
            paint::paint_around(ui.painter(), covered, map.view(), |painter| {
                full_rate::paint(painter, &map, target, near);
            });
        }
        self.overlay
            .paint(ui, &map, covered, pointer, listed, state);
        if let Some(overview) = self.overview {
            let past = state.grid.past();
            let target = past.map_or(state.grid.lane.world().target(), |past| past.target);
            overview.show(ui, &map, target, context.answer);
        }
        if let Some(legend) = ColourLegend::of(state.colours)
            && layout.legend.is_positive()
        {
            legend.strip(ui.painter(), layout.legend);
        }
    }

    fn show_panels(
        &mut self,
        ui: &mut Ui,
        layout: &Layout,
        map: &ScreenMap,
        state: &State,
        context: &mut UiContext<'_>,
    ) -> Option<TaskId> {
        let coarse_clock = self.show_status(ui, layout, state);
        let grid = &state.grid;
        projectile_strip::show(ui, layout.flight, &grid.history, grid.selection.looked_at);
        let zoom = self.plots.zoom;
        lower_tabs::show(ui, layout.tabs, grid.lower, context.answer);
        self.show_lower(ui, layout, map, state, context);
        let listed = self.recent.as_ref().and_then(|recent| {
            // Not held like the figures: it would soon be false.
            let present = || LongestWait::of(&grid.lane);
            let longest = grid.past().map_or_else(present, |past| past.stalest);
            let (rect, table, world) = (layout.table, &recent.table, grid.lane.world());
            stats_table::show(ui, rect, table, longest.as_ref(), world, context.answer)
        });
        let report = self.recent.as_ref().map(|recent| &recent.stats.report);
        let round = report.and_then(round).map(|round| round.to_string());
        let capacity = self.recent.as_ref().map(|recent| &recent.capacity);
        let (rect, round, answer) = (layout.left, round.as_deref(), &mut *context.answer);
        knob_panel::show(ui, rect, state, round, capacity, answer);
        if self.plots.zoom != zoom {
            context.answer.notes.push("zoomed".to_owned());
        }
        if let Some(text) = coarse_clock {
            context.answer.notes.push(format!("warns {text}"));
        }
        listed
    }

    /// Shows the status: of the last seconds, or of the past frame in view. Returns the warning about a coarse clock in
    /// the picture in which it first appears.
    fn show_status(&mut self, ui: &mut Ui, layout: &Layout, state: &State) -> Option<String> {
        let grid = &state.grid;
        let (lane, history) = (&grid.lane, &grid.history);
        let (is_paused, step) = (state.flow != Flow::Running, self.clock_step);
        let held = &mut self.recent;
        let recent = RecentStats::update(held, lane, history, is_paused, step, monotonic());
        let settings = lane.settings();
        let strategy = settings.strategy;
        let coarse = coarse_clock(&recent.stats.report, self.clock_step);
        let is_new = coarse.is_some() && !self.was_coarse;
        self.was_coarse = coarse.is_some();
        let newly_coarse = coarse.filter(|_| is_new).map(|clause| clause.to_string());
        let past = grid.past();
        let status = past.map_or_else(
            || recent.status.clone(),
            |past| {
                let back = lane.last_frame().number.saturating_sub(past.record.number);
                past_frame_text(past, back, strategy)
            },
        );
        let status_line = StatusLine {
            subject: if past.is_some() {
                "Past frame"
            } else {
                strategy.name
            },
            status: &status,
            explanation: format!(
                "Figures cover the last {:.0} s, or the time since the last change. Intervals are in game time.\n{}",
                WINDOW.as_secs_f64(),
                strategy.rule
            ),
            clock: format!(
                "{}   frame {}",
                format::time(lane.now().since_start().as_secs_f64()),
                format::grouped(lane.last_frame().number)
            ),
            simulated: lane.machine().is_simulated(),
            clock_steps: self.clock_step.filter(|_| IS_PAGE),
        };
        status_line.show(ui, layout.status);
        newly_coarse
    }

    fn show_lower(
        &mut self,
        ui: &mut Ui,
        layout: &Layout,
        map: &ScreenMap,
        state: &State,
        context: &mut UiContext<'_>,
    ) {
        let grid = &state.grid;
        let (lane, history) = (&grid.lane, &grid.history);
        let (looked_at, pinned) = (grid.selection.looked_at, grid.selection.pinned());
        let area = layout.lower;
        let plots_area = match grid.lower {
            LowerTab::Plots => area,
            LowerTab::Timeline => Rect::NOTHING,
            LowerTab::Code => {
                let settings = lane.settings();
                code_page::show(ui, area, settings.strategy, &settings.knobs, context.answer)
            }
        };
        let hovered = match (grid.lower, &self.recent) {
            (LowerTab::Timeline, _) => {
                self.timeline
                    .show(ui, area, lane.world(), history, pinned, looked_at)
            }
            (_, Some(recent)) if plots_area.is_positive() => {
                let upper = match state.colours {
                    ColourMode::Staleness => UpperPlot::Wrong,
                    ColourMode::Flash | ColourMode::Significance => UpperPlot::Tasks,
                };
                self.plots
                    .show(ui, plots_area, upper, history, &recent.stats, looked_at)
            }
            _ => None,
        };
        let is_present = state.flow != Flow::Running && looked_at.is_none();
        let newest = history.frames().back().filter(|_| is_present);
        // While a past frame is displayed, its runs are highlighted, not those of the frame under the pointer.
        let marked = looked_at
            .or(hovered)
            .and_then(|number| history.frame(number));
        if let Some(frame) = marked.or(newest) {
            let entities = lane.world().tasks().len();
            let covered = self.overview.map_or(Rect::NOTHING, |it| it.card);
            highlight::paint(ui.painter(), map, covered, frame, entities);
        }
    }

    /// Draws the capsules of the present or of the displayed past frame. `changed` has the places that have changed since
    /// the last picture.
    ///
    /// # Errors
    /// If the graphics driver rejects the capsules' shader.
    pub fn paint_capsules(
        &mut self,
        grid: &GridState,
        changed: &mut ChangedPlaces,
        pixels_per_point: f32,
        colours: Colours,
        is_paused: bool,
    ) -> Result<(), String> {
        let area = pixels(self.area, pixels_per_point);
        let crowd = match &mut self.crowd {
            Some(crowd) => crowd,
            none => none.insert(CrowdPicture::new()?),
        };
        let epoch = Some(grid.history.epoch());
        if std::mem::replace(&mut self.shown, epoch) != epoch {
            crowd.renew();
        }
        let (now, target) = if let Some(past) = grid.past() {
            crowd.replay(&grid.lane, &grid.history, past, area);
            (past.now, past.target)
        } else {
            crowd.follow(&grid.lane, changed, area, is_paused);
            (grid.lane.now(), grid.lane.world().target())
        };
        crowd.draw(now, target, colours, self.zoom);
        if let Some(picture) = self.overview.and_then(|overview| overview.picture) {
            let picture = pixels(picture, pixels_per_point);
            crowd.draw_overview(now, target, colours, picture);
        }
        Ok(())
    }
}
