// The corners of the one quad that all capsules are painted on. Capsules puts "#version 100" before it.
precision highp float;

attribute vec3 position;
attribute vec2 texcoord;

uniform mat4 Model;
uniform mat4 Projection;
// The quad in physical pixels from the window's top left, y down: x, y, width, height.
uniform vec4 u_area;

// Where in the window a fragment lies, in the same pixels. Not gl_FragCoord: that counts from the bottom
// of whatever is drawn into.
varying vec2 v_pixel;

void main() {
    v_pixel = u_area.xy + texcoord * u_area.zw;
    gl_Position = Projection * Model * vec4(position, 1.0);
}
