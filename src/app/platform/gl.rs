//! Direct calls to the graphics driver, below the window library.

/// Reads the window's pixels, from the bottom row to the top. (The window library would read the pixels through a
/// texture, but that does not work with an opaque canvas.)
#[cfg(target_family = "wasm")]
#[allow(unsafe_code)]
pub fn screen() -> macroquad::texture::Image {
    use macroquad::miniquad::{gl, window::screen_size};
    let (width, height) = screen_size();
    let (width, height) = (width as u16, height as u16);
    let mut bytes = vec![0; usize::from(width) * usize::from(height) * 4];
    // SAFETY: called on the only thread with the GL context, after the window's own pass. `bytes` has room for all
    // pixels, at four bytes each.
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
    macroquad::texture::Image {
        bytes,
        width,
        height,
    }
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
