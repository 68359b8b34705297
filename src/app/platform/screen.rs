//! Reads the pixels of the window, encodes images as PNG, and waits for the graphics card.

use macroquad::miniquad::gl;
use macroquad::miniquad::window::screen_size;
use macroquad::texture::Image;
use timeslicer::time::Nanos;

/// A frame of a recording, and the time since the recording's first frame.
pub type CapturedFrame = (Image, Nanos);

/// Reads the pixels, four bytes each, from the bottom row up. Call after the window library's own render pass.
///
/// This function calls OpenGL directly, because the window library would copy the pixels through a new texture. Such a
/// copy is slower, and it fails on a page with an opaque canvas.
#[allow(unsafe_code)]
pub fn read_screen() -> Image {
    let (width, height) = screen_size();
    let (width, height) = (width as u16, height as u16);
    let mut bytes = vec![0; usize::from(width) * usize::from(height) * 4];
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
    Image {
        bytes,
        width,
        height,
    }
}

/// Waits until the graphics card has executed all draw calls, so that the buffer swap waits only for the display.
#[allow(unsafe_code)]
pub fn finish() {
    // SAFETY: called on the only thread with the GL context, while no other borrow of it is alive; glFinish takes no
    // arguments and changes no state.
    unsafe {
        macroquad::window::get_internal_gl().flush();
        gl::glFinish();
    }
}

/// Encodes an image of the screen as an opaque PNG. The rows of `screen` start at the bottom, as OpenGL returns them.
pub fn png(screen: &Image) -> Result<Vec<u8>, String> {
    let failed = |error: png::EncodingError| format!("cannot encode the screenshot: {error}");
    let row_bytes = usize::from(screen.width).max(1) * 4;
    let rows = screen.bytes.chunks_exact(row_bytes).rev();
    let pixels = rows.flat_map(|row| row.chunks_exact(4));
    let colours: Vec<u8> = pixels.flat_map(|pixel| &pixel[..3]).copied().collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, screen.width.into(), screen.height.into());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&colours).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_screenshot_can_be_read_back() {
        let screen = Image {
            width: 1,
            height: 2,
            bytes: vec![1, 2, 3, 0, 4, 5, 6, 128],
        };
        let png = png(&screen).unwrap();
        let mut reader = png::Decoder::new(&*png).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (1, 2));
        assert_eq!(pixels, [4, 5, 6, 1, 2, 3]);
    }
}
