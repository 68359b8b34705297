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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_is_red_in_the_middle() {
        let icon = icon();
        for (bytes, side) in [
            (icon.small.as_slice(), 16),
            (icon.medium.as_slice(), 32),
            (icon.big.as_slice(), 64),
        ] {
            let middle = (side / 2 * side + side / 2) * 4;
            assert_eq!(bytes[middle..middle + 4], [0xff, 0x44, 0x38, 0xff]);
            assert_eq!(bytes[3], 0, "the corners are transparent");
        }
    }
}
