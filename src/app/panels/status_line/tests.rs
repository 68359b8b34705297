//! Every status fits into its line.

use super::*;
use egui::{CentralPanel, Context, Frame, RawInput, Shape, pos2};
use headless::history::{History, RecentStats};
use headless::sim::disturbance::Disturbance;
use headless::sim::machine::{DISPLAY_HZ, Machine, RENDER_MS, Simulated};
use headless::sim::settings::Settings;
use headless::sim::world::{CHURN, COST, COST_SPREAD, ENTITIES, REQUESTS};
use headless::stats::{MOST_CLAUSES, MeasuredLane, StatusNotes};
use std::collections::BTreeMap;
use timeslicer::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::strategy::knobs::{BUDGET, INTERVAL};
use timeslicer::strategy::{STRATEGIES, StrategyEntry};
use timeslicer::time::ClockTime;

/// The different statuses, by the strategy's name and the text.
type Statuses = BTreeMap<(&'static str, String), RichText>;

/// A lane with its history.
struct Watched {
    lane: MeasuredLane<Simulated>,
    history: History,
}

impl Watched {
    fn new(
        strategy: &'static StrategyEntry,
        frame_loop: &'static FrameLoopEntry,
        set: &[(&Knob, f64)],
    ) -> Self {
        let settings = Settings {
            strategy,
            frame_loop,
            knobs: KnobValues::with(set),
            ..Settings::default()
        };
        let machine = Simulated::new(&settings.knobs);
        let lane = MeasuredLane::new(settings, machine);
        let history = History::new(lane.target_period());
        Self { lane, history }
    }

    /// Makes at least two frames, and more until the machine's clock shows `secs` or the test would take too long.
    fn run_to(&mut self, secs: f64) {
        let most = 2_000_000 / self.lane.world().tasks().len().max(5000);
        for count in 0..most.max(3) {
            if count >= 2 && self.lane.machine().clock().since_start().as_secs_f64() >= secs {
                break;
            }
            let record = self.lane.frame().clone();
            let past = self.history.begin(&self.lane);
            self.history.end(past, record);
        }
    }

    fn disturb(&mut self, disturbance: Disturbance) {
        let _ = self.lane.disturb(disturbance);
        if disturbance.lasts() {
            let (next, now) = (self.lane.frames(), self.lane.now());
            self.history.change(next, now);
        }
    }

    /// Adds the status for each of `notes`.
    fn add_to(&self, all: &mut Statuses, notes: &[StatusNotes]) {
        let strategy = self.lane.settings().strategy.name;
        for notes in notes {
            let (lane, history, notes) = (&self.lane, &self.history, *notes);
            let mut held = None;
            let recent = RecentStats::update(&mut held, lane, history, notes, ClockTime::START);
            let status = recent.status.clone();
            all.insert((strategy, status.to_string()), status);
        }
    }
}

/// Returns the notes of a running lane, a paused lane and a lane in a browser.
fn notes() -> [StatusNotes; 3] {
    let clock_step = Some(Nanos::from_micros(100));
    let running = StatusNotes::default();
    let paused = StatusNotes {
        is_paused: true,
        ..running
    };
    let browser = StatusNotes {
        clock_step,
        limited_by: Some("the browser"),
        ..running
    };
    [running, paused, browser]
}

/// Shows `status` in a window of this width. Returns the text of the line, and its number of rows.
fn shown(
    context: &Context,
    width: f32,
    subject: &str,
    status: &RichText,
    clock_steps: Option<Nanos>,
) -> (String, usize) {
    let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, 36.0));
    let input = RawInput {
        screen_rect: Some(rect),
        ..RawInput::default()
    };
    let output = context.run(input, |context| {
        let panel = CentralPanel::default().frame(Frame::NONE);
        panel.show(context, |ui| {
            let line = StatusLine {
                subject,
                status,
                explanation: String::new(),
                clock: "1234.56 s   frame 123,456".to_owned(),
                simulated: false,
                clock_steps,
            };
            line.show(ui, rect);
        });
    });
    let lines = output.shapes.iter().filter_map(|it| match &it.shape {
        Shape::Text(text) => Some(&text.galley),
        _ => None,
    });
    let line = lines.rev().find(|it| it.job.text.starts_with(subject));
    let galley = line.expect("a status line");
    // A cut clause gets a "…" directly after its text. The "…" that replaces whole clauses follows two spaces.
    let elided = if galley.elided { "…" } else { "" };
    (format!("{}{elided}", galley.job.text), galley.rows.len())
}

/// Asserts that every status fits whole into 1280 points, and that no clause is cut at 900 points. Returns the share of
/// statuses that need only one row at 1280 points.
#[track_caller]
fn assert_fits(statuses: &Statuses) -> f64 {
    let context = Context::default();
    context.set_style(theme::style());
    let (mut failures, mut single_rows) = (Vec::new(), 0);
    let badges = [None, Some(Nanos::from_micros(100))];
    for ((subject, _), status) in statuses {
        assert!(status.clauses.len() <= MOST_CLAUSES, "{status}");
        for clock_steps in badges {
            let (wide, rows) = shown(&context, 1280.0, subject, status, clock_steps);
            if wide.contains('…') || rows > 2 {
                failures.push(format!("1280: {subject}: {status}"));
            }
            single_rows += usize::from(rows == 1);
            let (narrow, _) = shown(&context, 900.0, subject, status, clock_steps);
            if narrow.ends_with('…') && !narrow.ends_with("  …") {
                failures.push(format!("900: {subject}: {status}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    single_rows as f64 / (badges.len() * statuses.len()) as f64
}

/// The statuses of every strategy under a loop.
fn statuses_under(frame_loop: &'static FrameLoopEntry) -> Statuses {
    let mut all = Statuses::new();
    for &strategy in STRATEGIES {
        for (entities, cost) in [(0.0, 100.0), (1.0, 2000.0), (10_000.0, 2000.0)] {
            let set = [(&ENTITIES, entities), (&COST, cost)];
            let mut watched = Watched::new(strategy, frame_loop, &set);
            for secs in [0.0, 2.5] {
                watched.run_to(secs);
                watched.add_to(&mut all, &notes());
            }
        }
    }
    all
}

#[test]
fn the_default_settings_need_one_row() {
    let mut all = Statuses::new();
    for &strategy in STRATEGIES {
        let mut watched = Watched::new(strategy, Settings::default().frame_loop, &[]);
        for secs in [0.0, 0.7, 2.5, 4.0] {
            watched.run_to(secs);
            watched.add_to(&mut all, &notes()[..2]);
        }
    }
    assert_eq!(assert_fits(&all), 1.0);
}

#[test]
fn every_status_fits_under_every_loop() {
    let mut all = Statuses::new();
    for frame_loop in FRAME_LOOPS {
        all.append(&mut statuses_under(frame_loop));
    }
    let single_rows = assert_fits(&all);
    assert!(single_rows > 0.5, "{single_rows}");
}

#[test]
fn a_status_fits_whatever_the_knobs() {
    let mut all = Statuses::new();
    let spread = [(&COST_SPREAD, 2.0), (&CHURN, 50.0), (&ENTITIES, 2_000.0)];
    let sets: [&[(&Knob, f64)]; 9] = [
        &[(&BUDGET, 0.0)],
        &[(&BUDGET, 0.5), (&COST, 300.0)],
        &[(&BUDGET, 100.0), (&ENTITIES, 10_000.0), (&REQUESTS, 50.0)],
        &[(&REQUESTS, 0.0)],
        &[(&INTERVAL, 0.0)],
        &[(&INTERVAL, 0.017), (&COST, 50.0)],
        &[(&INTERVAL, 3.3), (&ENTITIES, 123_456.0)],
        &[(&RENDER_MS, 60.0), (&DISPLAY_HZ, 144.0), (&COST, 37.0)],
        &spread,
    ];
    for &strategy in STRATEGIES {
        for set in sets {
            let mut watched = Watched::new(strategy, Settings::default().frame_loop, set);
            for secs in [0.0, 2.5, 4.0] {
                watched.run_to(secs);
                watched.add_to(&mut all, &notes());
            }
        }
    }
    assert_fits(&all);
}

#[test]
fn a_status_of_a_million_tasks_fits() {
    let mut all = Statuses::new();
    // One strategy of each family, because creating so many entities takes a second.
    for family in STRATEGIES.chunk_by(|a, b| a.family == b.family) {
        let strategy = family[0];
        let set = [(&ENTITIES, 1_000_000.0), (&DISPLAY_HZ, 4.0)];
        let mut watched = Watched::new(strategy, Settings::default().frame_loop, &set);
        watched.run_to(0.6);
        watched.add_to(&mut all, &notes());
    }
    assert_fits(&all);
}

#[test]
fn a_status_fits_after_every_disturbance() {
    let mut all = Statuses::new();
    for &strategy in STRATEGIES {
        for (entities, cost) in [(400.0, 100.0), (10_000.0, 100.0)] {
            for disturbance in Disturbance::ALL {
                let set = [(&ENTITIES, entities), (&COST, cost)];
                let mut watched = Watched::new(strategy, Settings::default().frame_loop, &set);
                watched.run_to(0.7);
                watched.disturb(disturbance);
                let from = watched.lane.machine().clock().since_start().as_secs_f64();
                for secs in [0.0, 0.7, 2.5] {
                    watched.run_to(from + secs);
                    watched.add_to(&mut all, &notes());
                }
            }
        }
    }
    assert_fits(&all);
}
