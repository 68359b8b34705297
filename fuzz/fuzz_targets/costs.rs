//! Fuzz target that parses arbitrary bytes as a file of task costs and as one of frame times, in all formats.

#![no_main]

use lab::files::measured::{COSTS, FRAME_TIMES, Kind};
use lab::import::{self, Choice};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let read = |mut bytes: &[u8], kind: &'static Kind| {
        let capture = import::read(&mut bytes, Some(kind), &Choice::default());
        capture.map(|it| it.recording("capture"))
    };
    for kind in [&COSTS, &FRAME_TIMES] {
        match read(bytes, kind) {
            Ok(times) => {
                let again = read(&kind.saved(&times).bytes, kind).expect("saved times");
                assert_eq!(again.all, times.all);
            }
            Err(why) => assert!(!why.to_string().contains('\n'), "{why:?}"),
        }
    }
    let all_zones = Choice {
        names: vec!["*".to_owned()],
        ..Choice::default()
    };
    let _ = import::read(&mut &*bytes, None, &all_zones);
});
