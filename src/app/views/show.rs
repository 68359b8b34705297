//! What is shown: the view in sight, the panels around it, and the bar above them.

use super::grid::{highlight, projectile_strip};
use super::help;
use super::layout::{Layout, Lower};
use super::{compare, loops};
use crate::app::App;
use crate::app::charts::plots;
use crate::app::input::bindings::{Binding, caps_of};
use crate::app::input::response::UiResponse;
use crate::app::panels::knob_panel::KnobPanel;
use crate::app::panels::status_line::Sentence;
use crate::app::panels::{stats_table, top_bar};
use crate::app::platform::IS_PAGE;
use crate::app::state::Flow;
use crate::app::state::command::Command;
use crate::app::state::view::View;
use crate::app::widgets::buttons;
use crate::app::widgets::ui_scale::Scale;
use crate::history::sentence::{of_frame, too_coarse};
use crate::history::{LATELY, Lately};
use crate::text::format;
use crate::text::rich::Said;
use egui::{Rect, Ui, UiBuilder};
use timeslice::frame_loop::unsynced;
use timeslice::time::monotonic;

/// What is said of a loop that waits for nothing where the display holds it back nevertheless.
const HELD_BACK: &str = if IS_PAGE {
    "a browser shows a picture a refresh and no more, so nothing runs free here"
} else {
    "the display holds frames back: start with --vsync off to see it run free"
};

impl App {
    /// Lays out all that is in sight. What the user says through it is added to `answer`.
    pub(in crate::app) fn show(&mut self, ui: &mut Ui, answer: &mut UiResponse) {
        let screen = ui.max_rect();
        let below = &mut ui.new_child(UiBuilder::new().max_rect(screen));
        if self.state.help {
            below.disable(); // nothing below the help says anything
        }
        let lower = if self.state.timeline {
            Lower::Timeline
        } else {
            Lower::Plots
        };
        let grid = self.state.view == View::Grid;
        let lower = if grid { lower } else { Lower::Nothing };
        let layout = Layout::new(screen, self.state.panels, lower);
        self.view = layout.view;
        tell_parts(&layout, self.state.timeline, answer);
        let settings = self.state.lane.settings().clone();
        match self.state.view {
            View::Grid => self.show_grid(below, &layout, answer),
            View::Compare => self.show_comparison(below, &layout, answer),
            View::Loops => self.show_loops(below, &layout, answer),
        }
        let past = self.state.looked_at.filter(|_| grid);
        let past = past.and_then(|number| self.state.history.frame(number));
        let bar = top_bar::TopBar {
            view: self.state.view,
            strategy: settings.strategy,
            looked_at: past.and_then(|past| past.other_strategy(settings.strategy)),
            paused: self.state.flow != Flow::Running,
            panels: self.state.panels,
            bindings: &self.bindings,
        };
        bar.show(below, layout.top, answer);
        let saves = |command: &Command| matches!(command, Command::Screenshot | Command::Export);
        if !answer.said().any(saves) {
            self.state.saver.show(below, layout.view);
        }
        if self.state.help {
            help::show(ui, screen, &self.bindings, answer);
        }
    }

    /// The capsules' view: what is painted over them, and the panels around them.
    fn show_grid(&mut self, ui: &mut Ui, layout: &Layout, answer: &mut UiResponse) {
        let pointer = ui
            .input(|input| input.pointer.latest_pos())
            .filter(|_| !self.state.help)
            .filter(|&at| !(self.state.panels && self.hints.cover(layout.view, at)));
        self.over_view
            .listen(ui, layout.view, pointer, &self.state, &self.crowd, answer);
        if self.state.panels {
            self.show_panels(ui, layout, answer);
        }
        self.over_view
            .paint(ui, layout.view, pointer, &self.state, &self.crowd);
        if self.state.panels && !self.state.help {
            self.hints.show(ui, layout.view, &self.bindings, answer);
        }
    }

    /// The panels around the capsules.
    fn show_panels(&mut self, ui: &mut Ui, layout: &Layout, answer: &mut UiResponse) {
        let settings = self.state.lane.settings().clone();
        let stands = self.state.flow != Flow::Running;
        let warning = self.state.warning();
        let (lane, history) = (&self.state.lane, &self.state.history);
        let lately = Lately::look(
            &mut self.lately,
            lane,
            history,
            stands,
            warning,
            monotonic(),
        );
        let strategy = settings.strategy;
        let mut said = lately.said.clone();
        if self.held_back && settings.frame_loop.key == unsynced::ENTRY.key {
            said.say(HELD_BACK);
        }
        let coarse = too_coarse(&lately.seen, self.resolution);
        let newly_coarse = coarse.is_some() && !self.said_coarse;
        self.said_coarse = coarse.is_some();
        if let Some(coarse) = coarse {
            said.parts.insert(0, coarse);
        }
        let warned = newly_coarse.then(|| said.text());
        let looked_at = self.state.looked_at;
        let past = looked_at.and_then(|number| history.frame(number));
        if let Some(past) = past {
            let back = lane.last_frame().number.saturating_sub(past.record.number);
            said = of_frame(past, back, strategy);
        }
        let told = Sentence {
            subject: if past.is_some() {
                "Looking back"
            } else {
                strategy.name
            },
            said: &said,
            explained: format!(
                "Measured in the last {:.0} s, or since the last change. Intervals are in game time.\n{}",
                LATELY.as_secs_f64(),
                strategy.rule
            ),
            clock: format!(
                "{:.2} s   frame {}",
                lane.now().as_secs_f64(),
                format::grouped(lane.last_frame().number)
            ),
            simulated: lane.machine().is_simulated(),
            clock_steps: self.resolution.filter(|_| IS_PAGE),
        };
        told.show(ui, layout.sentence);
        let frame_loop = settings.frame_loop;
        projectile_strip::show(ui, layout.flight, history, looked_at, frame_loop);
        self.show_lower(ui, layout);
        if let Some(lately) = &self.lately {
            stats_table::show(ui, layout.table, &lately.table);
        }
        self.timeline_button(ui, layout.table, answer);
        let panel = KnobPanel {
            settings: &settings,
            slow_display: self.state.has_slow_display(),
            staleness: self.state.staleness,
            bindings: &self.bindings,
            typing: &mut self.typing,
            answer,
        };
        panel.show(ui, layout.left);
        if let Some(text) = warned {
            self.state.note(format_args!("warns {text}"));
        }
    }

    /// The view that compares the strategies.
    fn show_comparison(&mut self, ui: &mut Ui, layout: &Layout, answer: &mut UiResponse) {
        let state = &self.state;
        let Some(comparison) = &state.others.comparison else {
            return; // it begins with the next frame
        };
        let smaller = smaller(state.scale, &self.bindings);
        let shown = compare::Shown {
            epoch: state.others.epoch,
            sorted_by: state.others.sorted_by,
            staleness: state.staleness,
            panels: state.panels,
            smaller,
            bindings: &self.bindings,
        };
        let view = &mut self.comparing;
        view.show(ui, layout.view, comparison, shown, monotonic(), answer);
        if !state.panels {
            return;
        }
        let said = lagging(state.others.lag, &view.summary(comparison));
        let told = Sentence {
            subject: "Compare",
            said: &said,
            explained: "Figures are of all simulated time since the last change.".to_owned(),
            clock: format!("{:.2} s", comparison.time().as_secs_f64()),
            simulated: true,
            clock_steps: None,
        };
        told.show(ui, layout.sentence);
        let typing = &mut self.typing;
        compare::show_panel(ui, layout.left, comparison, shown, typing, answer);
    }

    /// The view of all frame loops.
    fn show_loops(&mut self, ui: &mut Ui, layout: &Layout, answer: &mut UiResponse) {
        let Some(race) = &self.state.others.race else {
            return; // it begins with the next frame
        };
        let chosen = self.state.lane.settings().frame_loop;
        let hide = caps_of(&self.bindings, Command::Panels);
        let hide = Some(hide).filter(|_| self.state.panels);
        let stands = self.state.flow == Flow::Paused;
        let ways = [hide, smaller(self.state.scale, &self.bindings)];
        loops::show(ui, layout.view, race, chosen, stands, ways, answer);
        if !self.state.panels {
            return;
        }
        let said = lagging(self.state.others.lag, &race.verdict());
        let told = Sentence {
            subject: "Frame loops",
            said: &said,
            explained: "Figures are of the last second of simulated time.".to_owned(),
            clock: format!("{:.2} s", race.time().as_secs_f64()),
            simulated: true,
            clock_steps: None,
        };
        told.show(ui, layout.sentence);
        let bindings = &self.bindings;
        loops::show_panel(ui, layout.left, race, bindings, &mut self.typing, answer);
    }

    /// The button that shows the timeline instead of the plots.
    fn timeline_button(&self, ui: &Ui, table: Rect, answer: &mut UiResponse) {
        if table.width() < 200.0 || table.height() < 40.0 {
            return;
        }
        let caps = caps_of(&self.bindings, Command::Timeline);
        let right = table.right_top() + egui::vec2(-18.0, 19.0);
        let lit = self.state.timeline;
        let (rect, response) = buttons::word_button(ui, right, "Timeline", caps, lit);
        answer.stands(format!("button:{caps}"), rect);
        if response.clicked() {
            answer.commands.push(Command::Timeline);
        }
        response.on_hover_text("Rows are entities, columns frames, red cells runs");
    }

    /// The plots, or the timeline.
    fn show_lower(&mut self, ui: &Ui, layout: &Layout) {
        let (lane, history) = (&self.state.lane, &self.state.history);
        let (looked_at, zoom) = (self.state.looked_at, self.zoom);
        let hovered = if self.state.timeline {
            let pinned = self.state.pinned;
            self.timeline
                .show(ui, layout.lower, lane, history, pinned, looked_at)
        } else if let Some(lately) = &self.lately {
            let seen = &lately.seen;
            let upper = if self.state.staleness {
                plots::Upper::Wrong
            } else {
                plots::Upper::Tasks
            };
            let rect = layout.lower;
            plots::show(ui, rect, upper, history, seen, looked_at, &mut self.zoom)
        } else {
            None
        };
        let present = self.state.flow != Flow::Running && self.state.looked_at.is_none();
        let newest = history.frames().back().filter(|_| present);
        // Looking back, the capsules are those of that frame, whatever else is pointed at.
        let marked = (self.state.looked_at)
            .or(hovered)
            .and_then(|number| history.frame(number));
        if let Some(past) = marked.or(newest) {
            let entities = lane.world().tasks().len();
            highlight::paint(ui.painter(), layout.view, past, entities, &self.crowd);
        }
        if self.zoom != zoom {
            self.state.note("zoomed");
        }
    }
}

/// The key that makes words smaller, where they are larger than usual.
fn smaller(scale: Scale, bindings: &[Binding]) -> Option<&str> {
    let is_large = scale.factor() > Scale::USUAL.factor();
    is_large.then(|| caps_of(bindings, Command::Scale(-1)))
}

/// What is said of simulated lanes, after a warning where this computer lags behind.
fn lagging(lags: bool, of: &Said) -> Said {
    let mut said = Said::default();
    if lags {
        said.say("!more to simulate than this computer does in time, so time goes slower here!");
    }
    said.parts.extend(of.parts.iter().cloned());
    said
}

/// Names the panels, for those who look at pictures of them from outside.
fn tell_parts(layout: &Layout, timeline: bool, answer: &mut UiResponse) {
    let lower = if timeline { "timeline" } else { "plots" };
    for (name, rect) in [
        ("bar", layout.top),
        ("sentence", layout.sentence),
        ("flight", layout.flight),
        ("knobs", layout.left),
        (lower, layout.lower),
        ("table", layout.table),
    ] {
        if rect.is_positive() {
            answer.stands(format!("part:{name}"), rect);
        }
    }
}
