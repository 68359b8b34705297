//! Clicks on the bars' tabs and buttons.

use super::Window;
use crate::app::state::Flow;
use crate::app::state::grid::LowerTab;
use headless::sim::disturbance::Disturbance;
use timeslicer::strategy::STRATEGIES;

#[test]
fn a_click_on_a_tab_switches_to_its_strategy() {
    let mut window = Window::open(&["--strategy", STRATEGIES[0].key]);
    for entry in STRATEGIES.iter().skip(1) {
        window.click(&format!("tab:{}", entry.key));
        assert_eq!(window.state().settings.strategy, *entry);
    }
}

#[test]
fn buttons_do_what_their_keys_do() {
    let mut window = Window::open(&[]);
    let strategy = window.state().settings.strategy;
    window.click_for("button:R", "restarted");
    for is_shown in [false, true] {
        window.click("button:F");
        assert_eq!(window.state().interface.panels, is_shown);
    }
    window.click("button:?");
    window.frame(); // egui places the help in the layout after the one that first shows it
    assert!(window.state().interface.help);
    // Help covers everything, so a click anywhere only hides it.
    window.click("tab:every-frame");
    assert!(!window.state().interface.help);
    for tab in LowerTab::ALL.into_iter().rev() {
        window.click(&format!("tab:{}", tab.name()));
        assert_eq!(window.state().grid.lower, tab);
    }
    for flow in [Flow::Running, Flow::Paused] {
        window.click("button:Space");
        assert_eq!(window.state().flow, flow);
    }
    assert_eq!(window.state().settings.strategy, strategy);
    window.click("button:Esc");
    assert!(window.state().quits);
}

#[test]
fn the_bracket_buttons_switch_to_the_next_strategy() {
    // Only a wide window has room for these buttons next to all names.
    let flags = ["--strategy", STRATEGIES[1].key, "--size", "1600x800"];
    let mut window = Window::open(&flags);
    for (button, entry) in [("button:]", STRATEGIES[2]), ("button:[", STRATEGIES[1])] {
        window.click(button);
        assert_eq!(window.state().settings.strategy, entry);
    }
}

#[test]
fn disturbances_have_keys_and_buttons_in_every_view() {
    for view in ["grid", "compare", "loops"] {
        let flags = ["--view", view, "--size", "1280x1400", "--entities", "50"];
        let mut window = Window::still(10, &flags);
        for (key, disturbance) in ["z", "x", "c", "v", "b", "n", "m"]
            .into_iter()
            .zip(Disturbance::ALL)
        {
            let words = format!("disturbance {}", disturbance.key());
            window.press_for(key, &words);
            window.frame(); // new figures can move the buttons
            window.click_for(&format!("button:{}", key.to_uppercase()), &words);
        }
    }
}
