//! The views: what fills the window below the bar at the top. Each view's folder lays it out from the state and draws
//! its capsules; this file decides which of them is shown. Views read the state and never change what runs.

pub mod compare;
pub mod grid;
pub mod help;
pub mod layout;
pub mod loops;
mod notice;

use crate::app::capsules::Colours;
use crate::app::input::bindings::{Binding, caps_of};
use crate::app::input::response::UiResponse;
use crate::app::panels::top_bar;
use crate::app::state::command::Command;
use crate::app::state::grid::Chart;
use crate::app::state::ui_scale::UiScale;
use crate::app::state::view::View;
use crate::app::state::{ColourMode, Flow, State};
use crate::io::cli::WindowOptions;
use crate::phrase;
use crate::sim::settings::FADE;
use crate::text::rich::RichText;
use compare::CompareView;
use egui::{Ui, UiBuilder};
use grid::GridView;
use layout::{Layout, Lower};
use macroquad::window::clear_background;
use timeslice::strategy::STRATEGIES;
use timeslice::time::Nanos;

/// What each view keeps from one picture to the next. (The view of frame loops keeps nothing.)
pub struct Views {
    /// The main view.
    pub grid: GridView,
    compare: CompareView,
}

/// What every view needs to be laid out, apart from the state.
pub struct UiContext<'a> {
    /// The keys.
    pub bindings: &'a [Binding],
    /// Collects what the user says.
    pub answer: &'a mut UiResponse,
}

impl Views {
    /// `clock_step` is the step of the clock that the lane on this computer goes by, none on a simulated machine.
    ///
    /// # Errors
    /// Returns what the graphics driver reports about the capsules' shader.
    pub fn new(options: &WindowOptions, clock_step: Option<Nanos>) -> Result<Self, String> {
        Ok(Self {
            grid: GridView::new(options, clock_step)?,
            compare: CompareView::default(),
        })
    }

    /// Lays out everything that is shown.
    pub fn show(&mut self, ui: &mut Ui, state: &mut State, mut context: UiContext<'_>) {
        let screen = ui.max_rect();
        let below = &mut ui.new_child(UiBuilder::new().max_rect(screen));
        if state.interface.help {
            below.disable(); // what the help covers takes no clicks
        }
        let lower = match (state.view, state.grid.chart) {
            (View::Grid, Chart::Plots) => Lower::Plots,
            (View::Grid, Chart::Timeline) => Lower::Timeline,
            (View::Compare | View::Loops, _) => Lower::Nothing,
        };
        let divided = &mut below.new_child(UiBuilder::new().max_rect(screen).id_salt("layout"));
        let layout = Layout::new(divided, state.interface.panels, lower);
        report_areas(&layout, state.grid.chart, context.answer);
        match state.view {
            View::Grid => self.grid.show(below, &layout, state, &mut context),
            View::Compare => self.compare.show(below, &layout, state, &mut context),
            View::Loops => loops::show(below, &layout, state, &mut context),
        }
        let strategy = state.grid.lane.settings().strategy;
        let past = state.grid.past().filter(|_| state.view == View::Grid);
        let bar = top_bar::TopBar {
            view: state.view,
            strategies: STRATEGIES,
            strategy,
            looked_at: past.and_then(|past| past.other_strategy(strategy)),
            paused: state.flow != Flow::Running,
            panels: state.interface.panels,
            bindings: context.bindings,
        };
        bar.show(below, layout.top, context.answer);
        let saves = |command: &Command| matches!(command, Command::Screenshot | Command::Export);
        let notice = state.saver.notice();
        if let Some(notice) = notice.filter(|_| !context.answer.said().any(saves)) {
            notice::show(below, layout.view, notice);
        }
        if state.interface.help {
            help::show(ui, screen, context.bindings, context.answer);
        }
    }

    /// Draws the capsules that the view shows, where its layout has left room for them.
    ///
    /// # Errors
    /// Returns what the graphics driver reports.
    pub fn paint_capsules(
        &mut self,
        state: &mut State,
        pixels_per_point: f32,
    ) -> Result<(), String> {
        clear_background(macroquad::color::Color::from_hex(0x15_17_1c));
        let colours = colours(state);
        let is_paused = state.flow == Flow::Paused;
        match state.view {
            View::Grid => {
                let grid = &mut state.grid;
                self.grid
                    .paint_capsules(grid, pixels_per_point, colours, is_paused);
            }
            View::Compare => {
                if let Some(comparison) = &mut state.compare.comparison {
                    self.compare.paint_capsules(
                        comparison,
                        pixels_per_point,
                        colours,
                        is_paused,
                    )?;
                }
            }
            View::Loops => {}
        }
        Ok(())
    }
}

/// The colours of capsules, with the times that they stand for.
fn colours(state: &State) -> Colours {
    match state.colours {
        ColourMode::Staleness => Colours::Staleness,
        ColourMode::Flash => {
            let fade_ms = state.grid.lane.settings().knobs.get(&FADE) as f32;
            Colours::Flash {
                fade_ms,
                stale_ms: 2.0 * fade_ms,
            }
        }
    }
}

/// The key that makes words smaller, if they are larger than usual.
fn smaller(scale: UiScale, bindings: &[Binding]) -> Option<&str> {
    let is_large = scale.factor() > UiScale::USUAL.factor();
    is_large.then(|| caps_of(bindings, Command::Scale(-1)))
}

/// The sentence about an experiment, after a warning if this computer lags behind.
fn with_lag(lags: bool, sentence: &RichText) -> RichText {
    const LAGS: &str = "more to simulate than this computer does in time, so time goes slower here";
    let lagging = lags.then(|| phrase![LAGS].warning());
    lagging
        .into_iter()
        .chain(sentence.clauses.iter().cloned())
        .collect()
}

/// Reports where the areas of the window are, for those who drive the program from outside.
fn report_areas(layout: &Layout, chart: Chart, answer: &mut UiResponse) {
    for (name, rect) in [
        ("bar", layout.top),
        ("sentence", layout.sentence),
        ("flight", layout.flight),
        ("knobs", layout.left),
        (chart.name(), layout.lower),
        ("table", layout.table),
    ] {
        if rect.is_positive() {
            answer.stands(format!("part:{name}"), rect);
        }
    }
}

#[cfg(test)]
mod tests;
