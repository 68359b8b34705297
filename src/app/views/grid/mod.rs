//! The Grid view, which shows the capsules of one strategy, with panels and charts around them.

mod code_page;
mod overlay;
mod pointer;
#[cfg(test)]
mod tests;

use super::layout::Layout;
use crate::app::crowd::Capsules;
use crate::app::crowd::screen_map::ScreenMap;
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::panels::bar::{self, CommandButton, Item};
use crate::app::panels::colour_legend;
use crate::app::panels::status_line::StatusLine;
use crate::app::panels::{knob_panel, stats_table};
use crate::app::platform::IS_PAGE;
use crate::app::plots::timeline::Timeline;
use crate::app::plots::{Pointed, recent_frames};
use crate::app::state::command::{Command, GridCommand};
use crate::app::state::grid::LowerTab;
use crate::app::state::{Flow, State};
use crate::app::widgets::theme;
use egui::{Align, Rect, Ui, UiBuilder, vec2};
use lab::history::{RecentStats, WINDOW, past_frame_text};
use lab::measure::status;
use lab::sim::lane::ChangedSlots;
use lab::sim::machine::Machine;
use lab::sim::settings::FADE;
use lab::text::format;
use overlay::Overlay;
use timeslicer::time::monotonic;

/// The tabs of the lower panel, each with its label and tooltip.
const TABS: [(LowerTab, &str, &str); 3] = [
    (
        LowerTab::Plots,
        "Plots",
        "Shows the tasks and times of recent frames. In another tab, press the key of that tab to return here.",
    ),
    (
        LowerTab::Timeline,
        "Timeline",
        "Shows one row per entity and one column per frame. Each red cell is a run.",
    ),
    (
        LowerTab::Code,
        "Code",
        "Explains when to use the strategy, and shows the Rust or C# code that uses it.",
    ),
];

#[derive(Default)]
pub struct GridView {
    capsules: Option<Capsules>,
    timeline: Timeline,
    recent: Option<RecentStats>,
    /// The area of the capsules in the latest layout.
    view: Option<Rect>,
}

impl GridView {
    /// Shows the view. `covered` is the part that is covered by the card of the guided tour.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        layout: &Layout,
        state: &State,
        covered: Option<Rect>,
        output: &mut UiOutput,
    ) {
        let grid = &state.grid;
        let map = ScreenMap::new(grid.places(), layout.view, ui.ctx().pixels_per_point());
        let inside = ui
            .input(|input| input.pointer.latest_pos())
            .filter(|&at| map.view.is_positive() && map.view.contains(at))
            .filter(|&at| !state.interface.help && !covered.is_some_and(|it| it.contains(at)));
        let mut hovered = pointer::listen(ui, &map, inside, state, output);
        let overlay = Overlay {
            painter: ui.painter().with_clip_rect(map.view),
            map: &map,
            state,
        };
        if state.interface.panels {
            self.show_status(ui, layout.status, state);
            show_tabs(ui, layout.tabs, grid.lower, output);
            let pointed = self.show_lower(ui, layout.lower, state, output);
            if let Some(pointed) = pointed
                && pointed.is_clicked
                && !output.list_was_open
            {
                output.give(GridCommand::LookAt(pointed.frame));
            }
            // While a past frame is displayed, highlight its runs, not those of the frame under the pointer.
            let pointed = pointed.map(|pointed| pointed.frame);
            let marked = grid
                .displayed_frame
                .or(pointed)
                .and_then(|number| grid.history.frame(number));
            let is_running = state.flow == Flow::Running;
            let newest = || grid.history.frames().back().filter(|_| !is_running);
            if let Some(frame) = marked.or_else(newest) {
                overlay.highlight(frame);
            }
            if let Some(recent) = &self.recent {
                let world = grid.lane.world();
                let listed = stats_table::show(ui, layout.table, recent.shown(), world, output);
                hovered = hovered.or(listed);
                knob_panel::show(ui, layout.left, state, recent, output);
            }
        }
        overlay.paint(hovered);
        if state.interface.shows_staleness() && layout.legend.is_positive() {
            colour_legend::strip(ui.painter(), layout.legend);
        }
        self.view = Some(map.view);
    }

    /// Shows the status line. It describes the last two seconds, or the past frame that the user is viewing.
    fn show_status(&mut self, ui: &mut Ui, rect: Rect, state: &State) {
        let (lane, history) = (&state.grid.lane, &state.grid.history);
        let clock_step = lane.machine().clock_reading().map(|clock| clock.step);
        let (held, is_paused) = (&mut self.recent, state.flow != Flow::Running);
        let clock = monotonic();
        let past = state.grid.past();
        let recent = RecentStats::update(held, lane, history, is_paused, past, clock);
        let strategy = lane.settings().strategy;
        let frame = lane.last_frame().number;
        let (subject, status, explanation) = if let Some(past) = past {
            let back = frame.saturating_sub(past.record.number);
            let text = past_frame_text(past, back, strategy);
            let frames = recent.shown().caption();
            let words =
                format!("The plots and the table cover {frames}. Intervals are in game time.");
            ("Past frame", text, words)
        } else {
            let words = format!(
                "The metrics cover the last {:.0} s, or the time since the last setting change. Intervals are in \
                 game time.\n{}",
                WINDOW.as_secs_f64(),
                strategy.rule
            );
            let status = status(&recent.present.report, is_paused, clock_step);
            (strategy.name, status, words)
        };
        let status_line = StatusLine {
            subject,
            status: &status,
            explanation,
            clock: format!(
                "{}   frame {}",
                format::seconds(lane.now().since_start().as_secs_f64()),
                format::grouped(frame)
            ),
            simulated: lane.machine().is_simulated(),
            clock_steps: clock_step.filter(|_| IS_PAGE),
        };
        status_line.show(ui, rect);
    }

    /// Shows the selected tab, which contains the plots, the timeline or the code. Returns the frame under the pointer,
    /// if any.
    fn show_lower(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        state: &State,
        output: &mut UiOutput,
    ) -> Option<Pointed> {
        let grid = &state.grid;
        let (lane, history) = (&grid.lane, &grid.history);
        let (displayed_frame, pinned) = (grid.displayed_frame, grid.pin);
        match grid.lower {
            LowerTab::Plots => {
                let shows_wrong = state.interface.shows_staleness();
                let recent = self.recent.as_ref()?.shown();
                recent_frames::show(ui, rect, shows_wrong, history, recent, displayed_frame)
            }
            LowerTab::Timeline => {
                let (timeline, world) = (&mut self.timeline, lane.world());
                timeline.show(ui, rect, world, history, pinned, displayed_frame)
            }
            LowerTab::Code => {
                code_page::show(ui, rect, state, output);
                None
            }
        }
    }

    /// Draws the current capsules, or the capsules of the past frame that the user is viewing. `changed` lists the
    /// slots that have changed since the previous frame.
    pub fn paint_capsules(
        &mut self,
        state: &State,
        changed: &ChangedSlots,
        pixels_per_point: f32,
    ) -> Result<(), String> {
        let grid = &state.grid;
        let Some(view) = self.view else {
            return Ok(()); // nothing is laid out yet
        };
        let map = ScreenMap::new(grid.places(), view, pixels_per_point);
        let capsules = match &mut self.capsules {
            Some(capsules) => capsules,
            none => none.insert(Capsules::new(None)?),
        };
        let now = if let Some(past) = grid.past() {
            capsules.replay(&grid.lane, &grid.history, changed, past, map);
            past.record.now
        } else {
            let is_paused = state.flow == Flow::Paused;
            capsules.follow(&grid.lane, changed, map, is_paused);
            grid.lane.now()
        };
        let fade_ms = state.settings.knobs.get(&FADE) as f32;
        capsules.draw(now, state.interface.colours, fade_ms);
        Ok(())
    }
}

fn show_tabs(ui: &mut Ui, rect: Rect, shown: LowerTab, output: &mut UiOutput) {
    if !rect.is_positive() {
        return;
    }
    let painter = ui.painter();
    painter.rect_filled(rect, 0.0, theme::BAR);
    painter.hline(rect.x_range(), rect.top() + 0.5, (1.0, theme::LINE));
    let place = rect.shrink2(vec2(16.0, 0.0)).with_min_y(rect.top() + 2.0);
    let layout = egui::Layout::left_to_right(Align::Center);
    let mut row = ui.new_child(UiBuilder::new().max_rect(place).layout(layout));
    row.spacing_mut().item_spacing.x = 4.0;
    row.spacing_mut().interact_size.y = (rect.height() - 6.0).min(22.0);
    // If space is short, leave out the keycaps.
    let levels = [true, false].into_iter();
    bar::show_items(
        &mut row,
        levels.map(|has_keys| tabs(shown, has_keys)),
        output,
    );
}

fn tabs(shown: LowerTab, has_keys: bool) -> Vec<Item> {
    let buttons = TABS.into_iter().map(|(tab, words, help)| {
        let command = Command::Grid(GridCommand::LowerTab(tab));
        let caps = if has_keys { caps_of(command) } else { "" };
        Item::Button(CommandButton {
            log_name: format!("tab:{}", words.to_lowercase()),
            points: 12.5,
            padding: 10.0,
            command: Some(command),
            tip: help.to_owned(),
            ..CommandButton::new(words, caps, tab == shown)
        })
    });
    buttons.collect()
}
