//! The event loop. Each round advances the game by a frame, draws a picture and waits for the display.

use super::application::App;
use super::platform::egui_window::{EguiWindow, Screen};
use super::platform::event_log::Log;
use super::platform::input_events::{InputEvent, InputQueue};
use super::platform::screen::{finish, read_screen, write_png};
use super::platform::vsync::{PERIOD, VsyncDetector};
use super::platform::{self, IS_PAGE, thread_time};
use super::state::State;
use super::state::command::Command;
use super::state::view::View;
use super::widgets::theme;
use headless::io::cli::WindowOptions;
use headless::sim::settings::Settings;
use macroquad::input::{is_quit_requested, prevent_quit};
use macroquad::window::{next_frame, request_new_screen_size, screen_dpi_scale, screen_width};
use timeslicer::time::{ClockTime, Nanos, monotonic};

/// Makes pictures until the user quits or the number of pictures in the options is reached.
pub async fn run(settings: Settings, options: WindowOptions, log: Log) -> Result<(), String> {
    prevent_quit();
    let view = View::by_key(&options.view).unwrap_or(View::Grid);
    let state = match options.still {
        Some(frames) => State::still(frames, settings, view, log),
        None => State::new(settings, view, log),
    };
    let mut app = App::new(state, &options);
    let mut input = InputQueue::new();
    let mut egui = EguiWindow::new();
    theme::install(egui.context());
    settle_scale(options.size, &mut egui);
    app.note_clock_step();
    if let Some(path) = &options.record {
        app.state.record_to(path.clone());
    }
    if options.tour {
        app.state.apply(Command::Tour);
    }
    let mut pacer = FramePacer::new(options.vsync);
    let is_timed = options.log.is_some();
    let mut interface_time = Nanos::ZERO;
    let mut pictures = 0;
    loop {
        let start = monotonic();
        interface_time += picture(&mut app, input.take(), &mut egui, is_timed)?;
        pictures += 1;
        app.record(); // its time counts as waiting, not as drawing
        let is_last = options.frames.is_some_and(|frames| pictures >= frames);
        if is_last || app.state.quits || is_quit_requested() {
            break;
        }
        pacer.end_frame(&mut app, start).await;
    }
    // Save pending files and the screenshot requested by the options.
    let saved = app.state.save_the_rest();
    if let Some(path) = options.screenshot.as_ref().filter(|_| !IS_PAGE) {
        write_png(&read_screen(), path)?;
    }
    app.state.sum_up(interface_time, pictures);
    saved
}

/// Makes the updates, lays out the interface and draws the picture. Returns the interface's processor time if it `is_timed`.
fn picture(
    app: &mut App,
    events: Vec<InputEvent>,
    egui: &mut EguiWindow,
    is_timed: bool,
) -> Result<Nanos, String> {
    let processor_time = || if is_timed { thread_time() } else { Nanos::ZERO };
    app.state.update();
    let start = processor_time();
    app.interface(events, egui);
    let layout = processor_time() - start;
    app.copy();
    app.paint_capsules()?;
    if is_timed {
        finish(); // otherwise the interface's time would include the capsules'
    }
    let start = processor_time();
    egui.draw();
    let drawing = processor_time() - start;
    app.state.save();
    finish();
    app.state.drawn();
    Ok(layout + drawing)
}

/// Paces frames by the display, or by a timer if the display does not limit the frame rate.
struct FramePacer {
    vsync: bool,
    detector: VsyncDetector,
}

impl FramePacer {
    fn new(vsync: bool) -> Self {
        let detector = if IS_PAGE {
            VsyncDetector::in_browser()
        } else {
            VsyncDetector::default()
        };
        Self { vsync, detector }
    }

    /// Ends the frame that began at `start`: first waits as long as the frame loop demands, then for the display.
    async fn end_frame(&mut self, app: &mut App, start: ClockTime) {
        let work = monotonic() - start;
        let state = &mut app.state;
        let rests = state.lane_rests() || state.grid.lane.machine().is_simulated();
        let held = state.wait();
        platform::hold_frame(held);
        let swap_start = monotonic();
        next_frame().await;
        let swap = (monotonic() - swap_start) - held;
        state.finish(swap);
        state.displayed();
        let lane = &state.grid.lane;
        let is_evidence = held.is_zero()
            && VsyncDetector::is_evidence(rests, lane.pace(), lane.has_slow_display());
        let by_timer = match (self.vsync, is_evidence) {
            (false, _) => None,
            (true, true) => self.detector.frame(work, swap),
            (true, false) => self.detector.period(),
        };
        state.set_display_period(self.detector.display());
        if let Some(host) = state.grid.lane.machine_mut().host() {
            host.set_min_period(by_timer);
        }
        if rests && (by_timer.is_some() || !self.vsync) {
            platform::rest(PERIOD - (monotonic() - start));
        }
    }
}

/// Makes the first picture as sharp and as large as all later ones. egui learns the display's scale only when it
/// changes, and needs two passes to apply it. The window's size is in points, but X11 takes it as pixels.
fn settle_scale((width, height): (u32, u32), egui: &mut EguiWindow) {
    let scale = screen_dpi_scale();
    for _ in 0..2 {
        egui.lay_out(&[], |ctx| {
            ctx.set_pixels_per_point(scale);
            true
        });
        egui.draw();
    }
    let (width, height) = (width as f32, height as f32);
    if !IS_PAGE && scale > 1.0 && screen_width() < width {
        request_new_screen_size(width, height);
    }
}
