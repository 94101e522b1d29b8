// Depth of field: what is out of focus is mixed from twelve places on a disk. Source: manual, chapter Focus.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D blurred;
uniform vec2 focus;  // distance in focus, and how far from it pictures are sharp

#include "depths.glsl"

const vec2 DISK[12] = vec2[12](
    vec2(0.00, 0.00), vec2(0.07, -0.45), vec2(-0.15, -0.33), vec2(0.35, -0.32), vec2(-0.39, -0.26),
    vec2(0.10, -0.23), vec2(0.36, -0.12), vec2(-0.31, -0.01), vec2(-0.38, 0.22), vec2(0.36, 0.23),
    vec2(-0.13, 0.29), vec2(0.14, 0.41));

// -1 and below: blurred in front; 0: in focus; up to 1.5: blurred behind.
float blur_at(vec2 place) {
  float off = (ahead_at(place) - focus.x) / focus.y;
  return min(off, 1.5);
}

void main() {
  float own = 0.5 * blur_at(uv) + 0.5;
  float radius = abs(own * 10.0 - 5.0);
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 12; ++i) {
    vec2 place = uv + DISK[i] * radius / vec2(textureSize(picture, 0));
    float there = blur_at(place), share = min(abs(there), 1.0);
    vec3 light = mix(texture(picture, place).rgb, texture(blurred, place).rgb, share);
    // Sharp things in front do not bleed into what is behind.
    float weight = there >= own ? 1.0 : share;
    sum += vec4(light * weight, weight);
  }
  color = vec4(sum.rgb / max(sum.a, 1e-6), 1.0);
}
