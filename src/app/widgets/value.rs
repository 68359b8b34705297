//! A knob's value: shown, typed and read.

use super::theme;
use crate::text::format;
use egui::{
    Align, Align2, CornerRadius, Id, Key, Rect, Sense, TextEdit, Ui, UiBuilder, pos2, vec2,
};
use timeslice::knob::Knob;

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

/// The value, which a click turns into a field to type in.
pub fn value_field(
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
    let text = format::knob(knob, value);
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        text,
        theme::mono(12.0),
        ink,
    );
    if response.clicked() {
        let unit = format::unit_of(knob, value);
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
    use crate::sim::world::{CHURN, COST, ENTITIES};
    use timeslice::strategy::knobs::INTERVAL;
    use timeslice::strategy::time_budget::BUDGET;

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
        assert_eq!(read(&COST, "5", format::unit_of(&COST, 1900.0)), Ok(5000.0));
        assert_eq!(read(&COST, "5", format::unit_of(&COST, 190.0)), Ok(5.0));
        for (knob, value) in [
            (&COST, 1900.5),
            (&COST, 0.1),
            (&CHURN, 2.5),
            (&ENTITIES, 1e6),
        ] {
            let unit = format::unit_of(knob, value);
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
