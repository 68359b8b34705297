//! The event loop. Each iteration advances the game by a frame, renders it and waits for the display.

use super::application::App;
use super::platform::dropped_files::take_dropped;
use super::platform::egui_window::{self, Screen};
use super::platform::event_log::Log;
use super::platform::input_events::InputQueue;
use super::platform::recording::Recording;
use super::platform::screen::{finish, png, read_screen};
use super::platform::vsync::{PERIOD, VsyncDetector};
use super::platform::{self, IS_PAGE};
use super::state::State;
use super::state::command::Command;
use super::widgets::theme;
use egui_miniquad::EguiMq;
use lab::cli::WindowOptions;
use lab::files::output::write_whole;
use lab::sim::machine::Machine;
use lab::sim::settings::Settings;
use macroquad::input::{is_quit_requested, prevent_quit};
use macroquad::window::{next_frame, request_new_screen_size, screen_dpi_scale, screen_width};
use timeslicer::frame_loop::Pace;
use timeslicer::time::{ClockTime, monotonic};

/// Runs the event loop until the user quits, or until it has run the number of frames given in the options.
pub async fn run(settings: Settings, options: WindowOptions, log: Log) -> Result<(), String> {
    prevent_quit();
    let limits = options.limits(&settings);
    let state = State::new(settings, options.still, limits, options.view, log);
    let mut app = App::new(state, &options);
    let mut input = InputQueue::new();
    let mut egui = egui_window::start();
    theme::install(egui.egui_ctx());
    apply_display_scale(options.size, &mut egui);
    if let Some(clock) = app.state.grid.lane.machine().clock_reading() {
        app.state
            .note(format_args!("clock steps of {} ms", clock.step));
    }
    let mut recording = options.record.clone().map(Recording::begin);
    if options.tour {
        app.state.apply(Command::Tour);
    }
    let mut detector = VsyncDetector::new(IS_PAGE);
    for picture in 1.. {
        let start = monotonic();
        match take_dropped() {
            Ok(files) => app.state.open_dropped(files),
            Err(reason) => app.state.report_rejected_input(reason),
        }
        app.state.update();
        app.interface(&input.take(), &mut egui);
        let work = monotonic() - start;
        app.state
            .log(format_args!("updated and laid out in {work} ms"));
        if let Some(text) = app.state.clipboard.take() {
            platform::copy(&text);
        }
        app.paint_capsules()?;
        egui_window::draw(&mut egui);
        app.state.save();
        finish();
        app.state.drawn();
        if let Some(recording) = &mut recording {
            // This comes after `drawn`, so that recording does not count as drawing.
            recording.add_frame(monotonic(), read_screen);
        }
        let is_last = options.frames.is_some_and(|frames| picture >= frames);
        if is_last || app.state.quits || is_quit_requested() {
            break;
        }
        end_frame(&mut app, start, options.vsync, &mut detector).await;
    }
    // Complete pending saves, then save the screenshot that the options ask for.
    let saves = app.state.save_the_rest();
    let recorded = recording.map_or(Ok(()), Recording::finish);
    if let Some(path) = options.screenshot.as_ref().filter(|_| !IS_PAGE) {
        let written = write_whole(path, &png(&read_screen())?);
        written.map_err(|failure| failure.to_string())?;
    }
    saves.and(recorded)
}

/// Ends a frame and waits for the next one. First waits until the frame loop allows the next frame. Then waits for the
/// display. If the display does not limit the frame rate, waits for a timer instead.
async fn end_frame(app: &mut App, start: ClockTime, vsync: bool, detector: &mut VsyncDetector) {
    let work = monotonic() - start;
    let state = &mut app.state;
    let rests = state.is_lane_idle() || state.grid.lane.machine().is_simulated();
    let held = state.wait();
    platform::hold_frame(held);
    let swap_start = monotonic();
    next_frame().await;
    let swap = (monotonic() - swap_start).saturating_sub(held);
    state.finish(swap);
    state.displayed();
    let lane = &mut state.grid.lane;
    // A frame is evidence about the display only if it waits for nothing else.
    let waits_for_display = lane.pace() == Pace::Display && !lane.has_slow_display();
    let is_evidence = held.is_zero() && (rests || waits_for_display);
    let by_timer = match (vsync, is_evidence) {
        (false, _) => None,
        (true, true) => detector.frame(work, swap),
        (true, false) => detector.period(),
    };
    if let Some(host) = lane.machine_mut().host() {
        host.set_min_period(by_timer);
        lane.set_display_period(detector.display());
    }
    if rests && (by_timer.is_some() || !vsync) {
        platform::rest(PERIOD.saturating_sub(monotonic() - start));
    }
}

/// Applies the display's scale before the first frame. Also resizes the window, because X11 takes points as pixels.
fn apply_display_scale((width, height): (u32, u32), egui: &mut EguiMq) {
    let scale = screen_dpi_scale();
    // egui applies a new scale only from the second layout on.
    for _ in 0..2 {
        egui.lay_out(&[], |ctx| ctx.set_pixels_per_point(scale));
        egui_window::draw(egui);
    }
    let (width, height) = (width as f32, height as f32);
    if !IS_PAGE && scale > 1.0 && screen_width() < width {
        request_new_screen_size(width, height);
    }
}
