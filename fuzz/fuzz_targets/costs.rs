//! Fuzz target that parses arbitrary bytes as a file of task costs and as one of frame times, in all formats.

#![no_main]

use lab::import::{self, Choice};
use lab::files::measured::{COSTS, FRAME_TIMES};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for kind in [&COSTS, &FRAME_TIMES] {
        match kind.parse("capture", bytes) {
            Ok(times) => {
                let again = kind.parse("saved", &kind.saved(&times).bytes);
                assert_eq!(again.map(|it| it.all().to_vec()), Ok(times.all().to_vec()));
            }
            Err(why) => assert!(!why.contains('\n'), "{why:?}"),
        }
    }
    let all_zones = Choice {
        names: vec!["*".to_owned()],
        ..Choice::default()
    };
    let _ = import::read(&mut &*bytes, None, &all_zones);
});
