//! The user's own task costs: dropping a file, its name and histogram in the panel, and the way back to the sliders.

use super::Window;
use crate::app::platform::dropped_files::DroppedFile;
use egui::Rect;
use lab::sim::world::{COST, COST_SPREAD};
use timeslicer::time::Nanos;

const GOOD: &str = "# zombies\n20\n40\n40\n8900\n";

fn dropped(name: &str, text: &str) -> DroppedFile {
    DroppedFile {
        name: name.to_owned(),
        bytes: text.into(),
    }
}

fn drop_file(window: &mut Window, name: &str, text: &str) {
    window.drop_files(&[dropped(name, text)]);
}

/// Returns the task costs that the lane of Grid and the first lane of Compare use.
fn in_use(window: &Window) -> [Option<Nanos>; 2] {
    let state = window.state();
    let of_compare = state.compare.comparison.lanes().first();
    [
        Some(state.grid.lane.settings().mean_cost()),
        of_compare.map(|it| it.settings().mean_cost()),
    ]
}

#[test]
fn a_dropped_file_replaces_the_sliders_until_its_arrow_is_clicked() {
    let mut window = Window::still(20, &["--cost-us", "70", "--entities", "300"]);
    assert!(window.has("cost-us") && !window.has("costs") && !window.has("part:costs"));
    drop_file(&mut window, "zombies.txt", GOOD);
    assert!(window.last("costs 4").is_some());
    assert!(window.shows("zombies.txt") && window.shows("loaded 4 task costs from zombies.txt"));
    for label in ["20 µs", "mean 2.25 ms", "8.9 ms"] {
        assert!(window.shows(label), "{label}: {:?}", window.texts());
    }
    assert!(!window.has("cost-us") && !window.has("cost-spread") && window.has("part:costs"));
    let mean = Some(Nanos::from_micros(2250));
    assert_eq!(in_use(&window)[0], mean);
    window.press("r");
    assert_eq!(in_use(&window)[0], mean, "a restart keeps the file");
    window.press("F2");
    assert_eq!(in_use(&window), [mean; 2]);
    assert!(window.shows("zombies.txt"));

    window.click_for("revert:costs", "costs by knobs");
    window.frame();
    assert!(window.has("all:cost-us") && !window.has("costs"));
    window.press("F1");
    assert_eq!(in_use(&window), [Some(Nanos::from_micros(70)); 2]);
    assert_eq!(window.state().settings.knobs.get(&COST), 70.0);
}

#[test]
fn names_of_files_may_have_accents_greek_and_cyrillic_letters() {
    let mut window = Window::still(20, &[]);
    for name in ["Größe Łódź.txt", "Ωμέγα.txt", "Щука Ёж.txt"] {
        drop_file(&mut window, name, GOOD); // each frame asserts that the fonts have all glyphs
        assert!(window.shows(name));
    }
}

#[test]
fn a_bad_file_or_several_show_a_sentence_and_change_nothing() {
    let mut window = Window::still(20, &["--entities", "30"]);
    drop_file(&mut window, "good.txt", GOOD);
    let before = window.state().settings.clone();
    for (files, words) in [
        (
            vec![dropped("bad.txt", "5\nmany\n")],
            "bad.txt: line 2: a cost must be a number of microseconds from 0 to 20000, not 'many'",
        ),
        (
            vec![dropped("none.txt", "")],
            "none.txt: the file contains no costs",
        ),
        (
            vec![dropped("a.txt", "1"), dropped("b.txt", "2")],
            "drop only one file of task costs at a time, instead of 2 files",
        ),
    ] {
        window.drop_files(&files);
        assert!(window.shows(words), "{words}: {:?}", window.texts());
        let line = window.last("not opened:");
        assert!(line.is_some_and(|it| it.text.contains(words)), "{words}");
        let notice = window.state().saver.notice();
        assert!(notice.is_some_and(|it| it.failed));
        assert_eq!(window.state().settings, before);
        assert!(window.has("costs"));
    }
    window.drop_files(&[]);
    assert_eq!(window.state().settings, before);
}

#[test]
fn loops_says_which_views_use_the_file() {
    let mut window = Window::still(20, &["--view", "loops"]);
    let loop_comparison = window.state().loop_comparison.to_json();
    drop_file(&mut window, "zombies.txt", GOOD);
    assert!(window.shows("loaded 4 task costs from zombies.txt, which only Grid and Compare use"));
    assert_eq!(window.state().loop_comparison.to_json(), loop_comparison);
    window.press("F1");
    assert!(window.has("costs"));
}

#[test]
fn a_spread_of_the_sliders_has_a_histogram_and_equal_costs_have_none() {
    let mut window = Window::still(20, &["--cost-spread", "0.8"]);
    assert!(window.has("part:costs") && window.has("cost-spread"));
    assert!(window.shows("mean 100 µs"));
    window.click("revert:cost-spread");
    window.frame();
    assert_eq!(window.state().settings.knobs.get(&COST_SPREAD), 0.0);
    assert!(!window.has("part:costs"));
    drop_file(&mut window, "equal.txt", "80\n80\n");
    assert!(window.has("part:costs") && window.shows("mean 80 µs"));
}

#[test]
fn the_name_and_the_axis_have_room_at_every_size() {
    for size in ["1280x800", "900x600"] {
        let mut window = Window::still(20, &["--size", size]);
        let name = "a very long name of a capture of all decisions in level 3.txt";
        drop_file(&mut window, name, "0\n0.004\n12345.678\n12345.678\n");
        let (row, part) = (window.place("costs"), window.place("part:costs"));
        let within = |place: &Rect| row.union(part).expand(1.0).contains_rect(*place);
        let texts = window.placed_texts();
        let shown: Vec<_> = texts.iter().filter(|(_, place, _)| within(place)).collect();
        assert!(shown.len() >= 5, "{size}: {shown:?}");
        for (nth, (one, place, clip)) in shown.iter().enumerate() {
            assert!(clip.expand(0.5).contains_rect(*place), "{size}: {one}");
            for (other, beside, _) in &shown[nth + 1..] {
                assert!(!place.intersects(*beside), "{size}: {one} and {other}");
            }
        }
        assert!(row.contains_rect(window.place("revert:costs").shrink(1.0)));
    }
}

#[test]
fn the_footer_of_compare_keeps_the_mean_if_the_name_is_long() {
    let mut window = Window::still(20, &["--view", "compare", "--entities", "300"]);
    drop_file(&mut window, "zombies.txt", GOOD);
    assert!(window.shows("2.25 ms per task on average"));
    assert!(window.shows("costs from zombies.txt"));
    drop_file(&mut window, &"long ".repeat(40), GOOD);
    assert!(window.shows("2.25 ms per task on average"));
    drop_file(&mut window, "equal.txt", "80\n80\n");
    assert!(window.shows("80 µs per task  ·"));
}

#[test]
fn a_link_lacks_the_file_and_says_so() {
    let mut window = Window::still(20, &["--entities", "30"]);
    drop_file(&mut window, "zombies.txt", GOOD);
    let copied = window.copied_link();
    assert_eq!(copied, "?entities=30\nthe task costs from your file");
    window.press("F3");
    let lacks = "the two machines' sliders and the task costs from your file";
    assert_eq!(
        window.copied_link(),
        format!("?entities=30&view=loops\n{lacks}")
    );
    window.press("F1");
    window.click("revert:costs");
    assert_eq!(window.copied_link(), "?entities=30\n");
}
