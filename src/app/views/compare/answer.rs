//! The answer at the top of the view: which strategy to use with which setting, what this means for the game, and what
//! would help if no strategy keeps all limits. If there is not enough room, the least important lines are left out.

use super::offer_button::{OfferButton, copy, set};
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::best_setting::{MOST_ENTITIES, Progress};
use crate::app::state::compare::Offer;
use crate::app::state::grid::Language;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::{paint, theme};
use egui::epaint::text::Row;
use egui::text::LayoutJob;
use egui::{Color32, Galley, Painter, Rect, Ui, pos2, vec2};
use lab::judge::{Change, Choice, Limit, Recommendation, range_words};
use lab::phrase;
use lab::text::csharp;
use lab::text::format;
use lab::text::rich::{Phrase, joined, time};
use std::sync::Arc;

const OUTER_MARGIN: f32 = 10.0;
const INNER_MARGIN: f32 = 18.0;
/// The margins above the card, and above and below its text.
const VERTICAL_MARGINS: [f32; 2] = [10.0, 8.0];
/// The same margins if a phone would otherwise have no room for every strategy.
const SMALL_VERTICAL_MARGINS: [f32; 2] = [2.0, 3.0];
const LINE_GAP: f32 = 4.0;
const BUTTON_GAP: f32 = 8.0;
const WARNING_WIDTH: f32 = 18.0;
/// If the card is narrower than this, its text is smaller and its buttons have shorter labels.
const MIN_WIDTH_FOR_LARGE_TEXT: f32 = 720.0;
const MIN_HEADLINE_WIDTH: f32 = 240.0;

/// How important a line is. If there is not enough room, the least important line is left out first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Evidence,
    Simplest,
    BelowTheCard,
    Warning,
    Effects,
    Headline,
}

struct Line {
    rank: Rank,
    galley: Arc<Galley>,
    is_warning: bool,
    /// The buttons at the right end of the line.
    buttons: Vec<OfferButton>,
    /// Whether the buttons are below the text, because it would otherwise be too narrow.
    has_buttons_below: bool,
}

impl Line {
    fn height(&self) -> f32 {
        let (text, button) = (self.galley.size().y, OfferButton::HEIGHT);
        if self.buttons.is_empty() {
            text
        } else if self.has_buttons_below {
            text + LINE_GAP + button
        } else {
            text.max(button)
        }
    }
}

pub struct Answer {
    lines: Vec<Line>,
    vertical_margins: [f32; 2],
    edge: Color32,
    ground: Color32,
}

impl Answer {
    pub fn new(painter: &Painter, state: &State, width: f32) -> Self {
        let width = width - 2.0 * (OUTER_MARGIN + INNER_MARGIN);
        let is_large = width >= MIN_WIDTH_FOR_LARGE_TEXT;
        let mut draft = Draft {
            painter,
            state,
            width: width.max(1.0),
            points: if is_large { [18.0, 13.0] } else { [14.0, 12.0] },
            is_large,
            lines: Vec::new(),
        };
        let best_setting = &state.compare.best_setting;
        let (mut edge, mut ground) = (theme::LINE, theme::BAR);
        match best_setting.recommendation().map(|all| (all, all.best())) {
            None => draft.without_answer(),
            Some((all, _)) if all.entities == 0 => {
                let words = "There are no entities, so any strategy will do";
                draft.headline(words, false, Vec::new());
            }
            Some((all, None)) => draft.ways(all),
            Some((all, Some(best))) => {
                draft.answer(all, best);
                if best_setting.is_final() {
                    edge = theme::TEAL;
                    ground = theme::TEAL_GROUND.gamma_multiply(0.55);
                }
            }
        }
        Self {
            lines: draft.lines,
            vertical_margins: VERTICAL_MARGINS,
            edge,
            ground,
        }
    }

    pub fn height(&self) -> f32 {
        let lines = self.lines.iter().map(|line| line.height() + LINE_GAP);
        let [above, inside] = self.vertical_margins;
        lines.sum::<f32>() + 2.0 * inside + above
    }

    /// Leaves out lines, except for the headline, until the answer is not higher than `max_height`. If that is not enough,
    /// reduces the margins.
    pub fn shorten(&mut self, max_height: f32) {
        while self.height() > max_height && self.lines.len() > 1 {
            let ranks = self.lines.iter().map(|it| it.rank).enumerate();
            let least = ranks.min_by_key(|(_, rank)| *rank);
            self.lines.remove(least.map_or(0, |(index, _)| index));
        }
        if self.height() > max_height {
            self.vertical_margins = SMALL_VERTICAL_MARGINS;
        }
    }

    pub fn show(&self, ui: &mut Ui, area: Rect, output: &mut UiOutput) {
        let painter = ui.painter().with_clip_rect(area.intersect(ui.clip_rect()));
        let is_inside = |line: &&Line| line.rank != Rank::BelowTheCard;
        let inside = self.lines.iter().filter(is_inside);
        let height: f32 = inside.map(|line| line.height() + LINE_GAP).sum();
        let mut card = area.shrink2(vec2(OUTER_MARGIN, 0.0));
        let [above, inside] = self.vertical_margins;
        card.min.y += above;
        card.max.y = card.top() + height - LINE_GAP + 2.0 * inside;
        paint::card(&painter, card, self.ground, self.edge);
        output.report("answer", card);
        let x = INNER_MARGIN;
        let mut top = card.top() + inside;
        for line in &self.lines {
            if !is_inside(&line) {
                top = card.bottom() + LINE_GAP;
            }
            let row = Rect::from_min_size(
                pos2(card.left() + x, top),
                vec2(card.width() - 2.0 * x, line.height()),
            );
            line.show(ui, &painter, row, output);
            top = row.bottom() + LINE_GAP;
        }
    }
}

impl Line {
    fn show(&self, ui: &mut Ui, painter: &Painter, row: Rect, output: &mut UiOutput) {
        let height = self.galley.size().y;
        let (mut text, mut buttons) = (row, row);
        if self.has_buttons_below {
            text.max.y = text.min.y + height;
            buttons.min.y = buttons.max.y - OfferButton::HEIGHT;
        }
        let mut at = pos2(row.left(), text.center().y - height / 2.0);
        if self.is_warning {
            let first_row = self.galley.rows.first().map_or(height, Row::height);
            warning(painter, at + vec2(5.0, first_row / 2.0), 5.0);
            at.x += WARNING_WIDTH;
        }
        painter.galley(at, self.galley.clone(), theme::TEXT);
        let mut right = row.right();
        for button in self.buttons.iter().rev() {
            let width = button.width(painter);
            let at = pos2(right - width / 2.0, buttons.center().y);
            let place = Rect::from_center_size(at, vec2(width, OfferButton::HEIGHT));
            button.show(ui, place, output);
            right = place.left() - BUTTON_GAP;
        }
    }
}

/// The lines that have been laid out so far.
struct Draft<'a> {
    painter: &'a Painter,
    state: &'a State,
    width: f32,
    /// The font sizes of the headline and of the other lines.
    points: [f32; 2],
    is_large: bool,
    lines: Vec<Line>,
}

impl Draft<'_> {
    fn add(&mut self, rank: Rank, mut job: LayoutJob, is_warning: bool, buttons: Vec<OfferButton>) {
        let widths = buttons.iter().map(|it| it.width(self.painter) + BUTTON_GAP);
        let of_buttons: f32 = widths.sum();
        let icon = if is_warning { WARNING_WIDTH } else { 0.0 };
        let beside = self.width - icon - of_buttons;
        let has_buttons_below = !buttons.is_empty() && beside < MIN_HEADLINE_WIDTH;
        job.wrap.max_width = if has_buttons_below {
            (self.width - icon).max(1.0)
        } else {
            beside.max(1.0)
        };
        self.lines.push(Line {
            rank,
            galley: self.painter.layout_job(job),
            is_warning,
            buttons,
            has_buttons_below,
        });
    }

    fn add_words(
        &mut self,
        rank: Rank,
        words: &Phrase,
        inks: [Color32; 2],
        buttons: Vec<OfferButton>,
    ) {
        let mut job = LayoutJob::default();
        paint::add_phrase(&mut job, &words.with_capital(), self.points[1], inks);
        self.add(rank, job, inks[0] == theme::AMBER, buttons);
    }

    fn headline(&mut self, words: &str, is_warning: bool, buttons: Vec<OfferButton>) {
        let ink = self.faded(theme::warning_or(is_warning, theme::BRIGHT));
        let mut job = LayoutJob::default();
        job.append(words, 0.0, paint::centred(theme::text(self.points[0]), ink));
        self.add(Rank::Headline, job, is_warning, buttons);
    }

    /// Says why there is no answer.
    fn without_answer(&mut self) {
        let compare = &self.state.compare;
        let words = if compare.best_setting.progress() == Progress::TooManyEntities {
            let words = "There are too many entities to try settings";
            self.headline(words, false, Vec::new());
            // A lane that has not run every task may still exceed a limit.
            let lanes = compare.reports.iter().zip(&compare.broken);
            let kept = lanes.filter(|(report, broken)| report.has_run_all() && broken.is_empty());
            phrase!(
                "settings are tried for up to {} entities. As they are set now, {} of {} strategies have kept \
                    your limits so far.",
                MOST_ENTITIES as u64,
                kept.count(),
                compare.reports.len()
            )
        } else {
            self.headline("Trying settings of every strategy", false, Vec::new());
            "the answer appears here. Until then, crowd and frame time show the current settings."
                .into()
        };
        let inks = [theme::TEXT, theme::BRIGHT];
        self.add_words(Rank::Effects, &words, inks, Vec::new());
    }

    /// Adds what to use, what it does, and why.
    fn answer(&mut self, all: &Recommendation, best: &Choice) {
        let state = self.state;
        let offer = Offer::Strategy(best.lane);
        let mut buttons = vec![OfferButton {
            is_main: true,
            ..set(state, offer, "set:best", "Set")
        }];
        let [rust, csharp] = if self.is_large {
            ["Copy Rust", "Copy C#"]
        } else {
            ["Rust", "C#"]
        };
        buttons.push(copy(state, offer, Language::Rust, rust));
        if csharp::is_ported(best.strategy) {
            buttons.push(copy(state, offer, Language::CSharp, csharp));
        }
        let mut job = LayoutJob::default();
        let font = theme::text(self.points[0]);
        let mut add = |words: &str, ink| job.append(words, 0.0, paint::centred(font.clone(), ink));
        let [bright, teal] = [theme::BRIGHT, theme::TEAL].map(|ink| self.faded(ink));
        add("Use ", bright);
        add(best.strategy.name, teal);
        if let Some(setting) = best.setting.words() {
            add(" with ", bright);
            paint::add_phrase(&mut job, &setting, self.points[0], [bright; 2]);
        }
        self.add(Rank::Headline, job, false, buttons);

        // If the frame rate cannot be held, that matters more than the effects of the setting.
        let is_drawing_too_long = all.drawing_words().is_some();
        if is_drawing_too_long {
            self.warnings(all);
        }
        let effects = phrase!("{}.", joined(&best.outcome.effects(), "; "));
        let inks = self.inks();
        self.add_words(Rank::Effects, &effects, inks, Vec::new());
        self.progress_or(&all.evidence(best));
        if !is_drawing_too_long {
            self.warnings(all);
        }
        if let Some((words, simplest)) = all.simplest_words().zip(all.simplest()) {
            let offer = Offer::Strategy(simplest.lane);
            let words_of_button = if self.is_large {
                "Set the simplest"
            } else {
                "Set"
            };
            let button = set(state, offer, "set:simplest", words_of_button);
            self.add_words(Rank::Simplest, &words, inks, vec![button]);
        }
        self.below(all);
    }

    /// Adds what would help if no strategy keeps all limits.
    fn ways(&mut self, all: &Recommendation) {
        let state = self.state;
        let buttons = all.ways.iter().enumerate().map(|(index, way)| {
            let words = match way.change {
                Change::Entities(count) => {
                    format!("Use {}", format::counted(count.into(), "entity"))
                }
                Change::Relax(broken) => match broken.limit {
                    Limit::Tasks | Limit::Longest => format!("Allow {}", time(broken.relaxed())),
                    Limit::Near => format!("Allow {} near", time(broken.relaxed())),
                    Limit::Hitches | Limit::MeanFrame => "Allow slow frames".to_owned(),
                },
            };
            set(
                state,
                Offer::Way(index),
                &format!("set:way:{index}"),
                &words,
            )
        });
        self.headline("No strategy keeps all limits", true, buttons.collect());
        let inks = self.inks();
        self.add_words(Rank::Effects, &all.closest_words(), inks, Vec::new());
        if let Some(ways) = all.ways_words() {
            self.add_words(Rank::Simplest, &ways, inks, Vec::new());
        }
        self.progress_or(&[]);
        self.warnings(all);
        self.below(all);
    }

    /// Returns `ink`, or a fainter one if the answer is for the previous settings.
    fn faded(&self, ink: Color32) -> Color32 {
        match self.state.compare.best_setting.progress() {
            Progress::Outdated => theme::DIM,
            _ => ink,
        }
    }

    /// Returns the colours of sentences and of the numbers in them.
    fn inks(&self) -> [Color32; 2] {
        [theme::TEXT, theme::BRIGHT].map(|ink| self.faded(ink))
    }

    /// Adds the evidence or, if the answer is not for the current settings, says so instead.
    fn progress_or(&mut self, evidence: &[Phrase]) {
        let (rank, words, ink) = if self.state.compare.best_setting.is_final() {
            (Rank::Evidence, joined(evidence, "  ·  "), theme::DIM)
        } else {
            let words = "for the previous settings, trying others";
            (Rank::Effects, words.into(), theme::TEXT)
        };
        if !words.spans.is_empty() {
            self.add_words(rank, &words, [ink; 2], Vec::new());
        }
    }

    fn warnings(&mut self, all: &Recommendation) {
        let warnings = all.warnings();
        if !warnings.is_empty() {
            let words = joined(&warnings, "; ");
            self.add_words(Rank::Warning, &words, [theme::AMBER; 2], Vec::new());
        }
    }

    /// Adds the smallest and the largest crowd with this answer, and the least task time that is enough for the other
    /// limits.
    fn below(&mut self, all: &Recommendation) {
        let range = range(self.state).map(|words| words.with_capital());
        let least = all.least_words().map(|words| words.with_capital());
        let sentences: Vec<Phrase> = range.into_iter().chain(least).collect();
        let words = if sentences.is_empty() {
            " ".into() // the table must not move when the sentences appear
        } else {
            joined(&sentences, "  ·  ")
        };
        let inks = [theme::DIM, self.faded(theme::TEXT)];
        self.add_words(Rank::BelowTheCard, &words, inks, Vec::new());
    }
}

/// Describes at which values of the crossovers' knob the answer stays the same.
fn range(state: &State) -> Option<Phrase> {
    let best_setting = &state.compare.best_setting;
    let (over, present) = (best_setting.over, best_setting.present(&state.settings));
    range_words(&best_setting.final_crossovers()?.ranges, over, present)
}
