//! Badge for timings that are not exact: of a debug build, of a simulated machine, or by a browser's rounded clock.

use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use egui::{Button, Color32, RichText, Sense, Stroke, Ui, vec2};
use headless::text::format;
use timeslicer::time::Nanos;

const DEBUG_TIP: &str = "Debug builds are slow. Use a release build to measure.";

const SIMULATED_TIP: &str = "Frame times follow from the speed, render time and display of the simulated machine, not \
     from this computer. Results are reproducible.";

const CLOCK_TIP: &str = "The browser rounds its clock to this step, and no time here is more precise. Task costs are \
     calibrated work, which rounding does not change.";

/// Shows the badge, with its long text if `roomy`. A release build has no badge, unless the machine is `simulated` or
/// the clock has known steps.
pub fn badge(ui: &mut Ui, roomy: bool, simulated: bool, clock_steps: Option<Nanos>) {
    let (text, tip) = match (simulated, clock_steps, roomy) {
        (true, ..) => ("simulated machine".to_owned(), SIMULATED_TIP),
        (false, Some(steps), _) => {
            let millis = format::number(steps.as_millis_f64());
            let name = if roomy { "browser clock" } else { "clock" };
            (format!("{name}: {millis} ms steps"), CLOCK_TIP)
        }
        (false, None, _) if !cfg!(debug_assertions) => return,
        (false, None, true) => (
            "debug build: timings not representative".to_owned(),
            DEBUG_TIP,
        ),
        (false, None, false) => ("debug build".to_owned(), DEBUG_TIP),
    };
    // A small button is as high as its text. This one takes no clicks.
    let words = RichText::new(text).size(11.0).color(theme::DIM);
    let badge = Button::new(words)
        .sense(Sense::hover())
        .fill(Color32::TRANSPARENT)
        .stroke(Stroke::new(1.0, theme::LINE))
        .corner_radius(4)
        .small();
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 18.0;
        let badge = ui.add(badge.min_size(vec2(0.0, 18.0)));
        tooltip::offer(&badge, tip);
    });
}
