//! Picture of all entities: one quad, one fragment shader, one texel per entity.
//!
//! A texel holds *when* an entity ran and where it looked. The shader (`assets/capsules.frag`) derives the fading from
//! both and from the current time, so idle entities cost nothing. The processor's work per frame depends on the number
//! of tasks that ran, and the graphics card's work on the number of pixels.

mod dirty_rects;
mod layout;
pub(crate) mod ramps;
pub(crate) mod screen_map;
pub(crate) mod sync;
mod texel;
mod zoom;

pub use layout::CapsuleLayout;
pub use texel::CapsuleState;
pub use zoom::Zoom;

use dirty_rects::DirtyRects;
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

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Colours {
    /// Runs. A capsule flashes at its run and fades over `fade_ms` (at least 1). Halfway through, it begins to turn
    /// grey, and it is all grey `stale_ms` after the run.
    Flash {
        /// Time from the run until the flash is over.
        fade_ms: f32,
        /// Time from the run until the capsule is all grey.
        stale_ms: f32,
    },
    Staleness,
    Significance {
        /// Time from the run until the flash is over.
        fade_ms: f32,
        /// Distance from the target up to which the weight is 1.
        near: f32,
        falloff: f32,
    },
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
    /// One texel per place, rows from the top. [`Capsules::upload`] copies changed texels to `texture`.
    texels: Image,
    part: Image,
    texture: Texture2D,
    dirty: DirtyRects,
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
        let texture = texture(&texels);
        Self {
            materials,
            dirty: DirtyRects::none(layout.rows()),
            layout,
            texels,
            part: Image {
                bytes: Vec::new(),
                width: 0,
                height: 0,
            },
            texture,
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
        let before = std::mem::replace(&mut self.layout, CapsuleLayout::fit(places, area));
        let sides = |layout: &CapsuleLayout| (layout.columns(), layout.rows());
        if sides(&before) == sides(&self.layout) {
            for place in self.layout.places()..before.places() {
                self.write(place, CapsuleState::Empty);
            }
            return before.area() != self.layout.area();
        }
        self.texels = empty(&self.layout);
        self.texture = texture(&self.texels);
        self.dirty = DirtyRects::none(self.layout.rows());
        true
    }

    pub const fn layout(&self) -> &CapsuleLayout {
        &self.layout
    }

    /// Sets the state of `place`, visible after the next [`Capsules::upload`]. Ignores places beyond the last.
    pub fn set(&mut self, place: u32, state: CapsuleState) {
        if place < self.layout.places() {
            self.write(place, state);
        }
    }

    fn write(&mut self, place: u32, state: CapsuleState) {
        let start = place as usize * TEXEL;
        let Some(texel) = self.texels.bytes[start..].first_chunk_mut::<TEXEL>() else {
            return;
        };
        let after = state.texel(*texel);
        if *texel != after {
            *texel = after;
            let columns = self.layout.columns();
            self.dirty.add(place % columns, place / columns);
        }
    }

    /// Uploads the changes since the last call: none, a few rectangles, or all texels if most of them changed.
    pub fn upload(&mut self) {
        let columns = self.layout.columns() as usize;
        let most = self.layout.columns() * self.layout.rows() / 2;
        while let Some(rect) = self.dirty.take_rect() {
            if rect.texels() > most {
                self.texture.update(&self.texels);
                self.dirty.clear();
                return;
            }
            self.part.bytes.clear();
            let (first, past) = (usize::from(rect.span.first), usize::from(rect.span.past));
            for row in rect.top as usize..rect.bottom as usize {
                let start = row * columns;
                let bytes = &self.texels.bytes[(start + first) * TEXEL..(start + past) * TEXEL];
                self.part.bytes.extend_from_slice(bytes);
            }
            self.texture.update_part(
                &self.part,
                i32::from(rect.span.first),
                rect.top.cast_signed(),
                rect.span.len().cast_signed(),
                (rect.bottom - rect.top).cast_signed(),
            );
        }
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
        let (fade_ms, stale_ms) = match colours {
            Colours::Flash { fade_ms, stale_ms } => (fade_ms, stale_ms),
            Colours::Staleness => (1.0, ramps::STALE_MS),
            Colours::Significance { fade_ms, .. } => (fade_ms, 2.0 * fade_ms),
        };
        let (near, falloff) = match colours {
            Colours::Significance { near, falloff, .. } => (near, falloff),
            Colours::Flash { .. } | Colours::Staleness => (1.0, 0.0),
        };
        let modes = vec2(
            f32::from(colours == Colours::Staleness),
            f32::from(matches!(colours, Colours::Significance { .. })),
        );
        let fade = fade_ms.max(1.0);
        // Capsules begin to turn grey while the last of the red fades.
        let grey_from = fade * 0.5;
        let grey_for = (stale_ms - grey_from).max(1.0);
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
                    1.0 / near.max(f32::MIN_POSITIVE),
                    falloff,
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
