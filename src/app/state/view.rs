//! The three views of the window.

pub use lab::cli::View;

/// Returns a short description of a view, for tooltips and the help.
pub fn explained(view: View) -> &'static str {
    match view {
        View::Grid => "one strategy with capsules and plots",
        View::Compare => "every strategy on the same work",
        View::Loops => "all frame loops on two machines",
    }
}
