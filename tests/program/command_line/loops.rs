//! Frame loops on fast and slow machines, measured in the CSV of `run`.

use crate::command_line::lab::{Frame, frames, lab, stdout};
use timeslicer::frame_loop::FRAME_LOOPS;

const MS: u64 = 1_000_000;
const SECOND: u64 = 1000 * MS;

/// Returns the frames of a `run` whose tasks cost nothing, so only drawing takes time.
fn free_tasks(line: &str) -> Vec<Frame> {
    frames(&stdout(&format!("run --cost-us 0 {line}")))
}

fn updates(frames: &[Frame]) -> u64 {
    frames.iter().map(|frame| frame.updates).sum()
}

fn end(frames: &[Frame]) -> u64 {
    frames.last().map_or(0, |last| last.start + last.length)
}

#[test]
fn unsynced_makes_one_update_per_frame() {
    for (render_ms, fps) in [(5, 200), (20, 50)] {
        let frames = free_tasks(&format!(
            "--loop unsynced --render-ms {render_ms} --seconds 20"
        ));
        assert_eq!(updates(&frames), fps * 20);
        assert_eq!(end(&frames), 20 * SECOND);
        assert!(frames.iter().all(|it| (it.updates, it.alpha) == (1, 0.0)));
    }
}

#[test]
fn unsynced_frames_do_not_wait_for_the_display() {
    let line = "run --loop unsynced --strategy every-frame --entities 10 --cost-us 300 \
                --render-ms 0.5 --speed 2 --display-hz 30 --frames 50";
    for frame in frames(&stdout(line)) {
        assert_eq!((frame.in_tasks, frame.length), (3 * MS / 2, 2 * MS));
    }
}

#[test]
fn an_empty_frame_takes_ten_microseconds() {
    let frames = free_tasks("--loop unsynced --seconds 0.1");
    assert_eq!(frames.len(), 10_000);
    assert!(frames.iter().all(|frame| frame.length == 10_000));
}

#[test]
fn constant_fps_keeps_its_rate_unless_drawing_is_slow() {
    let frames = free_tasks("--loop constant-fps --loop-fps 25 --seconds 20");
    assert_eq!((updates(&frames), end(&frames)), (500, 20 * SECOND));
    assert!(frames.iter().all(|frame| frame.length == 40 * MS));

    let slow = free_tasks("--loop constant-fps --loop-fps 25 --render-ms 60 --seconds 20");
    assert_eq!(updates(&slow), 334); // 16.7 per second
    assert!(slow.iter().all(|frame| frame.length == 60 * MS));
}

#[test]
fn constant_fps_ignores_a_slow_display() {
    let frames = free_tasks("--loop constant-fps --display-hz 10 --render-ms 4 --seconds 60");
    for frame in &frames {
        assert_eq!(frame.start, (frame.number * SECOND).div_ceil(60));
    }
    assert_eq!(frames.len(), 3600);
}

#[test]
fn fixed_step_keeps_its_rate_on_every_display() {
    for display_hz in [30, 60, 144] {
        let frames = free_tasks(&format!(
            "--loop fixed-step --step-ms 20 --display-hz {display_hz} --frames {}",
            20 * display_hz + 1 // the last frame starts after 20 s
        ));
        let mut updates = 0;
        for frame in &frames {
            updates += frame.updates;
            assert_eq!(updates, frame.start / (20 * MS), "{frame:?}");
            let alpha = (frame.start % (20 * MS)) as f64 / (20 * MS) as f64;
            assert!((frame.alpha - alpha).abs() < 2e-6 && frame.alpha < 1.0);
        }
        assert_eq!(updates, 1000);
    }
}

#[test]
fn max_frame_skip_keeps_its_rate_at_ten_fps() {
    let frames = free_tasks("--loop max-frame-skip --render-ms 100 --seconds 20");
    assert_eq!((frames.len(), end(&frames)), (200, 20 * SECOND));
    let mut updates = 0;
    for frame in &frames {
        updates += frame.updates;
        assert_eq!(updates, frame.start / (20 * MS), "{frame:?}");
    }
}

#[test]
fn max_frame_skip_makes_at_most_ten_updates_per_frame() {
    for drop_debt in [0, 1] {
        let frames = free_tasks(&format!(
            "--loop max-frame-skip --render-ms 500 --drop-debt {drop_debt} --seconds 20"
        ));
        assert_eq!(frames.len(), 40);
        let (first, rest) = frames.split_first().expect("forty");
        assert_eq!(first.updates, 0); // no time has passed yet
        assert!(rest.iter().all(|frame| frame.updates == 10));
    }
}

#[test]
fn updates_longer_than_their_step_end_in_short_frames() {
    // An update takes 20 ms (20 tasks of 1 ms), but its step is only 10 ms.
    let line = "run --strategy every-frame --entities 20 --cost-us 1000 --step-ms 10 --seconds 20";
    for frame_loop in FRAME_LOOPS {
        let frames = frames(&stdout(&format!("{line} --loop {}", frame_loop.key)));
        assert!(frames.iter().all(|frame| frame.length <= 3 * SECOND / 2));
        assert!(end(&frames) >= 20 * SECOND);
    }
}

#[test]
fn the_summary_has_updates_and_dropped_debt() {
    let line =
        "run --cost-us 0 --loop constant-fps --loop-fps 25 --render-ms 60 --frames 101 --summary";
    let words: Vec<&str> = line.split(' ').collect();
    let summary = lab(&words).stderr;
    let mut rows = summary.lines();
    let row = rows.find(|row| row.trim_start().starts_with("updates"));
    let row = row.expect("a row of updates");
    let figures: Vec<f64> = row
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    // 100 frames are each 20 ms too long, 2000 ms in all. The loop drops 1750 ms of debt and keeps 250 ms.
    assert_eq!(figures, [101.0, 1750.0], "{row}");
}

#[test]
fn every_loop_is_deterministic() {
    for frame_loop in FRAME_LOOPS {
        let line = format!(
            "run --loop {} --entities 50 --churn-per-s 20 --cost-spread 1 --seconds 3",
            frame_loop.key
        );
        let csv = stdout(&line);
        assert_eq!(csv, stdout(&line));
        let frames = frames(&csv);
        assert_eq!((frames[0].start, frames[0].delta), (0, 0));
        for pair in frames.windows(2) {
            assert_eq!(pair[1].start, pair[0].start + pair[0].length, "{pair:?}");
            assert_eq!(pair[1].delta, pair[0].length, "{pair:?}");
        }
        assert!(end(&frames) >= 3 * SECOND);
    }
}
