//! The panels have a control for each setting, and the help and the Code tab show what they explain.

use super::Window;
use crate::app::input::bindings::{BINDINGS, rows};
use crate::app::state::game_limits::key_of;
use egui::Rect;
use lab::catalog::strategy::STRATEGIES;
use lab::comparison::loops::shared_knobs;
use lab::recommend::Limit;
use lab::sim::{machine, world};
use lab::text::{csharp, rust};
use macroquad::input::KeyCode as K;

#[test]
fn every_knob_has_a_control_in_each_view() {
    let flags = "--size 1280x3000 --entities 50 --cost-spread 1";
    let mut window = Window::open(flags);
    for fold in ["world", "loop", "disturb", "capsules"] {
        window.unfold(fold);
    }
    window.press(K::U); // this tab has the control for the published form
    for entry in STRATEGIES {
        window.click(&format!("tab:{}", entry.key));
        window.frame();
        let settings = &window.state().settings;
        let of_world = world::KNOBS
            .iter()
            .filter(|it| settings.is_concerned_by(it));
        for knob in of_world.chain(entry.knobs) {
            assert!(window.has(knob.key), "{}", knob.key);
        }
    }
    window.press(K::F2);
    for fold in ["player", "strategies", "machine"] {
        window.unfold(fold); // the others are unfolded in all views
    }
    let of_strategies = STRATEGIES.iter().flat_map(|entry| entry.knobs);
    for knob in world::KNOBS
        .iter()
        .chain(machine::KNOBS)
        .chain(of_strategies)
    {
        assert!(window.has(&format!("all:{}", knob.key)), "{}", knob.key);
    }
    window.press(K::F3);
    for knob in machine::KNOBS {
        let controls = ["left", "right"].map(|side| format!("{side}:{}", knob.key));
        assert!(
            controls.iter().all(|control| window.has(control)),
            "{}",
            knob.key
        );
    }
    for knob in shared_knobs() {
        assert!(window.has(&format!("both:{}", knob.key)), "{}", knob.key);
    }
}

#[test]
fn a_limit_is_switched_by_its_box_and_set_by_its_field() {
    let mut window = Window::still(120, "--view compare --entities 20");
    let is_on = |window: &Window, limit| window.state().compare.best_setting.limits.is_on(limit);
    for limit in Limit::SETTABLE.into_iter().filter(|it| *it != Limit::Wait) {
        let was_on = is_on(&window, limit);
        window.click(&format!("limit:{}", key_of(limit)));
        assert_ne!(is_on(&window, limit), was_on, "{limit:?}");
    }
    // Typing a value turns the limit on, even if the value stays the same.
    for (limit, key, words) in [
        (Limit::Tasks, K::Key6, "limit tasks-ms 6"),
        (Limit::Longest, K::Key2, "limit worst-s 2"),
        (Limit::Near, K::Key9, "limit near-ms 9"),
        (Limit::Hitches, K::Key2, "knob hitch 2"),
    ] {
        if is_on(&window, limit) {
            window.click(&format!("limit:{}", key_of(limit)));
        }
        window.click(&format!("field:{}", key_of(limit)));
        window.press(key);
        window.press_for(K::Enter, words);
        assert!(is_on(&window, limit), "{limit:?}");
    }
}

#[test]
fn the_help_shows_every_key_whole() {
    let mut window = Window::open("--size 900x600");
    window.press(K::H);
    window.frames(2);
    let screen = window.context().screen_rect();
    let texts = window.placed_texts();
    for (caps, help) in rows(&BINDINGS) {
        for words in caps.into_iter().chain([help]) {
            let mut found = texts.iter().filter(|(text, ..)| text == words);
            let is_whole = |(_, place, clip): &(String, Rect, Rect)| {
                clip.expand(0.5).contains_rect(*place) && screen.contains_rect(*place)
            };
            assert!(found.any(is_whole), "{words}");
        }
    }
}

#[test]
fn the_code_tab_shows_sentences_and_code() {
    for (language, published) in [("Rust", "0"), ("C#", "1")] {
        let flags = format!("--entities 20 --as-published {published}");
        let mut window = Window::still(3, &flags);
        window.press(K::U);
        window.click(&format!("button:{language}"));
        for entry in STRATEGIES {
            window.click(&format!("tab:{}", entry.key));
            for (width, height) in [(900.0, 600.0), (1280.0, 800.0)] {
                window.resize(width, height);
                let knobs = &window.state().settings.knobs;
                let code = match language {
                    "Rust" => rust::snippet(entry, knobs),
                    _ => csharp::snippet(entry, knobs),
                };
                assert!(window.has("button:Copy"), "{}", entry.key);
                let defect = entry.published.map(|form| form.defect);
                let texts = [Some(entry.rule), Some(code.trim_end())];
                for text in texts
                    .into_iter()
                    .chain([defect.filter(|_| published == "1")])
                {
                    assert!(text.is_none_or(|text| window.shows(text)), "{text:?}");
                }
            }
        }
    }
}
