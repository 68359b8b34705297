//! A window without a display, with a keyboard and a mouse.

use crate::app::application::App;
use crate::app::input::keys::Modifier;
use crate::app::platform::egui_window::{Screen, WHEEL_STEP};
use crate::app::platform::event_log::{Log, WriteLine};
use crate::app::platform::input_events::InputEvent;
use crate::app::state::command::Command;
use crate::app::state::tests::drop_files;
use crate::app::state::{Flow, State};
use crate::app::widgets::paint::NO_BREAK;
use crate::app::widgets::theme;
use egui::epaint::ClippedShape;
use egui::text_edit::TextEditState;
use egui::{
    Context, Event, FullOutput, Id, Key, Memory, Modifiers, MouseWheelUnit, PointerButton, Pos2,
    RawInput, Rect, Shape, Vec2, vec2,
};
use lab::cli::{self, Invocation};
use lab::sim::world::ENTITIES;
use macroquad::input::{KeyCode, MouseButton};
use macroquad::miniquad::KeyMods;
use std::cell::RefCell;
use std::ffi::OsString;
use std::rc::Rc;
use timeslicer::time::Nanos;

/// The events in the log, each as a keyword and its arguments.
type Lines = Rc<RefCell<Vec<String>>>;

fn begins_with(line: &str, words: &str) -> bool {
    let rest = line.strip_prefix(words);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// egui without a display. Each layout takes a sixtieth of a second.
struct TestScreen {
    ctx: Context,
    input: RawInput,
    size: Vec2,
    /// What egui painted in the last layout.
    output: FullOutput,
}

impl TestScreen {
    fn new(size: Vec2) -> Self {
        let mut screen = Self {
            ctx: Context::default(),
            input: RawInput::default(),
            size,
            output: FullOutput::default(),
        };
        theme::install(&screen.ctx);
        screen.lay_out(&[], |_| {});
        screen
    }
}

impl Screen for TestScreen {
    fn scale(&self) -> f32 {
        1.0
    }

    fn holds_shift(&self) -> bool {
        false
    }

    fn lay_out(&mut self, events: &[InputEvent], layout: impl FnMut(&Context)) {
        let pixels_per_point = self.ctx.pixels_per_point();
        for event in events {
            pass_on(*event, &mut self.input, pixels_per_point);
        }
        let size = self.size / pixels_per_point;
        self.input.screen_rect = Some(Rect::from_min_size(Pos2::ZERO, size));
        let input = self.input.take();
        self.output = self.ctx.run(input, layout);
    }
}

/// The application with a keyboard and a mouse. Its time is simulated: each frame takes a sixtieth of a second.
///
/// Methods such as [`add_chord`](Self::add_chord) add input to the next frame. Methods that are named after what a user
/// does, such as [`press`](Self::press) and [`click`](Self::click), also make that frame at once.
pub struct Window {
    app: App,
    screen: TestScreen,
    lines: Lines,
    input: Vec<InputEvent>,
    pointer: Pos2,
}

impl Window {
    /// Opens a window with these flags, which are separated by spaces, in which the game runs.
    pub fn open(flags: &str) -> Self {
        let mut window = Self::still(0, flags);
        window.app.state.flow = Flow::Running;
        window.frame();
        window
    }

    /// Opens a window with these flags that is paused after this many frames.
    pub fn still(frames: u64, flags: &str) -> Self {
        let words = ["timeslice-lab --log -", flags].join(" ");
        let parsed = cli::parse(words.split_whitespace().map(OsString::from));
        let Ok((settings, Invocation::Window(options))) = parsed else {
            panic!("{flags} open no window");
        };
        let lines = Lines::default();
        let written = Rc::clone(&lines);
        let write: WriteLine = Box::new(move |line| {
            let (_, event) = line.split_once(' ').expect("FRAME EVENT");
            written.borrow_mut().push(event.to_owned());
            Ok(())
        });
        let log = Log {
            write: Some(write),
            ..Log::default()
        };
        let limits = options.limits(&settings);
        let state = State::new(settings, Some(frames), limits, options.view, log);
        let (width, height) = options.size;
        let mut window = Self {
            app: App::new(state, &options),
            screen: TestScreen::new(vec2(width as f32, height as f32)),
            lines,
            input: Vec::new(),
            pointer: Pos2::new(-1.0, -1.0),
        };
        window.frames(2);
        window
    }

    pub fn resize(&mut self, width: f32, height: f32) {
        self.screen.size = vec2(width, height);
        self.frames(2);
    }

    /// Drops files onto the window, then makes two frames.
    pub fn drop_files(&mut self, files: &[(&str, &str)]) {
        drop_files(&mut self.app.state, files);
        self.frames(2);
    }

    pub fn state(&self) -> &State {
        &self.app.state
    }

    /// Applies a command before the next frame.
    pub fn give(&mut self, command: impl Into<Command>) {
        self.app.state.apply(command.into());
    }

    /// Searches for the best setting and, if they are shown, the crossovers, then makes two frames.
    pub fn search(&mut self) {
        let State {
            compare, settings, ..
        } = &mut self.app.state;
        let objective = compare.objective();
        let best_setting = &mut compare.best_setting;
        best_setting.advance(settings, objective, true);
        self.frames(2);
    }

    pub fn entities(&self) -> f64 {
        self.state().settings.knobs.get(&ENTITIES)
    }

    /// Returns the control that has the keyboard focus, if any.
    pub fn focused(&self) -> Option<Id> {
        self.context().memory(Memory::focused)
    }

    pub fn is_in_text_field(&self) -> bool {
        let is_text_field = |id| TextEditState::load(self.context(), id).is_some();
        self.focused().is_some_and(is_text_field)
    }

    pub fn context(&self) -> &Context {
        &self.screen.ctx
    }

    /// Returns the pointer position after all input.
    pub fn pointer(&self) -> Pos2 {
        self.pointer
    }

    pub fn shapes(&self) -> &[ClippedShape] {
        &self.screen.output.shapes
    }

    pub fn frame(&mut self) {
        let events = std::mem::take(&mut self.input);
        self.app.state.update();
        self.app.interface(&events, &mut self.screen);
        self.assert_glyphs();
        self.app.state.drawn();
        self.app.state.wait();
        self.app.state.finish(Nanos::ZERO);
        self.app.state.displayed();
    }

    /// Asserts that the fonts have a glyph for each character on screen. egui would draw a question mark instead.
    fn assert_glyphs(&self) {
        for clipped in self.shapes() {
            let Shape::Text(text) = &clipped.shape else {
                continue;
            };
            let job = &text.galley.job;
            for section in &job.sections {
                let font = &section.format.font_id;
                let words = &job.text[section.byte_range.clone()];
                let words: String = words
                    .chars()
                    .filter(|letter| !letter.is_control() && *letter != '?')
                    .collect();
                let is_known = self.context().fonts(|fonts| fonts.has_glyphs(font, &words));
                assert!(is_known, "{font:?} lacks a glyph of {words:?}");
            }
        }
    }

    pub fn frames(&mut self, count: usize) {
        (0..count).for_each(|_| self.frame());
    }

    // --- the keyboard ---

    /// Adds the press and release of a key to the next frame's input.
    pub fn add_chord(&mut self, modifier: Modifier, key: KeyCode) -> &mut Self {
        let held = KeyMods {
            shift: modifier == Modifier::Shift,
            ctrl: modifier == Modifier::Ctrl,
            ..KeyMods::default()
        };
        // The code of a key that types a character is this character, in upper case.
        let letter = char::from_u32(key as u32).filter(char::is_ascii);
        let repeat = false;
        // X11 reports the character before its key.
        self.input
            .extend(letter.map(|letter| InputEvent::Character {
                letter: letter.to_ascii_lowercase(),
                held,
                repeat,
            }));
        self.input.push(InputEvent::KeyDown { key, held, repeat });
        self.input.push(InputEvent::KeyUp { key, held });
        self
    }

    pub fn press(&mut self, key: KeyCode) {
        self.press_together(&[key]);
    }

    pub fn press_together(&mut self, keys: &[KeyCode]) {
        for &key in keys {
            self.add_chord(Modifier::None, key);
        }
        self.frame();
    }

    /// Presses and releases a key, and asserts that the log then has a line with these words.
    pub fn press_for(&mut self, key: KeyCode, words: &str) {
        self.lines.borrow_mut().clear();
        self.press(key);
        self.assert_logged(words);
    }

    // --- the mouse ---

    pub fn add_move(&mut self, x: f32, y: f32) -> &mut Self {
        self.pointer = Pos2::new(x, y);
        self.input.push(InputEvent::PointerMoved { x, y });
        self
    }

    /// Adds the press or release of a mouse button to the next frame's input.
    pub fn add_button(&mut self, button: MouseButton, is_down: bool) -> &mut Self {
        let Pos2 { x, y } = self.pointer;
        self.input.push(InputEvent::button(button, is_down, x, y));
        self
    }

    /// Adds a click of the primary button to the next frame's input.
    pub fn add_click_at(&mut self, x: f32, y: f32) -> &mut Self {
        self.add_move(x, y);
        self.add_button(MouseButton::Left, true);
        self.add_button(MouseButton::Left, false)
    }

    pub fn point(&mut self, x: f32, y: f32) {
        self.add_move(x, y).frame();
    }

    pub fn point_at(&mut self, control: &str) {
        let Pos2 { x, y } = self.place(control).center();
        self.point(x, y);
    }

    /// Moves the pointer and lets it rest there until a tooltip appears.
    pub fn rest_at(&mut self, at: Pos2) {
        self.point(at.x, at.y);
        for seconds in [1.0, 1.0 / 60.0] {
            self.screen.input.predicted_dt = seconds;
            self.frame();
        }
    }

    pub fn mouse_down(&mut self) {
        self.add_button(MouseButton::Left, true).frame();
    }

    pub fn mouse_up(&mut self) {
        self.add_button(MouseButton::Left, false).frame();
    }

    pub fn click_at(&mut self, x: f32, y: f32) {
        self.add_click_at(x, y).frame();
    }

    pub fn click(&mut self, control: &str) {
        let Pos2 { x, y } = self.place(control).center();
        self.click_at(x, y);
    }

    /// Clicks the middle of a control, and asserts that the log then has a line with these words.
    pub fn click_for(&mut self, control: &str, words: &str) {
        self.lines.borrow_mut().clear();
        self.click(control);
        self.assert_logged(words);
    }

    /// Drags the handle of a slider to this fraction of its track.
    pub fn drag_slider(&mut self, slider: &str, fraction: f32) {
        // The handle's radius in points, by which the track is inset at both ends.
        const HANDLE: f32 = 6.0;
        let scale = self.screen.ctx.pixels_per_point();
        let slider = self.place(slider) / scale;
        let x = slider.left() + HANDLE + fraction * (slider.width() - 2.0 * HANDLE);
        self.point(x.round() * scale, (slider.top() + 27.5) * scale);
        self.mouse_down();
        self.mouse_up();
    }

    /// Adds the event that the window library reports when the wheel turns by these steps.
    pub fn add_wheel(&mut self, right: f32, up: f32) -> &mut Self {
        let [x, y] = [right, up].map(|steps| steps * WHEEL_STEP);
        self.input.push(InputEvent::Wheel { x, y });
        self
    }

    /// Clicks the heading of folded settings, and makes frames until their controls can be clicked.
    pub fn unfold(&mut self, key: &str) {
        self.click(&format!("fold:{key}"));
        self.frames(2);
    }

    // --- the screen and the log ---

    /// Returns all texts on screen, each with its position and the area in which it is visible, in points. A truncated
    /// text ends with `…`.
    pub fn placed_texts(&self) -> Vec<(String, Rect, Rect)> {
        let text = |clipped: &ClippedShape| match &clipped.shape {
            Shape::Text(text) => {
                let place = text.galley.rect.translate(text.pos.to_vec2());
                let elided = if text.galley.elided { "…" } else { "" };
                let words = text.galley.text().replace(NO_BREAK, " ") + elided;
                Some((words, place, clipped.clip_rect))
            }
            _ => None,
        };
        self.shapes().iter().filter_map(text).collect()
    }

    pub fn texts(&self) -> Vec<String> {
        let texts = self.placed_texts().into_iter();
        texts.map(|(text, ..)| text).collect()
    }

    pub fn shows(&self, words: &str) -> bool {
        self.texts().iter().any(|text| text.contains(words))
    }

    /// Asserts that no visible texts overlap. Texts to the left of `left`, in points, do not count.
    pub fn assert_texts_apart(&self, left: f32, case: &str) {
        let texts = self.placed_texts().into_iter();
        let visible = texts.map(|(text, place, clip)| (text, place.intersect(clip)));
        let is_counted = |(text, place): &(String, Rect)| {
            place.is_positive() && place.left() >= left && !text.trim().is_empty()
        };
        let texts: Vec<(String, Rect)> = visible.filter(is_counted).collect();
        for (index, (text, place)) in texts.iter().enumerate() {
            for (other, other_place) in &texts[..index] {
                let both = place.intersect(*other_place).shrink(0.5);
                assert!(!both.is_positive(), "{text:?} and {other:?}, {case}");
            }
        }
    }

    pub fn has(&self, control: &str) -> bool {
        self.find(control).is_some()
    }

    pub fn place(&self, control: &str) -> Rect {
        self.find(control)
            .unwrap_or_else(|| panic!("no control {control} in {:?}", self.places()))
    }

    fn find(&self, control: &str) -> Option<Rect> {
        let mut places = self.places().into_iter();
        places.find(|(name, _)| name == control).map(|it| it.1)
    }

    /// Returns the names and rectangles of all controls, in pixels.
    pub fn places(&self) -> Vec<(String, Rect)> {
        let controls = self.app.controls.iter();
        controls.map(|it| (it.name.clone(), it.rect)).collect()
    }

    /// Returns the lines of the log that begin with these words.
    pub fn logged(&self, words: &str) -> Vec<String> {
        let lines = self.lines.borrow();
        let logged = lines.iter().filter(|line| begins_with(line, words));
        logged.cloned().collect()
    }

    pub fn last(&self, words: &str) -> Option<String> {
        self.logged(words).pop()
    }

    fn assert_logged(&self, words: &str) {
        let lines = self.lines.borrow();
        assert!(self.last(words).is_some(), "no {words:?} in {lines:#?}");
    }
}

/// Passes an event to egui, as the window library's bindings do.
fn pass_on(event: InputEvent, input: &mut RawInput, pixels_per_point: f32) {
    let at = |x: f32, y: f32| Pos2::new(x, y) / pixels_per_point;
    let event = match event {
        InputEvent::PointerMoved { x, y } => Some(Event::PointerMoved(at(x, y))),
        InputEvent::Wheel { x, y } => Some(Event::MouseWheel {
            unit: MouseWheelUnit::Line,
            delta: vec2(x, y) / WHEEL_STEP,
            modifiers: input.modifiers,
        }),
        InputEvent::Button {
            button,
            is_down,
            x,
            y,
        } => Some(Event::PointerButton {
            pos: at(x, y),
            button: match button {
                MouseButton::Right => PointerButton::Secondary,
                MouseButton::Middle => PointerButton::Middle,
                MouseButton::Left | MouseButton::Unknown => PointerButton::Primary,
            },
            pressed: is_down,
            modifiers: input.modifiers,
        }),
        InputEvent::Character { letter, held, .. } => {
            input.modifiers = modifiers(held);
            let is_text = !letter.is_control() && !held.ctrl;
            is_text.then(|| Event::Text(letter.to_string()))
        }
        InputEvent::KeyDown { key, held, .. } => {
            input.modifiers = modifiers(held);
            egui_key(key).map(|key| key_event(key, true, held))
        }
        InputEvent::KeyUp { key, held } => {
            input.modifiers = modifiers(held);
            egui_key(key).map(|key| key_event(key, false, held))
        }
    };
    input.events.extend(event);
}

fn modifiers(held: KeyMods) -> Modifiers {
    Modifiers {
        alt: held.alt,
        ctrl: held.ctrl,
        shift: held.shift,
        mac_cmd: false,
        command: held.ctrl,
    }
}

fn key_event(key: Key, pressed: bool, held: KeyMods) -> Event {
    Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: modifiers(held),
    }
}

/// Returns egui's key, or `None` if egui's bindings to the window library do not know it.
fn egui_key(key: KeyCode) -> Option<Key> {
    let name = format!("{key:?}");
    let is_known = !name.starts_with("Kp") && !name.starts_with('F') || name == "F";
    let name = name.strip_prefix("Key").unwrap_or(&name);
    is_known.then(|| Key::from_name(name)).flatten()
}
