//! Draws all entities as capsules with a single quad. A fragment shader reads one texel per entity.
//!
//! A texel stores *when* the entity ran and in which direction it looked. The shader (`assets/capsules.frag`) computes
//! the fading from this and the current time, so idle entities cost nothing. The CPU time per frame depends on the
//! number of tasks that ran, and the GPU time on the number of pixels.

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
/// The shader uniforms that consist of four numbers.
const UNIFORMS: [&str; 5] = ["u_area", "u_grid", "u_cell", "u_time", "u_weight"];

/// What the colours of the capsules show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourMode {
    /// Each run makes a capsule flash. The flash fades, and halfway through, the capsule starts to turn grey.
    #[default]
    Flash,
    /// The colour shows the time since the entity's last run.
    Staleness,
    /// The colour shows the entity's weight, which depends on its distance from the target. Runs still flash.
    Significance,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Colours {
    pub mode: ColourMode,
    /// How long the flash of a run takes to fade, in milliseconds. After twice this time, a capsule is completely grey.
    pub fade_ms: f32,
    /// Distance from the target within which the weight is 1, in units of the world.
    pub near: f32,
    pub falloff: f32,
}

/// The capsules of a lane, one for each slot.
pub struct Capsules {
    /// The shaders for three levels of detail. The first draws a heat map, for cells less than 2.6 pixels wide or high.
    /// The second draws capsules without visors, for radii of less than 4.2 pixels. The third draws everything. Each
    /// level has its own shader program, because some drivers execute all branches of a program.
    materials: [Material; 3],
    layout: CapsuleLayout,
    /// One texel per slot, in rows from the top. [`Capsules::upload`] copies the changed rows to `texture`.
    texels: Image,
    texture: Texture2D,
    /// The range of rows that spans all changes since the last upload.
    changed_rows: Range<u16>,
    /// What the texels currently show. `None` forces an update of all capsules.
    shown: Option<Shown>,
}

/// What the texels of a lane's capsules currently show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// The current state. The number identifies the interval in which all capsules were last updated.
    Present(u64),
    /// The past frame with this number.
    Past(u64),
}

impl Capsules {
    /// Creates capsules without slots. Pass existing capsules as `others` to share their shaders, because macroquad
    /// allows only 32 shader programs. Without `others`, the shaders are compiled.
    ///
    /// # Errors Returns the driver's message if it rejects a shader.
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

    /// Fits the world with `places` slots (at most 1,000,000) into `area`, which is in physical pixels from the
    /// window's top left corner. This may be called every frame, because it is cheap if nothing has changed.
    ///
    /// Returns true if the number of columns, the number of rows or the area changed. The caller must then set all
    /// slots again. If the number of columns or rows changed, all slots have become [`CapsuleState::Empty`]. Otherwise,
    /// slots keep their states, except that slots from `places` on become empty.
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

    /// Sets the state of the slot `place`. The change is visible after the next [`Capsules::upload`]. Slots out of
    /// range are ignored.
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

    /// Queues a quad that shows the floor and the capsules within `zoom`. Requires macroquad's default camera, or a
    /// camera that shows the same area.
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

/// Creates the texels for a layout, in which all slots are empty.
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
