//! The charts that `sweep --svg` writes.

use crate::command_line::lab::{folder, lab};
use std::fs;

const SWEEP: &str = "sweep --strategy fixed-interval --strategy weighted-share --entities 60 --seconds 1 --steps 4 --target 0.5,0.25 \
                     --budget-ms 4";
const OVER: &str = "--over entities=20..80";

#[test]
fn a_chart_is_written_beside_the_csv_or_json() {
    let folder = folder("svg");
    for (name, over, title) in [
        (
            "trade-off.svg",
            "",
            "All strategies at all values of their main knobs",
        ),
        (
            "crossovers.svg",
            OVER,
            "Best strategy for each value of entities",
        ),
    ] {
        let path = folder.join(name);
        let plain = lab(&format!("{SWEEP} {over}"));
        let with_chart = lab(&format!("{SWEEP} {over} --svg {}", path.display()));
        assert_eq!(with_chart, plain, "the chart changes nothing else");
        let svg = fs::read_to_string(&path).expect("the chart");
        assert!(
            svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
            "{svg}"
        );
        assert!(svg.contains(&format!("\n{title}\n")), "{title}: {svg}");
        // Standard output gets the same chart instead of the CSV.
        let printed = lab(&format!("{SWEEP} {over} --svg -"));
        assert_eq!((printed.status, printed.stdout), (0, svg));
        assert_eq!(printed.stderr, plain.stderr);
    }
    let path = folder.join("json.svg");
    let json = lab(&format!("{SWEEP} --json --svg {}", path.display()));
    assert!(json.status == 0 && json.stdout.starts_with('{') && path.exists());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "no other file");
}
