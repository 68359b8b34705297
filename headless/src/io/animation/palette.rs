//! Palettes: the few colours that represent all colours of a picture.

/// Number of entries in a table; the last one means "unchanged".
pub const TABLE: usize = 128;

/// Largest number of colours. More of them make a file larger, and hardly better.
const COLOURS: usize = 96;

/// Bits per channel that tell two colours apart.
const BITS: u32 = 6;

/// The colours of a picture.
pub struct Palette {
    colours: Vec<[u8; 3]>,
    /// Index of the nearest colour for each [`key`]; `UNKNOWN` before the first search.
    nearest: Vec<u16>,
}

const UNKNOWN: u16 = u16::MAX;

/// Number of a colour in a table of all colours, which ignores the lowest bits.
fn key(colour: [u8; 3]) -> usize {
    let bits = colour.map(|value| usize::from(value >> (8 - BITS)));
    bits[0] << (2 * BITS) | bits[1] << BITS | bits[2]
}

/// Colours with the same [`key`].
#[derive(Clone, Copy, Default)]
struct Shade {
    mean: [f32; 3],
    count: f32,
}

/// Shades that share a colour of the palette.
struct Cluster {
    shades: Vec<Shade>,
    mean: [f32; 3],
    /// Sum of squared distances from the mean, per channel.
    spread: [f32; 3],
}

impl Cluster {
    fn new(shades: Vec<Shade>) -> Self {
        let count: f32 = shades.iter().map(|shade| shade.count).sum();
        let sum = |value: &dyn Fn(&Shade) -> f32| -> f32 {
            shades.iter().map(|shade| shade.count * value(shade)).sum()
        };
        let mean = [0, 1, 2].map(|channel| sum(&|shade| shade.mean[channel]) / count);
        let spread =
            [0, 1, 2].map(|channel| sum(&|shade| (shade.mean[channel] - mean[channel]).powi(2)));
        Self {
            shades,
            mean,
            spread,
        }
    }

    fn error(&self) -> f32 {
        self.spread.iter().sum()
    }

    /// Splits the cluster at the mean of the channel that varies most. `None` if all shades are equal.
    fn split(&self) -> Option<[Self; 2]> {
        let channel = (0..3).max_by(|&a, &b| self.spread[a].total_cmp(&self.spread[b]))?;
        let is_low = |shade: &Shade| shade.mean[channel] < self.mean[channel];
        let (low, high): (Vec<Shade>, Vec<Shade>) = self.shades.iter().copied().partition(is_low);
        (!low.is_empty() && !high.is_empty()).then(|| [Self::new(low), Self::new(high)])
    }
}

impl Palette {
    /// Chooses colours for these pixels: splits the cluster with the largest error until there are enough.
    #[must_use]
    pub fn of(pixels: &[[u8; 3]]) -> Self {
        let mut clusters = vec![Cluster::new(shades(pixels))];
        while clusters.len() < COLOURS {
            let errors = clusters.iter().map(Cluster::error).enumerate();
            let worst = errors.max_by(|(_, a), (_, b)| a.total_cmp(b));
            let Some((worst, Some(halves))) =
                worst.map(|(index, _)| (index, clusters[index].split()))
            else {
                break;
            };
            clusters.swap_remove(worst);
            clusters.extend(halves);
        }
        let colour = |cluster: &Cluster| cluster.mean.map(|value| (value + 0.5) as u8);
        Self {
            colours: clusters.iter().map(colour).collect(),
            nearest: vec![UNKNOWN; 1 << (3 * BITS)],
        }
    }

    /// Returns the index of a colour that is near this one, and that colour.
    pub fn nearest(&mut self, colour: [u8; 3]) -> (u8, [u8; 3]) {
        let known = &mut self.nearest[key(colour)];
        if *known == UNKNOWN {
            let all = (0..).zip(&self.colours);
            let nearest = all.min_by_key(|(_, entry)| squared_distance(**entry, colour));
            *known = nearest.map_or(0, |(index, _)| index);
        }
        (*known as u8, self.colours[usize::from(*known)])
    }

    /// Returns the table of a GIF: red, green and blue of each colour, filled up to [`TABLE`] colours.
    #[must_use]
    pub fn table(&self) -> Vec<u8> {
        let mut table = self.colours.as_flattened().to_vec();
        table.resize(TABLE * 3, 0);
        table
    }
}

fn squared_distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    let squares = one
        .iter()
        .zip(other)
        .map(|(a, b)| u32::from(a.abs_diff(b)).pow(2));
    squares.sum()
}

/// Returns the shades of these pixels.
fn shades(pixels: &[[u8; 3]]) -> Vec<Shade> {
    let mut all = vec![Shade::default(); 1 << (3 * BITS)];
    for &pixel in pixels {
        let shade = &mut all[key(pixel)];
        shade.count += 1.0;
        for (mean, value) in shade.mean.iter_mut().zip(pixel) {
            *mean += (f32::from(value) - *mean) / shade.count;
        }
    }
    all.retain(|shade| shade.count > 0.0);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_exactly() {
        let colours = [[0x15, 0x17, 0x1c], [0xff, 0x44, 0x38], [0x2e, 0xc4, 0xb6]];
        let pixels: Vec<[u8; 3]> = (0..5000).map(|at| colours[at * at % 3]).collect();
        let pixels = [pixels, vec![colours[2]]].concat();
        let mut palette = Palette::of(&pixels);
        for colour in colours {
            assert_eq!(palette.nearest(colour).1, colour);
        }
        assert_eq!(palette.colours.len(), 3);
    }

    #[test]
    fn many_colours_get_near_ones() {
        let pixels: Vec<[u8; 3]> = (0..=255_u8)
            .flat_map(|red| (0..=255).map(move |green| [red, green, 128]))
            .collect();
        let mut palette = Palette::of(&pixels);
        assert_eq!(palette.colours.len(), COLOURS);
        for pixel in pixels {
            let (index, near) = palette.nearest(pixel);
            assert_eq!(near, palette.colours[usize::from(index)]);
            assert!(squared_distance(near, pixel) < 900, "{pixel:?} is {near:?}");
        }
    }

    #[test]
    fn tables_are_filled_up() {
        for pixels in [&[[9, 8, 7]][..], &[[1, 2, 3], [200, 100, 50]]] {
            let table = Palette::of(pixels).table();
            assert_eq!(table.len(), TABLE * 3);
        }
        assert_eq!(Palette::of(&[[9, 8, 7]]).table()[..4], [9, 8, 7, 0]);
    }
}
