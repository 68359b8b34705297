//! Up to three cards with recommended settings, each with a button that applies them. If no setting stays within all
//! limits, the cards suggest relaxing a limit or reducing the number of entities. Below the cards is a line of code
//! that creates the recommended strategy.

use super::below::TITLE_CENTER_Y;
use super::{SIDE_MARGIN, selected};
use crate::app::input::output::UiOutput;
use crate::app::platform::IS_PAGE;
use crate::app::state::State;
use crate::app::state::best_setting::MOST_ENTITIES;
use crate::app::state::command::Command;
use crate::app::state::game_limits::knob_of;
use crate::app::widgets::buttons::KeyButton;
use crate::app::widgets::{paint, theme, tooltip};
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, Id, Painter, Pos2, Rect, Sense, Ui, UiBuilder, pos2, vec2};
use headless::judge::{Card, Limit, Limits, Recommendation};
use headless::phrase;
use headless::sim::world::{COST, ENTITIES};
use headless::text::format;
use headless::text::rich::{Phrase, strong};
use std::fmt::Debug;
use std::hash::Hash;

const FIRST_CARD_TOP: f32 = 34.0;
const CARD_HEIGHT_RANGE: [f32; 2] = [31.0, 46.0];
const CARD_GAP: f32 = 4.0;
const MARGIN: f32 = 10.0;
const CODE_LINE_HEIGHT: f32 = 24.0;
const BOTTOM_MARGIN: f32 = 6.0;
const MIN_BUTTON_SIZE: egui::Vec2 = vec2(58.0, 21.0);
const BUTTON_POINTS: f32 = 12.0;
const MAX_RELATIVE_BUTTON_WIDTH: f32 = 0.4;
const TITLE_POINTS: f32 = 12.5;
const DETAIL_POINTS: f32 = 11.0;

const ESTIMATE_HELP: &str = "You can apply the recommendation once all settings have been tried.";

pub fn show(ui: &mut Ui, area: Rect, state: &State, output: &mut UiOutput) {
    let builder = UiBuilder::new().max_rect(area).id_salt("cards");
    let ui = &mut ui.new_child(builder);
    let painter = ui.painter().with_clip_rect(area);
    let inner = area.shrink2(vec2(SIDE_MARGIN, 0.0));
    let found = state.compare.best_setting.recommendation();
    paint_heading(&painter, inner, found, state);
    let shown = state.compare.shown_choice(&state.settings);
    let Some((found, choice)) = found.zip(shown) else {
        let words = why_none(found, state);
        let at = pos2(inner.left(), inner.top() + FIRST_CARD_TOP);
        let style = (theme::text(TITLE_POINTS), theme::DIM);
        let galley = painter.layout(words, style.0, style.1, inner.width().max(1.0));
        paint::galley(&painter, at, Align2::LEFT_TOP, galley, theme::DIM);
        return;
    };
    let cards = found.cards();
    let room = inner.height() - FIRST_CARD_TOP - CODE_LINE_HEIGHT - BOTTOM_MARGIN;
    let fitting = (room / (CARD_HEIGHT_RANGE[0] + CARD_GAP)).floor().max(0.0) as usize;
    let count = cards.len().min(3).min(fitting);
    let most = room / count.max(3) as f32 - CARD_GAP;
    let height = most
        .clamp(CARD_HEIGHT_RANGE[0], CARD_HEIGHT_RANGE[1])
        .floor();
    let mut top = inner.top() + FIRST_CARD_TOP;
    for (nth, card) in cards[..count].iter().enumerate() {
        let place = Rect::from_min_size(pos2(inner.left(), top), vec2(inner.width(), height));
        show_card(ui, place, (nth, card), state, output);
        top += height + CARD_GAP;
    }
    if area.bottom() - top >= CODE_LINE_HEIGHT {
        let code = choice.snippet(&state.compare.tried_with(&choice)).text;
        let line = inner.with_min_y(top).with_max_y(top + CODE_LINE_HEIGHT);
        show_code(ui, line, &code, state, output);
    }
}

/// Paints the heading. The left side shows the result of the search for the best setting, and the right side shows the
/// workload for which the search is run.
fn paint_heading(painter: &Painter, inner: Rect, found: Option<&Recommendation>, state: &State) {
    let best_setting = &state.compare.best_setting;
    let provisional = best_setting.provisional();
    let outcome = match (found, provisional) {
        (Some(found), Some(why)) if found.recommended().is_some() => with_capital(why),
        (Some(found), _) if found.best.is_some() => "Best within your limits".to_owned(),
        (Some(found), _) if found.nearest.is_some() => none_keeps(&found.limits),
        _ => "Best setting".to_owned(),
    };
    let y = inner.top() + TITLE_CENTER_Y;
    let title = paint::left(
        painter,
        pos2(inner.left(), y),
        &outcome,
        14.0,
        theme::BRIGHT,
    );
    let tried = best_setting.sweep().map(|sweep| &sweep.question().settings);
    let settings = tried.unwrap_or(&state.settings);
    let count = settings.knobs.get(&ENTITIES) as u64;
    let cost = settings.mean_cost().as_nanos() as f64 / 1e3;
    let cost = format::knob(&COST, cost);
    let about = format!("{}, {cost} per task", format::counted(count, "entity"));
    let searching = format!("trying settings · {about}");
    let words = [searching.as_str(), "trying settings", &about];
    let words = if provisional.is_some() {
        &words[..2]
    } else {
        &words[2..]
    };
    let style = (theme::text(11.5), theme::DIM);
    let room = inner.right() - title.right() - 12.0;
    if let Some(words) = paint::fitting(painter, words.iter().copied(), style, room) {
        let at = pos2(inner.right(), y + 1.0);
        paint::galley(painter, at, Align2::RIGHT_CENTER, words, theme::DIM);
    }
}

fn none_keeps(limits: &Limits) -> String {
    let values = [limits.tasks, limits.near, limits.longest];
    let count = values.iter().flatten().count() + usize::from(limits.no_hitches);
    let limits = if count < 2 {
        "your limit"
    } else {
        "all limits"
    };
    format!("No strategy meets {limits}")
}

fn why_none(found: Option<&Recommendation>, state: &State) -> String {
    let entities = state.settings.knobs.get(&ENTITIES);
    if entities > MOST_ENTITIES {
        let most = format::grouped(MOST_ENTITIES as u64);
        let why = if IS_PAGE {
            "each trial would block the page"
        } else {
            "each trial needs as much memory as a lane"
        };
        return format!("Settings are only tried for up to {most} entities, because {why}.");
    }
    match found {
        Some(_) if entities == 0.0 => "There are no entities, so any strategy will do.".to_owned(),
        Some(found) => found.text().to_string() + ".",
        None => "Trying settings for every strategy.".to_owned(),
    }
}

fn show_card(
    ui: &mut Ui,
    place: Rect,
    (nth, card): (usize, &Card),
    state: &State,
    output: &mut UiOutput,
) {
    let is_set = state.compare.is_set(card, &state.settings);
    let is_current = is_set && card.choice.curve == selected(state);
    let (ground, edge) = match nth {
        0 => (theme::TEAL_GROUND, theme::TEAL_GROUND),
        _ => (theme::BAR, theme::LINE),
    };
    paint::card(ui.painter(), place, ground, edge);
    let number = nth + 1;
    let area = ui.interact(place, Id::new(("card", nth)), Sense::hover());
    output.report(format!("card:{number}"), place);
    tooltip::offer(&area, format!("{}\n{}", card.title, card.detail));

    let words = if is_current {
        vec!["Current setting".to_owned(), "Current".to_owned()]
    } else if is_set {
        vec!["Select".to_owned()]
    } else {
        button_labels(card, state)
    };
    let most = (place.width() * MAX_RELATIVE_BUTTON_WIDTH).max(MIN_BUTTON_SIZE.x);
    let width = |words: &String| paint::width(ui.painter(), words, BUTTON_POINTS) + 16.0;
    let fits = |words: &&String| width(words) <= most;
    let words = words.iter().find(fits).or(words.last());
    let words = words.map_or("Apply", |it| it);
    let size = vec2(
        width(&words.to_owned()).max(MIN_BUTTON_SIZE.x),
        MIN_BUTTON_SIZE.y,
    );
    let button = Rect::from_center_size(
        pos2(place.right() - 8.0 - size.x / 2.0, place.center().y),
        size,
    );
    let painter = ui.painter().with_clip_rect(place);
    let left = place.left() + MARGIN;
    let room = (button.left() - 8.0 - left).max(0.0);
    let pitch = (place.height() / 2.0 - 7.5).clamp(7.0, 9.0);
    let at = |dy: f32| pos2(left, place.center().y + dy);
    let name = Phrase::from(card.choice.strategy.name);
    let brief = phrase!("{}, {}", name.clone(), card.choice.brief());
    let titles = [card.title.clone(), card.choice.words(), brief, name];
    let titles = &titles[..if card.entities.is_some() { 1 } else { 4 }];
    paint_fitting(
        &painter,
        at(-pitch),
        titles,
        (TITLE_POINTS, theme::BRIGHT),
        room,
    );
    let relaxes = state.compare.relaxed(card).next().is_some();
    let details = shortened(&card.detail, relaxes);
    paint_fitting(
        &painter,
        at(pitch),
        &details,
        (DETAIL_POINTS, theme::TEXT),
        room,
    );

    let name = format!("{words}: {}", card.title);
    let mut over = button_ui(ui, button, ("set", nth), state);
    let set = KeyButton {
        words,
        points: BUTTON_POINTS,
        selected: is_current,
        width: size.x,
        outline: (nth == 0 && !is_current).then_some(theme::TEAL),
        name: &name,
        ..KeyButton::default()
    };
    let response = set.show(&mut over);
    output.report(format!("set:{number}"), response.rect);
    tooltip::offer(&response, button_tooltip(card, state));
    if response.clicked() {
        output.commands.push(Command::SetRecommended(nth));
    }
}

/// Creates the [`Ui`] for a button. Until the recommendation is final, the button is disabled and a tooltip explains
/// why.
fn button_ui(ui: &mut Ui, place: Rect, id: impl Hash + Copy + Debug, state: &State) -> Ui {
    let is_final = state.compare.best_setting.is_final();
    if !is_final {
        let waits = ui.interact(place, Id::new((id, "waits")), Sense::hover());
        tooltip::offer(&waits, ESTIMATE_HELP);
    }
    let mut over = ui.new_child(UiBuilder::new().max_rect(place).id_salt(id));
    over.spacing_mut().interact_size.y = place.height();
    if !is_final {
        over.disable();
    }
    over
}

/// Returns alternative labels for a card's button, from the longest to the shortest. The button shows the first label
/// that fits.
fn button_labels(card: &Card, state: &State) -> Vec<String> {
    if let Some(entities) = card.entities {
        let entities = format::counted(entities.into(), "entity");
        return vec![format!("Apply with {entities}"), format!("Use {entities}")];
    }
    let allowed = |limit| match card.limits.allowed(limit) {
        Some(to) => headless::text::rich::time(to).to_string(),
        None => allowed_without(limit).to_owned(),
    };
    let relaxed: Vec<String> = state.compare.relaxed(card).map(allowed).collect();
    if relaxed.is_empty() {
        return vec!["Apply".to_owned()];
    }
    let relaxed = relaxed.join(" and ");
    vec![
        format!("Apply and allow {relaxed}"),
        format!("Allow {relaxed}"),
    ]
}

/// Returns a description of what a user allows by switching off a limit, such as `any wait`.
fn allowed_without(limit: Limit) -> &'static str {
    match limit {
        Limit::Tasks => "any task time",
        Limit::Near | Limit::Longest => "any wait",
        Limit::Hitches => "hitches",
    }
}

fn button_tooltip(card: &Card, state: &State) -> String {
    let mut sets: Vec<String> = state
        .compare
        .sets(card, &state.settings)
        .into_iter()
        .map(|(knob, value)| format!("{} to {}", knob.label, format::knob(knob, value)))
        .collect();
    if let Some(entities) = card.entities {
        sets.push(format!("Entities to {}", format::grouped(entities.into())));
    }
    let mut sentences = Vec::new();
    if !sets.is_empty() {
        let sets = format::listed(&sets);
        sentences.push(format!("Sets {sets} in all lanes and in the Grid view."));
    }
    for limit in state.compare.relaxed(card) {
        sentences.push(match card.limits.allowed(limit) {
            None => format!("Changes your limits to allow {}.", allowed_without(limit)),
            Some(to) => {
                let label = knob_of(limit).map_or("", |knob| knob.label);
                let to = headless::text::rich::time(to);
                format!("Changes your limit \"{label}\" to {to}.")
            }
        });
    }
    sentences.push(format!("Selects {}.", card.choice.strategy.name));
    sentences.join(" ")
}

/// Returns a sentence about the results of a strategy with its best setting. If the strategy is not recommended, the
/// sentence gives the reasons.
pub fn explain_best_setting(recommendation: &Recommendation, lane: usize) -> String {
    if let Some(best) = recommendation
        .best
        .as_ref()
        .filter(|best| best.curve == lane)
    {
        return format!(
            "This is the best setting within your limits: {}.",
            recommendation.metrics(best)
        );
    }
    let other = recommendation
        .others
        .iter()
        .find(|it| it.choice.curve == lane);
    let reasons = other
        .map(|other| recommendation.why_not(other))
        .unwrap_or_default();
    if reasons.is_empty() {
        return String::new();
    }
    let reasons: Vec<String> = reasons.iter().map(Phrase::to_string).collect();
    with_capital(&reasons.join("; ")) + "."
}

fn with_capital(words: &str) -> String {
    let mut words = words.to_owned();
    words[..1].make_ascii_uppercase();
    words
}

/// Returns versions of a card's detail text, from the longest to the shortest. Middle dots separate the parts of the
/// text, and each version has one part fewer than the version before it. The last part is left out first, or the first
/// part if `keeps_last` is true.
fn shortened(detail: &Phrase, keeps_last: bool) -> Vec<Phrase> {
    let parts = split_at_middle_dots(detail);
    let count = parts.len();
    let join = |parts: &[Phrase]| {
        let mut words = Phrase::default();
        for (nth, part) in parts.iter().enumerate() {
            words.push(if nth > 0 { " · " } else { "" });
            words.push(part.clone());
        }
        words
    };
    let shorter = (0..count).map(|less| {
        if keeps_last {
            join(&parts[less..])
        } else {
            join(&parts[..count - less])
        }
    });
    shorter.collect()
}

fn split_at_middle_dots(phrase: &Phrase) -> Vec<Phrase> {
    let (mut parts, mut part) = (Vec::new(), Phrase::default());
    for span in &phrase.spans {
        for (nth, words) in span.text.split(" · ").enumerate() {
            if nth > 0 {
                parts.push(std::mem::take(&mut part));
            }
            part.push(if span.is_strong {
                strong(words)
            } else {
                words.into()
            });
        }
    }
    parts.push(part);
    parts
}

/// Shows the line of `code` that creates the strategy, and a button that copies all lines.
fn show_code(ui: &mut Ui, place: Rect, code: &str, state: &State, output: &mut UiOutput) {
    let at = Rect::from_center_size(
        pos2(
            place.right() - 8.0 - MIN_BUTTON_SIZE.x / 2.0,
            place.center().y,
        ),
        MIN_BUTTON_SIZE,
    );
    let line = ui.interact(place, Id::new("advised code"), Sense::hover());
    output.report("advised-code", place);
    tooltip::offer(&line, code.trim_end());
    let painter = ui.painter().with_clip_rect(place);
    let room = at.left() - 8.0 - place.left();
    let mut job =
        LayoutJob::simple_singleline(constructor_call(code), theme::mono(11.0), theme::BRIGHT);
    job.wrap = TextWrapping::truncate_at_width(room.max(0.0));
    let galley = painter.layout_job(job);
    paint::galley(
        &painter,
        place.left_center(),
        Align2::LEFT_CENTER,
        galley,
        theme::BRIGHT,
    );
    let mut over = button_ui(ui, at, "copy advised", state);
    let copy = KeyButton {
        words: "Copy",
        points: BUTTON_POINTS,
        width: MIN_BUTTON_SIZE.x,
        name: "Copy the best setting",
        ..KeyButton::default()
    };
    let copy = copy.show(&mut over);
    output.report("copy-advised", copy.rect);
    tooltip::offer(&copy, "Copies the code for this setting.");
    if copy.clicked() {
        output.commands.push(Command::CopyRecommended);
    }
}

/// Returns the expression in `code` that creates the strategy, such as
/// `FixedInterval::new(Duration::from_millis(500))`.
fn constructor_call(code: &str) -> String {
    let line = code
        .lines()
        .find_map(|line| line.strip_prefix("let strategy = "));
    line.unwrap_or_default().trim_end_matches(';').to_owned()
}

/// Paints the first phrase that is at most `max_width` points wide. If no phrase fits, truncates the last one.
fn paint_fitting(
    painter: &Painter,
    at: Pos2,
    phrases: &[Phrase],
    (points, ink): (f32, Color32),
    max_width: f32,
) {
    let lay = |phrase: &Phrase| layout_phrase(phrase, points, [ink, theme::BRIGHT]);
    let fits = |phrase: &&Phrase| painter.layout_job(lay(phrase)).size().x <= max_width;
    let fitting = phrases.iter().find(fits).or(phrases.last());
    if let Some(phrase) = fitting {
        paint_phrase(painter, at, lay(phrase), max_width);
    }
}

/// Lays out a phrase in which words and numbers have different colours. The font is proportional, because a monospaced
/// font would put a wide gap between a number and its unit.
pub fn layout_phrase(phrase: &Phrase, points: f32, [words, metrics]: [Color32; 2]) -> LayoutJob {
    let mut job = LayoutJob::default();
    for span in &phrase.spans {
        let ink = if span.is_strong { metrics } else { words };
        let format = paint::centred(theme::text(points), ink);
        job.append(&span.text, 0.0, format);
    }
    job
}

/// Paints a phrase to the right of `left_center`, which is the middle of its left edge. Truncates the phrase if it is
/// wider than `max_width` points.
pub fn paint_phrase(painter: &Painter, left_center: Pos2, mut job: LayoutJob, max_width: f32) {
    job.wrap = TextWrapping::truncate_at_width(max_width.max(0.0));
    let galley = painter.layout_job(job);
    paint::galley(
        painter,
        left_center,
        Align2::LEFT_CENTER,
        galley,
        theme::TEXT,
    );
}
