//! Picture of all entities: one quad, one fragment shader, one texel per entity.
//!
//! A texel holds *when* an entity ran and where it looked. The shader (`assets/capsules.frag`) derives the fading from
//! both and from the current time, so idle entities cost nothing. The processor's work per frame depends on the number
//! of tasks that ran, and the graphics card's work on the number of pixels.

mod layout;
pub mod ramps;
pub mod screen_map;
mod sync;
mod texel;

pub use layout::{CapsuleLayout, Zoom};
pub use texel::CapsuleState;

use headless::sim::world::Point;
use macroquad::math::{Rect, Vec2, vec2, vec4};
use macroquad::miniquad::{UniformDesc, UniformType};
use macroquad::prelude::{
    DrawTextureParams, FilterMode, Image, Material, MaterialParams, ShaderSource, Texture2D, WHITE,
    draw_texture_ex, gl_use_default_material, gl_use_material, load_material, screen_dpi_scale,
};
use std::ops::Range;
use sync::millis;
use texel::{TEXEL, TIME_MODULUS};
use timeslicer::time::GameTime;

const VERTEX: &str = include_str!("../../../assets/capsules.vert");
const FRAGMENT: &str = include_str!("../../../assets/capsules.frag");
/// Uniforms of four numbers.
const UNIFORMS: [&str; 5] = ["u_area", "u_grid", "u_cell", "u_time", "u_weight"];

/// Meaning of the capsules' colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourMode {
    /// Runs flash and fade. Halfway through the fading, a capsule begins to turn grey.
    #[default]
    Flash,
    /// Time since the last run.
    Staleness,
    /// Weight by the distance from the target. Runs flash.
    Significance,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Colours {
    pub mode: ColourMode,
    /// Time from a run until its flash is over. After twice this time, the capsule is all grey.
    pub fade_ms: f32,
    /// Distance from the target up to which the weight is 1.
    pub near: f32,
    pub falloff: f32,
}

/// The capsules of a lane.
pub struct Capsules {
    /// Levels of detail: a heat map, for cells less than 2.6 pixels wide or high; capsules without visors, for a radius
    /// of less than 4.2 pixels (the smallest turn into boxes); and everything. Each level has its own shader program,
    /// because some drivers execute all branches of a program.
    materials: [Material; 3],
    layout: CapsuleLayout,
    /// One texel per place, rows from the top. [`Capsules::upload`] copies changed rows to `texture`.
    texels: Image,
    texture: Texture2D,
    /// Rows from the first to the last one that has changed since the last upload.
    changed_rows: Range<u16>,
    /// `None` forces an update of all capsules.
    shown: Option<Shown>,
}

/// Picture that the texels hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// The present, with the number of the interval in which all capsules were last updated.
    Present(u64),
    /// A past frame, with its number.
    Past(u64),
}

impl Capsules {
    /// Returns capsules without places. They share the shaders of `others`, because macroquad allows only 32 shader
    /// programs. Without `others`, compiles the shaders.
    ///
    /// # Errors
    /// If the driver rejects a shader. The error is the driver's message.
    pub fn new(others: Option<&Self>) -> Result<Self, String> {
        let materials = match others {
            Some(others) => others.materials.clone(),
            None => [material(0)?, material(1)?, material(2)?],
        };
        let layout = CapsuleLayout::fit(0, Rect::default());
        let (texels, texture) = empty(&layout);
        Ok(Self {
            materials,
            layout,
            texels,
            texture,
            changed_rows: 0..0,
            shown: None,
        })
    }

    /// Stretches the plane with `places` (at most 1,000,000) over `area` (physical pixels, y down, from the window's top
    /// left). Cheap if neither has changed, so it may be called every frame.
    ///
    /// Returns true if the number of columns, the number of rows or the area changed. The caller must then set all
    /// places again. A change of columns or rows makes all of them [`CapsuleState::Empty`]. Otherwise, places keep
    /// their states, except that any beyond `places` become empty.
    pub fn arrange(&mut self, places: u32, area: Rect) -> bool {
        if self.layout.places == places && self.layout.area == area {
            return false;
        }
        for place in places..self.layout.places {
            self.set(place, CapsuleState::Empty);
        }
        let before = std::mem::replace(&mut self.layout, CapsuleLayout::fit(places, area));
        if (before.columns, before.rows) == (self.layout.columns, self.layout.rows) {
            return before.area != self.layout.area;
        }
        (self.texels, self.texture) = empty(&self.layout);
        self.changed_rows = 0..0;
        true
    }

    /// Sets the state of `place`, visible after the next [`Capsules::upload`]. Ignores places beyond the last.
    pub fn set(&mut self, place: u32, state: CapsuleState) {
        if place >= self.layout.places {
            return;
        }
        let start = place as usize * TEXEL;
        let Some(texel) = self.texels.bytes[start..].first_chunk_mut::<TEXEL>() else {
            return;
        };
        let after = state.texel(*texel);
        if *texel != after {
            *texel = after;
            let row = (place / self.layout.columns) as u16;
            let changed = self.changed_rows.clone();
            self.changed_rows = if changed.is_empty() {
                row..row + 1
            } else {
                changed.start.min(row)..changed.end.max(row + 1)
            };
        }
    }

    /// Uploads the rows that have changed since the last call.
    pub fn upload(&mut self) {
        let rows = std::mem::take(&mut self.changed_rows);
        if rows.is_empty() {
            return;
        }
        let (width, height) = (self.texels.width, rows.end - rows.start);
        let [start, end] = [rows.start, rows.end].map(|row| usize::from(row) * usize::from(width));
        let part = Image {
            bytes: self.texels.bytes[start * TEXEL..end * TEXEL].to_vec(),
            width,
            height,
        };
        let (top, width, height) = (rows.start.into(), width.into(), height.into());
        self.texture.update_part(&part, 0, top, width, height);
    }

    /// Queues one quad, with the floor and the capsules that `zoom` shows. Requires macroquad's default camera, or one of
    /// the same extent.
    pub fn draw(&self, now: GameTime, target: Point, colours: Colours, zoom: Zoom) {
        let layout = self.layout.magnified(zoom);
        let area = layout.area;
        if area.w <= 0.0 || area.h <= 0.0 {
            return;
        }
        let (cell, origin) = (layout.cell.as_vec2(), layout.origin.as_vec2());
        let radius = layout.radius as f32;
        let detail = if cell.x < 2.6 || cell.y < 2.6 {
            0
        } else if radius < 4.2 {
            1
        } else {
            2
        };
        let (columns, rows) = (layout.columns as f32, layout.rows as f32);
        let is = |mode: ColourMode| f32::from(colours.mode == mode);
        let modes = vec2(is(ColourMode::Staleness), is(ColourMode::Significance));
        let (fade, stale) = match colours.mode {
            ColourMode::Staleness => (1.0, ramps::STALE_MS),
            _ => (colours.fade_ms.max(1.0), 2.0 * colours.fade_ms),
        };
        // Capsules begin to turn grey while the last of the red fades.
        let grey_from = fade * 0.5;
        let grey_for = (stale - grey_from).max(1.0);
        // Half a millisecond ahead, so that rounding in the shader cannot put a run of this moment into the future.
        let now = (millis(now) as u32 % TIME_MODULUS) as f32 + 0.5;
        // The shader reads the 2 x 2 nearest cells, so a glow must be narrower than a cell. A wide glow around a huge
        // capsule would not look like light, so the width is limited, too.
        let glow = (0.5 + 30.0 / radius.max(1.0)).min(2.2);
        // An empty cell would put infinities into the shader.
        let per = cell.max(Vec2::splat(f32::MIN_POSITIVE)).recip();
        let near = 1.0 / colours.near.max(f32::MIN_POSITIVE);

        let material = &self.materials[detail];
        let uniforms = [
            vec4(area.x, area.y, area.w, area.h),
            vec4(origin.x, origin.y, per.x, per.y),
            vec4(1.0 / columns, 1.0 / rows, radius, 1.0 / glow),
            vec4(now, 1.0 / fade, grey_from, 1.0 / grey_for),
            vec4(target.x, target.y, near, colours.falloff),
        ];
        for (name, value) in UNIFORMS.into_iter().zip(uniforms) {
            material.set_uniform(name, value);
        }
        material.set_uniform("u_modes", modes);
        let dpi = screen_dpi_scale();
        gl_use_material(material);
        // macroquad keeps uniforms and this texture for each quad, but a material's own textures only once.
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

/// Returns texels for a layout, all of empty places.
fn empty(layout: &CapsuleLayout) -> (Image, Texture2D) {
    let texels = Image {
        bytes: vec![0; (layout.columns * layout.rows) as usize * TEXEL],
        width: layout.columns as u16,
        height: layout.rows as u16,
    };
    let texture = Texture2D::from_image(&texels);
    texture.set_filter(FilterMode::Nearest);
    (texels, texture)
}

fn material(detail: usize) -> Result<Material, String> {
    let vertex = format!("#version 100\n{VERTEX}");
    let ramps = ramps::shader();
    let fragment = format!("#version 100\n#define DETAIL {detail}\n{ramps}{FRAGMENT}");
    let mut uniforms = UNIFORMS
        .map(|name| UniformDesc::new(name, UniformType::Float4))
        .to_vec();
    uniforms.push(UniformDesc::new("u_modes", UniformType::Float2));
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
    .map_err(|error| format!("The graphics driver rejects the capsules' shader: {error}"))
}
