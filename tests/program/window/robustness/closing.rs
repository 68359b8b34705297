//! Windows that are resized, closed by the window manager, or cannot be opened.

use crate::window::support::display::output_of;
use crate::window::support::lab::{Lab, PATIENCE};
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::{Command, Output};

/// Asks a window to close, as a window manager does. Older versions of xdotool cannot do this.
fn ask_to_close(display: u32, window: u32) -> io::Result<()> {
    let mut server = UnixStream::connect(format!("/tmp/.X11-unix/X{display}"))?;
    server.set_read_timeout(Some(PATIENCE))?;
    // Set up the connection: little endian, version 11.0, no authorisation.
    server.write_all(&[b'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])?;
    let mut head = [0; 8];
    server.read_exact(&mut head)?;
    let words = u16::from_le_bytes([head[6], head[7]]);
    server.read_exact(&mut vec![0; usize::from(words) * 4])?;

    let protocols = intern(&mut server, "WM_PROTOCOLS")?;
    let delete = intern(&mut server, "WM_DELETE_WINDOW")?;
    // SendEvent: sends the window a client message in 32-bit units.
    let mut request = vec![25, 0, 11, 0];
    for number in [window, 0, u32::from_le_bytes([33, 32, 0, 0])] {
        request.extend(number.to_le_bytes());
    }
    for number in [window, protocols, delete, 0, 0, 0, 0] {
        request.extend(number.to_le_bytes());
    }
    server.write_all(&request)?;
    // A reply to a later request shows that the server has read SendEvent.
    intern(&mut server, "WM_PROTOCOLS").map(drop)
}

/// Returns the number of the X atom with this name.
fn intern(server: &mut UnixStream, name: &str) -> io::Result<u32> {
    let padded = name.len().next_multiple_of(4);
    let mut request = vec![16, 0, 2 + (padded / 4) as u8, 0, name.len() as u8, 0, 0, 0];
    request.extend(name.as_bytes());
    request.resize(8 + padded, 0);
    server.write_all(&request)?;
    let mut reply = [0; 32];
    server.read_exact(&mut reply)?;
    Ok(u32::from_le_bytes([
        reply[8], reply[9], reply[10], reply[11],
    ]))
}

#[test]
fn escape_quits_after_an_open_list_was_hidden() {
    for (key, hidden) in [("F2", "view compare"), ("f", "panels hidden")] {
        let Some(mut lab) = Lab::open(&["--cost-us", "0"]) else {
            return;
        };
        lab.click_for("loop", "control loop:fixed-step");
        lab.press_for(key, hidden);
        lab.press_for("s", "staleness shown"); // a picture without the list
        lab.press_for("Escape", "leaving");
        lab.end().expect_success();
    }
}

#[test]
fn closing_the_window_exits_with_status_0() {
    for paused in [false, true] {
        let Some(mut lab) = Lab::open(&["--cost-us", "0"]) else {
            return;
        };
        if paused {
            lab.press_for("space", "paused");
        }
        let window = lab.window.parse().expect("a number");
        ask_to_close(lab.display.number, window).expect("the display answers");
        lab.end().expect_success();
    }
}

#[test]
fn a_tiny_window_can_be_enlarged_again() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0"]) else {
        return;
    };
    let window = lab.window.clone();
    for size in [["1", "1"], ["1400", "2"], ["3", "900"], ["260", "90"]] {
        lab.xdotool(&[&["windowsize", &window][..], &size].concat());
        lab.frames(10);
    }
    lab.xdotool(&["windowsize", &window, "1100", "700"]);
    lab.wait_for("control capsules 252 114 848 346");
    lab.press_for("Escape", "leaving");
    lab.end().expect_success();
}

/// Runs the program with this `DISPLAY`, which must not exist.
fn run_without_display(display: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_timeslice-lab"));
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"] {
        command.env_remove(name);
    }
    command.envs(display.map(|name| ("DISPLAY", name)));
    output_of(&mut command)
}

#[test]
fn without_a_display_the_error_suggests_run_and_compare() {
    for display in [None, Some(""), Some(":999"), Some("nonsense")] {
        let output = run_without_display(display);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{display:?}: {stderr}");
        for word in ["`timeslice-lab run`", "`compare`"] {
            assert!(stderr.contains(word), "{display:?}: {stderr}");
        }
        assert!(!stderr.contains("panicked"), "{display:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{display:?}: {stderr}");
    }
}
