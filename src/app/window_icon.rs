//! The window's icon: three rising bars, the middle one red, on a dark rounded square.

use macroquad::miniquad::conf::Icon;

/// Returns the icon in the three sizes that operating systems need.
pub fn icon() -> Icon {
    Icon {
        small: pixels(include_bytes!("../../assets/icon/16.png")),
        medium: pixels(include_bytes!("../../assets/icon/32.png")),
        big: pixels(include_bytes!("../../assets/icon/64.png")),
    }
}

/// Decodes a PNG into RGBA pixels, four bytes each, starting with the top row.
fn pixels<const BYTES: usize>(png: &[u8]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    let reader = png::Decoder::new(png).read_info();
    let decoded = reader.and_then(|mut reader| reader.next_frame(&mut bytes));
    debug_assert!(decoded.is_ok_and(|info| info.buffer_size() == BYTES));
    bytes
}
