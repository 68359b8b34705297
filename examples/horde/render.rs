//! Draws the game: the arena with its shadows, the player's light, the zombies, and the panel with measurements.

use crate::{Arena, Figures, Game, SIZE, World};
use macroquad::prelude::*;
use std::f32::consts::TAU;
use timeslicer::strategy::STRATEGIES;

const INK: Color = Color::from_rgba(0x15, 0x17, 0x1c, 0xff);
const STONE: Color = Color::from_rgba(0x44, 0x4b, 0x57, 0xff);
const BACKGROUND: Color = Color::from_rgba(0x1a, 0x1d, 0x23, 0xff);
const RAISED: Color = Color::from_rgba(0x2e, 0x34, 0x3e, 0xff);
const CHOSEN: Color = Color::from_rgba(0x1f, 0x3a, 0x3c, 0xff);
const DIM: Color = Color::from_rgba(0x94, 0x9c, 0xa8, 0xff);
const TEXT: Color = Color::from_rgba(0xc3, 0xc8, 0xd0, 0xff);
const TEAL: Color = Color::from_rgba(0x2e, 0xc4, 0xb6, 0xff);
const RED: Color = Color::from_rgba(0xff, 0x44, 0x38, 0xff); // the colour of a task that just ran
const FRESH: Color = Color::from_rgba(0xe9, 0xe6, 0xdf, 0xff);
const STALE: Color = Color::from_rgba(0x5c, 0x60, 0x6a, 0xff);
const LIGHT: f32 = 28.0; // how far the player sees
const PANEL: f32 = 210.0; // width of the panel on the left, in units
const HELP: [&str; 4] = [
    "red: just thought, grey: stale",
    "walk: WASD or hold mouse",
    "fewer, more zombies: [ ]",
    "quit: Esc   picture: F12",
];
/// The keys that select the strategies, in the order of the registry.
pub const KEYS: &str = "1234567890-";

pub struct Renderer {
    floor: Texture2D,
    glow: Texture2D,
    zombie: Texture2D,
    font: Font,
    /// The position of the arena's top left corner, in pixels.
    corner: Vec2,
    /// The number of pixels per unit of the panel.
    unit: f32,
    /// The number of pixels per tile of the arena.
    pub tile: f32,
}

fn mix(from: Color, to: Color, share: f32) -> Color {
    Color::from_vec(from.to_vec().lerp(to.to_vec(), share.clamp(0.0, 1.0)))
}

/// Creates a texture. `colour` is called with positions from 0 to 1 in both directions.
fn paint(width: u32, height: u32, colour: impl Fn(Vec2) -> Color) -> Texture2D {
    let mut image = Image::gen_image_color(width as u16, height as u16, BLANK);
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let position = vec2(x as f32 + 0.5, y as f32 + 0.5) / uvec2(width, height).as_vec2();
        image.set_pixel(x, y, colour(position));
    }
    Texture2D::from_image(&image)
}

impl Renderer {
    pub fn new(arena: &Arena) -> Self {
        // Walls cast soft shadows to the lower right.
        let floor = paint(SIZE.x as u32 * 12, SIZE.y as u32 * 12, |position| {
            let point = position * SIZE;
            let near = |ray| point + Vec2::from_angle(ray as f32 * 2.4) * (ray as f32).sqrt() / 6.0;
            let walls = (0..24)
                .filter(|&ray| arena.is_wall(near(ray) - 0.25))
                .count();
            let (ground, shade) = if arena.is_wall(point) {
                (STONE, 0.6)
            } else {
                (mix(INK, STONE, 0.3), 1.0)
            };
            mix(ground, mix(INK, BLACK, shade), shade * walls as f32 / 24.0)
        });
        let glow = paint(128, 128, |position| {
            let near = 1.0 - 2.0 * position.distance(Vec2::splat(0.5));
            Color::from_rgba(0xff, 0xee, 0xc8, 0xff).with_alpha(0.5 * near.max(0.0).powi(2))
        });
        // A zombie seen from above: shoulders, two arms and a head, surrounded by a shadow.
        let zombie = paint(32, 32, |position| {
            let point = position * 2.0 - 1.0;
            let shoulders = (point * vec2(2.6, 1.5)).length() - 1.0;
            let arms = (point.abs() - vec2(0.0, 0.42)).length() - point.x.signum() * 0.1;
            let head = (point * 3.0).length() - 1.0;
            let edge = shoulders.min(head).min(arms);
            let body = (0.5 - edge * 5.0).clamp(0.0, 1.0);
            let shine = body * if head < 0.0 { 1.0 } else { 0.7 };
            Color::new(shine, shine, shine, body.max(0.5 - edge))
        });
        let font = load_ttf_font_from_bytes(include_bytes!("../../assets/fonts/Ubuntu-Light.ttf"));
        Self {
            floor,
            glow,
            zombie,
            font: font.expect("a font"),
            corner: Vec2::ZERO,
            unit: 1.0,
            tile: 1.0,
        }
    }

    pub fn to_pixels(&self, point: Vec2) -> Vec2 {
        self.corner + point * self.tile
    }

    pub fn draw(&mut self, game: &Game, shown: &Figures) {
        self.unit = (screen_height() / 720.0).clamp(0.5, 2.0);
        let panel = vec2(PANEL * self.unit, 0.0);
        let room = vec2(screen_width(), screen_height()) - panel;
        self.tile = (room / SIZE).min_element().max(0.01);
        self.corner = panel + (room - SIZE * self.tile) / 2.0;
        clear_background(BACKGROUND);
        self.draw_sprite(&self.floor, SIZE / 2.0, SIZE, 0.0, WHITE);
        self.draw_light(&game.world);
        self.draw_zombies(&game.world);
        let player = self.to_pixels(game.world.player);
        let nose = player + game.world.gaze * self.tile * 0.4;
        draw_circle(player.x, player.y, self.tile * 0.75, INK);
        draw_circle(player.x, player.y, self.tile * 0.6, TEAL);
        draw_circle(nose.x, nose.y, self.tile * 0.22, WHITE);
        self.draw_panel(game, shown);
        if is_key_pressed(KeyCode::F12) {
            save("horde.png");
        }
    }

    /// Draws a texture. `centre` and `size` are in tiles, and `angle` is in radians.
    fn draw_sprite(&self, texture: &Texture2D, centre: Vec2, size: Vec2, angle: f32, tint: Color) {
        let params = DrawTextureParams {
            dest_size: Some(size * self.tile),
            rotation: angle,
            ..Default::default()
        };
        let corner = self.to_pixels(centre - size / 2.0);
        draw_texture_ex(texture, corner.x, corner.y, tint, params);
    }

    /// Draws what the player sees, which is a fan of rays that end at walls.
    fn draw_light(&self, world: &World) {
        let vertex = |offset: Vec2| {
            let at = self.to_pixels(world.player + offset);
            Vertex::new2(at.extend(0.0), offset / LIGHT / 2.0 + 0.5, WHITE)
        };
        let mut fan = Mesh {
            vertices: vec![vertex(Vec2::ZERO)],
            indices: Vec::new(),
            texture: Some(self.glow.clone()),
        };
        for ray in 0..720 {
            let direction = Vec2::from_angle(f32::from(ray) * TAU / 720.0);
            let length = world.arena.ray(world.player, direction, LIGHT) + 0.2;
            fan.vertices.push(vertex(direction * length));
            fan.indices.extend([0, ray + 1, (ray + 1) % 720 + 1]);
        }
        draw_mesh(&fan);
    }

    /// Draws the zombies: red just after a run, then white, and grey when stale. All colours are dimmer in the dark.
    fn draw_zombies(&self, world: &World) {
        for zombie in &world.zombies {
            let age = world.now - zombie.thought_at;
            let colour = mix(mix(FRESH, RED, 0.8 - 4.0 * age), STALE, age - 0.2);
            let light = 1.0 - zombie.position.distance(world.player) / LIGHT;
            let colour = mix(INK, colour, 0.5 + 0.5 * light.max(0.0));
            let (size, angle) = (Vec2::splat(1.2), zombie.facing.to_angle());
            self.draw_sprite(&self.zombie, zombie.position, size, angle, colour);
        }
    }

    fn fill(&self, x: f32, y: f32, w: f32, h: f32, colour: Color) {
        let [x, y, w, h] = [x, y, w, h].map(|side| side * self.unit);
        draw_rectangle(x, y, w, h, colour);
    }

    /// Writes text that starts at `x` if `share` is 0, is centred there if it is 0.5, and ends there if it is 1.
    fn write(&self, x: f32, y: f32, share: f32, text: &str, color: Color) {
        let (font, font_size) = (Some(&self.font), (14.0 * self.unit) as u16);
        let width = measure_text(text, font, font_size, 1.0).width;
        let params = TextParams {
            font,
            font_size,
            color,
            ..Default::default()
        };
        draw_text_ex(text, x * self.unit - width * share, y * self.unit, params);
    }

    fn draw_panel(&self, game: &Game, shown: &Figures) {
        let (left, right) = (14.0, PANEL - 14.0);
        for (index, (entry, key)) in STRATEGIES.iter().zip(KEYS.chars()).enumerate() {
            let y = 12.0 + 25.0 * index as f32;
            let is_current = index == game.strategy;
            if is_current {
                self.fill(left - 6.0, y, PANEL - 16.0, 23.0, CHOSEN);
            }
            let [cap, ink, text] = if is_current {
                [TEAL, INK, WHITE]
            } else {
                [RAISED, TEXT, TEXT]
            };
            self.fill(left, y + 3.0, 17.0, 17.0, cap);
            self.write(left + 8.5, y + 16.0, 0.5, &key.to_string(), ink);
            self.write(left + 27.0, y + 16.5, 0.0, entry.name, text);
        }
        let (zombies, bites) = (game.world.zombies.len() as f32, game.world.bites);
        let metrics = shown.named().into_iter();
        let rows = [("zombies", zombies), ("bites", bites)];
        let rows = rows.into_iter().chain(metrics);
        for (index, (name, value)) in rows.enumerate() {
            let y = 318.0 + 23.0 * index as f32;
            self.write(left, y, 0.0, name, TEXT);
            let decimals = usize::from(name.ends_with("ms") || name.ends_with('%'));
            self.write(right, y, 1.0, &format!("{value:.decimals$}"), WHITE);
        }
        // The thinking time of the last frames. The line marks 1/60 s.
        let floor = 622.0;
        self.fill(left, floor - 66.0, right - left, 66.0, INK);
        let frames = shown.thinking.iter().chain(&game.metrics.thinking).rev();
        for (frame, thinking) in frames.take(60).enumerate() {
            let (x, height) = (3.0 * (frame + 1) as f32, (thinking * 2e3).clamp(1.0, 66.0));
            self.fill(right - x, floor - height, 2.0, height, RED);
        }
        self.fill(left, floor - 33.3, right - left, 1.0, DIM);
        let label = "thinking; line: 16.7 ms";
        self.write(left + 4.0, floor - 40.0, 0.0, label, DIM);
        for (line, help) in HELP.iter().enumerate() {
            self.write(left, 648.0 + 20.0 * line as f32, 0.0, help, DIM);
        }
    }
}

/// Saves the screen as a PNG, or does nothing if the file cannot be written.
fn save(path: &str) {
    let mut image = get_screen_data();
    for pixel in image.get_image_data_mut() {
        pixel[3] = 0xff; // the screen is opaque
    }
    // `export_png` panics if it cannot write.
    if std::fs::write(path, []).is_ok() {
        image.export_png(path);
    }
}
