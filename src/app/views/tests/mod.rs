//! Tests of the bar and the panels in a window without a display.

mod tooltips;
mod tour;

pub use tooltips::{TOOLTIP_SIZES, check_tooltips};

use super::knobs_button;
use super::layout::{Layout, Lower, Parts, fits_all, fits_knobs};
use crate::app::charts::plots::LEAST_HEIGHT;
use crate::app::input::bindings::{PAUSE, RESTART, bindings, caps_of};
use crate::app::input::response::{Control, UiResponse};
use crate::app::panels::knob_panel::KnobPanel;
use crate::app::panels::strategy_bar::StrategyBar;
use crate::app::panels::top_bar::TopBar;
use crate::app::state::ColourMode;
use crate::app::state::command::{Command, Lanes};
use crate::app::state::interface::{Interface, UiScale};
use crate::app::state::view::View;
use crate::app::widgets::{theme, tooltip};
use egui::accesskit::Role;
use egui::{
    CentralPanel, Event, Frame, Key, Modifiers, Order, PointerButton, Rect, Sense, Ui, Vec2, pos2,
    vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use headless::sim::disturbance::Disturbance;
use headless::sim::settings::{FADE, Settings};
use headless::sim::world;
use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::AS_PUBLISHED;

/// Why tasks have their interval, in the panel of the Grid view.
const ROUND: &str =
    "400 tasks / 4: 100 updates at 143.9 per second = 695 ms of game time (1.67 s real)";

/// Opens a window of this size in points. Its state holds the controls of the last frame and all commands.
pub fn window<'a>(
    size: Vec2,
    mut show: impl FnMut(&mut Ui, &mut UiResponse) + 'a,
) -> Harness<'a, UiResponse> {
    let builder = Harness::builder().with_size(size);
    let mut window = builder.build_state(
        move |ctx, all: &mut UiResponse| {
            ctx.set_style(theme::style());
            let mut answer = UiResponse::default();
            let panel = CentralPanel::default().frame(Frame::NONE);
            panel.show(ctx, |ui| show(ui, &mut answer));
            tooltip::show(ctx);
            all.controls = answer.controls;
            all.commands.extend(answer.commands);
        },
        UiResponse::default(),
    );
    window.run_steps(2);
    window
}

/// Clicks the control of this name in the log.
pub fn click(window: &mut Harness<'_, UiResponse>, name: &str) {
    let mut controls = window.state().controls.iter();
    let control = controls.find(|control| control.name == name);
    let pos = control.expect("it is shown").rect.left_top() + vec2(5.0, 5.0);
    window.input_mut().events.push(Event::PointerMoved(pos));
    window.step();
    click_at(window, pos);
}

/// Clicks at `pos`.
pub fn click_at<State>(window: &mut Harness<'_, State>, pos: egui::Pos2) {
    for pressed in [true, false] {
        window.input_mut().events.push(Event::PointerMoved(pos));
        window.input_mut().events.push(Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        window.step();
    }
}

/// Shows the bar and the panel of the Grid view.
fn main_view(settings: &Settings, size: Vec2) -> Harness<'_, UiResponse> {
    let bindings = bindings();
    window(size, move |ui, answer| {
        let parts = Parts {
            panels: true,
            knobs: true,
            lower: Lower::Plots,
            legend: 0.0,
            flight: true,
        };
        let layout = Layout::new(ui, parts);
        let panel = KnobPanel {
            settings,
            round: Some(ROUND.to_owned()),
            projectile: true,
            capacity: None,
            slow_display: false,
            colours: ColourMode::Flash,
            bindings: &bindings,
            answer,
        };
        panel.show(ui, layout.left);
        let bar = TopBar {
            view: View::Grid,
            paused: false,
            panels: true,
            knobs: Some(true),
            recording: false,
            bindings: &bindings,
        };
        bar.show(ui, layout.top, answer);
        let bar = StrategyBar {
            strategies: STRATEGIES,
            strategy: settings.strategy,
            looked_at: None,
            bindings: &bindings,
        };
        bar.show(ui, layout.strategies, answer);
    })
}

const SIZES: [Vec2; 3] = [
    vec2(900.0, 600.0),
    vec2(1280.0, 800.0),
    vec2(1920.0, 1080.0),
];

#[test]
fn every_knob_of_every_strategy_and_loop_has_a_control() {
    for (index, &strategy) in STRATEGIES.iter().enumerate() {
        let settings = Settings {
            strategy,
            frame_loop: FRAME_LOOPS[index % FRAME_LOOPS.len()],
            ..Settings::default()
        };
        has_controls(&settings);
    }
    for &frame_loop in FRAME_LOOPS {
        has_controls(&Settings {
            frame_loop,
            ..Settings::default()
        });
    }
}

fn has_controls(settings: &Settings) {
    let window = main_view(settings, vec2(1280.0, 2000.0));
    let knobs = world::KNOBS.iter().chain(settings.strategy.knobs);
    let knobs = knobs.chain(settings.frame_loop.knobs).chain([&FADE]);
    for knob in knobs {
        let controls = &window.state().controls;
        let is_logged = controls.iter().any(|control| control.name == knob.key);
        assert!(is_logged, "{} is not in the log", knob.key);
        let is_yes_no = knob.takes(0.0) && knob.takes(1.0) && !knob.takes(0.5) && !knob.takes(2.0);
        let [role, other] = if is_yes_no {
            [Role::CheckBox, Role::Slider]
        } else {
            [Role::Slider, Role::CheckBox]
        };
        let control = window.query_by_role_and_label(role, knob.label);
        assert!(control.is_some(), "{} has no {role:?}", knob.key);
        let other_control = window.query_by_role_and_label(other, knob.label);
        assert!(other_control.is_none(), "{} has a {other:?}", knob.key);
    }
}

#[test]
fn the_switch_to_published_forms_turns_its_knob() {
    for strategy in STRATEGIES.iter().filter(|it| it.published.is_some()) {
        let settings = Settings {
            strategy,
            ..Settings::default()
        };
        let mut window = main_view(&settings, vec2(1280.0, 2000.0));
        let switch = window.get_by_role_and_label(Role::CheckBox, AS_PUBLISHED.label);
        switch.click();
        window.run_steps(2);
        let turn = Command::Turn(Lanes::InView, &AS_PUBLISHED, 1.0);
        assert!(window.state().commands.contains(&turn), "{}", strategy.key);
    }
}

/// The tabs of the strategies may scroll in a window that is narrower than this, in points.
const NARROW: f32 = 450.0;

#[test]
fn every_control_is_inside_the_window() {
    let settings = Settings::default();
    for scale in [1.0, 2.0, 3.0] {
        for pixels in SIZES {
            let size = pixels / scale;
            let window = main_view(&settings, size);
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
            let controls = &window.state().controls;
            for control in controls {
                let place = control.rect;
                assert!(screen.contains_rect(place), "{} at {size}", control.name);
            }
            let has = |name: &str| controls.iter().any(|control| control.name == name);
            assert!(has("button:Space") && has("entities"), "{size}");
            let tabs = controls.iter().filter(|it| it.name.starts_with("tab:"));
            let tabs = tabs.count();
            assert!(
                tabs == STRATEGIES.len() || (tabs > 4 && size.x < NARROW),
                "{tabs} at {size}"
            );
        }
    }
}

/// Sizes of all windows in points: each of `SIZES` at every text size.
pub fn all_sizes() -> impl Iterator<Item = Vec2> {
    let scales = (-2..=5).map(|by| UiScale::USUAL.stepped(by).factor());
    scales.flat_map(|scale| SIZES.map(|pixels| pixels / scale))
}

#[test]
fn tabs_and_a_plot_stay_at_every_text_size() {
    let (settings, bindings) = (Settings::default(), bindings());
    for size in all_sizes() {
        let mut areas = None;
        let window = window(size, |ui, answer| {
            let knobs = fits_knobs(size.x);
            let parts = Parts {
                panels: true,
                knobs,
                lower: Lower::Plots,
                legend: 0.0,
                flight: true,
            };
            let layout = Layout::new(ui, parts);
            areas = Some(layout);
            let bar = TopBar {
                view: View::Grid,
                paused: false,
                panels: true,
                knobs: (!fits_all(size.x)).then_some(knobs),
                recording: false,
                bindings: &bindings,
            };
            bar.show(ui, layout.top, answer);
            let bar = StrategyBar {
                strategies: STRATEGIES,
                strategy: settings.strategy,
                looked_at: None,
                bindings: &bindings,
            };
            bar.show(ui, layout.strategies, answer);
        });
        let controls = &window.state().controls;
        let count = |prefix: &str| {
            controls
                .iter()
                .filter(|it| it.name.starts_with(prefix))
                .count()
        };
        let tabs = count("tab:");
        // In a very narrow window, the tabs scroll.
        assert!(
            tabs == STRATEGIES.len() || (tabs > 4 && size.x < NARROW),
            "{tabs} at {size}"
        );
        assert_eq!(count("view:"), View::ALL.len(), "{size}");
        for command in [Command::Pause, Command::Panels, Command::Help] {
            let name = format!("button:{}", caps_of(&bindings, command));
            assert_eq!(count(&name), 1, "{name} at {size}");
        }
        drop(window);
        let areas = areas.expect("it is laid out");
        let (view, plots) = (areas.view, areas.lower);
        assert!(
            plots.height() >= LEAST_HEIGHT && plots.width() >= 170.0,
            "{size}: {plots}"
        );
        assert!(
            view.height() >= 40.0 && view.width() >= 170.0,
            "{size}: {view}"
        );
    }
}

#[test]
fn a_window_without_room_for_a_panel_has_a_button_for_it() {
    for size in all_sizes() {
        let is_left_out = !fits_knobs(size.x) || !fits_all(size.x);
        let interface = Interface {
            panels: true,
            has_room_for_knobs: fits_knobs(size.x),
            projectile: None,
            knobs: None,
            help: false,
            scale: UiScale::USUAL,
        };
        assert_eq!(
            knobs_button(&interface, size.x).is_some(),
            is_left_out,
            "{size}"
        );
    }
}

#[test]
fn the_panel_explains_intervals_in_updates() {
    let settings = Settings::default();
    for size in SIZES {
        let window = main_view(&settings, size);
        let place = window.get_by_label(ROUND).raw_bounds();
        let place = place.expect("it is laid out");
        assert!(place.x0 >= 0.0 && place.x1 <= 252.0, "{place:?} at {size}");
        assert!(place.y1 <= f64::from(size.y), "{place:?} at {size}");
    }
}

#[test]
fn disturbances_are_no_wider_than_the_panel() {
    let (settings, bindings) = (Settings::default(), bindings());
    let window = main_view(&settings, vec2(1280.0, 2000.0));
    let place = |name: &str| {
        let mut controls = window.state().controls.iter();
        controls
            .find(|it| it.name == name)
            .expect("it is shown")
            .rect
    };
    let panel = place("entities").x_range();
    for disturbance in Disturbance::ALL {
        let caps = caps_of(&bindings, Command::Disturb(disturbance));
        let button = place(&format!("button:{caps}")).x_range();
        let is_inside = panel.min <= button.min && button.max <= panel.max + 0.5;
        assert!(is_inside, "{}: {button:?} in {panel:?}", disturbance.name());
    }
}

#[test]
fn controls_do_not_overlap() {
    let settings = Settings::default();
    for size in SIZES {
        let window = main_view(&settings, size);
        let controls = &window.state().controls;
        for (index, one) in controls.iter().enumerate() {
            for other in &controls[index + 1..] {
                let both = one.rect.intersect(other.rect).shrink(0.5);
                let nested = one.name.ends_with(&other.name) || other.name.ends_with(&one.name);
                assert!(
                    nested || !both.is_positive(),
                    "{} and {}",
                    one.name,
                    other.name
                );
            }
        }
    }
}

#[test]
fn a_click_on_a_tab_runs_its_strategy() {
    let settings = Settings::default();
    let mut window = main_view(&settings, SIZES[1]);
    for entry in STRATEGIES {
        let tab = window.get_by_role_and_label(Role::Button, entry.name);
        tab.simulate_click();
        window.run_steps(2);
        assert_eq!(
            window.state().commands.last(),
            Some(&Command::Strategy(entry))
        );
    }
}

#[test]
fn the_drop_down_lists_every_frame_loop() {
    let settings = Settings::default();
    for entry in FRAME_LOOPS.iter().skip(1) {
        let mut window = main_view(&settings, SIZES[1]);
        window.get_by_role(Role::ComboBox).simulate_click();
        window.run_steps(4);
        window
            .get_by_role_and_label(Role::Button, entry.name)
            .simulate_click();
        window.run_steps(2);
        assert_eq!(window.state().commands, [Command::FrameLoop(entry)]);
    }
}

#[test]
fn space_presses_the_focused_button() {
    let settings = Settings::default();
    let mut window = main_view(&settings, SIZES[1]);
    window.get_by_label(RESTART).focus();
    window.run_steps(2);
    window.press_key(Key::Space);
    window.run_steps(2);
    assert_eq!(window.state().commands, [Command::Restart]);
}

#[test]
fn a_click_leaves_no_focus_on_a_button() {
    let settings = Settings::default();
    let mut window = main_view(&settings, SIZES[1]);
    window.get_by_label(PAUSE).simulate_click();
    window.run_steps(2);
    assert_eq!(window.state().commands, [Command::Pause]);
    assert_eq!(window.ctx.memory(egui::Memory::focused), None);
}

#[test]
fn tab_reaches_every_slider() {
    let settings = Settings::default();
    let mut window = main_view(&settings, SIZES[1]);
    let sliders = window.get_all_by_role(Role::Slider).count();
    let mut visited = std::collections::BTreeSet::new();
    for _ in 0..80 {
        window.press_key(Key::Tab);
        window.run_steps(1);
        let focused = window.get_all_by_role(Role::Slider);
        visited.extend(
            focused
                .filter(|node| node.is_focused())
                .map(|node| format!("{:?}", node.id())),
        );
    }
    assert_eq!(visited.len(), sliders);
}
