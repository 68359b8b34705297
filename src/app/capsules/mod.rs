//! Picture of all entities: one quad, one fragment shader, one texel per entity.
//!
//! A texel holds *when* an entity ran and where it looked. The shader (`assets/capsules.frag`) derives the fading from
//! both and from the current time, so idle entities cost nothing. The processor's work per frame depends on the number
//! of tasks that ran, and the graphics card's work on the number of pixels.

mod layout;
pub(crate) mod ramps;
pub(crate) mod screen_map;
pub(crate) mod sync;
mod texel;

pub use layout::{CapsuleLayout, Zoom};
pub use texel::CapsuleState;

use headless::sim::world::Point;
use macroquad::math::{Rect, Vec4, vec2, vec4};
use macroquad::miniquad::{UniformDesc, UniformType};
use macroquad::prelude::{
    DrawTextureParams, FilterMode, Image, Material, MaterialParams, ShaderSource, Texture2D, WHITE,
    draw_texture_ex, gl_use_default_material, gl_use_material, load_material, screen_dpi_scale,
};
use texel::{TEXEL, TIME_MODULUS};

const VERTEX: &str = include_str!("../../../assets/capsules.vert");
const FRAGMENT: &str = include_str!("../../../assets/capsules.frag");

/// Level of detail. Each level has its own shader program, because some drivers execute all branches of a program.
#[derive(Debug, Clone, Copy)]
enum Detail {
    /// A heat map, for cells less than 2.6 pixels wide or high.
    Field,
    /// Capsules without visors, for a radius of less than 4.2 pixels. The smallest turn into boxes.
    Small,
    Full,
}

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

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Time on the clock of the [`CapsuleState`]s.
    pub now_ms: u32,
    pub target: Point,
}

#[derive(Debug)]
pub struct Capsules {
    materials: [Material; 3],
    layout: CapsuleLayout,
    /// One texel per place, rows from the top. [`Capsules::upload`] copies changed rows to `texture`.
    texels: Image,
    texture: Texture2D,
    /// For each row, whether it has changed since the last upload.
    changed_rows: Vec<bool>,
}

impl Capsules {
    /// Compiles the shaders. [`Capsules::arrange`] adds places.
    ///
    /// # Errors
    /// If the driver rejects a shader. The error is the driver's message.
    pub fn new() -> Result<Capsules, String> {
        let materials = [
            material(Detail::Field)?,
            material(Detail::Small)?,
            material(Detail::Full)?,
        ];
        Ok(Self::with(materials))
    }

    /// Returns capsules without places that share the shaders of these. macroquad allows only 32 shader programs.
    pub fn sharing_shaders(&self) -> Self {
        Self::with(self.materials.clone())
    }

    fn with(materials: [Material; 3]) -> Self {
        let layout = CapsuleLayout::fit(0, Rect::default());
        let texels = empty(&layout);
        Self {
            materials,
            changed_rows: vec![false; layout.rows() as usize],
            texture: texture(&texels),
            layout,
            texels,
        }
    }

    /// Stretches the plane with `places` (0 to 1,000,000) over `area` (physical pixels, y down, from the window's top left). Cheap if
    /// neither has changed, so it may be called every frame.
    ///
    /// Returns true if the number of columns, the number of rows or the area changed. The caller must then set all
    /// places again. A change of columns or rows makes all of them [`CapsuleState::Empty`]. Otherwise, places keep
    /// their states, except that any beyond `places` become empty.
    pub fn arrange(&mut self, places: u32, area: Rect) -> bool {
        if self.layout.places() == places && self.layout.area() == area {
            return false;
        }
        for place in places..self.layout.places() {
            self.set(place, CapsuleState::Empty);
        }
        let before = std::mem::replace(&mut self.layout, CapsuleLayout::fit(places, area));
        let sides = |layout: &CapsuleLayout| (layout.columns(), layout.rows());
        if sides(&before) == sides(&self.layout) {
            return before.area() != self.layout.area();
        }
        self.texels = empty(&self.layout);
        self.texture = texture(&self.texels);
        self.changed_rows = vec![false; self.layout.rows() as usize];
        true
    }

    pub const fn layout(&self) -> &CapsuleLayout {
        &self.layout
    }

    /// Sets the state of `place`, visible after the next [`Capsules::upload`]. Ignores places beyond the last.
    pub fn set(&mut self, place: u32, state: CapsuleState) {
        if place >= self.layout.places() {
            return;
        }
        let start = place as usize * TEXEL;
        let Some(texel) = self.texels.bytes[start..].first_chunk_mut::<TEXEL>() else {
            return;
        };
        let after = state.texel(*texel);
        if *texel != after {
            *texel = after;
            self.changed_rows[(place / self.layout.columns()) as usize] = true;
        }
    }

    /// Uploads the rows that have changed since the last call.
    pub fn upload(&mut self) {
        let (width, rows) = (self.texels.width, self.changed_rows.len());
        let row_bytes = usize::from(width) * TEXEL;
        let changed = self.changed_rows.iter().filter(|changed| **changed).count();
        if changed > rows / 2 {
            self.texture.update(&self.texels);
        } else if changed > 0 {
            let mut top = 0;
            for block in self.changed_rows.chunk_by(|row, next| row == next) {
                let height = block.len() as u16;
                if block[0] {
                    let rows = usize::from(top)..usize::from(top + height);
                    let part = Image {
                        bytes: self.texels.bytes[rows.start * row_bytes..rows.end * row_bytes]
                            .to_vec(),
                        width,
                        height,
                    };
                    self.texture
                        .update_part(&part, 0, top.into(), width.into(), height.into());
                }
                top += height;
            }
        }
        self.changed_rows.fill(false);
    }

    /// Queues the picture of all capsules in the area, or of those that `zoom` shows. Requires macroquad's default
    /// camera, or one of the same extent.
    pub fn draw(&self, moment: Moment, colours: Colours, zoom: Zoom) {
        self.draw_layout(&self.layout.magnified(zoom), moment, colours);
    }

    pub fn draw_overview(&self, moment: Moment, colours: Colours, area: Rect) {
        let layout = CapsuleLayout::fit(self.layout.places(), area);
        self.draw_layout(&layout, moment, colours);
    }

    /// Queues one quad, with the floor and the capsules. Capsules outside the layout's area cost nothing.
    fn draw_layout(&self, layout: &CapsuleLayout, moment: Moment, colours: Colours) {
        let area = layout.area();
        if area.w <= 0.0 || area.h <= 0.0 {
            return;
        }
        let (cell, origin, radius) = (layout.cell(), layout.origin(), layout.radius());
        let detail = if cell.x < 2.6 || cell.y < 2.6 {
            Detail::Field
        } else if radius < 4.2 {
            Detail::Small
        } else {
            Detail::Full
        };
        let (columns, rows) = (layout.columns() as f32, layout.rows() as f32);
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
        let now = (moment.now_ms % TIME_MODULUS) as f32 + 0.5;
        // The shader reads the 2 x 2 nearest cells, so a glow must be narrower than a cell. A wide glow around a huge
        // capsule would not look like light, so the width is limited, too.
        let glow = (0.5 + 30.0 / radius.max(1.0)).min(2.2);

        let material = &self.materials[detail as usize];
        // An empty cell would put infinities into the shader. It is not visible, so 0 is as good.
        let per = |side: f32| if side > 0.0 { 1.0 / side } else { 0.0 };
        let target = moment.target;
        let uniforms: [(&str, Vec4); 5] = [
            ("u_area", vec4(area.x, area.y, area.w, area.h)),
            ("u_grid", vec4(origin.x, origin.y, per(cell.x), per(cell.y))),
            (
                "u_cell",
                vec4(1.0 / columns, 1.0 / rows, radius, 1.0 / glow),
            ),
            ("u_time", vec4(now, 1.0 / fade, grey_from, 1.0 / grey_for)),
            (
                "u_weight",
                vec4(
                    target.x,
                    target.y,
                    1.0 / colours.near.max(f32::MIN_POSITIVE),
                    colours.falloff,
                ),
            ),
        ];
        for (name, value) in uniforms {
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

fn empty(layout: &CapsuleLayout) -> Image {
    Image {
        bytes: vec![0; (layout.columns() * layout.rows()) as usize * TEXEL],
        width: layout.columns() as u16,
        height: layout.rows() as u16,
    }
}

fn texture(texels: &Image) -> Texture2D {
    let texture = Texture2D::from_image(texels);
    texture.set_filter(FilterMode::Nearest);
    texture
}

fn material(detail: Detail) -> Result<Material, String> {
    let vertex = format!("#version 100\n{VERTEX}");
    let fragment = format!(
        "#version 100\n#define DETAIL {}\n{}{FRAGMENT}",
        detail as u8,
        ramps::shader()
    );
    let uniform = |name| UniformDesc::new(name, UniformType::Float4);
    let mut uniforms = ["u_area", "u_grid", "u_cell", "u_time", "u_weight"]
        .map(uniform)
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
