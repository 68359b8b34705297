// Paints every capsule. For each fragment, finds its cell and reads that cell's texel, which holds the state of one
// entity. Capsules::new puts "#version 100", DETAIL (0 a heat map, 1 small capsules, 2 everything) and the colours of
// staleness before this text. Lengths in a capsule are in radii, with its middle at 0 and y down. Ages are in
// milliseconds.
precision highp float;

uniform highp sampler2D Texture; // One texel per place: dead flag and time in R, G, B; gaze in A. See texel.rs.
uniform vec4 u_area;      // The area in physical pixels: x, y, width, height.
uniform vec4 u_grid;      // Left and top edge of the first cell in pixels; 1 / cell width, 1 / height.
uniform vec4 u_cell;      // 1 / columns, 1 / rows; a capsule's radius in pixels; 1 / reach of its glow in radii.
uniform float u_staleness; // 1 if colours show staleness, else 0.
uniform vec4 u_time;      // Now + 0.5; 1 / fade; age when greying begins; 1 / duration of greying.

varying vec2 v_pixel;

const vec3 FLOOR = vec3(0.082, 0.090, 0.110); // #15171c
const vec3 HOT = vec3(1.000, 0.267, 0.220);   // #ff4438
const vec3 BODY = vec3(0.914, 0.902, 0.875);  // #e9e6df
const vec3 STALE = vec3(0.590, 0.600, 0.626);

const float HALF_BODY = 0.75; // Half the straight part: the capsule reaches to 1.75 up and down.
const float FOOT = 1.75;
const float CIRCLE = 8388608.0; // Times count modulo 2^23.

float sq(float x) {
    return x * x;
}

// Middle of a cell's texel.
vec2 texel_at(vec2 cell) {
    return (cell + 0.5) * u_cell.xy;
}

// 1 inside the grid, 0 outside, because the texture repeats its edge there.
float within(vec2 at) {
    vec2 inside = step(abs(at - 0.5), vec2(0.5));
    return inside.x * inside.y;
}

float dead(vec4 texel) {
    return step(0.5, texel.r);
}

// Time since the time in the texel. Exact except for the half millisecond in u_time.x. The dead flag adds one full
// circle, but fract removes it.
float age(vec4 texel) {
    float at = floor(texel.r * 255.0 + 0.5) * 65536.0 + dot(texel.gb, vec2(65280.0, 255.0));
    float passed = fract((u_time.x - at) * (1.0 / CIRCLE)) * CIRCLE;
    // Times a few seconds in the future count as now, not as two hours ago.
    return passed * step(passed, CIRCLE - 8000.0);
}

// 1 for entities that have run, 0 for newborn and dead ones and for empty places.
float awake(vec4 texel) {
    return step(0.001, texel.a) * step(texel.a, 0.99) * (1.0 - dead(texel));
}

// 1 at the run and for a moment after it, 0 when the flash is over.
float heat(float passed) {
    float left = max(1.0 - passed * u_time.y, 0.0);
    return min(1.2 * sq(left) * (0.35 + 0.65 * left), 1.0);
}

// Colour of staleness: equal steps for equal ratios of time.
vec3 staleness(float passed) {
    float at = (log2(passed + 0.5) - FRESHEST) * PER_OCTAVE;
    vec3 color = mix(STALE_0, STALE_1, clamp(at, 0.0, 1.0));
    color = mix(color, STALE_2, clamp(at - 1.0, 0.0, 1.0));
    color = mix(color, STALE_3, clamp(at - 2.0, 0.0, 1.0));
    return mix(color, STALE_4, clamp(at - 3.0, 0.0, 1.0));
}

// 1 if the colour shows staleness. Always 0 for dead entities, because they have no staleness.
float shows_staleness(vec4 texel) {
    return u_staleness * (1.0 - dead(texel));
}

// Visibility of an entity, 0 to 1: newborns fade in within 250 ms, the dead fade out within 400 ms.
float presence(vec4 texel, float passed) {
    float is_dead = dead(texel);
    float newborn = step(0.99, texel.a) * (1.0 - is_dead);
    float coming = mix(1.0, min(passed * (1.0 / 250.0), 1.0), newborn);
    float there = mix(coming, max(1.0 - passed * (1.0 / 400.0), 0.0), is_dead);
    return there * there * (3.0 - 2.0 * there) * step(0.001, texel.a);
}

// 0 for recent runs, 1 for stale entities, at least 0.7 for dead ones.
float greyness(vec4 texel, float passed) {
    float grey = clamp((passed - u_time.z) * u_time.w, 0.0, 1.0);
    return max(grey * (2.0 - grey), 0.7 * dead(texel));
}

// Noise without a visible pattern, 0 to 1.
float noise(vec2 at) {
    return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715))));
}

// Noise of a pixel, -0.5 to 0.5, against banding in dark gradients.
float grain() {
    return noise(floor(v_pixel)) - 0.5;
}

// The floor: a wide pool of light, a little above the middle.
vec3 ground() {
    vec2 p = (v_pixel - u_area.xy) / u_area.zw - vec2(0.5, 0.42);
    float pool = max(1.0 - 2.2 * dot(p, p), 0.0);
    return FLOOR * (0.78 + 0.46 * pool);
}

#if DETAIL == 0

// Colour of one place seen from far away, and its heat in w. Idle places are dim, so that a single run among a million
// is visible.
vec4 spark(vec2 at, vec3 below) {
    vec2 cell = floor((at - u_grid.xy) * u_grid.zw);
    vec2 uv = texel_at(cell);
    vec4 texel = texture2D(Texture, uv);
    float passed = age(texel);
    float hot = heat(passed) * awake(texel) * (1.0 - u_staleness);
    float there = presence(texel, passed) * within(uv);
    vec3 color = mix(BODY * 0.56, STALE * 0.40, greyness(texel, passed));
    color = mix(color, HOT * 0.96, hot * (0.25 + 0.75 * hot));
    color = mix(color, staleness(passed), shows_staleness(texel));
    // Brightness varies from place to place, so that they look like a crowd, not a flat area.
    float own = fract(631.3 * noise(cell) + 359.7 * noise(cell.yx));
    color *= 1.0 + (0.50 - 0.28 * hot) * (1.0 - u_staleness) * (own - 0.5);
    // The most recent runs are a little brighter.
    color += vec3(0.04, 0.15, 0.11) * max(1.0 - 10.0 * passed * u_time.y, 0.0) * hot;
    return vec4(mix(below, color, there), hot * there);
}

void main() {
    vec3 below = ground();
    vec4 a = spark(v_pixel + vec2(-0.25, -0.25), below);
    vec4 b = spark(v_pixel + vec2(0.25, -0.25), below);
    vec4 c = spark(v_pixel + vec2(-0.25, 0.25), below);
    vec4 d = spark(v_pixel + vec2(0.25, 0.25), below);
    vec4 ab = a.w > b.w ? a : b;
    vec4 cd = c.w > d.w ? c : d;
    vec4 hottest = ab.w > cd.w ? ab : cd;
    vec3 mean = 0.25 * (a.rgb + b.rgb + c.rgb + d.rgb);
    vec3 color = mix(mean, hottest.rgb, 0.55 * smoothstep(0.0, 0.3, hottest.w));
    gl_FragColor = vec4(color + grain() / 255.0, 1.0);
}

#else

// Distance from a capsule's surface.
float surface(vec2 p) {
    return length(vec2(p.x, p.y - clamp(p.y, -HALF_BODY, HALF_BODY))) - 1.0;
}

// Light around a capsule that just ran.
float glow(vec4 texel, float passed, vec2 p) {
    float left = max(1.0 - 2.0 * passed * u_time.y, 0.0);
    float near = max(1.0 - max(surface(p), 0.0) * u_cell.w, 0.0);
    return sq(left) * sq(near) * near * awake(texel) * (1.0 - u_staleness);
}

float glow_of(vec2 cell, vec2 p) {
    vec2 uv = texel_at(cell);
    vec4 texel = texture2D(Texture, uv);
    return glow(texel, age(texel), p) * within(uv);
}

void main() {
    float radius = u_cell.z;
    vec2 place = (v_pixel - u_grid.xy) * u_grid.zw;
    vec2 cell = floor(place);
    vec2 scale = 1.0 / (u_grid.zw * radius); // A cell in radii.
    vec2 p = (place - cell - 0.5) * scale;
    vec2 next = vec2(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0);

    vec2 uv = texel_at(cell);
    vec4 texel = texture2D(Texture, uv);
    float inside = within(uv);
    float passed = age(texel);
    float is_awake = awake(texel);
    float hot = heat(passed) * is_awake * (1.0 - u_staleness);
    float there = presence(texel, passed) * inside;

    float shine = glow(texel, passed, p) * inside;
    float spill = glow_of(cell + vec2(next.x, 0.0), p - vec2(next.x, 0.0) * scale)
        + glow_of(cell + vec2(0.0, next.y), p - vec2(0.0, next.y) * scale)
        + glow_of(cell + next, p - next * scale);

    vec3 color = ground();

    // The ring that marks an empty place, and the shadow of an entity, on the side away from the light.
    float rest = (1.0 - there) * inside;
    vec2 e = vec2(p.x, (p.y - 1.50) * 2.6);
    float ring = max(1.0 - abs(length(e) - 0.80) * 4.5, 0.0);
    color += vec3(0.030, 0.032, 0.036) * ring * rest * min(radius / 6.0, 1.0);
    e = vec2(p.x - 0.22, (p.y - 1.53) * 3.1) / 1.32;
    float shade = max(1.0 - dot(e, e), 0.0);
    color *= 1.0 - 0.80 * shade * sqrt(shade) * there;

    float light = min(0.58 * shine + 0.46 * spill, 1.0);
    color = mix(color, HOT * vec3(1.0, 0.86, 0.86), light);

    // Entities grow out of the floor and sink into it.
    float grown = 0.55 + 0.45 * there;
    p = vec2(p.x, p.y - FOOT) / grown + vec2(0.0, FOOT);
    float pixels = radius * grown; // Sharpness of an edge.

    vec2 v = vec2(p.x, p.y - clamp(p.y, -HALF_BODY, HALF_BODY));
    float d2 = dot(v, v);
    float edge = sqrt(d2);
    float cover = clamp((1.0 - edge) * pixels + 0.5, 0.0, 1.0) * there;
    float nz = sqrt(max(1.0 - d2, 0.0));
    // Lighting uses rounder caps than the outline, to avoid a crease between the straight part and the caps.
    float turn_in = max(abs(p.y) - 0.30, 0.0) * (1.0 / 1.45);
    vec3 n = vec3(v.x, sign(p.y) * turn_in * turn_in, nz);

    vec3 base = mix(BODY, STALE, greyness(texel, passed));
    base = mix(base, HOT, hot);
    base = mix(base, staleness(passed), shows_staleness(texel));

    // Light from the top left, a sky above, the dark of the floor below.
    float key = max(dot(n, vec3(-0.44, -0.58, 0.686)), 0.0);
    float sky = 0.5 - 0.5 * n.y;
    float low = smoothstep(0.1, 1.9, p.y);
    float lit = (0.33 + 0.20 * sky + 0.64 * key) * (1.0 - 0.42 * low);
    // Hot capsules shine by themselves.
    lit = mix(lit, 0.72 + 0.30 * lit, hot * 0.9);
    // Staleness colours are lit evenly, so that they are readable.
    float even = shows_staleness(texel);
    lit = mix(lit, 0.86 + 0.14 * lit, even);
    vec3 body = base * lit;
    // A cool rim on the side away from the light, and red light from hot neighbours.
    float rim = 1.0 - nz;
    rim *= sq(rim);
    body += vec3(0.20, 0.25, 0.34) * rim * (0.35 + 0.65 * max(n.x, 0.0)) * (1.0 - hot) * (1.0 - 0.5 * low) * (1.0 - even);
    body += HOT * spill * (0.08 + 0.35 * rim) * (1.0 - hot);
    float gleam = max(dot(n, vec3(-0.240, -0.316, 0.918)), 0.0);
    gleam = sq(sq(gleam));
    float soft = gleam;
    gleam = sq(sq(sq(gleam)));
    body += (0.30 * gleam + 0.05 * soft) * (1.0 - 0.8 * even) * mix(vec3(1.0, 0.99, 0.96), vec3(1.0, 0.7, 0.6), hot);

#if DETAIL == 2
    // The visor follows the curved body: it turns about the vertical axis and narrows at the side.
    float direction = (floor(texel.a * 255.0 + 0.5) - 1.0) * 0.025132741;
    float looked = step(texel.a, 0.99);
    // If the gaze is unknown, the visor is open and blank: it points straight ahead and has no glint.
    float known = step(texel.a, 0.982);
    vec2 gaze = vec2(cos(direction), sin(direction)) * known;
    float turn = gaze.x * 0.70;
    float ahead = sqrt(1.0 - turn * turn);
    vec2 w = vec2(v.x * ahead - nz * turn, p.y + 0.52 - gaze.y * 0.24);
    float facing = v.x * turn + nz * ahead;
    // The visor is almost closed before the first run.
    float open = mix(0.16, 1.0, looked);
    vec2 frame = vec2(0.64, 0.33 * open);
    float corner = 0.26 * open;
    vec2 outside = abs(w) - frame + corner;
    float bezel = length(max(outside, 0.0)) + min(max(outside.x, outside.y), 0.0) - corner;
    float visor = clamp(0.5 - bezel * pixels, 0.0, 1.0) * step(0.0, facing);
    vec3 glass = mix(vec3(0.045, 0.050, 0.065), vec3(0.110, 0.120, 0.150), clamp(0.5 - w.y * 1.4, 0.0, 1.0));
    glass += 0.07 * clamp(1.0 + bezel * 10.0, 0.0, 1.0);
    glass += HOT * 0.08 * hot;
    vec2 g = (w - vec2(gaze.x * 0.26, gaze.y * 0.06 - 0.03)) / vec2(0.19, 0.125);
    float glint = clamp(0.5 + (1.0 - length(g)) * min(0.15 * pixels, 2.5), 0.0, 1.0) * known;
    glass = mix(glass, mix(vec3(0.94, 0.96, 1.0), vec3(0.60, 0.64, 0.72), greyness(texel, passed)), glint);
    body = mix(body, glass, visor * mix(0.6, 1.0, looked));
#else
    // Below a radius of 2.7 pixels capsules turn into boxes, which grow to fill their cells and form a field that the
    // next level of detail continues. A pixel's coverage is the exact share that the box covers, plus the share that
    // the next box covers. This avoids moire, because a box looks equally bright at every position relative to the
    // pixels.
    float melt = 1.0 - smoothstep(1.5, 2.7, radius);
    float grow = 0.85 - 0.85 * smoothstep(0.9, 2.2, radius);
    vec2 half_cell = 0.5 / u_grid.zw;
    vec2 box = mix(vec2(0.92, 1.55) * radius, half_cell, grow);
    vec2 off = abs(p) * radius;
    vec2 share = clamp(box + 0.5 - off, 0.0, 1.0) + clamp(box + 0.5 - 2.0 * half_cell + off, 0.0, 1.0);
    vec2 corner = off / box;
    float rounded = max(1.0 - 1.3 * (1.0 - grow) * sq(corner.x * corner.y), 0.0);
    cover = mix(cover, min(share.x, 1.0) * min(share.y, 1.0) * rounded * there, melt);
    body = mix(body, base * mix(0.84 - 0.26 * grow * (1.0 - hot) - 0.14 * (1.0 - grow) * n.y, 1.0, even), melt);
#endif

    color = mix(color, body, cover);
    gl_FragColor = vec4(color + grain() / 255.0, 1.0);
}

#endif
