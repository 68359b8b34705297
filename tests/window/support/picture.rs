//! Reads the pictures that the program writes.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// A task ran.
pub const RED: [u8; 3] = [0xff, 0x44, 0x38];
/// Chosen.
pub const TEAL: [u8; 3] = [0x2e, 0xc4, 0xb6];

/// A picture without transparency, rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// A file for the picture of this name, in cargo's folder for what tests write. There is none yet.
    pub fn path(name: &str) -> String {
        let path = format!("{}/{name}.png", env!("CARGO_TARGET_TMPDIR"));
        let _ = std::fs::remove_file(&path);
        path
    }

    /// Of these pixels, rows from the top.
    ///
    /// # Panics
    /// Where they are too many or too few.
    pub fn new(width: u32, height: u32, pixels: Vec<[u8; 3]>) -> Self {
        assert_eq!(pixels.len(), (width * height) as usize);
        Self {
            width,
            height,
            pixels,
        }
    }

    /// Its pixels, rows from the top.
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// The pixel in a column and a row.
    pub fn at(&self, x: u32, y: u32) -> [u8; 3] {
        self.pixels[(y * self.width + x) as usize]
    }

    /// Writes it as PNG.
    pub fn write(&self, path: &Path) {
        let file = File::create(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut encoder = png::Encoder::new(BufWriter::new(file), self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::Best);
        encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
        let mut writer = encoder.write_header().expect("the file can be written");
        writer
            .write_image_data(self.pixels.as_flattened())
            .expect("the file can be written");
    }

    /// Reads a PNG.
    ///
    /// # Panics
    /// Where it is none, or one that has transparency.
    pub fn read(path: &str) -> Self {
        let file = File::open(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size()];
        let info = reader.next_frame(&mut bytes).expect("a whole PNG");
        assert_eq!(info.color_type, png::ColorType::Rgb, "{path} is opaque");
        Self {
            width: info.width,
            height: info.height,
            pixels: bytes.as_chunks().0.to_vec(),
        }
    }

    /// A rectangle of it.
    pub fn part(&self, left: u32, top: u32, width: u32, height: u32) -> Self {
        let row = |y: u32| {
            let start = (y * self.width + left) as usize;
            &self.pixels[start..start + width as usize]
        };
        Self {
            width,
            height,
            pixels: (top..top + height).flat_map(row).copied().collect(),
        }
    }

    /// How many pixels have this colour, as far as the eye can tell.
    pub fn count(&self, colour: [u8; 3]) -> usize {
        let is_near = |pixel: &&[u8; 3]| pixel.iter().zip(colour).all(|(a, b)| a.abs_diff(b) <= 12);
        self.pixels.iter().filter(is_near).count()
    }

    /// How many colours it has.
    pub fn colours(&self) -> usize {
        self.pixels.iter().collect::<HashSet<_>>().len()
    }
}
