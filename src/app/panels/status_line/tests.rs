//! Tests that every status fits into the status line.

use super::*;
use egui::{CentralPanel, Context, Frame, RawInput, Shape, pos2};
use lab::catalog::strategy::STRATEGIES;
use lab::measure::{MOST_CLAUSES, Report, status};
use lab::sim::disturbance::Disturbance;
use lab::testing::{MS, lane, report, run_to, times};

/// Shows `status` in a window of this width. Returns the text of the line and its number of rows.
fn shown(context: &Context, width: f32, of: &Report, status: &Sentence) -> (String, usize) {
    let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, 36.0));
    let input = RawInput {
        screen_rect: Some(rect),
        ..RawInput::default()
    };
    let subject = of.subject.strategy.name;
    let output = context.run(input, |context| {
        let panel = CentralPanel::default().frame(Frame::NONE);
        panel.show(context, |ui| {
            let line = StatusLine {
                subject,
                status,
                explanation: String::new(),
                clock: "1234.56 s   frame 123,456".to_owned(),
                simulated: false,
                clock_steps: Some(Nanos::from_micros(100)), // the widest badge
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
    // A truncated clause gets a "…" directly after its text. The "…" that replaces whole clauses follows two spaces.
    let elided = if galley.elided { "…" } else { "" };
    (format!("{}{elided}", galley.job.text), galley.rows.len())
}

/// Changes that make the numbers in a report as long as possible. They are applied one after the other, and each makes
/// another clause longer.
const LONGER: &[fn(&mut Report)] = &[
    |_| {},
    |of| of.subject.entities = 1_000_000,
    |of| (of.interval.mean, of.interval.deviation) = (MS(1_234), MS(234)),
    |of| of.peak_runs = 123_456,
    |of| (of.frames, of.hitches, of.frame) = (12_345, 1_234, times(&[16, 1_234])),
    |of| of.hitches_by_tasks = 123,
    |of| (of.overrun, of.updates) = (times(&[123; 1_234]), 12_345),
    |of| (of.backlog, of.backlog_peak) = ((123_456, 999_999), 999_999),
    |of| of.debt_dropped = MS(1_234),
    |of| of.game_span = Nanos::from_nanos(of.span.as_nanos() / 8),
    |of| (of.advance.game, of.advance.elastic) = (MS(1234), MS(10)),
    |of| (of.stopped.frames, of.stopped.waiting) = (1, 123_456),
];

#[test]
fn every_status_fits() {
    let context = Context::default();
    context.set_style(theme::style());
    for entry in STRATEGIES {
        let calm = report(entry.key, &[], 3);
        let (_, rows) = shown(&context, 1280.0, &calm, &status(&calm, false, None));
        assert_eq!(
            rows, 1,
            "the default settings of {} need one row",
            entry.key
        );
        let mut lane = lane(entry.key, &[]);
        run_to(&mut lane, 1);
        drop(lane.disturb(Disturbance::Stall));
        run_to(&mut lane, 2);
        for mut of in [report(entry.key, &[], 0), calm, lane.report()] {
            for change in LONGER {
                change(&mut of);
                let coarse = Some(Nanos::from_micros(100));
                for (is_paused, clock_step) in [(false, None), (true, None), (false, coarse)] {
                    let status = status(&of, is_paused, clock_step);
                    assert!(status.clauses.len() <= MOST_CLAUSES, "{status}");
                    let (wide, rows) = shown(&context, 1280.0, &of, &status);
                    assert!(!wide.contains('…') && rows <= 2, "1280: {wide}");
                    let (narrow, _) = shown(&context, 900.0, &of, &status);
                    let is_cut = narrow.ends_with('…') && !narrow.ends_with("  …");
                    assert!(!is_cut, "900: {narrow}");
                }
            }
        }
    }
}
