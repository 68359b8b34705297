//! What each frame loop does on fast and slow machines, seen from outside.

use crate::lab::{Frame, frames, lab, stdout};
use timeslice::frame_loop::FRAME_LOOPS;

const MS: u64 = 1_000_000;
const SECOND: u64 = 1000 * MS;

/// The frames of a run whose tasks cost nothing: all that takes time is the picture.
fn bare(line: &str) -> Vec<Frame> {
    frames(&stdout(&format!("run {line}")))
}

fn updates(frames: &[Frame]) -> u64 {
    frames.iter().map(|frame| frame.updates).sum()
}

fn end(frames: &[Frame]) -> u64 {
    frames.last().map_or(0, |last| last.start + last.length)
}

#[test]
fn unsynced_makes_an_update_for_each_picture_drawn() {
    for (render_ms, a_second) in [(5, 200), (20, 50)] {
        let frames = bare(&format!(
            "--loop unsynced --render-ms {render_ms} --seconds 20"
        ));
        assert_eq!(updates(&frames), a_second * 20);
        assert_eq!(end(&frames), 20 * SECOND);
        assert!(frames.iter().all(|it| (it.updates, it.alpha) == (1, 0.0)));
    }
}

#[test]
fn no_display_holds_an_unsynced_frame() {
    let line = "run --loop unsynced --strategy every-frame --entities 10 --cost-us 300 \
                --render-ms 0.5 --speed 2 --display-hz 30 --frames 50";
    for frame in frames(&stdout(line)) {
        assert_eq!((frame.in_tasks, frame.length), (3 * MS / 2, 2 * MS));
    }
}

#[test]
fn an_idle_frame_takes_ten_microseconds_so_that_seconds_end() {
    let frames = bare("--loop unsynced --seconds 0.1");
    assert_eq!(frames.len(), 10_000);
    assert!(frames.iter().all(|frame| frame.length == 10_000));
}

#[test]
fn constant_fps_keeps_its_rate_and_a_slow_machine_slows_it() {
    let frames = bare("--loop constant-fps --loop-fps 25 --seconds 20");
    assert_eq!((updates(&frames), end(&frames)), (500, 20 * SECOND));
    assert!(frames.iter().all(|frame| frame.length == 40 * MS));

    let slow = bare("--loop constant-fps --loop-fps 25 --render-ms 60 --seconds 20");
    assert_eq!(updates(&slow), 334); // 16.7 a second
    assert!(slow.iter().all(|frame| frame.length == 60 * MS));
}

#[test]
fn constant_fps_of_60_is_60_however_slow_the_display() {
    let frames = bare("--loop constant-fps --display-hz 10 --render-ms 4 --seconds 60");
    for frame in &frames {
        assert_eq!(frame.start, (frame.number * SECOND).div_ceil(60));
    }
    assert_eq!(frames.len(), 3600);
}

#[test]
fn fixed_step_makes_fifty_updates_a_second_on_every_display() {
    for display_hz in [30, 60, 144] {
        let frames = bare(&format!(
            "--loop fixed-step --step-ms 20 --display-hz {display_hz} --frames {}",
            20 * display_hz + 1 // the last one starts after 20 s
        ));
        let mut made = 0;
        for frame in &frames {
            made += frame.updates;
            assert_eq!(made, frame.start / (20 * MS), "{frame:?}");
            let alpha = (frame.start % (20 * MS)) as f64 / (20 * MS) as f64;
            assert!((frame.alpha - alpha).abs() < 2e-6 && frame.alpha < 1.0);
        }
        assert_eq!(made, 1000);
    }
}

#[test]
fn max_frame_skip_keeps_fifty_updates_at_ten_pictures_a_second() {
    let frames = bare("--loop max-frame-skip --render-ms 100 --seconds 20");
    assert_eq!((frames.len(), end(&frames)), (200, 20 * SECOND));
    let mut made = 0;
    for frame in &frames {
        made += frame.updates;
        assert_eq!(made, frame.start / (20 * MS), "{frame:?}");
    }
}

#[test]
fn max_frame_skip_makes_at_most_ten_updates_a_picture() {
    for drop_debt in [0, 1] {
        let frames = bare(&format!(
            "--loop max-frame-skip --render-ms 500 --drop-debt {drop_debt} --seconds 20"
        ));
        assert_eq!(frames.len(), 40);
        let (first, rest) = frames.split_first().expect("forty");
        assert_eq!(first.updates, 0); // no time has passed yet
        assert!(rest.iter().all(|frame| frame.updates == 10));
    }
}

#[test]
fn updates_longer_than_their_step_keep_frames_under_1500_ms() {
    // 20 tasks of 1 ms in each update, of which 100 a second are due.
    let line = "run --strategy every-frame --entities 20 --cost-us 1000 --step-ms 10 --seconds 20";
    for frame_loop in FRAME_LOOPS {
        let frames = frames(&stdout(&format!("{line} --loop {}", frame_loop.key)));
        assert!(frames.iter().all(|frame| frame.length <= 3 * SECOND / 2));
        assert!(end(&frames) >= 20 * SECOND);
    }
}

#[test]
fn the_summary_tells_the_updates_and_the_debt_that_was_dropped() {
    let line = "run --loop constant-fps --loop-fps 25 --render-ms 60 --frames 101 --summary";
    let words: Vec<&str> = line.split(' ').collect();
    let summary = lab(&words).stderr;
    // 100 frames of 60 ms, each 20 ms too long, but for the 250 ms that are still to be made up for.
    let says = "101 in all, 1750.000000 ms of debt dropped";
    assert!(summary.contains(says), "{summary}");
}

#[test]
fn every_loop_writes_the_same_bytes_for_the_same_seed() {
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
