//! The Grid, Compare and Loops views, which fill the window below the top bar. A view lays out its controls and draws
//! the capsules. It reads the application's state but never changes it.

mod capture_dialog;
pub mod compare;
pub mod grid;
pub mod help;
pub mod layout;
pub mod loops;

use crate::app::input::output::UiOutput;
use crate::app::panels::tour_card::TourCard;
use crate::app::panels::{strategy_bar, top_bar};
use crate::app::state::State;
use crate::app::state::saver::Notice;
use crate::app::widgets::{paint, theme};
use compare::CompareView;
use egui::{Rect, Ui, UiBuilder, vec2};
use grid::GridView;
use lab::cli::{View, WindowOptions};
use lab::sim::lane::ChangedSlots;
use layout::{Layout, fits_all};
use macroquad::color::Color;
use macroquad::window::clear_background;

const NOTICE_MARGIN: f32 = 4.0;

/// The state that the views keep from one frame to the next.
pub struct Views {
    pub grid: GridView,
    compare: CompareView,
    tour_card: TourCard,
}

impl Views {
    pub fn new(options: &WindowOptions) -> Self {
        Self {
            grid: GridView::default(),
            compare: CompareView::default(),
            tour_card: TourCard::new(options),
        }
    }

    pub fn show(&mut self, ui: &mut Ui, state: &State, output: &mut UiOutput) {
        let screen = ui.max_rect();
        let below = &mut ui.new_child(UiBuilder::new().max_rect(screen));
        if state.interface.help || state.opening.file_name().is_some() {
            below.disable(); // the help or the dialog covers it
        }
        let layout = Layout::new(screen, state);
        for (name, rect) in [
            ("part:bar", layout.top),
            ("part:knobs", layout.left),
            ("part:plots", layout.lower),
        ] {
            if rect.is_positive() {
                output.report(name, rect);
            }
        }
        let covered = self.tour_card.place;
        match state.view {
            View::Grid => self.grid.show(below, &layout, state, covered, output),
            View::Compare => self.compare.show(below, &layout, state, output),
            View::Loops => loops::show(below, &layout, state, output),
        }
        // Show the button that toggles the knobs only if the knobs are hidden or compete with other panels for space.
        let interface = &state.interface;
        let is_full = interface.shows_knobs() && fits_all(screen.width());
        let offers_knobs = interface.panels && !is_full;
        top_bar::show(below, layout.top, state, offers_knobs, output);
        if state.view == View::Grid {
            strategy_bar::show(below, layout.strategies, state, output);
        }
        self.show_tour(below, &layout, state, output);
        if let Some(notice) = state.saver.notice() {
            // At the bottom, because answers and headings are at the top.
            let bottom = layout.view.bottom() - NOTICE_MARGIN;
            show_notice(below, layout.view.with_max_y(bottom), notice);
        }
        capture_dialog::show(below, state, output);
        if state.interface.help {
            help::show(ui, screen, output);
        }
    }

    fn show_tour(&mut self, ui: &Ui, layout: &Layout, state: &State, output: &mut UiOutput) {
        let in_grid = state.view == View::Grid;
        let tour = state.tour.as_ref().filter(|_| !state.interface.help);
        let has_offer = in_grid && state.interface.panels && !state.was_used;
        self.tour_card.place = None;
        if tour.is_some() || has_offer {
            // In the other views, show the card over the knobs so that it does not hide any rows.
            let over_knobs = !in_grid && layout.left.is_positive();
            let area = if over_knobs { layout.left } else { layout.view };
            self.tour_card.show(ui.ctx(), area, state, output);
        }
    }

    /// Draws the capsules of the current view. For each strategy in the view, `changed` lists the slots that have
    /// changed since the previous frame.
    pub fn paint_capsules(
        &mut self,
        state: &State,
        changed: &[ChangedSlots],
        pixels_per_point: f32,
    ) -> Result<(), String> {
        clear_background(Color::from_hex(0x15_17_1c));
        let scale = pixels_per_point;
        match (state.view, changed) {
            (View::Grid, [changed]) => self.grid.paint_capsules(state, changed, scale),
            (View::Compare, all) => self.compare.paint_capsules(state, all, scale),
            _ => Ok(()),
        }
    }
}

fn show_notice(ui: &Ui, place: Rect, notice: &Notice) {
    let [ink, edge] = [theme::TEXT, theme::LINE].map(|ink| theme::warning_or(notice.failed, ink));
    let painter = ui.painter().with_clip_rect(place);
    let room = (place.width() - 48.0).max(0.0);
    let galley = painter.layout(notice.text.clone(), theme::text(12.5), ink, room);
    let size = galley.size() + vec2(24.0, 12.0);
    let center = place.center_bottom() - vec2(0.0, size.y / 2.0);
    let card = Rect::from_center_size(center, size);
    paint::card(&painter, card, theme::WELL.gamma_multiply(0.95), edge);
    painter.galley(card.min + vec2(12.0, 6.0), galley, ink);
}
