//! The window: capsules, panels and plots over a lane on this computer.
//!
//! Each picture is made in the same order: the lane updates; the interface is laid out from the
//! [`state::State`] and input becomes [`command::Command`]s; these change the state; the capsules are
//! drawn, and the interface over them, which shows what a command did in the next picture.

// The bench of the picture uses them, too.
pub mod capsules;
mod changes;
mod grid;
mod look;
mod staleness;

mod answer;
mod command;
mod compare;
mod cost;
mod crowd;
mod debug_build;
mod display;
mod export;
mod flight;
mod gl;
mod help;
mod hints;
mod icon;
mod inspect;
mod keys;
mod knob_panel;
mod layout;
mod log;
mod loops;
mod machine;
mod marks;
mod over_view;
mod pacing;
mod picture;
mod platform;
mod plots;
mod saver;
mod sentence_line;
mod slider;
mod stale_scale;
mod state;
mod table;
mod target;
mod theme;
mod timeline;
mod title;
mod top_bar;
mod view;
mod way;
mod widgets;

use answer::{Answer, Control};
use capsules::Colours;
use command::{Binding, Command};
use compare::CompareView;
use cost::Cost;
use crowd::CrowdPicture;
use egui::{CentralPanel, Context, Event, Frame, Rect, Ui, UiBuilder};
use hints::Hints;
use keys::{Keys, Press};
use knob_panel::KnobPanel;
use layout::{Layout, Lower};
use log::Log;
use macroquad::input::{is_quit_requested, prevent_quit};
use macroquad::math::Rect as Area;
use macroquad::miniquad::conf::{LinuxBackend, Platform};
use macroquad::window::{
    Conf, clear_background, next_frame, request_new_screen_size, screen_dpi_scale, screen_width,
};
use over_view::OverView;
use pacing::{PERIOD, Pacing};
use platform::IS_PAGE;
use plots::Zoom;
use saver::Wanted;
use sentence_line::Sentence;
use slider::Typing;
use state::{Flow, State};
use std::path::PathBuf;
use timeline::Timeline;
use timeslice_lab::cli::WindowOptions;
use timeslice_lab::figure;
use timeslice_lab::frame_loop::unsynced;
use timeslice_lab::observe::sentence::{of_frame, too_coarse};
use timeslice_lab::observe::{LATELY, Lately};
use timeslice_lab::said::Said;
use timeslice_lab::settings::{FADE, Settings};
use timeslice_lab::time::{Nanos, monotonic};
use title::Title;
use view::View;

/// Opens the window and stays until the user leaves.
///
/// # Errors
/// Where no window can be opened, or a file not be written: a sentence that says so.
pub fn open(settings: Settings, options: WindowOptions) -> Result<(), String> {
    display::check()?;
    let log = Log::open(options.log.as_deref()).map_err(|failure| failure.to_string())?;
    let conf = platform::drawn_with(conf(&options));
    platform::open_window(conf, run(settings, options, log))
}

/// Opens the page as its address says.
#[cfg(target_family = "wasm")]
pub fn open_page() {
    let asked = platform::begin();
    if let Err(sentence) = open(asked.settings, asked.options) {
        platform::give_up(&sentence);
    }
}

fn conf(options: &WindowOptions) -> Conf {
    let (width, height) = options.size;
    let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
    Conf {
        window_title: title::opening(),
        icon: Some(icon::icon()),
        window_width: side(width),
        window_height: side(height),
        high_dpi: true,
        window_resizable: true,
        platform: Platform {
            linux_backend: LinuxBackend::X11WithWaylandFallback,
            swap_interval: Some(i32::from(options.vsync)),
            linux_wm_class: "timeslice-lab",
            ..Platform::default()
        },
        ..Conf::default()
    }
}

async fn run(settings: Settings, options: WindowOptions, log: Log) -> Result<(), String> {
    prevent_quit();
    let view = View::by_key(options.view).unwrap_or(View::Grid);
    let mut app = App {
        state: match options.still {
            Some(frames) => State::still(frames, settings, view, log),
            None => State::new(settings, view, log),
        },
        crowd: CrowdPicture::new()?,
        bindings: command::bindings(),
        keys: Keys::new(),
        typing: Typing::default(),
        timeline: Timeline::default(),
        zoom: Zoom::USUAL,
        lately: None,
        held_back: false,
        resolution: None,
        said_coarse: false,
        controls: Vec::new(),
        hints: Hints::new(&options),
        title: Title::default(),
        view: Rect::ZERO,
        over_view: OverView::default(),
        comparing: CompareView::default(),
    };
    let mut pacing = if IS_PAGE {
        Pacing::by_browser()
    } else {
        Pacing::default()
    };
    egui_macroquad::cfg(theme::install);
    settle_scale(options.size);
    let mut pictures = 0;
    let mut interface = Cost::default();
    app.resolution = app.state.lane.machine().resolution();
    if let Some(resolution) = app.resolution {
        app.state
            .note(format_args!("clock steps of {resolution} ms"));
    }
    let counted = options.log.is_some();
    loop {
        let start = monotonic();
        app.state.update();
        if counted {
            interface.begin();
        }
        app.interface();
        interface.end();
        app.title.follow(app.state.lane.settings());
        app.paint_capsules()?;
        if counted {
            gl::finish(); // what the driver does for the capsules is not the interface's
            interface.begin();
        }
        egui_macroquad::draw();
        interface.end();
        app.save();
        gl::finish();
        app.state.drawn();

        pictures += 1;
        let last = options.frames.is_some_and(|frames| pictures >= frames);
        if last || app.state.leaving || is_quit_requested() {
            let saved = app.save_the_rest();
            if let Some(path) = options.screenshot.as_ref().filter(|_| !IS_PAGE) {
                let screen = macroquad::texture::get_screen_data();
                picture::write_png(&screen, path)?;
            }
            if counted {
                app.state.sum_up(interface.sum(), pictures);
            }
            return saved;
        }

        let work = monotonic() - start;
        let rests = app.state.lane_rests() || app.state.lane.machine().is_simulated();
        app.state.wait();
        let held = app.state.left_to_wait();
        platform::hold_frame(held);
        let swap_start = monotonic();
        next_frame().await;
        let swap = (monotonic() - swap_start) - held;
        app.state.finish(swap);
        app.state.shown();
        let lane = &app.state.lane;
        let tells =
            held.is_zero() && Pacing::is_told_by(rests, lane.pace(), lane.has_slow_display());
        let by_timer = match (options.vsync, tells) {
            (false, _) => None,
            (true, true) => pacing.frame(work, swap),
            (true, false) => pacing.period(),
        };
        app.state.set_display_period(pacing.display());
        app.held_back = IS_PAGE || (options.vsync && pacing.is_held_back());
        app.state.lane.machine_mut().set_min_period(by_timer);
        if rests && (by_timer.is_some() || !options.vsync) {
            platform::rest(PERIOD - (monotonic() - start));
        }
    }
}

/// What is said of a loop that waits for nothing where the display holds it back nevertheless.
const HELD_BACK: &str = if IS_PAGE {
    "a browser shows a picture a refresh and no more, so nothing runs free here"
} else {
    "the display holds frames back: start with --vsync off to see it run free"
};

/// Makes the first picture as sharp and as large as all others. The interface's bindings learn the
/// display's scale only when it changes, and take two passes to follow; and X11 opens the window in pixels,
/// though its size is meant in points.
fn settle_scale((width, height): (u32, u32)) {
    let scale = screen_dpi_scale();
    for _ in 0..2 {
        egui_macroquad::ui(|ctx| ctx.set_pixels_per_point(scale));
        egui_macroquad::draw();
    }
    let (width, height) = (width as f32, height as f32);
    if !IS_PAGE && scale > 1.0 && screen_width() < width {
        request_new_screen_size(width, height);
    }
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
fn tell_parts(layout: &Layout, timeline: bool, answer: &mut Answer) {
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

/// The state and its picture.
struct App {
    state: State,
    crowd: CrowdPicture,
    bindings: Vec<Binding>,
    keys: Keys,
    typing: Typing,
    timeline: Timeline,
    zoom: Zoom,
    lately: Option<Lately>,
    /// Whether the display holds frames back, whatever the frame loop wants.
    held_back: bool,
    /// The least step of the clock that the lane on this computer goes by; none where its machine is simulated.
    resolution: Option<Nanos>,
    /// Whether it was too coarse for what was shown last.
    said_coarse: bool,
    controls: Vec<Control>,
    hints: Hints,
    title: Title,
    view: Rect,
    over_view: OverView,
    comparing: CompareView,
}

impl App {
    /// Lays out the interface, and does what the user said through it or by a key.
    fn interface(&mut self) {
        let mut answer = Answer {
            by_key: self.hotkeys(),
            ..Answer::default()
        };
        let was_typing = self.typing.is_on();
        let mut popup_was_open = false;
        egui_macroquad::ui(|ctx| {
            popup_was_open = ctx.memory(egui::Memory::any_popup_open);
            ctx.set_pixels_per_point(screen_dpi_scale());
            // With Ctrl held, the bindings report a letter as text, too.
            ctx.input_mut(|input| {
                let chord = input.modifiers.command;
                input
                    .events
                    .retain(|event| !(chord && matches!(event, Event::Text(_))));
            });
            let panel = CentralPanel::default().frame(Frame::NONE);
            panel.show(ctx, |ui| self.show(ui, &mut answer));
            self.give_back_focus(ctx);
        });
        // In a slow frame a field may be clicked and typed into at once; and one that is out of sight takes nothing.
        let was_unseen = self.typing.drop_unseen();
        let typing = self.typing.is_on() || (was_typing && !was_unseen);
        for (press, command) in answer.by_key {
            let is_typed = typing && !press.is_function_key();
            let closes_list = popup_was_open && command == Command::Escape;
            if !is_typed && !closes_list {
                self.state.apply(command);
            }
        }
        for command in answer.commands {
            self.state.apply(command);
        }
        self.tell_controls(answer.controls);
    }

    /// What the keys say that were pressed.
    fn hotkeys(&mut self) -> Vec<(Press, Command)> {
        let keys = self.keys.take().into_iter();
        keys.filter_map(|press| Some((press, command::command_of(&self.bindings, press)?)))
            .collect()
    }

    /// Only number fields take the keyboard: a button that did would swallow the next hotkey.
    fn give_back_focus(&self, ctx: &Context) {
        if !self.typing.is_on()
            && let Some(focused) = ctx.memory(egui::Memory::focused)
        {
            ctx.memory_mut(|memory| memory.surrender_focus(focused));
        }
    }

    fn show(&mut self, ui: &mut Ui, answer: &mut Answer) {
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
        let bar = top_bar::TopBar {
            view: self.state.view,
            strategy: settings.strategy,
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
    fn show_grid(&mut self, ui: &mut Ui, layout: &Layout, answer: &mut Answer) {
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
    fn show_panels(&mut self, ui: &mut Ui, layout: &Layout, answer: &mut Answer) {
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
            said = of_frame(past, back);
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
                figure::grouped(lane.last_frame().number)
            ),
            simulated: lane.machine().is_simulated(),
            clock_steps: self.resolution.filter(|_| IS_PAGE),
        };
        told.show(ui, layout.sentence);
        let frame_loop = settings.frame_loop;
        flight::show(ui, layout.flight, history, looked_at, frame_loop);
        self.show_lower(ui, layout);
        if let Some(lately) = &self.lately {
            table::show(ui, layout.table, &lately.table);
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
    fn show_comparison(&mut self, ui: &mut Ui, layout: &Layout, answer: &mut Answer) {
        let state = &self.state;
        let Some(comparison) = &state.comparison else {
            return; // it begins with the next frame
        };
        let shown = compare::Shown {
            epoch: state.compared_epoch,
            sorted_by: state.sorted_by,
            staleness: state.staleness,
            panels: state.panels,
            bindings: &self.bindings,
        };
        let view = &mut self.comparing;
        view.show(ui, layout.view, comparison, shown, monotonic(), answer);
        if !state.panels {
            return;
        }
        let said = lagging(state.race_lags, &view.summary(comparison));
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
    fn show_loops(&mut self, ui: &mut Ui, layout: &Layout, answer: &mut Answer) {
        let Some(race) = &self.state.race else {
            return; // it begins with the next frame
        };
        let chosen = self.state.lane.settings().frame_loop;
        let hide = command::caps_of(&self.bindings, Command::Panels);
        let hide = Some(hide).filter(|_| self.state.panels);
        loops::show(ui, layout.view, race, chosen, hide, answer);
        if !self.state.panels {
            return;
        }
        let said = lagging(self.state.race_lags, &race.verdict());
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
    fn timeline_button(&self, ui: &Ui, table: Rect, answer: &mut Answer) {
        if table.width() < 200.0 || table.height() < 40.0 {
            return;
        }
        let caps = command::caps_of(&self.bindings, Command::Timeline);
        let right = table.right_top() + egui::vec2(-18.0, 19.0);
        let lit = self.state.timeline;
        let (rect, response) = widgets::word_button(ui, right, "Timeline", caps, lit);
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
        let marked = hovered
            .or(self.state.looked_at)
            .and_then(|number| history.frame(number));
        if let Some(past) = marked.or(newest) {
            let entities = lane.world().tasks().len();
            marks::paint(ui.painter(), layout.view, past, entities, &self.crowd);
        }
        if self.zoom != zoom {
            self.state.note("zoomed");
        }
    }

    /// Saves what is on the screen, if a key said so, and tells what became of the last.
    fn save(&mut self) {
        if let Some((wanted, outcome)) = self.state.saver.news(monotonic()) {
            self.tell_saved(wanted, &outcome);
        }
        self.save_due();
    }

    /// Saves all that keys have said until now, for who leaves. Returns the first complaint.
    fn save_the_rest(&mut self) -> Result<(), String> {
        let mut all = Ok(());
        loop {
            self.save_due();
            let Some((wanted, outcome)) = self.state.saver.last_news(monotonic()) else {
                return all;
            };
            self.tell_saved(wanted, &outcome);
            all = all.and(outcome.map(drop));
        }
    }

    fn save_due(&mut self) {
        // What the view shows begins with the next frame, where it was only chosen now.
        if let Some(wanted) = self.state.saver.due().filter(|_| self.state.is_begun()) {
            let make = (wanted == Wanted::Folder).then(|| self.state.export());
            let stem = self.state.picture_name();
            let screen = platform::screen();
            self.state.saver.save(screen, make, PathBuf::new(), stem);
        }
    }

    fn tell_saved(&mut self, wanted: Wanted, outcome: &Result<PathBuf, String>) {
        let (done, failed) = match wanted {
            Wanted::Picture => ("screenshot", "no screenshot"),
            Wanted::Folder => ("exported", "no export"),
        };
        match outcome {
            Ok(path) => self.state.note(format_args!("{done} {}", path.display())),
            Err(sentence) => self.state.note(format_args!("{failed}: {sentence}")),
        }
    }

    /// Notes, for those who drive the program from outside, where each control is, in pixels.
    fn tell_controls(&mut self, controls: Vec<Control>) {
        if controls == self.controls {
            return;
        }
        for Control { name, rect } in &controls {
            let rect = *rect * screen_dpi_scale();
            let (min, size) = (rect.min, rect.size());
            self.state.note(format_args!(
                "control {name} {:.0} {:.0} {:.0} {:.0}",
                min.x, min.y, size.x, size.y
            ));
        }
        self.controls = controls;
    }

    /// Draws the capsules. The interface is drawn over them.
    fn paint_capsules(&mut self) -> Result<(), String> {
        clear_background(macroquad::color::Color::from_hex(0x15_17_1c));
        let scale = screen_dpi_scale();
        let fade_ms = self.state.lane.settings().knobs.get(&FADE) as f32;
        let colours = if self.state.staleness {
            Colours::Staleness
        } else {
            let stale_ms = 2.0 * fade_ms;
            Colours::Flash { fade_ms, stale_ms }
        };
        if self.state.view == View::Compare
            && let Some(comparison) = &mut self.state.comparison
        {
            let stands = self.state.flow == Flow::Paused;
            self.comparing.paint(comparison, scale, colours, stands)?;
        }
        if self.state.view != View::Grid {
            return Ok(());
        }
        let view = self.view * scale;
        let area = Area::new(view.left(), view.top(), view.width(), view.height());
        if std::mem::take(&mut self.state.restarted) {
            self.crowd.renew();
        }
        let looked_at = self.state.looked_at;
        let past = looked_at.and_then(|number| self.state.history.frame(number));
        if let Some(past) = past {
            let (lane, history) = (&self.state.lane, &self.state.history);
            self.crowd.recall(lane, history, past, area);
            self.crowd.draw(past.now, colours);
        } else {
            let stands = self.state.flow == Flow::Paused;
            self.crowd.follow(&mut self.state.lane, area, stands);
            self.crowd.draw(self.state.lane.now(), colours);
        }
        Ok(())
    }
}
