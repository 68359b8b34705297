//! Execution of commands. Some commands concern the window; all others concern the view on screen.

use super::command::{Command, Lanes};
use super::grid::LowerTab;
use super::interface::UiScale;
use super::saver::SaveKind;
use super::view::View;
use super::{ColourMode, Flow, ForClipboard, State};
use crate::app::capsules::Zoom;
use crate::app::platform::IS_PAGE;
use headless::experiment::loop_race::Side;
use headless::io::url;
use headless::sim::disturbance::Disturbance;
use headless::sim::world::{ENTITIES, Point};
use headless::stats::WeightedStaleness;
use timeslicer::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use timeslicer::knob::Knob;
use timeslicer::strategy::knobs::AS_PUBLISHED;
use timeslicer::strategy::{STRATEGIES, StrategyEntry};

impl State {
    /// Executes a command, unless an earlier one has quit.
    pub fn apply(&mut self, command: Command) {
        if self.quits {
            return;
        }
        match command {
            Command::View(view) => self.show(view),
            Command::Pause => {
                let running = self.flow == Flow::Running;
                self.flow = if running { Flow::Paused } else { Flow::Running };
                self.note(if running { "paused" } else { "running" });
            }
            Command::Step => {
                self.flow = Flow::Stepping;
                self.note("step");
            }
            Command::Panels => self.show_panels(!self.interface.panels),
            Command::Knobs => {
                let shown = !self.interface.shows_knobs();
                if !self.interface.panels {
                    self.show_panels(true);
                }
                self.interface.knobs = Some(shown);
                self.note_shown("knobs", shown);
            }
            Command::Projectile => {
                let shown = !self.shows_projectile();
                self.interface.projectile = Some(shown);
                self.note_shown("projectile", shown);
            }
            Command::Help => {
                self.interface.help = !self.interface.help;
                self.note_shown("help", self.interface.help);
            }
            Command::Scale(by) => self.set_scale(self.interface.scale.stepped(by)),
            Command::UsualScale => self.set_scale(UiScale::USUAL),
            Command::Tour => self.toggle_tour(),
            Command::WalkTour(by) => self.walk_tour(by),
            Command::Quit => self.quit(),
            Command::Escape => self.escape(),
            Command::Screenshot => self.saver.request(SaveKind::Screenshot),
            Command::Record => self.toggle_recording(),
            Command::Export => self.saver.request(SaveKind::Export),
            Command::CopyLink => self.copy_link(),
            Command::CopyCode(entry) => self.copy_code(entry),
            Command::Strategy(entry) => self.run_strategy(entry),
            Command::StepStrategy(by) => {
                self.run_strategy(stepped(STRATEGIES, self.settings.strategy, by));
            }
            Command::AsPublished => self.toggle_published(),
            Command::FrameLoop(entry) => self.run_frame_loop(entry),
            Command::StepFrameLoop(by) => {
                self.run_frame_loop(stepped(FRAME_LOOPS, self.settings.frame_loop, by));
            }
            Command::Turn(lanes, knob, value) => self.turn(lanes, knob, value),
            Command::Disturb(disturbance) => self.disturb(disturbance),
            Command::Measure => self.clear_statistics(),
            Command::Restart => self.restart(),
            for_view => match self.view {
                View::Grid => self.apply_in_grid(for_view),
                View::Compare => self.apply_in_compare(for_view),
                View::Loops => {}
            },
        }
        self.follow_tour(command);
    }

    fn apply_in_grid(&mut self, command: Command) {
        match command {
            Command::LowerTab(tab) if self.grid.lower == tab => self.show_lower(LowerTab::Plots),
            Command::LowerTab(tab) => self.show_lower(tab),
            Command::Colours(mode) => self.toggle_colours(mode),
            Command::Zoom(zoom) => self.zoom(zoom),
            Command::Home if self.grid.zoom.is_magnified() => self.zoom(Zoom::ALL),
            Command::Home => self.apply_in_grid(Command::Walk(i64::MIN)),
            Command::Walk(by) if self.flow != Flow::Running => {
                let shown = self.grid.selection.walk(by, &self.grid.history);
                if let Some(frame) = shown {
                    self.note(format_args!("look {frame}"));
                }
            }
            Command::Pin(place) => self.toggle_pin(place),
            Command::Point(pointer) => self.grid.lane.set_pointer(pointer),
            Command::PinTarget => self.toggle_target(),
            Command::PinTargetAt(point) => self.pin_target(point),
            Command::Request(place) if self.grid.request(place) => {
                self.note(format_args!("request {place}"));
            }
            _ => {}
        }
    }

    fn apply_in_compare(&mut self, command: Command) {
        match command {
            Command::OpenLane(lane) => self.open(lane),
            Command::OpenSelected => self.open(self.compare.selected(&self.settings)),
            Command::TradeOff => {
                self.compare.staleness = match self.compare.staleness {
                    WeightedStaleness::Mean => WeightedStaleness::Worst,
                    WeightedStaleness::Worst => WeightedStaleness::Mean,
                };
                self.note(format_args!("{} shown", self.compare.staleness.name()));
            }
            Command::SelectLane(lane) => {
                self.compare.select(lane);
                self.note_selection();
            }
            Command::StepLane(by) => {
                self.compare.step(by, &self.settings);
                self.note_selection();
            }
            Command::Sort(order) => {
                self.compare.order = order;
                self.note("sorted");
            }
            Command::ToggleFigure(figure) => {
                self.compare.toggle(figure);
                self.note(format_args!("columns {}", self.compare.figures.len()));
            }
            Command::Colours(mode) => self.toggle_colours(mode),
            Command::PinTarget => self.toggle_target(),
            _ => {}
        }
    }

    fn note_selection(&mut self) {
        let lane = self.compare.selected(&self.settings);
        if let Some(entry) = STRATEGIES.get(lane) {
            self.note(format_args!("selected {}", entry.key));
        }
    }

    /// Shows a view, whose lanes take over the changes that were made in the other view.
    fn show(&mut self, view: View) {
        self.view = view;
        self.follow_settings();
        self.begin_experiment();
        self.note(format_args!("view {}", view.name().to_lowercase()));
    }

    /// Changes the lanes of the view to the settings. Loops outlines the frame loop of Grid, so the lane of Grid follows
    /// there, too.
    fn follow_settings(&mut self) {
        match (self.view, &mut self.compare.comparison) {
            (View::Grid | View::Loops, _) => {
                self.grid.follow(&self.settings);
                self.drop_dead_pin();
            }
            (View::Compare, Some(comparison)) => comparison.follow(&self.settings),
            (View::Compare, None) => {} // begins with the settings
        }
    }

    /// Sets a knob of the lanes in view. Loops has knobs of its own.
    fn turn(&mut self, lanes: Lanes, knob: &'static Knob, value: f64) {
        if self.view == View::Loops {
            let side = match lanes {
                Lanes::InView => Side::Fast, // its shared knobs change on both sides
                Lanes::OnMachine(side) => side,
            };
            if let Some(race) = &mut self.race {
                race.set_knob(side, knob, value);
                self.note(format_args!("race {} {value}", knob.key));
            }
            return;
        }
        self.settings.knobs.set(knob, value);
        self.follow_settings();
        let value = self.settings.knobs.get(knob);
        let in_compare = self.view == View::Compare;
        let lanes = if in_compare { "all" } else { "knob" };
        self.note(format_args!("{lanes} {} {value}", knob.key));
    }

    /// Disturbs the lanes in view. Grid and Compare share the number of entities, which may change.
    fn disturb(&mut self, disturbance: Disturbance) {
        let lanes = match (self.view, &mut self.compare.comparison, &mut self.race) {
            (View::Grid, ..) => {
                self.grid.disturb(disturbance);
                Some(self.grid.lane.settings())
            }
            (View::Compare, Some(comparison), _) => {
                comparison.disturb(disturbance);
                Some(comparison.settings())
            }
            (View::Loops, _, Some(race)) => {
                race.disturb(disturbance);
                None
            }
            (View::Compare | View::Loops, ..) => return,
        };
        if let Some(lanes) = lanes {
            let entities = lanes.knobs.get(&ENTITIES);
            self.settings.knobs.set(&ENTITIES, entities);
        }
        self.note(format_args!("disturbance {}", disturbance.key()));
    }

    fn clear_statistics(&mut self) {
        match self.view {
            View::Grid => self.grid.clear_statistics(),
            View::Compare => self.compare.clear_statistics(),
            View::Loops => return, // its figures are of the last second
        }
        self.note("measuring anew");
    }

    fn restart(&mut self) {
        match self.view {
            View::Grid => self.grid.restart(),
            View::Compare => self.compare.restart(),
            View::Loops => {
                if let Some(race) = &mut self.race {
                    race.restart();
                }
            }
        }
        self.note(match self.view {
            View::Grid => "restarted",
            View::Compare => "comparison restarted",
            View::Loops => "race restarted",
        });
        self.make_still_frames();
    }

    /// Closes the help, else ends the tour, else unpins, else quits.
    fn escape(&mut self) {
        if self.interface.help {
            self.apply(Command::Help);
        } else if self.tour.is_some() {
            self.end_tour();
        } else if self.view == View::Grid && self.grid.selection.pinned().is_some() {
            self.toggle_pin(None);
        } else if !IS_PAGE {
            self.quit();
        }
    }

    fn quit(&mut self) {
        self.quits = true;
        self.note("leaving");
    }

    /// Runs a strategy in Grid, which shows it.
    fn run_strategy(&mut self, entry: &'static StrategyEntry) {
        match self.view {
            View::Grid => {}
            View::Compare => return self.open_strategy(entry),
            View::Loops => self.show(View::Grid),
        }
        if entry != self.settings.strategy {
            self.settings.strategy = entry;
            self.follow_settings();
            self.note(format_args!("strategy {}", entry.key));
        }
    }

    fn run_frame_loop(&mut self, entry: &'static FrameLoopEntry) {
        if entry != self.settings.frame_loop {
            self.settings.frame_loop = entry;
            self.follow_settings();
            let in_compare = self.view == View::Compare;
            let all = if in_compare { "all " } else { "" };
            self.note(format_args!("{all}loop {}", entry.key));
        }
    }

    fn open(&mut self, lane: usize) {
        if let Some(entry) = STRATEGIES.get(lane) {
            self.open_strategy(entry);
        }
    }

    /// Opens the compared lane of a strategy in Grid: runs the strategy there. A still repeats its frames with it.
    fn open_strategy(&mut self, entry: &'static StrategyEntry) {
        self.settings.strategy = entry;
        self.view = View::Grid;
        self.note(format_args!("opened {}", entry.key));
        self.follow_settings();
        if self.still.is_some() {
            self.grid.restart();
            self.make_still_frames();
        }
    }

    fn set_scale(&mut self, scale: UiScale) {
        self.interface.scale = scale;
        self.note(format_args!("scale {}", scale.factor()));
    }

    pub(super) fn show_panels(&mut self, shown: bool) {
        self.interface.panels = shown;
        self.note_shown("panels", shown);
    }

    fn note_shown(&mut self, part: &str, is_shown: bool) {
        let how = if is_shown { "shown" } else { "hidden" };
        self.note(format_args!("{part} {how}"));
    }

    pub(super) fn show_lower(&mut self, tab: LowerTab) {
        self.grid.lower = tab;
        self.note(format_args!("{} shown", tab.name()));
    }

    /// Gives the capsules' colours this meaning, or the usual one if they already have it.
    fn toggle_colours(&mut self, colours: ColourMode) {
        let is_shown = self.colours == colours;
        self.set_colours(if is_shown { ColourMode::Flash } else { colours });
    }

    pub(super) fn set_colours(&mut self, colours: ColourMode) {
        self.colours = colours;
        let name = match colours {
            ColourMode::Flash => "flash",
            ColourMode::Staleness => "staleness",
            ColourMode::Significance => "significance",
        };
        self.note(format_args!("{name} shown"));
    }

    fn zoom(&mut self, zoom: Zoom) {
        if zoom == self.grid.zoom {
            return;
        }
        self.grid.zoom = zoom;
        if zoom.is_magnified() {
            let (factor, (x, y)) = (zoom.factor, zoom.center);
            self.note(format_args!("magnified {factor:.2} at {x:.4} {y:.4}"));
        } else {
            self.note("all capsules shown");
        }
    }

    fn toggle_pin(&mut self, place: Option<u32>) {
        let world = self.grid.lane.world();
        match self.grid.selection.toggle_pin(place, world) {
            Some(number) => self.note(format_args!("pinned {number}")),
            None => self.note("unpinned"),
        }
    }

    /// Pins the target of the lanes in view where it is, or releases it if it is pinned.
    fn toggle_target(&mut self) {
        let compared = self.compare.comparison.as_ref();
        let compared = compared.filter(|_| self.view == View::Compare);
        let compared = compared.and_then(|it| it.lanes().first());
        let target = compared.map_or(self.grid.lane.world().target(), |it| it.world().target());
        let is_pinned = self.settings.target.is_some();
        self.pin_target((!is_pinned).then_some(target));
    }

    /// Pins the target of all lanes at `point`, or releases it.
    fn pin_target(&mut self, point: Option<Point>) {
        // Three decimals are finer than a pixel, and short in an address.
        let rounded = |value: f32| (value * 1e3).round() / 1e3;
        let point = point.map(|Point { x, y }| Point {
            x: rounded(x),
            y: rounded(y),
        });
        self.settings.target = point;
        self.follow_settings();
        match point {
            Some(point) => self.note(format_args!("target pinned {point}")),
            None => self.note("target released"),
        }
    }

    /// Runs the strategy as published, or in our form if it already is. In Compare, switches all strategies that have
    /// both forms.
    fn toggle_published(&mut self) {
        let other = 1.0 - self.settings.knobs.get(&AS_PUBLISHED);
        let has_both = match self.view {
            View::Grid => self.settings.strategy.published.is_some(),
            View::Compare => true,
            View::Loops => false,
        };
        if has_both {
            self.apply(Command::Turn(Lanes::InView, &AS_PUBLISHED, other));
        } else {
            self.note("no published form");
        }
    }

    /// Copies lines of Rust that use this strategy with the current knobs.
    fn copy_code(&mut self, entry: &'static StrategyEntry) {
        let code = entry.snippet(&self.settings.knobs).text;
        self.clipboard = Some(ForClipboard::Code(code));
        if !IS_PAGE {
            // The page's script knows better whether the browser allowed it.
            let text = format!("copied the code of {}", entry.type_name());
            self.saver.notify(text, false);
        }
        self.note(format_args!("copied code of {}", entry.key));
    }

    fn copy_link(&mut self) {
        let query = self.link();
        self.note(format_args!("link ?{query}"));
        self.clipboard = Some(ForClipboard::Link(query));
    }

    /// Query of the link: the view and its current settings.
    pub(super) fn link(&self) -> String {
        let mut settings = self.settings.clone();
        if let (View::Loops, Some(race)) = (self.view, &self.race) {
            race.give_knobs(&mut settings.knobs);
        }
        url::query(&settings, &self.view.name().to_lowercase())
    }

    /// Unpins the pinned entity if it has died.
    pub(super) fn drop_dead_pin(&mut self) {
        let lane = &self.grid.lane;
        let is_dropped = self.grid.selection.drop_dead_pin(lane.world(), lane.now());
        if is_dropped {
            self.note("unpinned");
        }
    }
}

/// Returns the entry `by` places after `from` in a registry, wrapping around.
fn stepped<T: PartialEq>(all: &[&'static T], from: &T, by: isize) -> &'static T {
    let place = all.iter().position(|entry| *entry == from).unwrap_or(0);
    let next = place.cast_signed() + by;
    all[next.rem_euclid(all.len().cast_signed()).cast_unsigned()]
}
