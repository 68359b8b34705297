//! Draws the game: the arena with its shadows, the player's light, the zombies, and the panel with measurements.

use crate::world::{Arena, SIZE, Search, World, centre_of};
use crate::{Game, Metrics};
use macroquad::prelude::*;
use timeslicer::strategy::STRATEGIES;

const INK: Color = Color::from_rgba(0x15, 0x17, 0x1c, 0xff);
const STONE: Color = Color::from_rgba(0x44, 0x4b, 0x57, 0xff);
const BACKGROUND: Color = Color::from_rgba(0x1a, 0x1d, 0x23, 0xff);
const RAISED: Color = Color::from_rgba(0x2e, 0x34, 0x3e, 0xff);
const CHOSEN: Color = Color::from_rgba(0x1f, 0x3a, 0x3c, 0xff);
const DIM: Color = Color::from_rgba(0x94, 0x9c, 0xa8, 0xff);
const TEXT: Color = Color::from_rgba(0xc3, 0xc8, 0xd0, 0xff);
const TEAL: Color = Color::from_rgba(0x2e, 0xc4, 0xb6, 0xff);
const RED: Color = Color::from_rgba(0xff, 0x44, 0x38, 0xff);
/// The kinds of work and their colours. Zombies that have just decided, and paths, are drawn in these colours, too.
const KINDS: [(&str, Color); 3] = [
    ("sensing, 10 Hz", Color::from_rgba(0x5a, 0xa9, 0xe6, 0xff)),
    ("paths, on request", PATH),
    ("decisions", RED),
];
const PATH: Color = Color::from_rgba(0xb0, 0x8c, 0xf0, 0xff);
const FRESH: Color = Color::from_rgba(0xe9, 0xe6, 0xdf, 0xff);
const STALE: Color = Color::from_rgba(0x5c, 0x60, 0x6a, 0xff);
const PANEL: f32 = 210.0; // width of the panel on the left, in units
const HELP: [&str; 4] = [
    "red: just decided, grey: stale",
    "walk: WASD or hold mouse",
    "fewer, more zombies: [ ]",
    "quit: Esc   picture: F12",
];
/// The keys that select the strategies, in the order of the registry.
pub const KEYS: &str = "1234567890-";

pub struct Renderer {
    floor: Texture2D,
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
        // Walls have a bright edge and a shadow, as if the light came from the upper left.
        let floor = paint(SIZE.x as u32 * 12, SIZE.y as u32 * 12, |position| {
            let is_wall = |offset| arena.is_wall(position * SIZE - offset);
            match (is_wall(0.0), is_wall(0.1), is_wall(0.35)) {
                (true, true, _) => STONE,
                (true, false, _) => mix(STONE, DIM, 0.4),
                (false, _, is_shaded) => mix(INK, STONE, if is_shaded { 0.0 } else { 0.3 }),
            }
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

    pub fn draw(&mut self, game: &Game, shown: &Metrics) {
        self.unit = (screen_height() / 720.0).clamp(0.5, 2.0);
        let panel = vec2(PANEL * self.unit, 0.0);
        let room = vec2(screen_width(), screen_height()) - panel;
        self.tile = (room / SIZE).min_element().max(0.01);
        self.corner = panel + (room - SIZE * self.tile) / 2.0;
        clear_background(BACKGROUND);
        self.draw_sprite(&self.floor, SIZE / 2.0, SIZE, 0.0, WHITE);
        self.draw_paths(&game.world);
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

    /// Draws the paths that have just been found, and the tiles that unfinished searches have reached.
    fn draw_paths(&self, world: &World) {
        for zombie in &world.zombies {
            let shade = 0.5 - world.now + zombie.path_found_at;
            let mut from = self.to_pixels(zombie.position);
            for &tile in zombie.path.iter().rev().filter(|_| shade > 0.0) {
                let to = self.to_pixels(centre_of(tile));
                draw_line(from.x, from.y, to.x, to.y, 1.0, PATH.with_alpha(shade));
                from = to;
            }
            for tile in zombie.search.iter().flat_map(Search::reached) {
                let Vec2 { x, y } = self.to_pixels(centre_of(tile) - 0.5);
                draw_rectangle(x, y, self.tile, self.tile, PATH.with_alpha(0.2));
            }
        }
    }

    /// Draws the zombies: red just after a decision, then white, and grey when stale. Those that do not see the player
    /// are dimmer.
    fn draw_zombies(&self, world: &World) {
        for zombie in &world.zombies {
            let age = world.now - zombie.decided_at;
            let colour = mix(mix(FRESH, RED, 0.8 - 4.0 * age), STALE, age - 0.2);
            let colour = mix(INK, colour, if zombie.sees_player { 1.0 } else { 0.6 });
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
        let x = (x * self.unit - width * share).round(); // sharp only at whole pixels
        draw_text_ex(text, x, (y * self.unit).round(), params);
    }

    fn draw_panel(&self, game: &Game, shown: &Metrics) {
        let (left, right) = (14.0, PANEL - 14.0);
        let budget = 1e3 * game.budget.budget().as_secs_f32();
        let row = |y: f32, name: &str, value: &str| {
            self.write(left, y, 0.0, name, TEXT);
            self.write(right, y, 1.0, value, WHITE);
        };

        // The time that the last frames spent on each kind of work. The line marks the budget.
        let (floor, per_ms) = (102.0, 54.0 / budget);
        self.fill(left, floor - 90.0, right - left, 90.0, INK);
        let frames = shown.spent.iter().chain(&game.metrics.spent).rev();
        for (frame, spent) in frames.take(60).enumerate() {
            let mut top = floor;
            for (milliseconds, (_, colour)) in spent.iter().zip(KINDS) {
                let height = (milliseconds * per_ms).min(top - floor + 90.0);
                top -= height;
                self.fill(right - 3.0 * (frame + 1) as f32, top, 2.0, height, colour);
            }
        }
        self.fill(left, floor - 54.0, right - left, 1.0, WHITE);
        let label = format!("the last 60 frames; line: {budget} ms");
        self.write(left + 4.0, floor - 76.0, 0.0, &label, DIM);

        let metrics = shown.named();
        for (index, (name, colour)) in KINDS.into_iter().enumerate() {
            let y = 124.0 + 20.0 * index as f32;
            self.fill(left, y - 10.0, 10.0, 10.0, colour);
            let (name, mean) = (format!("     {name}"), metrics[index].1);
            row(y, &name, &format!("{mean:.2} ms"));
        }
        let [.., (_, together), (waits, waiting), _, _, _] = metrics;
        row(184.0, "together", &format!("{together:.2} of {budget} ms"));
        row(204.0, waits, &waiting.to_string());

        self.write(left, 238.0, 0.0, "decisions by", DIM);
        for (index, (entry, key)) in STRATEGIES.iter().zip(KEYS.chars()).enumerate() {
            let y = 246.0 + 22.0 * index as f32;
            let is_current = index == game.strategy;
            if is_current {
                self.fill(left - 6.0, y, PANEL - 16.0, 21.0, CHOSEN);
            }
            let [cap, ink, text] = if is_current {
                [TEAL, INK, WHITE]
            } else {
                [RAISED, TEXT, TEXT]
            };
            self.fill(left, y + 2.0, 17.0, 17.0, cap);
            self.write(left + 8.5, y + 15.0, 0.5, &key.to_string(), ink);
            self.write(left + 27.0, y + 15.5, 0.0, entry.name, text);
        }
        let (zombies, bites) = (game.world.zombies.len() as f32, game.world.bites as f32);
        let rate = ("frames a second", get_fps() as f32);
        let rows = [("zombies", zombies), ("bites", bites), rate];
        for (index, (name, value)) in rows.iter().chain(&metrics[5..]).enumerate() {
            row(520.0 + 19.0 * index as f32, name, &format!("{value:.0}"));
        }
        for (line, help) in HELP.iter().enumerate() {
            self.write(left, 660.0 + 17.0 * line as f32, 0.0, help, DIM);
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
