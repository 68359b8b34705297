//! A knob's slider: dragged, typed into, and reset by a double click.

use super::theme;
use super::value::{Typing, value_field};
use egui::{
    Align2, Color32, CornerRadius, Event, Id, Painter, PointerButton, Pos2, Rect, Response, Sense,
    Ui, pos2, vec2,
};
use timeslice::knob::Knob;

/// The height that one slider takes.
pub const HEIGHT: f32 = 41.0;
/// Radius of the handle; the track is inset by it.
const HANDLE: f32 = 5.5;
/// A drag goes on beyond the window, so far at the most.
const NEAR: f32 = 10_000.0;
/// Width of the field for the value.
const FIELD: f32 = 96.0;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::ENTITIES;
    use egui::{Context, Modifiers, RawInput};

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
}
