//! The one place that reaches below the window library, to the graphics driver.

/// The pixels that the window shows, rows from the bottom. (The window library reads them by way of a texture, which
/// a canvas without transparency does not allow.)
#[cfg(target_family = "wasm")]
#[allow(unsafe_code)]
pub fn screen() -> macroquad::texture::Image {
    use macroquad::miniquad::{gl, window::screen_size};
    let (width, height) = screen_size();
    let (width, height) = (width as u16, height as u16);
    let mut bytes = vec![0; usize::from(width) * usize::from(height) * 4];
    // SAFETY: called from the one thread that has the GL context, after the window's own pass; there is room for all
    // that is read, four bytes a pixel.
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
