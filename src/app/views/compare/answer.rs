//! The answer at the top of the view: which strategy to use with which setting, what this means for the game, and what
//! would help if no strategy keeps all limits. In a low view, the less important lines are left out.

use super::common::OUTDATED_OPACITY;
use super::offer_button::{OfferButton, copy, set};
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::best_setting::{MOST_ENTITIES, Progress};
use crate::app::state::compare::Offer;
use crate::app::state::grid::Language;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::{paint, theme, tooltip};
use egui::epaint::text::Row;
use egui::text::LayoutJob;
use egui::{
    Align, Color32, Frame, Layout, Margin, Rect, Response, Sense, Stroke, Ui, UiBuilder, vec2,
};
use lab::recommend::{Change, Choice, Limit, Recommendation, range_words};
use lab::text::format::{self, capitalised};
use lab::text::sentence::Sentence;

const OUTER_MARGIN: i8 = 10;
const INNER_MARGIN: i8 = 18;
const LINE_GAP: f32 = 4.0;
const BUTTON_GAP: f32 = 8.0;
const WARNING_WIDTH: f32 = 18.0;
/// If the view is narrower than this, the text is smaller, and nothing is below the card.
const MIN_WIDTH_FOR_LARGE_TEXT: f32 = 776.0;
/// If the text next to the buttons of a line would be narrower than this, the buttons are below the text.
const MIN_TEXT_WIDTH: f32 = 240.0;
const MIN_HEIGHT_FOR_DETAILS: f32 = 480.0;

const WORDS: [Color32; 2] = [theme::TEXT, theme::BRIGHT];

/// Shows the answer at the top of `view`. Returns the rest of the view.
pub fn show(ui: &mut Ui, view: Rect, state: &State, output: &mut UiOutput) -> Rect {
    let mut top = ui.new_child(UiBuilder::new().max_rect(view).id_salt("answer"));
    top.set_clip_rect(view.intersect(ui.clip_rect()));
    top.spacing_mut().item_spacing = vec2(0.0, LINE_GAP);
    top.spacing_mut().interact_size.y = 0.0; // a line is as high as its text and its buttons
    let best_setting = &state.compare.best_setting;
    if best_setting.progress() == Progress::Outdated {
        top.multiply_opacity(OUTDATED_OPACITY);
    }
    let all = best_setting.recommendation();
    let is_found = best_setting.is_final() && all.is_some_and(|all| all.best.is_some());
    let (edge, ground) = if is_found {
        (theme::TEAL, theme::TEAL_GROUND.gamma_multiply(0.55))
    } else {
        (theme::LINE, theme::BAR)
    };
    let has_details = view.height() >= MIN_HEIGHT_FOR_DETAILS;
    let is_wide = view.width() >= MIN_WIDTH_FOR_LARGE_TEXT;
    let points = if is_wide { [18.0, 13.0] } else { [14.0, 12.0] };
    let card = Frame::NONE
        .fill(ground)
        .stroke(Stroke::new(1.0, edge))
        .corner_radius(theme::RADIUS)
        .inner_margin(Margin::symmetric(INNER_MARGIN, 8))
        .outer_margin(Margin {
            bottom: 0,
            ..Margin::same(OUTER_MARGIN)
        });
    let shown = card.show(&mut top, |ui| {
        ui.set_width(ui.available_width());
        let mut answer = Answer {
            ui,
            output,
            state,
            has_details,
            points,
        };
        match all.map(|all| (all, all.best())) {
            None => answer.without_answer(),
            Some((all, _)) if all.entities == 0 => {
                let words = "There are no entities, so any strategy will do";
                answer.headline(words, false, &[]);
            }
            Some((all, None)) => answer.ways(all),
            Some((all, Some(best))) => answer.answer(all, best),
        }
    });
    let margin = vec2(OUTER_MARGIN.into(), 0.0);
    let card = shown.response.rect.shrink2(margin);
    output.report("answer", card.with_min_y(card.top() + margin.x));
    if let Some(all) = all.filter(|all| all.entities > 0 && has_details && is_wide) {
        let margin = Margin::symmetric(OUTER_MARGIN + INNER_MARGIN, 0);
        Frame::NONE.inner_margin(margin).show(&mut top, |ui| {
            let (words, inks) = (beyond(state, all), [theme::DIM, theme::TEXT]);
            let width = ui.available_width();
            ui.label(paint::words(ui.painter(), &words, points[1], inks, width));
        });
    }
    view.with_min_y(top.min_rect().bottom() + LINE_GAP)
}

struct Answer<'a> {
    ui: &'a mut Ui,
    output: &'a mut UiOutput,
    state: &'a State,
    has_details: bool,
    /// The font sizes of the headline and of the other lines.
    points: [f32; 2],
}

impl Answer<'_> {
    /// Shows a line of text with buttons at its right end, or below the text if it would otherwise be too narrow.
    fn line(&mut self, mut job: LayoutJob, is_warning: bool, buttons: &[OfferButton]) -> Response {
        let ui = &mut *self.ui;
        let widths = buttons.iter().map(|it| it.width(ui.painter()) + BUTTON_GAP);
        let beside = ui.available_width() - widths.sum::<f32>();
        let is_beside = buttons.is_empty() || beside >= MIN_TEXT_WIDTH;
        job.wrap.max_width = if is_beside {
            beside
        } else {
            ui.available_width()
        };
        if is_warning {
            job.wrap.max_width -= WARNING_WIDTH;
        }
        let galley = ui.painter().layout_job(job);
        let height = galley.rows.first().map_or(0.0, Row::height);
        let text = |ui: &mut Ui| {
            if is_warning {
                let size = vec2(WARNING_WIDTH, height);
                let (place, _) = ui.allocate_exact_size(size, Sense::hover());
                warning(ui.painter(), place.left_center() + vec2(5.0, 0.0), 5.0);
            }
            ui.label(galley)
        };
        if is_beside {
            ui.horizontal(|ui| {
                let text = text(ui);
                buttons_at_the_right(ui, buttons, self.output);
                text
            })
            .inner
        } else {
            let text = ui.horizontal(text).inner;
            ui.horizontal(|ui| buttons_at_the_right(ui, buttons, self.output));
            text
        }
    }

    fn words(&mut self, words: &str, inks: [Color32; 2], buttons: &[OfferButton]) {
        let mut job = LayoutJob::default();
        paint::add_words(&mut job, &capitalised(words), self.points[1], inks);
        self.line(job, inks[0] == theme::AMBER, buttons);
    }

    fn headline(&mut self, words: &str, is_warning: bool, buttons: &[OfferButton]) {
        let ink = theme::warning_or(is_warning, theme::BRIGHT);
        let format = paint::centred(theme::text(self.points[0]), ink);
        let job = LayoutJob::single_section(words.to_owned(), format);
        self.line(job, is_warning, buttons);
    }

    fn without_answer(&mut self) {
        let words = if self.state.compare.best_setting.progress() == Progress::TooManyEntities {
            let words = "There are too many entities to try settings";
            self.headline(words, false, &[]);
            let most = format::grouped(MOST_ENTITIES as u64);
            format!("settings are tried for up to {most} entities.")
        } else {
            self.headline("Trying settings of every strategy", false, &[]);
            "the answer appears here. Until then, crowd and frame time show the current settings."
                .into()
        };
        self.words(&words, WORDS, &[]);
    }

    fn answer(&mut self, all: &Recommendation, best: &Choice) {
        let state = self.state;
        let offer = Offer::Strategy(best.lane);
        let buttons = [
            OfferButton {
                is_main: true,
                ..set(state, offer, "set:best", "Set")
            },
            copy(state, offer, Language::Rust),
            copy(state, offer, Language::CSharp),
        ];
        let (mut job, points) = (LayoutJob::default(), self.points[0]);
        let mut add = |words: &str, ink| {
            let format = paint::centred(theme::text(points), ink);
            job.append(words, 0.0, format);
        };
        add("Use ", theme::BRIGHT);
        add(best.strategy.name, theme::TEAL);
        if let Some(setting) = best.setting.words() {
            add(" with ", theme::BRIGHT);
            paint::add_words(&mut job, &setting, points, [theme::BRIGHT; 2]);
        }
        let headline = self.line(job, false, &buttons);
        tooltip::offer(&headline, lines(&all.full_text(), state));

        self.warnings(all);
        let effects = format!("{}.", best.outcome.effects().join("; "));
        self.words(&effects, WORDS, &[]);
        self.progress_or(&all.evidence(best));
        let simplest = all.simplest_words().zip(all.simplest());
        if let Some((words, simplest)) = simplest.filter(|_| self.has_details) {
            let offer = Offer::Strategy(simplest.lane);
            let button = set(state, offer, "set:simplest", "Set the simplest");
            self.words(&words, WORDS, &[button]);
        }
    }

    /// Shows what would help if no strategy keeps all limits.
    fn ways(&mut self, all: &Recommendation) {
        let state = self.state;
        let buttons = all.ways.iter().enumerate().map(|(index, way)| {
            let words = match way.change {
                Change::Entities(count) => {
                    format!("Use {}", format::counted(count.into(), "entity"))
                }
                Change::Relax(broken) => match broken.limit {
                    Limit::Tasks | Limit::Longest | Limit::Wait => {
                        format!("Allow {}", format::time(broken.relaxed()))
                    }
                    Limit::Near => format!("Allow {} near", format::time(broken.relaxed())),
                    Limit::Hitches | Limit::MeanFrame => "Allow slow frames".to_owned(),
                },
            };
            let key = format!("set:way:{index}");
            set(state, Offer::Way(index), &key, &words)
        });
        let buttons: Vec<OfferButton> = buttons.collect();
        self.headline("No strategy keeps all limits", true, &buttons);
        self.words(&all.closest_words(), WORDS, &[]);
        if let Some(ways) = all.ways_words().filter(|_| self.has_details) {
            self.words(&ways, WORDS, &[]);
        }
        self.progress_or(&[]);
        self.warnings(all);
    }

    /// Shows the evidence or, if the answer is not for the current settings, says so instead.
    fn progress_or(&mut self, evidence: &[String]) {
        if !self.state.compare.best_setting.is_final() {
            let words = "for the previous settings, trying others";
            self.words(words, [theme::TEXT; 2], &[]);
        } else if self.has_details && !evidence.is_empty() {
            self.words(&evidence.join(paint::SEPARATOR), [theme::DIM; 2], &[]);
        }
    }

    fn warnings(&mut self, all: &Recommendation) {
        let warnings = all.warnings();
        if !warnings.is_empty() {
            let words = warnings.join("; ");
            self.words(&words, [theme::AMBER; 2], &[]);
        }
    }
}

/// Describes the smallest and the largest crowd with this answer, and the least task time that is enough for the other
/// limits.
fn beyond(state: &State, all: &Recommendation) -> String {
    let range = range(state).map(|words| capitalised(&words));
    let least = all.least_words().map(|words| capitalised(&words));
    let sentences: Vec<String> = range.into_iter().chain(least).collect();
    if sentences.is_empty() {
        " ".into() // the table must not move when the sentences appear
    } else {
        sentences.join(paint::SEPARATOR)
    }
}

fn buttons_at_the_right(ui: &mut Ui, buttons: &[OfferButton], output: &mut UiOutput) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = BUTTON_GAP;
        for button in buttons.iter().rev() {
            button.show(ui, output);
        }
    });
}

/// Returns the whole answer, including clauses that do not fit on the card, with one clause per line.
fn lines(text: &Sentence, state: &State) -> String {
    let clauses = text.clauses.iter().map(|clause| clause.words.clone());
    let lines: Vec<String> = clauses
        .chain(range(state))
        .map(|it| capitalised(&it))
        .collect();
    lines.join("\n")
}

/// Describes for which values of the knob in the crossovers chart the answer stays the same, once this is known.
fn range(state: &State) -> Option<String> {
    let best_setting = &state.compare.best_setting;
    let (over, present) = (best_setting.over, best_setting.present(&state.settings));
    if best_setting.crossover_progress().is_some() {
        let label = over.label.to_lowercase();
        return Some(format!("trying other values of {label}"));
    }
    range_words(&best_setting.final_crossovers()?.ranges, over, present)
}
