//! Images: PNG files, and screenshots of the display.

use egui::Rect;
use std::collections::HashSet;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    pub width: u32,
    pub height: u32,
    /// The pixels, row by row, starting with the top row.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    /// Creates an image from rows of pixels, starting with the top row.
    pub fn at(&self, x: u32, y: u32) -> [u8; 3] {
        self.pixels[(y * self.width + x) as usize]
    }

    pub fn new(width: u32, height: u32, pixels: Vec<[u8; 3]>) -> Self {
        assert_eq!(pixels.len(), (width * height) as usize);
        Self {
            width,
            height,
            pixels,
        }
    }

    pub fn write(&self, path: &Path) {
        let file = File::create(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut encoder = png::Encoder::new(BufWriter::new(file), self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::Best);
        encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
        let mut writer = encoder.write_header().expect("a writable file");
        writer
            .write_image_data(self.pixels.as_flattened())
            .expect("a writable file");
    }

    /// Reads a PNG.
    ///
    /// # Panics
    /// If the file is not an opaque PNG.
    pub fn read(path: &Path) -> Self {
        let shown = path.display();
        let file = File::open(path).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size()];
        let info = reader.next_frame(&mut bytes).expect("a whole PNG");
        assert_eq!(info.color_type, png::ColorType::Rgb, "{shown}");
        Self {
            width: info.width,
            height: info.height,
            pixels: bytes.as_chunks().0.to_vec(),
        }
    }

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

    /// Returns the part of the image inside `rect`, which is in pixels.
    pub fn inside(&self, rect: Rect) -> Self {
        let [left, top, width, height] =
            [rect.left(), rect.top(), rect.width(), rect.height()].map(|side| side as u32);
        self.part(left, top, width, height)
    }

    pub fn colours(&self) -> usize {
        self.pixels.iter().collect::<HashSet<_>>().len()
    }
}
