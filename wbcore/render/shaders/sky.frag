// The sky box: squared pixels of the cube map are light.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 13) uniform samplerCube surroundings;
uniform float gain;            // light of a white pixel
uniform vec3 right, up, ahead;  // of the view; right and up scaled by its reach

#include "view.glsl"
#include "finish.glsl"

void main() {
  vec3 way = ahead + (2.0 * uv.x - 1.0) * right + (1.0 - 2.0 * uv.y) * up;
  vec3 texel = textureLod(surroundings, CUBE_AXES(way), 0.0).rgb;
  color = vec4(displayed(gain * texel * texel, view.eye.w), 1.0);
}
