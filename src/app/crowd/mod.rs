//! Draws each entity as a capsule. A single quad draws them all, and its fragment shader reads one texel per capsule.
//!
//! A texel stores the time of the entity's last run and the direction in which the entity looked. From the time, the
//! shader (`assets/capsules.frag`) computes how far the capsule has faded. The CPU therefore has nothing to do for
//! entities that do not run.

pub mod ramps;
pub mod screen_map;
mod sync;
mod texel;

use egui::Rect;
use macroquad::math::{Vec2, vec2, vec4};
use macroquad::miniquad::{UniformDesc, UniformType};
use macroquad::prelude::{
    DrawTextureParams, FilterMode, Image, Material, MaterialParams, ShaderSource, Texture2D, WHITE,
    draw_texture_ex, gl_use_default_material, gl_use_material, load_material, screen_dpi_scale,
};
use screen_map::ScreenMap;
use std::ops::Range;
use sync::millis;
use texel::{EMPTY, TEXEL_BYTES, TIME_MODULUS, Texel};
use timeslicer::time::GameTime;

const VERTEX: &str = include_str!("../../../assets/capsules.vert");
const FRAGMENT: &str = include_str!("../../../assets/capsules.frag");
const VEC4_UNIFORMS: [&str; 4] = ["u_area", "u_grid", "u_cell", "u_time"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourMode {
    /// Whenever an entity runs, its capsule flashes red. The red then fades, and the capsule slowly turns grey.
    Flash,
    /// The colour of a capsule shows how long ago its entity last ran.
    Staleness,
}

pub struct Capsules {
    /// The shaders for three levels of detail: a heat map if cells are tiny, capsules without visors, and complete
    /// capsules. They are separate programs, because some drivers execute all branches of a program.
    materials: [Material; 3],
    map: ScreenMap,
    /// The texels of all capsules, row by row from the top. [`Capsules::upload`] copies changed rows to the texture.
    texels: Image,
    texture: Texture2D,
    /// The smallest range of rows that contains all changes since the last upload.
    changed_rows: Range<u16>,
    /// The world that the texels currently show, and in which state. If `None`, all texels will be updated.
    shown: Option<(u64, Shown)>,
}

/// Which state of the simulation the capsules currently show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// The current state. The number increases every 35 minutes, which causes an update of all capsules.
    Present(u64),
    Past(u64),
}

impl Capsules {
    /// Creates an instance that shows no entities yet. If another instance already exists, pass it as `others`. The new
    /// instance then shares its shaders, because macroquad allows only 32 shader programs.
    ///
    /// # Errors
    ///
    /// If the graphics driver rejects a shader. The error contains the driver's message.
    pub fn new(others: Option<&Self>) -> Result<Self, String> {
        let materials = match others {
            Some(others) => others.materials.clone(),
            None => [material(0)?, material(1)?, material(2)?],
        };
        let map = ScreenMap::new(0, Rect::ZERO, 1.0);
        let (texels, texture) = empty_texels(&map);
        Ok(Self {
            materials,
            map,
            texels,
            texture,
            changed_rows: 0..0,
            shown: None,
        })
    }

    /// Places the capsules, of which there are at most 1,000,000. This may be called every frame, because it is cheap if
    /// nothing has changed.
    ///
    /// Returns true if the number of columns, the number of rows or the view has changed. The caller must then set the
    /// state of all slots again. If the number of columns or rows has changed, all slots have become
    /// empty. Otherwise, slots keep their states, except that slots beyond the given number become
    /// empty.
    pub fn arrange(&mut self, map: ScreenMap) -> bool {
        if self.map == map {
            return false;
        }
        for place in map.places..self.map.places {
            self.set(place, EMPTY);
        }
        let before = std::mem::replace(&mut self.map, map);
        if (before.columns, before.rows) == (self.map.columns, self.map.rows) {
            return before.area != self.map.area;
        }
        (self.texels, self.texture) = empty_texels(&self.map);
        self.changed_rows = 0..0;
        true
    }

    /// Sets the texel of a capsule, if there is such a slot. Visible after the next [`Capsules::upload`].
    fn set(&mut self, slot: u32, after: Texel) {
        self.change(slot, |_| after);
    }

    /// Changes the texel of a capsule, if there is such a slot, depending on the previous one.
    fn change(&mut self, slot: u32, change: impl FnOnce(Texel) -> Texel) {
        if slot >= self.map.places {
            return;
        }
        let start = slot as usize * TEXEL_BYTES;
        let Some(texel) = self.texels.bytes[start..].first_chunk_mut::<TEXEL_BYTES>() else {
            return;
        };
        let after = change(*texel);
        if *texel != after {
            *texel = after;
            let row = (slot / self.map.columns) as u16;
            let changed = self.changed_rows.clone();
            self.changed_rows = if changed.is_empty() {
                row..row + 1
            } else {
                changed.start.min(row)..changed.end.max(row + 1)
            };
        }
    }

    /// Updates the texture on the GPU with all rows that have changed since the last call.
    pub fn upload(&mut self) {
        let rows = std::mem::take(&mut self.changed_rows);
        if rows.is_empty() {
            return;
        }
        let (width, height) = (self.texels.width, rows.end - rows.start);
        let [start, end] = [rows.start, rows.end].map(|row| usize::from(row) * usize::from(width));
        let part = Image {
            bytes: self.texels.bytes[start * TEXEL_BYTES..end * TEXEL_BYTES].to_vec(),
            width,
            height,
        };
        let (top, width, height) = (rows.start.into(), width.into(), height.into());
        self.texture.update_part(&part, 0, top, width, height);
    }

    /// Draws the floor and the capsules. A flash fades in `fade_ms` milliseconds, and after twice this time, a capsule
    /// is completely grey. Macroquad's camera must show the same area as the default one.
    pub fn draw(&self, now: GameTime, mode: ColourMode, fade_ms: f32) {
        let map = &self.map;
        let area = map.area;
        if area.w <= 0.0 || area.h <= 0.0 {
            return;
        }
        let (cell, origin) = (map.cell.as_vec2(), map.origin.as_vec2());
        let radius = map.pixel_radius as f32;
        let detail = if cell.x < 2.6 || cell.y < 2.6 {
            0
        } else if radius < 4.2 {
            1
        } else {
            2
        };
        let (columns, rows) = (map.columns as f32, map.rows as f32);
        let shows_staleness = mode == ColourMode::Staleness;
        let (fade, stale) = if shows_staleness {
            (1.0, ramps::STALE_MS)
        } else {
            (fade_ms.max(1.0), 2.0 * fade_ms)
        };
        // Capsules begin to turn grey while the rest of the red fades.
        let grey_from = fade * 0.5;
        let grey_for = (stale - grey_from).max(1.0);
        // Add half a millisecond so that rounding in the shader cannot put a run of this moment into the future.
        let now = (millis(now) as u32 % TIME_MODULUS) as f32 + 0.5;
        // The shader reads the 2 x 2 nearest cells, so a glow must be narrower than a cell. It is also limited for
        // large capsules, because a wide glow around them would not look like light.
        let glow = (0.5 + 30.0 / radius.max(1.0)).min(2.2);
        // Avoid dividing by the size of an empty cell, because the shader cannot handle infinities.
        let per = cell.max(Vec2::splat(f32::MIN_POSITIVE)).recip();

        let material = &self.materials[detail];
        let uniforms = [
            vec4(area.x, area.y, area.w, area.h),
            vec4(origin.x, origin.y, per.x, per.y),
            vec4(1.0 / columns, 1.0 / rows, radius, 1.0 / glow),
            vec4(now, 1.0 / fade, grey_from, 1.0 / grey_for),
        ];
        for (name, value) in VEC4_UNIFORMS.into_iter().zip(uniforms) {
            material.set_uniform(name, value);
        }
        material.set_uniform("u_staleness", f32::from(shows_staleness));
        let dpi = screen_dpi_scale();
        gl_use_material(material);
        // macroquad stores the uniforms and this texture for each quad, but a material's own textures only once.
        draw_texture_ex(
            &self.texture,
            area.x / dpi,
            area.y / dpi,
            WHITE,
            DrawTextureParams {
                dest_size: Some(vec2(area.w, area.h) / dpi),
                ..DrawTextureParams::default()
            },
        );
        gl_use_default_material();
    }
}

fn empty_texels(map: &ScreenMap) -> (Image, Texture2D) {
    let texels = Image {
        bytes: vec![0; (map.columns * map.rows) as usize * TEXEL_BYTES],
        width: map.columns as u16,
        height: map.rows as u16,
    };
    let texture = Texture2D::from_image(&texels);
    texture.set_filter(FilterMode::Nearest);
    (texels, texture)
}

fn material(detail: usize) -> Result<Material, String> {
    let vertex = format!("#version 100\n{VERTEX}");
    let ramps = ramps::shader();
    let fragment = format!("#version 100\n#define DETAIL {detail}\n{ramps}{FRAGMENT}");
    let mut uniforms = VEC4_UNIFORMS
        .map(|name| UniformDesc::new(name, UniformType::Float4))
        .to_vec();
    uniforms.push(UniformDesc::new("u_staleness", UniformType::Float1));
    load_material(
        ShaderSource::Glsl {
            vertex: &vertex,
            fragment: &fragment,
        },
        MaterialParams {
            uniforms,
            ..MaterialParams::default()
        },
    )
    .map_err(|error| format!("The graphics driver rejected the capsule shader: {error}"))
}
