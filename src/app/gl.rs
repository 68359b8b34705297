//! The one place that reaches below the window library, to the graphics driver.

/// Draws all that is queued and waits until the graphics card has done it, so that the time this took is
/// the time of drawing and nothing of it hides in the wait for the display.
#[allow(unsafe_code)]
pub fn finish() {
    // SAFETY: called from the one thread that has the GL context, while no other borrow of it is alive;
    // glFinish takes no arguments and changes no state.
    unsafe {
        macroquad::window::get_internal_gl().flush();
        macroquad::miniquad::gl::glFinish();
    }
}
