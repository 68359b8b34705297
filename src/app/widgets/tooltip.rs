//! Tooltips for controls and plots. At most one tooltip is shown at a time. It does not cover the control that it
//! explains, unless there is no room next to it.
//!
//! Each control calls [`offer`] during layout. After layout, [`show`] shows the tooltip of the smallest control under
//! the mouse pointer, because the smallest of several nested controls is the innermost one. egui's own tooltips are not
//! used because they may cover their control, and because nested controls may show several tooltips at once.

use super::{paint, theme};
use egui::{Context, Id, LayerId, Order, Pos2, Rect, Response, Vec2, pos2, vec2};

/// The space between a tooltip and its control, in points. The same space is left free at the edges of the window.
const GAP: f32 = 4.0;
const MARGIN: Vec2 = vec2(8.0, 6.0);
/// The text widths to try, in points. The first one at which the tooltip fits is used.
const WIDTHS: [f32; 4] = [400.0, 260.0, 180.0, 110.0];
/// How long the pointer must rest before a tooltip appears, in seconds, unless another one is already open.
const DELAY: f32 = 0.5;

/// A tooltip that a control under the mouse pointer offers to show.
#[derive(Clone, Debug)]
struct Offer {
    layer: LayerId,
    area: Rect,
    /// The area that the tooltip explains and must not cover.
    explained: Rect,
    /// The area that the tooltip should stay in. If there is no room in it, the tooltip may be anywhere in the window.
    room: Option<Rect>,
    text: String,
}

/// The position of the tooltip on screen, and the area that it explains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    pub place: Rect,
    pub explained: Rect,
}

/// Offers a tooltip for a control under the mouse pointer, unless the text is empty.
pub fn offer(response: &Response, text: impl Into<String>) {
    if !response.hovered() {
        return;
    }
    let (area, text) = (response.interact_rect, text.into());
    response.ctx.data_mut(|data| {
        let best = data.get_temp::<Offer>(key());
        if !text.is_empty() && best.is_none_or(|best| area.area() <= best.area.area()) {
            let offer = Offer {
                layer: response.layer_id,
                area,
                explained: response.rect.union(area),
                room: None,
                text,
            };
            data.insert_temp(key(), offer);
        }
    });
}

/// Prevents tooltips of controls inside `area` from covering any part of it, and keeps them in `room` if they fit.
pub fn keep_off(ctx: &Context, area: Rect, room: Option<Rect>) {
    ctx.data_mut(|data| {
        if let Some(mut offer) = data.get_temp::<Offer>(key())
            && area.contains_rect(offer.area)
        {
            offer.explained = offer.explained.union(area);
            offer.room = room.or(offer.room);
            data.insert_temp(key(), offer);
        }
    });
}

/// Shows the tooltip under the mouse pointer once it has rested. Call this once per frame, after layout.
pub fn show(ctx: &Context) {
    let offer = ctx.data(|data| data.get_temp::<Offer>(key()));
    ctx.data_mut(|data| data.remove::<Offer>(key()));
    let was_shown = shown(ctx).is_some();
    let due = offer.filter(|offer| is_due(ctx, offer, was_shown));
    let now = due.map(|offer| Shown {
        place: paint(ctx, &offer),
        explained: offer.explained,
    });
    ctx.data_mut(|data| data.insert_temp(key(), now));
}

pub fn shown(ctx: &Context) -> Option<Shown> {
    ctx.data(|data| data.get_temp::<Option<Shown>>(key()).flatten())
}

fn key() -> Id {
    Id::new("tooltip")
}

/// Returns whether a tooltip should be visible: not during a click or while scrolling, but when the pointer has rested
/// for a while, or at once if a tooltip was visible in the previous frame.
fn is_due(ctx: &Context, offer: &Offer, was_shown: bool) -> bool {
    let has_list =
        ctx.memory(egui::Memory::any_popup_open) && offer.layer.order != Order::Foreground;
    let is_due = ctx.input(|input| {
        let pointer = &input.pointer;
        let rests = pointer.time_since_last_movement();
        // A resting finger counts as a resting pointer.
        let is_pressed = pointer.any_down() && !input.any_touches();
        let is_busy = is_pressed || input.time_since_last_scroll() < DELAY;
        // A click hides the tooltip until the pointer moves again.
        let is_clicked = pointer.time_since_last_click() < rests + 0.1;
        !is_busy && !is_clicked && (was_shown || rests >= DELAY)
    });
    is_due && !has_list
}

fn paint(ctx: &Context, offer: &Offer) -> Rect {
    let painter = ctx.layer_painter(LayerId::new(Order::Tooltip, key()));
    let screen = ctx.screen_rect();
    let room = offer.room.map_or(screen, |room| room.intersect(screen));
    let near = ctx.pointer_latest_pos().unwrap_or(offer.area.center());
    let most = (screen.width() - 2.0 * (MARGIN.x + GAP)).max(1.0);
    let lay = |room: Rect, width: f32| {
        let (text, font) = (paint::with_units(&offer.text), theme::text(12.5));
        let galley = painter.layout(text, font, theme::TEXT, width.min(most));
        let size = galley.size() + 2.0 * MARGIN;
        (beside(offer.explained, size, room, near), galley)
    };
    let mut candidates = [room, screen]
        .into_iter()
        .flat_map(|room| WIDTHS.map(|width| lay(room, width)));
    let best = candidates.find(|(place, _)| !place.intersect(offer.explained).is_positive());
    let (place, galley) = best.unwrap_or_else(|| lay(screen, WIDTHS[0]));
    paint::card(&painter, place, theme::BAR, theme::HOVER);
    painter.galley(place.min + MARGIN, galley, theme::TEXT);
    place
}

/// Places a rectangle of the given size next to the `explained` area: below it, above it, or at its right or left side.
/// The rectangle lies within `room`, and as close to `near` as possible. If no side has enough space, it covers part of
/// the area.
pub fn beside(explained: Rect, size: Vec2, room: Rect, near: Pos2) -> Rect {
    let inside = |at: f32, from: f32, to: f32| at.min(to - GAP).max(from + GAP);
    let x = inside(near.x - 12.0, room.left(), room.right() - size.x);
    let y = inside(near.y - size.y / 2.0, room.top(), room.bottom() - size.y);
    let corners = [
        pos2(x, explained.bottom() + GAP),
        pos2(x, explained.top() - GAP - size.y),
        pos2(explained.right() + GAP, y),
        pos2(explained.left() - GAP - size.x, y),
    ];
    let mut places = corners
        .map(|corner| Rect::from_min_size(corner.round(), size))
        .into_iter();
    let fits = places
        .find(|place| room.contains_rect(*place) && !place.intersect(explained).is_positive());
    fits.unwrap_or(Rect::from_min_size(pos2(x, y), size))
}
