//! The upper plot: the number of tasks in each frame, or the share of entities that look the wrong way.

use super::plot::{MOST_TASKS, MOST_WRONG, Plot};
use super::scale::{COUNTS, Scales, follow};
use crate::app::widgets::theme;
use egui::{Align2, Pos2, Shape, Stroke, pos2};
use headless::history::PastFrame;
use headless::text::format;
use headless::text::format::percent;
use timeslicer::strategy::StrategyEntry;

fn or_dash(figure: Option<String>) -> String {
    figure.unwrap_or_else(|| "-".to_owned())
}

/// Paints the number of tasks. The figure "now" describes the last frame of the history, even if that is out of view.
pub fn tasks_per_frame(plot: &Plot<'_>, scales: &mut Scales) {
    let (report, columns) = (&plot.stats.report, plot.columns);
    let tallest = columns.frames.iter().map(|past| past.record.runs).max();
    let top = follow(&mut scales.tasks, &COUNTS, tallest.unwrap_or(0).into());
    let now = plot.history.frames().back();
    let now = now.map(|past| format::grouped(past.record.runs.into()));
    let measured = |figure| or_dash((report.frames > 0).then_some(figure));
    let mut figures = vec![
        (None, "now", or_dash(now)),
        (None, "mean", measured(format::number(report.mean_runs()))),
        (
            None,
            "peak",
            measured(format::grouped(report.peak_runs.into())),
        ),
    ];
    let with_backlog = columns.frames.iter().filter(|past| has_backlog(past));
    let most = with_backlog.map(|past| past.record.backlog).max();
    if let Some(most) = most {
        let most = format::grouped(most as u64);
        figures.push((Some(theme::BRIGHT), "backlog max", most));
    }
    plot.heading("Tasks per frame", &[&plot.stats.caption()], &figures);
    plot.grid(|share| format::short(top * share));
    let gap = if columns.width > 2.0 { 1.0 } else { 0.0 };
    plot.bars(MOST_TASKS, top, theme::RED, 2.0, gap);
    if let Some(most) = most {
        let top = follow(&mut scales.backlog, &COUNTS, most as f64);
        backlog(plot, top);
    }
}

/// Paints the share that looks the wrong way. The figure "now" describes the last frame of the history, even if that is
/// out of view.
pub fn looking_wrong(plot: &Plot<'_>) {
    let now = plot.history.frames().back();
    let now = now.and_then(|past| past.record.looking_wrong);
    let mean = plot.stats.report.looking_wrong.map(|(mean, _)| mean);
    let figures = [
        (None, "now", or_dash(now.map(percent))),
        (None, "mean", or_dash(mean.map(percent))),
    ];
    let remarks = ["gaze more than 10° off the target", "more than 10° off"];
    plot.heading("Looking wrong", &remarks, &figures);
    plot.grid(|share| format!("{:.0}%", 100.0 * share));
    plot.bars(MOST_WRONG, 1.0, theme::WRONG, 1.0, 0.0);
}

/// Returns true if a backlog is shown for the frame: its strategy answers requests, or this computer had no time for
/// all tasks.
pub fn has_backlog(past: &PastFrame) -> bool {
    let is_on_request = past.strategy.is_some_and(StrategyEntry::on_request);
    past.record.backlog > 0 || is_on_request
}

/// Paints the backlog after each frame as a line over the bars, with an axis of its own at the right. A strategy that
/// has a backlog in any frame in sight has a line over all of its frames.
fn backlog(plot: &Plot<'_>, top: f64) {
    let (painter, rect, columns) = (plot.painter, plot.rect, plot.columns);
    backlog_axis(plot, top);
    let frames = columns.frames.iter().filter(|past| has_backlog(past));
    let mut with_backlog: Vec<_> = frames.map(|past| past.strategy).collect();
    with_backlog.dedup();
    let stroke = Stroke::new(1.6, theme::BRIGHT);
    let mut line: (Option<&StrategyEntry>, Vec<Pos2>) = (None, Vec::new());
    for (left, frames) in columns.iter() {
        let of = frames.last().and_then(|past| past.strategy);
        if of != line.0 {
            painter.add(Shape::line(std::mem::take(&mut line.1), stroke));
            line.0 = of;
        }
        if with_backlog.contains(&of) {
            let waiting = frames.iter().map(|past| past.record.backlog).max();
            let share = waiting.unwrap_or(0) as f64 / top;
            let y = rect.bottom() - 1.0 - (rect.height() - 1.0) * share as f32;
            line.1.push(pos2(left + columns.width / 2.0, y));
        }
    }
    if let Some(&end) = line.1.last() {
        painter.circle_filled(end, 2.5, theme::BRIGHT);
    }
    painter.add(Shape::line(line.1, stroke));
}

fn backlog_axis(plot: &Plot<'_>, top: f64) {
    let stroke = Stroke::new(1.0, theme::BRIGHT);
    let x = plot.rect.right() + 4.0;
    plot.painter.vline(x, plot.rect.y_range(), stroke);
    for share in [0.0, 0.5, 1.0] {
        let y = plot.y(share);
        plot.painter.hline(x..=x + 4.0, y.round() - 0.5, stroke);
        let (at, font) = (pos2(x + 7.0, y), theme::mono(10.0));
        let label = format::short(top * share);
        plot.painter
            .text(at, Align2::LEFT_CENTER, label, font, theme::BRIGHT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslicer::strategy::{every_frame, request_list};

    #[test]
    fn a_backlog_is_shown_if_there_can_be_or_is_one() {
        let shown = |strategy, backlog| {
            let mut past = PastFrame {
                strategy: Some(strategy),
                ..PastFrame::default()
            };
            past.record.backlog = backlog;
            has_backlog(&past)
        };
        assert!(!shown(&every_frame::ENTRY, 0) && shown(&every_frame::ENTRY, 19_000));
        assert!(shown(&request_list::ENTRY, 0));
    }
}
