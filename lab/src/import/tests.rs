//! These tests check what is read from files in each format, and the wording of errors.

use super::*;
use crate::import::Unit::{Ms, Ns, Us};
use proptest::prelude::*;

fn choose(column: &str, unit: Option<Unit>, name: &str) -> Choice {
    let some = |text: &str| {
        text.split('+')
            .map(str::to_owned)
            .filter(|it| !it.is_empty())
            .collect()
    };
    Choice {
        columns: some(column),
        unit,
        names: some(name),
        is_for_one_file: true,
    }
}

fn capture(
    mut bytes: &[u8],
    kind: Option<&'static Kind>,
    choice: &Choice,
) -> Result<Capture, String> {
    read(&mut bytes, kind, choice).map_err(|error| error.to_string())
}

fn sample(file: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/captures/");
    std::fs::read(format!("{folder}{file}")).expect(file)
}

/// Files in the formats of other tools. Columns: file, chosen column, chosen name, expected note, expected mean in ns.
const TOOLS: &str = "\
presentmon-1.csv | | arena.exe | column msBetweenPresents of arena.exe, in ms: 24 frame times | 17361146
presentmon-2.csv | | | column FrameTime of arena.exe, in ms: 24 frame times | 8333300
capframex.csv | | | column MsBetweenPresents of arena.exe, in ms: 24 frame times | 6944400
capframex.json | | | column MsBetweenPresents, in ms: 24 frame times | 16666700
ocat.csv | | | column MsBetweenPresents of arena.exe, in ms: 24 frame times | 11111000
mangohud.csv | | | column frametime, in ms: 24 frame times | 6060600
mangohud-ns.csv | | | column frametime, in ns: 24 frame times | 6060600
unreal.csv | | | column FrameTime, in ms: 24 frame times | 17361146
unity.csv | | | column Frame Time (ms), in ms: 24 frame times | 33333300
factorio.txt | | | column wholeUpdate, in ns: 24 frame times | 4091069
factorio.txt | scriptUpdate | | column scriptUpdate, in ns: 24 task costs | 121150
tracy.csv | | think | column exec_time_ns of think, in ns: 24 task costs | 27542
chrome-trace.json | | think | column dur of think, in µs: 48 task costs | 25750
chrome-trace.json | | p*h | column dur of path, in µs: 48 task costs | 5500
chrome-array.json | | | column dur of frame, in µs: 24 task costs | 16011500
excel-utf-16.csv | | | column Entscheidung (µs), in µs: 24 task costs | 21125
table.tsv | | | column cpu_us, in µs: 24 task costs | 85750
unknown.csv | CPU | | column cpu, in µs: 2 task costs | 80500
numbers.json | | | column cost_us, in µs: 24 task costs | 24000
objects.json | | | column cost_ns, in ns: 24 task costs | 9115";

#[test]
fn files_of_each_tool_have_the_right_column_and_unit() {
    for case in TOOLS.lines() {
        let [file, column, name, note, mean_ns] = parts(case);
        let capture = capture(&sample(file), None, &choose(column, None, name));
        let capture = capture.unwrap_or_else(|why| panic!("{file}: {why}"));
        assert_eq!(capture.note(), note, "{file}");
        let mean = capture.recording(file).mean.as_nanos();
        assert_eq!(mean.to_string(), mean_ns, "{file}");
    }
}

/// Splits a row of a table in these tests.
fn parts<const COUNT: usize>(row: &str) -> [&str; COUNT] {
    let parts: Vec<&str> = row.split('|').map(str::trim).collect();
    parts.try_into().unwrap_or_else(|_| panic!("{row}"))
}

impl Kind {
    /// Parses the contents of a file with this name.
    pub(crate) fn parse(&'static self, name: &str, mut bytes: &[u8]) -> Result<Recording, String> {
        let capture = read(&mut bytes, Some(self), &Choice::default());
        capture.map_or_else(|why| Err(why.to_string()), |it| Ok(it.recording(name)))
    }
}

fn nanos(text: impl AsRef<[u8]>) -> Vec<u64> {
    let costs = COSTS
        .parse("costs.txt", text.as_ref())
        .unwrap_or_else(|why| panic!("{why}"));
    costs.all.iter().map(|cost| cost.as_nanos()).collect()
}

fn error(text: impl AsRef<[u8]>) -> String {
    COSTS
        .parse("costs.txt", text.as_ref())
        .expect_err("no costs")
}

#[test]
fn each_line_has_a_cost_in_microseconds() {
    assert_eq!(nanos("3\n1.5\n20000\n0"), [0, 1500, 3000, 20_000_000]);
    assert_eq!(
        nanos("1e3\n+2\n.5\n5.\n-0\n"),
        [0, 500, 2000, 5000, 1_000_000]
    );
    assert_eq!(nanos("0.0004\n0.0006"), [0, 1], "rounded to nanoseconds");
    assert_eq!(nanos("7"), [7000]);
}

#[test]
fn remarks_blanks_and_platform_habits_are_ignored() {
    let windows = "\u{feff}# zone\r\n\r\n 12.5 \r\n\t# rest\r\n80\t\r\n";
    assert_eq!(nanos(windows), [12_500, 80_000]);
    assert_eq!(nanos(b"# caf\xe9, in Latin-1\n4"), [4000]);
    assert_eq!(nanos(b"\xff\xfe1\0.\x005\0"), [1500], "UTF-16");
    assert_eq!(nanos(b"\xfe\xff\x001\0\n"), [1000], "UTF-16");
}

#[test]
fn a_bad_line_is_named_with_its_value_and_what_is_allowed() {
    for bad in [
        "many",
        "-1",
        "10000000.1",
        "nan",
        "inf",
        "-inf",
        "1e999",
        "0x10",
        "12.5 µs",
        "1,500",
        "1.5k",
        "1 2",
        "--",
    ] {
        let expected = format!(
            "line 3: a cost must be a number of microseconds from 0 to 10000000, not '{}'",
            bad.escape_debug()
        );
        assert_eq!(error(format!("# costs\r\n5\r\n{bad}\r\n6")), expected);
    }
    assert!(error("1\r2").contains(r"'1\r2'"));
    assert!(error(b"\x7fELF\0\x01\xff\n").starts_with("line 1: "));
    assert!(error("x".repeat(9999)).len() < 120);
}

#[test]
fn a_file_without_costs_is_rejected_and_one_with_too_many_too() {
    for none in [
        "",
        "\n\n",
        "# nothing\n",
        "\u{feff}",
        "[]",
        "{\"a\": [[]]}",
        "cost\nNA\n",
    ] {
        assert!(
            error(none).contains("contains no costs") || none.starts_with("cost"),
            "{none:?}"
        );
        assert!(!error(none).is_empty());
    }
    let mut full = Capture::new(&COSTS, String::new(), Some(Us));
    full.count = MOST_ROWS;
    let many = full.add(MOST_ROWS + 1, 1.0, None);
    let many = many.map_err(|why| why.to_string());
    assert_eq!(
        many,
        Err("line 50000001: at most 50,000,000 costs are allowed".to_owned())
    );
}

#[test]
fn of_many_costs_a_sample_is_kept_and_of_frames_the_first() {
    let half = MOST_KEPT;
    let text = "1\n".repeat(half) + &"3\n".repeat(half);
    let costs = COSTS.parse("costs.txt", text.as_bytes()).expect("costs");
    assert_eq!(costs.all.len(), MOST_KEPT);
    let mean = costs.mean.as_nanos();
    assert!((1_990..2_010).contains(&mean), "{mean}");
    let frames = FRAME_TIMES
        .parse("session.txt", text.as_bytes())
        .expect("times");
    assert_eq!(*frames.all, vec![Nanos::from_millis(1); MOST_KEPT]);
}

#[test]
fn frame_times_are_in_milliseconds_and_keep_their_order() {
    let times = FRAME_TIMES.parse("session.txt", b"# 60 Hz\n16.7\n33.3\n16.6\n");
    let times = times.expect("times");
    let micros = [16_700, 33_300, 16_600].map(Nanos::from_micros);
    assert_eq!((&*times.all, times.median), (&micros[..], micros[0]));
    assert_eq!(
        FRAME_TIMES.parse("session.txt", b"16.7\n0"),
        Err(
            "line 2: a frame time must be a number of milliseconds from 0.01 to 60000, not '0'"
                .to_owned()
        )
    );
}

/// Files that need a choice. Columns: file, chosen name, expected error.
const UNCLEAR: &str = "\
unknown.csv | | it has the columns cpu, frame and gpu; choose the one with the costs with --column NAME
tracy.csv | | it has the names path<T, 2> (24 times) and think (24 times); choose one with --name NAME (* matches any text)
chrome-trace.json | thnk | it has the names frame (24 times), path (48 times) and think (48 times); choose one with --name NAME (* matches any text)
factorio.txt | | line 4: a cost must be a number of microseconds from 0 to 10000000, not 4000000.0 ms; 24 of 24 cannot be used, so choose another column or unit with --column or --unit";

#[test]
fn an_unclear_file_says_what_it_contains_and_what_to_add() {
    for case in UNCLEAR.lines() {
        let [file, name, expected] = parts(case);
        let unit = (file == "factorio.txt").then_some(Ms);
        let column = if unit.is_some() { "wholeUpdate" } else { "" };
        let why = capture(&sample(file), Some(&COSTS), &choose(column, unit, name)).err();
        assert_eq!(why.as_deref(), Some(expected), "{file}");
    }
    let two = error("a_us,b_us\n5,7\n");
    assert!(two.contains("a_us and b_us; choose"), "{two}");
}

#[test]
fn units_come_from_the_user_the_name_or_the_size() {
    for (text, unit, expected) in [
        ("12.5\n", None, 12_500),
        ("12.5\n", Some(Ns), 13),
        ("cost\n12.5\n", Some(Ms), 12_500_000),
        ("cost\n12.5\n", None, 12_500),
        ("cost (ns)\n125\n", None, 125),
        ("Duration_msec\n1.5\n", None, 1_500_000),
        ("[12.5]", None, 12_500),
    ] {
        let costs = capture(text.as_bytes(), Some(&COSTS), &choose("", unit, ""));
        let costs = costs.unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(costs.kept[0].as_nanos(), expected, "{text}");
    }
    for median in ["0.0166", "16.6", "16600", "16600000"] {
        let times = FRAME_TIMES.parse("session.csv", format!("frame_time\n{median}\n").as_bytes());
        let times = times.unwrap_or_else(|why| panic!("{median}: {why}"));
        assert_eq!(times.mean, Nanos::from_micros(16_600), "{median}");
    }
    let odd_start = b"FrameTime\n0.05\n3000\n16.6\n16.7\n16.6\n";
    let times =
        capture(odd_start, None, &choose("", None, "")).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(times.unit(), Ms);
}

/// Calls of three zones, sorted by zone and not by time, as in a file from Tracy. One call of `look` is within `think`.
const ZONES: &str = "\
name,ns_since_start,exec_time_ns,thread
look,1000,200,1
look,1250,100,1
look,9000,300,1
think,1200,500,1
think,9300,600,1
draw,2000,5000,1
look,1000,7,2
";

#[test]
fn several_zones_of_a_task_are_added_up_for_each_call() {
    let trace = r#"[{"ph":"B","name":"look","ts":1},{"ph":"E","ts":2},{"ph":"X","name":"think","ts":2,"dur":4},
        {"ph":"X","name":"think","ts":20,"dur":0.5},{"ph":"X","name":"look","ts":10,"dur":3}]"#;
    let table = "name;cost_us\nlook;1\nthink;2\nlook;3\nlook;4\nthink;5\n";
    for (text, name, expected) in [
        (ZONES, "look+think", &[700, 900, 7][..]),
        (ZONES, "*k", &[700, 900, 7]),
        (ZONES, "think*", &[500, 600]),
        (trace, "look+think", &[5_000, 3_500]),
        (table, "look+think", &[3_000, 3_000, 9_000]),
    ] {
        let costs = capture(text.as_bytes(), Some(&COSTS), &choose("", None, name));
        let costs = costs.unwrap_or_else(|why| panic!("{text}: {why}"));
        let nanos: Vec<u64> = costs.kept.iter().map(|cost| cost.as_nanos()).collect();
        assert_eq!(nanos, expected, "{text}");
        let is_sum = costs.note().contains("look and think, added up per call");
        assert_eq!(is_sum, name != "think*", "{}", costs.note());
    }
}

#[test]
fn a_few_unusable_values_are_left_out_and_told() {
    let costs = format!("cost_ms\n{}-3\n1e308\nNaN\nNA\n", "0.5\n".repeat(400));
    let costs = capture(costs.as_bytes(), None, &choose("", None, ""))
        .unwrap_or_else(|why| panic!("{why}"));
    let note = "column cost_ms, in ms: 400 task costs, without 3 that cannot be used";
    assert_eq!(costs.note(), note);
}

#[test]
fn hostile_files_are_rejected_in_a_sentence() {
    let deep = "[".repeat(100_000);
    assert!(
        error(&deep).contains("the JSON is not valid: recursion limit"),
        "{}",
        error(deep)
    );
    let long = error("cost\n5\n".to_owned() + &"1".repeat(2 << 20));
    assert_eq!(long, "line 3: at most 1048576 bytes are allowed");
    let begun = r#"{"name":"a","ph":"B","ts":1},"#.repeat(100_001);
    assert!(error(format!("[{begun}]")).contains("more than 100000 zones have no end"));
    assert!(error(r#"{"cost_us": [1, 2"#).contains("line 1 column"));
}

#[test]
fn rows_without_a_number_count_and_only_durations_are_times() {
    let note = |text: &str, column: &str| {
        let costs = capture(text.as_bytes(), None, &choose(column, None, "think"));
        costs.map_or_else(|why| why, |costs| costs.note())
    };
    let rows = "think,50\n".repeat(990);
    let with_commas = |count| {
        let longest = "think,\"9,500.0\"\n".repeat(count);
        note(&format!("zone,cost_us\n{rows}{longest}"), "")
    };
    let few = "column cost_us of think, in µs: 990 task costs, without 5 that cannot be used";
    assert_eq!(with_commas(5), few);
    let many = with_commas(50);
    assert!(
        many.starts_with("line 992: ") && many.contains("not '9,500.0'"),
        "{many}"
    );
    let event = r#"{"ph":"X","name":"think","ts":1,"dur":20,"id":7,"args":{"dur":999}}"#;
    let others = r#"{"ph":"b","name":"load","id":7},{"ph":"C","args":{"frametime_ms":3}}"#;
    let one = "column dur of think, in µs: 1 task cost";
    assert_eq!(note(&format!("[{event},{others}]"), ""), one);
    let two = "column dur of think, in µs: 2 task costs";
    assert_eq!(note(&format!("{event}\n{event}\n"), ""), two, "JSON Lines");
    let bracket = note("name,cost_us\n[AI] run,5\n[AI] run,6\n", "");
    assert!(bracket.contains("[AI] run (2 times)"), "{bracket}");
    let unknown = note("%,Time (ms)\n1,5\n", "");
    assert!(
        unknown.ends_with("not '%,Time (ms)'; choose a column of a table with --column"),
        "{unknown}"
    );
    assert!(note("%,Time (ms)\n1,5\n", "Time (ms)").contains("1 task cost"));
    let missing = note("cost_us\n5\n", "nope");
    assert!(
        missing.contains("has the columns cost_us; choose"),
        "{missing}"
    );
}

#[test]
fn the_only_application_is_used_if_a_name_is_for_another_file() {
    let choice = Choice {
        names: vec!["think".to_owned()],
        ..Choice::default()
    };
    let count = |text: &str| capture(text.as_bytes(), None, &choice).map(|it| it.count);
    let one = "Application,FrameTime\ngame.exe,16\ngame.exe,17\n";
    assert_eq!(count(one), Ok(2));
    assert!(count(&format!("{one}other.exe,5\n")).is_err());
    assert_eq!(count(&format!("{one}think,5\n")), Ok(1));
}

#[test]
fn costs_are_summarised_with_their_tail() {
    let text = "# think\n".to_owned() + &"100\n".repeat(995) + &"8000\n".repeat(5);
    let costs =
        capture(text.as_bytes(), None, &choose("", None, "")).unwrap_or_else(|why| panic!("{why}"));
    let summary = Summary::new(&costs, Nanos::from_millis(4));
    assert_eq!(
        summary.text(),
        "1,000 task costs\nmean 0.14 ms, p50 0.1 ms, p95 0.1 ms, p99 0.1 ms, longest 8 ms\n\
         The costs are heavy-tailed: 1 % of them take 29 % of the time. One call in 200 takes longer than a \
         budget of 4 ms.\n"
    );
    let json = summary.to_json();
    assert_eq!(
        (&json["kind"], &json["above_limit_share"]),
        (&"costs".into(), &0.005.into())
    );
    let words = Summary::new(&costs, Nanos::from_millis(10)).text();
    assert!(
        words.contains("The longest call takes 80 % of a budget of 10 ms."),
        "{words}"
    );
}

#[test]
fn frame_times_are_summarised_with_the_display() {
    let frames = capture(&sample("presentmon-2.csv"), None, &choose("", None, ""));
    let frames = frames.unwrap_or_else(|why| panic!("{why}"));
    let summary = Summary::new(&frames, Nanos::from_millis(4));
    assert_eq!(
        summary.text(),
        "column FrameTime of arena.exe, in ms: 24 frame times\n\
         mean 8.33 ms, p50 8.33 ms, p95 8.38 ms, p99 8.38 ms, longest 8.38 ms\n\
         120 fps, 1 % low 119 fps, 0 hitches above 12.5 ms\n\
         The display refreshes at 120 Hz, and 0 % of the refreshes were missed.\n\
         2.86 ms were free in 99 % of the frames. You can use this as the limit on the task time.\n"
    );
    let unreal = capture(&sample("unreal.csv"), None, &choose("", None, ""));
    let unreal = unreal.unwrap_or_else(|why| panic!("{why}"));
    let json = Summary::new(&unreal, Nanos::from_millis(4)).to_json();
    assert_eq!(json["display_hz"], 60.0);
    assert_eq!(json["missed_share"], 1.0 - 24.0 / 25.0);
    assert_eq!(json["above_limit_share"], 1.0 / 24.0);
    assert!(
        json["free_ms"]
            .as_f64()
            .is_some_and(|free| (5.0..9.0).contains(&free)),
        "{json}"
    );
}

proptest! {
    #[test]
    fn any_file_is_read_or_rejected_in_a_sentence(
        text in prop_oneof![
            prop::collection::vec("[0-9.eE+-]{1,8}|[#\\PC]{0,9}", 0..9).prop_map(|lines| lines.join("\n").into_bytes()),
            prop::collection::vec("([a-z_\"]{1,4}|[0-9.,-]{1,4})[,;\t\"]?([a-z]{1,4}|[0-9.,]{1,4})", 0..9)
                .prop_map(|lines| lines.join("\n").into_bytes()),
            "[\\[{]([\\[\\]{}:,0-9.e-]|\"(name|ph|ts|dur|X|B|E|a)\"){0,30}".prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..60),
        ],
        names in prop::collection::vec("[a*]{1,3}", 0..2),
    ) {
        let choice = Choice { names, ..Choice::default() };
        for kind in [None, Some(&COSTS), Some(&FRAME_TIMES)] {
            match capture(&text, kind, &choice) {
                Ok(capture) => {
                    let summary = Summary::new(&capture, Nanos::from_millis(4));
                    prop_assert!(!summary.text().contains("NaN") && summary.to_json().is_object());
                    let longest = capture.longest;
                    let recording = capture.recording("any");
                    prop_assert!(recording.all.iter().all(|time| *time <= longest));
                }
                Err(why) => prop_assert!(!why.contains('\n') && why.len() < 1000, "{why:?}"),
            }
        }
    }
}
