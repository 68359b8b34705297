//! Pictures of an animation, and their reduction to its size.

/// An opaque picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width and height in pixels.
    pub size: (u16, u16),
    /// Rows of red, green and blue, from the top.
    pub pixels: Vec<[u8; 3]>,
}

/// Widest picture of an animation.
const WIDEST: u16 = 960;

impl Picture {
    /// Returns the size at which a screen of this size is recorded: the same if it is narrow enough, else smaller with
    /// the same proportions. `None` if the screen has no pixels.
    #[must_use]
    pub fn recorded_size((width, height): (u16, u16)) -> Option<(u16, u16)> {
        if width == 0 || height == 0 {
            return None;
        }
        if width <= WIDEST {
            return Some((width, height));
        }
        let height = f64::from(height) * f64::from(WIDEST) / f64::from(width);
        Some((WIDEST, (height.round() as u16).max(1)))
    }

    /// Copies a screen with four bytes per pixel and the bottom row first, as on the graphics card, at the size `to`.
    /// Each pixel of a smaller picture is the mean of the area that it covers.
    ///
    /// # Panics
    /// If a size is zero, or if `bytes` is too short.
    #[must_use]
    pub fn of_screen(bytes: &[u8], size: (u16, u16), to: (u16, u16)) -> Self {
        let (width, height) = (usize::from(size.0), usize::from(size.1));
        let (screen, _) = bytes.as_chunks::<4>();
        let row = |y: usize| &screen[(height - 1 - y) * width..][..width];
        let mut pixels = Vec::with_capacity(usize::from(to.0) * usize::from(to.1));
        if to == size {
            for y in 0..height {
                pixels.extend(
                    row(y)
                        .iter()
                        .map(|&[red, green, blue, _]| [red, green, blue]),
                );
            }
            return Self { size, pixels };
        }
        let (across, down) = (shares(size.0, to.0), shares(size.1, to.1));
        let mut narrow = Narrow::default();
        let mut sums = vec![[0.0; 3]; usize::from(to.0)];
        for part in &down {
            sums.fill([0.0; 3]);
            for (y, share) in part.pixels() {
                let row = narrow.of(y, row(y), &across);
                for (sum, pixel) in sums.iter_mut().zip(row) {
                    add(sum, *pixel, share);
                }
            }
            pixels.extend(sums.iter().map(|sum| sum.map(|value| (value + 0.5) as u8)));
        }
        Self { size: to, pixels }
    }
}

fn add(sum: &mut [f32; 3], pixel: [f32; 3], share: f32) {
    for (sum, value) in sum.iter_mut().zip(pixel) {
        *sum += value * share;
    }
}

/// The last row that was reduced in width. Two rows of the result may share a row of the screen.
#[derive(Default)]
struct Narrow {
    y: Option<usize>,
    row: Vec<[f32; 3]>,
}

impl Narrow {
    fn of(&mut self, y: usize, row: &[[u8; 4]], across: &[Shares]) -> &[[f32; 3]] {
        if self.y != Some(y) {
            self.y = Some(y);
            self.row.clear();
            self.row.extend(across.iter().map(|part| {
                let mut sum = [0.0; 3];
                for (x, share) in part.pixels() {
                    let [red, green, blue, _] = row[x].map(f32::from);
                    add(&mut sum, [red, green, blue], share);
                }
                sum
            }));
        }
        &self.row
    }
}

/// Shares of consecutive pixels in a pixel of the result.
struct Shares {
    first: usize,
    shares: Vec<f32>,
}

impl Shares {
    fn pixels(&self) -> impl Iterator<Item = (usize, f32)> {
        (self.first..).zip(self.shares.iter().copied())
    }
}

/// Returns the shares for each pixel of a side that shrinks or grows from `from` to `to` pixels.
fn shares(from: u16, to: u16) -> Vec<Shares> {
    // In units of 1 / (from * to) of the side, pixels of the source are `to` long and pixels of the result `from`.
    let (from, to) = (usize::from(from), usize::from(to));
    let of = |index: usize| {
        let (start, end) = (index * from, (index + 1) * from);
        let first = start / to;
        let share = |pixel: usize| {
            let covered = end.min((pixel + 1) * to) - start.max(pixel * to);
            covered as f32 / from as f32
        };
        let shares = (first..end.div_ceil(to)).map(share).collect();
        Shares { first, shares }
    };
    (0..to).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A screen of grey pixels, from the top.
    fn screen(size: (u16, u16), grey: impl Fn(usize, usize) -> u8) -> Vec<u8> {
        let (width, height) = (usize::from(size.0), usize::from(size.1));
        let rows = (0..height).rev();
        let pixels = rows.flat_map(|y| (0..width).map(move |x| (x, y)));
        pixels
            .flat_map(|(x, y)| [grey(x, y), grey(x, y), grey(x, y), 7])
            .collect()
    }

    fn greys(picture: &Picture) -> Vec<u8> {
        picture.pixels.iter().map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn screens_wider_than_the_limit_shrink() {
        let recorded = Picture::recorded_size;
        assert_eq!(recorded((1280, 800)), Some((960, 600)));
        assert_eq!(recorded((2560, 1440)), Some((960, 540)));
        assert_eq!(recorded((900, 2000)), Some((900, 2000)));
        assert_eq!(recorded((16_384, 1)), Some((960, 1)));
        assert_eq!(recorded((0, 800)), None);
        assert_eq!(recorded((800, 0)), None);
    }

    #[test]
    fn a_screen_of_the_same_size_is_copied_from_the_top() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8];
        let picture = Picture::of_screen(&bytes, (1, 2), (1, 2));
        assert_eq!(picture.pixels, [[5, 6, 7], [1, 2, 3]]);
    }

    #[test]
    fn each_pixel_is_the_mean_of_its_area() {
        let bytes = screen((4, 2), |x, y| [[0, 100, 20, 40], [200, 100, 60, 80]][y][x]);
        let half = Picture::of_screen(&bytes, (4, 2), (2, 1));
        assert_eq!(greys(&half), [100, 50]);
        // Four pixels in three: the outer ones are three quarters one pixel and one quarter the next.
        let bytes = screen((4, 1), |x, _| [0, 120, 200, 40][x]);
        let narrow = Picture::of_screen(&bytes, (4, 1), (3, 1));
        assert_eq!(greys(&narrow), [30, 160, 80]);
    }

    #[test]
    fn a_flat_screen_stays_flat_at_any_size() {
        for (from, to) in [((7, 5), (3, 2)), ((3, 2), (7, 5)), ((1, 1), (4, 4))] {
            let picture = Picture::of_screen(&screen(from, |_, _| 201), from, to);
            assert_eq!(picture.size, to);
            assert!(greys(&picture).iter().all(|&grey| grey == 201));
        }
    }
}
