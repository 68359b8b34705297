//! A knob's slider: dragged, typed into, and reset by a double click.

use super::theme;
use egui::{
    Align, Align2, Color32, CornerRadius, Event, Id, Key, Painter, PointerButton, Pos2, Rect,
    Response, Sense, TextEdit, Ui, UiBuilder, pos2, vec2,
};
use timeslice_lab::figure;
use timeslice_lab::knob::Knob;

/// The height that one slider takes.
pub const HEIGHT: f32 = 41.0;
/// Radius of the handle; the track is inset by it.
const HANDLE: f32 = 5.5;
/// A drag goes on beyond the window, so far at the most.
const NEAR: f32 = 10_000.0;
/// Width of the field for the value.
const FIELD: f32 = 96.0;

/// The value that is being typed, if any.
#[derive(Debug, Default)]
pub struct Typing(Option<Entry>);

#[derive(Debug)]
struct Entry {
    id: Id,
    text: String,
    /// What a number without a unit is of: the unit in which the value was shown.
    unit: &'static str,
    complaint: Option<String>,
    fresh: bool,
    /// Whether its field stood in this picture.
    drawn: bool,
}

impl Typing {
    /// Whether keys belong to a number field just now.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// The interface is laid out. A field that was not stands in another view, or has no room any more: what was
    /// typed in it is dropped, or no key would do anything. Returns whether it was.
    pub fn drop_unseen(&mut self) -> bool {
        let unseen = |entry: &mut Entry| !std::mem::take(&mut entry.drawn);
        self.0.take_if(unseen).is_some()
    }
}

/// Shows the slider in `rect`, told from others by its `name`. Returns the value that the user sets, if any.
pub fn slider(
    ui: &mut Ui,
    rect: Rect,
    name: &str,
    knob: &'static Knob,
    value: f64,
    dimmed: bool,
    typing: &mut Typing,
) -> Option<f64> {
    let (label_row, track) = rows(rect);
    let ink = if dimmed {
        theme::DIM.gamma_multiply(0.7)
    } else {
        theme::TEXT
    };
    let label = ui.painter().text(
        label_row.left_center(),
        Align2::LEFT_CENTER,
        knob.label,
        theme::text(12.5),
        ink,
    );
    let reach = Rect::from_min_max(
        pos2(track.left(), label_row.bottom()),
        track.max + vec2(0.0, 7.0),
    );
    let response = ui.interact(reach, Id::new(("slider", name)), Sense::click_and_drag());
    let hold = Hold::of(ui, &response, reach);
    let pointed = response.is_pointer_button_down_on() || response.hovered();
    paint_track(
        ui.painter(),
        track,
        knob.fraction(value) as f32,
        pointed,
        dimmed,
    );
    let explained = format!("{}\n--{}: {}", knob.help, knob.key, knob.allowed());
    // egui takes a click beside the track for one on it, where nothing else takes it.
    ui.interact(label_row, Id::new(("row", name)), Sense::click());
    let label_response = ui.interact(label, Id::new(("label", name)), Sense::click());
    label_response.on_hover_text(explained);

    let field = Rect::from_min_max(pos2(rect.right() - FIELD, label_row.top()), label_row.max);
    if let Some(typed) = value_field(ui, field, name, knob, value, dimmed, typing) {
        return Some(typed);
    }
    // egui counts clicks by time alone, wherever they are: one on a tab just before would make it two.
    if response.double_clicked() && hold.presses > 1 {
        return Some(knob.default);
    }
    let to = hold.moves_it(ui, &response)?;
    let inner = track.shrink2(vec2(HANDLE, 0.0));
    let fraction = (to.x - inner.left()) / inner.width().max(1.0);
    Some(knob.at_fraction(f64::from(fraction))).filter(|&new| new != value)
}

/// What the pointer does to a slider.
#[derive(Clone, Copy, Default)]
struct Hold {
    /// How many presses of the first button there were on it since the last one anywhere else.
    presses: u32,
    /// Whether a button is held that was pressed on it.
    is_held: bool,
    /// Whether it was in the picture before.
    was_held: bool,
    /// The number of this picture: a slider that was not in the one before is not let go of in this one.
    picture: u64,
}

impl Hold {
    /// What it does in this picture.
    fn of(ui: &Ui, response: &Response, reach: Rect) -> Self {
        let pressed = presses(ui, true);
        let picture = ui.ctx().cumulative_pass_nr();
        ui.data_mut(|data| {
            let hold = data.get_temp_mut_or_default::<Self>(response.id.with("hold"));
            for at in pressed {
                hold.presses = if reach.contains(at) {
                    hold.presses + 1
                } else {
                    0
                };
            }
            hold.was_held = hold.is_held && hold.picture + 1 == picture;
            hold.is_held = response.is_pointer_button_down_on();
            hold.picture = picture;
            *hold
        })
    }

    /// Where it moves the handle to, if it does. A slow picture sees the button let go of together with the last of
    /// the way before that, or even with the press.
    fn moves_it(self, ui: &Ui, response: &Response) -> Option<Pos2> {
        if self.is_held {
            let moves = response.dragged() || ui.input(|input| input.pointer.any_pressed());
            return response.interact_pointer_pos().filter(|_| moves);
        }
        if !self.was_held && !response.clicked() {
            return None;
        }
        // A touch that is taken away ends where no display is.
        let near = ui.ctx().screen_rect().expand(NEAR);
        let let_go = presses(ui, false).into_iter().next_back();
        let_go.filter(|&at| near.contains(at))
    }
}

/// Where the first button was `pressed`, or let go of, since the last picture.
fn presses(ui: &Ui, pressed: bool) -> Vec<Pos2> {
    ui.input(|input| {
        let place = |event: &Event| match *event {
            Event::PointerButton {
                pos,
                button: PointerButton::Primary,
                pressed: is_pressed,
                ..
            } if is_pressed == pressed => Some(pos),
            _ => None,
        };
        input.events.iter().filter_map(place).collect()
    })
}

fn rows(rect: Rect) -> (Rect, Rect) {
    let label = Rect::from_min_size(rect.min, vec2(rect.width(), 18.0));
    let track = Rect::from_min_size(
        pos2(rect.left(), rect.top() + 20.0),
        vec2(rect.width(), 12.0),
    );
    (label, track)
}

fn paint_track(painter: &Painter, track: Rect, fraction: f32, pointed: bool, dimmed: bool) {
    let inner = track.shrink2(vec2(HANDLE, 0.0));
    let y = track.center().y;
    let handle = pos2(inner.left() + fraction * inner.width(), y);
    let bar = |from: f32, to: f32, ink: Color32| {
        let rect = Rect::from_min_max(pos2(from, y - 1.5), pos2(to, y + 1.5));
        painter.rect_filled(rect, CornerRadius::same(2), ink);
    };
    bar(track.left(), track.right(), theme::HOVER);
    bar(
        track.left(),
        handle.x,
        theme::DIM.gamma_multiply(if dimmed { 0.4 } else { 0.7 }),
    );
    let ink = if dimmed {
        theme::DIM
    } else {
        Color32::from_rgb(0xe9, 0xe6, 0xdf)
    };
    painter.circle_filled(handle, if pointed { HANDLE + 1.0 } else { HANDLE }, ink);
}

/// The value, which a click turns into a field to type in.
fn value_field(
    ui: &mut Ui,
    rect: Rect,
    name: &str,
    knob: &'static Knob,
    value: f64,
    dimmed: bool,
    typing: &mut Typing,
) -> Option<f64> {
    let id = Id::new(("value", name));
    if typing.0.as_ref().is_some_and(|entry| entry.id == id) {
        return edit(ui, rect, id, knob, typing);
    }
    let response = ui.interact(rect, id.with("show"), Sense::click());
    let ink = match (response.hovered(), dimmed) {
        (true, _) => theme::TEAL,
        (false, true) => theme::DIM.gamma_multiply(0.7),
        (false, false) => theme::BRIGHT,
    };
    let text = figure::knob(knob, value);
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        text,
        theme::mono(12.0),
        ink,
    );
    if response.clicked() {
        let unit = figure::unit_of(knob, value);
        typing.0 = Some(Entry {
            id,
            text: in_unit(knob, value, unit),
            unit,
            complaint: None,
            fresh: true,
            drawn: true,
        });
    }
    response.on_hover_text("Click to type a value; double-click the slider to reset it");
    None
}

fn edit(ui: &mut Ui, rect: Rect, id: Id, knob: &Knob, typing: &mut Typing) -> Option<f64> {
    let entry = typing.0.as_mut()?;
    entry.drawn = true;
    let edit = TextEdit::singleline(&mut entry.text)
        .id(id)
        .font(theme::mono(12.0))
        .horizontal_align(Align::RIGHT)
        .text_color(theme::BRIGHT)
        .margin(vec2(4.0, 1.0));
    let field = rect.expand2(vec2(4.0, 2.0));
    // In a layout of its own, so that the row below stays where it is.
    let response = ui
        .new_child(UiBuilder::new().max_rect(field))
        .put(field, edit);
    if std::mem::take(&mut entry.fresh) {
        response.request_focus();
        // Not the unit: who types over the number leaves it standing.
        let number = entry.text.split(' ').next().unwrap_or_default();
        select(ui, id, number.chars().count());
        return None;
    }
    if response.changed() {
        entry.complaint = None;
    }
    if let Some(complaint) = entry.complaint.clone() {
        show_complaint(ui, field, &complaint);
    }
    if ui.input(|input| input.key_pressed(Key::Escape)) {
        typing.0 = None;
        return None;
    }
    if response.lost_focus() {
        match read(knob, &entry.text, entry.unit) {
            Ok(value) => {
                typing.0 = None;
                return Some(value);
            }
            // Somebody clicked elsewhere: what can't be read is dropped, and the value stays.
            Err(_) if ui.input(|input| input.pointer.any_pressed()) => typing.0 = None,
            Err(complaint) => {
                entry.complaint = Some(complaint);
                response.request_focus();
            }
        }
    }
    None
}

/// A value as it is typed: exactly, with its unit.
fn in_unit(knob: &Knob, value: f64, unit: &str) -> String {
    match unit {
        "" => value.to_string(),
        "ms" if knob.unit == "µs" => format!("{} ms", value / 1000.0),
        unit => format!("{value} {unit}"),
    }
}

/// Selects the first so many letters.
fn select(ui: &Ui, id: Id, chars: usize) {
    use egui::text::{CCursor, CCursorRange};
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    let all = CCursorRange::two(CCursor::new(0), CCursor::new(chars));
    state.cursor.set_char_range(Some(all));
    state.store(ui.ctx(), id);
}

fn show_complaint(ui: &Ui, field: Rect, complaint: &str) {
    let layer = egui::LayerId::new(egui::Order::Tooltip, Id::new("complaint"));
    let painter = ui.ctx().layer_painter(layer);
    let galley = painter.layout(complaint.to_owned(), theme::text(12.0), theme::AMBER, 220.0);
    let size = galley.size() + vec2(16.0, 10.0);
    let rect = Rect::from_min_size(pos2(field.right() - size.x, field.bottom() + 4.0), size);
    painter.rect_filled(rect, CornerRadius::same(theme::RADIUS), theme::WELL);
    painter.galley(rect.min + vec2(8.0, 5.0), galley, theme::AMBER);
}

/// How many of the second's parts make one.
fn parts_of_a_second(unit: &str) -> Option<f64> {
    match unit {
        "s" => Some(1.0),
        "ms" => Some(1e3),
        "us" | "µs" => Some(1e6),
        _ => None,
    }
}

/// Reads what was typed: thousands may be in groups (`1,000,000`), or be a `k` and millions an `M`, and a unit may stand
/// behind, of a time any; else it is this one.
fn read(knob: &Knob, text: &str, unit: &str) -> Result<f64, String> {
    let text = text.trim();
    let (number, times, over) = if let Some(parts) = parts_of_a_second(knob.unit) {
        let mut units = ["ms", "us", "µs", "s"].into_iter();
        let named = units.find_map(|unit| Some((text.strip_suffix(unit)?, unit)));
        let (number, typed) = named.unwrap_or((text, unit));
        (number, parts, parts_of_a_second(typed).unwrap_or(parts))
    } else {
        let number = text.strip_suffix(knob.unit).unwrap_or(text).trim_end();
        let mut letters = [('k', 1e3), ('K', 1e3), ('M', 1e6)].into_iter();
        let named = letters.find_map(|(letter, times)| Some((number.strip_suffix(letter)?, times)));
        let (number, times) = named.unwrap_or((number, 1.0));
        (number, times, 1.0)
    };
    let value = ungrouped(number.trim()).and_then(|number| number.parse::<f64>().ok());
    let value = value
        .map(|value| value * times / over)
        .filter(|&value| knob.takes(value));
    value.ok_or_else(|| format!("{}: {}", knob.label, knob.allowed()))
}

/// A number without its commas; none where these do not part groups of three: a comma that stands for a
/// decimal point must not make 0,5 a five.
fn ungrouped(number: &str) -> Option<String> {
    let whole = number.split('.').next().unwrap_or_default();
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default().len();
    let sound = groups.all(|group| group.len() == 3)
        && (1..=3).contains(&first)
        && !number[whole.len()..].contains(',');
    (sound || !number.contains(',')).then(|| number.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Context, Modifiers, RawInput};
    use timeslice_lab::strategy::fixed_interval::INTERVAL;
    use timeslice_lab::strategy::time_budget::BUDGET;
    use timeslice_lab::world::{CHURN, COST, ENTITIES};

    /// A slider of entities on a screen of its own.
    struct Screen {
        ctx: Context,
        value: f64,
        /// Whether the slider is in the picture.
        is_shown: bool,
    }

    impl Screen {
        fn new() -> Self {
            let mut screen = Self {
                ctx: Context::default(),
                value: 400.0,
                is_shown: true,
            };
            screen.picture([]); // egui finds what is pointed at where it stood
            screen
        }

        fn rect() -> Rect {
            Rect::from_min_size(pos2(20.0, 20.0), vec2(200.0, HEIGHT))
        }

        /// Its track, at this fraction of the way.
        fn on_track(fraction: f32) -> Pos2 {
            let (_, track) = rows(Self::rect());
            let inner = track.shrink2(vec2(HANDLE, 0.0));
            pos2(inner.left() + fraction * inner.width(), inner.center().y)
        }

        /// One picture, before which this happened.
        fn picture(&mut self, events: impl IntoIterator<Item = Event>) {
            let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(300.0, 100.0)));
            let input = RawInput {
                screen_rect,
                events: events.into_iter().collect(),
                ..RawInput::default()
            };
            let (value, is_shown) = (&mut self.value, self.is_shown);
            let _ = self.ctx.run(input, |ctx| {
                egui::CentralPanel::default().show(ctx, |ui| {
                    if !is_shown {
                        return;
                    }
                    let mut typing = Typing::default();
                    let set = slider(
                        ui,
                        Self::rect(),
                        "it",
                        &ENTITIES,
                        *value,
                        false,
                        &mut typing,
                    );
                    *value = set.unwrap_or(*value);
                });
            });
        }
    }

    fn button(pos: Pos2, pressed: bool) -> Event {
        Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        }
    }

    #[test]
    fn a_click_within_one_picture_moves_it() {
        let mut screen = Screen::new();
        let end = Screen::on_track(1.0);
        screen.picture([Event::PointerMoved(end)]);
        screen.picture([button(end, true), button(end, false)]);
        assert_eq!(screen.value, 1_000_000.0);
    }

    #[test]
    fn the_last_of_the_way_counts_that_comes_with_the_letting_go() {
        let mut screen = Screen::new();
        let (begin, end) = (Screen::on_track(0.2), Screen::on_track(1.0));
        screen.picture([Event::PointerMoved(begin)]);
        screen.picture([button(begin, true)]);
        assert!(screen.value < 1_000.0, "{}", screen.value);
        screen.picture([Event::PointerMoved(end), button(end, false)]);
        assert_eq!(screen.value, 1_000_000.0);
        screen.picture([Event::PointerMoved(begin)]);
        assert_eq!(screen.value, 1_000_000.0, "it is let go of");
    }

    #[test]
    fn it_stays_where_it_is_let_go_of_however_the_pointer_goes_on() {
        let mut screen = Screen::new();
        let (begin, end) = (Screen::on_track(0.2), Screen::on_track(1.0));
        screen.picture([Event::PointerMoved(begin)]);
        screen.picture([button(begin, true)]);
        let pressed = screen.value;
        screen.picture([button(begin, false), Event::PointerMoved(end)]);
        assert_eq!(screen.value, pressed);
    }

    #[test]
    fn a_touch_that_is_taken_away_moves_nothing() {
        let mut screen = Screen::new();
        let (begin, away) = (Screen::on_track(0.2), pos2(-32_000.0, -32_000.0));
        screen.picture([Event::PointerMoved(begin)]);
        screen.picture([button(begin, true)]);
        let pressed = screen.value;
        screen.picture([Event::PointerMoved(away), button(away, false)]);
        assert_eq!(screen.value, pressed);
    }

    #[test]
    fn one_that_went_out_of_sight_while_it_was_held_does_not_move_when_it_is_back() {
        let mut screen = Screen::new();
        let (begin, end) = (Screen::on_track(0.2), Screen::on_track(1.0));
        screen.picture([Event::PointerMoved(begin)]);
        screen.picture([button(begin, true)]);
        let pressed = screen.value;
        screen.is_shown = false;
        screen.picture([]);
        screen.is_shown = true;
        screen.picture([Event::PointerMoved(end), button(end, false)]);
        assert_eq!(screen.value, pressed);
    }

    #[test]
    fn what_is_pressed_elsewhere_moves_nothing() {
        let mut screen = Screen::new();
        let (beside, end) = (pos2(270.0, 80.0), Screen::on_track(1.0));
        screen.picture([Event::PointerMoved(beside)]);
        screen.picture([button(beside, true)]);
        screen.picture([Event::PointerMoved(end), button(end, false)]);
        assert_eq!(screen.value, 400.0);
    }

    #[test]
    fn typed_values_may_have_groups_and_the_unit() {
        assert_eq!(read(&ENTITIES, "1,000,000", ""), Ok(1_000_000.0));
        assert_eq!(read(&CHURN, " 2.5 /s", "/s"), Ok(2.5));
        for shown in ["µs", "ms"] {
            assert_eq!(read(&COST, "5 ms", shown), Ok(5000.0));
            assert_eq!(read(&COST, "120 µs", shown), Ok(120.0));
            assert_eq!(read(&COST, "1,500.5us", shown), Ok(1500.5));
        }
    }

    #[test]
    fn a_number_alone_is_of_the_unit_in_which_the_value_was_shown() {
        assert_eq!(read(&COST, "5", figure::unit_of(&COST, 1900.0)), Ok(5000.0));
        assert_eq!(read(&COST, "5", figure::unit_of(&COST, 190.0)), Ok(5.0));
        for (knob, value) in [
            (&COST, 1900.5),
            (&COST, 0.1),
            (&CHURN, 2.5),
            (&ENTITIES, 1e6),
        ] {
            let unit = figure::unit_of(knob, value);
            let text = in_unit(knob, value, unit);
            assert_eq!(read(knob, &text, unit), Ok(value), "{text}");
        }
        assert_eq!(in_unit(&COST, 1900.5, "ms"), "1.9005 ms");
    }

    #[test]
    fn a_time_may_be_in_any_unit_and_thousands_in_letters() {
        for (text, seconds) in [
            ("250 ms", 0.25),
            ("250ms", 0.25),
            ("2 s", 2.0),
            ("5000us", 0.005),
            ("2", 2.0),
        ] {
            assert_eq!(read(&INTERVAL, text, "s"), Ok(seconds), "{text}");
        }
        assert_eq!(read(&COST, "0.01 s", "µs"), Ok(10_000.0));
        assert_eq!(read(&BUDGET, "0.002s", "ms"), Ok(2.0));
        assert_eq!(read(&CHURN, "10k", "/s"), Ok(10_000.0));
        assert_eq!(read(&CHURN, "1.5k /s", "/s"), Ok(1500.0));
        for ms in [9.0, 13.0, 1999.0] {
            assert_eq!(read(&INTERVAL, &format!("{ms} ms"), "s"), Ok(ms / 1e3));
        }
        for text in ["5 ss", "5msms", "5 mss"] {
            assert!(read(&INTERVAL, text, "s").is_err(), "{text}");
        }
        for (text, count) in [
            ("1M", 1e6),
            ("2k", 2e3),
            ("1.5 k", 1500.0),
            ("0.25M", 250_000.0),
        ] {
            assert_eq!(read(&ENTITIES, text, ""), Ok(count), "{text}");
        }
        for text in ["k", "2kk", "1MM", "1 Mk", "2k5", "M"] {
            assert!(read(&ENTITIES, text, "").is_err(), "{text}");
        }
    }

    #[test]
    fn a_click_on_the_name_or_beside_it_moves_nothing() {
        let mut screen = Screen::new();
        let (label, _) = rows(Screen::rect());
        let name_end = label.left_bottom() + vec2(4.0, -2.0);
        for at in [
            name_end,
            label.center(),
            label.center_bottom() - vec2(0.0, 1.0),
        ] {
            screen.picture([Event::PointerMoved(at)]);
            screen.picture([button(at, true)]);
            screen.picture([button(at, false)]);
            assert_eq!(screen.value, 400.0, "{at:?}");
        }
    }

    #[test]
    fn a_comma_is_never_taken_for_nothing() {
        for text in ["0,5", "1,50", ",500", "1,0000", "1.000,5"] {
            assert!(read(&COST, text, "µs").is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_not_allowed_is_answered_with_what_is() {
        let complaint = read(&ENTITIES, "2000000", "").unwrap_err();
        assert_eq!(complaint, "Entities: a whole number from 0 to 1000000");
    }
}
