//! Direct calls to the graphics driver, below the window library.

/// Reads the window's pixels into `bytes`, from the bottom row to the top, at four bytes each. Returns the window's
/// width and height. Call after the window's own pass. (The window library would read the pixels through a new texture,
/// which takes longer, and does not work with an opaque canvas on a page.)
#[allow(unsafe_code)]
pub fn read_screen(bytes: &mut Vec<u8>) -> (u16, u16) {
    use macroquad::miniquad::{gl, window::screen_size};
    let (width, height) = screen_size();
    let (width, height) = (width as u16, height as u16);
    bytes.resize(usize::from(width) * usize::from(height) * 4, 0);
    // SAFETY: called on the only thread with the GL context. `bytes` has room for all pixels, at four bytes each.
    unsafe {
        gl::glReadPixels(
            0,
            0,
            width.into(),
            height.into(),
            gl::GL_RGBA,
            gl::GL_UNSIGNED_BYTE,
            bytes.as_mut_ptr().cast(),
        );
    }
    (width, height)
}

/// Draws everything in the queue and waits until the graphics card has finished. The time of the swap is then all spent
/// waiting for the display.
#[allow(unsafe_code)]
pub fn finish() {
    // SAFETY: called on the only thread with the GL context, while no other borrow of it is alive; glFinish takes no
    // arguments and changes no state.
    unsafe {
        macroquad::window::get_internal_gl().flush();
        macroquad::miniquad::gl::glFinish();
    }
}
