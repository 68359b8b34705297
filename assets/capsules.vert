// Corners of the one quad that all capsules are painted on. Capsules::new puts "#version 100" before this text.
precision highp float;

attribute vec3 position;
attribute vec2 texcoord;

uniform mat4 Model;
uniform mat4 Projection;
// The quad in physical pixels from the window's top left, y down: x, y, width, height.
uniform vec4 u_area;

// Position of a fragment in the window, in the same pixels. gl_FragCoord would count from the bottom of the render
// target.
varying vec2 v_pixel;

void main() {
    v_pixel = u_area.xy + texcoord * u_area.zw;
    gl_Position = Projection * Model * vec4(position, 1.0);
}
