// Ambient occlusion in screen space: the share of the horizon, in eight directions, that is not hidden by
// surfaces nearer than a radius. Source: manual, Camera.ambientOcclusionRadius.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;
uniform vec2 reach;  // half width and half height of the view at distance 1
uniform float radius;

#include "depths.glsl"

const int DIRECTIONS = 8, STEPS = 6;
const float PI = 3.14159265358979, FARTHEST = 200.0;

vec3 place_at(vec2 at) {
  float ahead = ahead_at(at);
  return vec3((2.0 * at - 1.0) * reach * ahead, ahead);
}

// The smaller of two steps, so that edges do not tilt the normal.
vec3 nearer(vec3 a, vec3 b) { return abs(a.z) < abs(b.z) ? a : b; }

void main() {
  vec3 here = place_at(uv);
  vec4 light = texture(picture, uv);
  if (here.z > FARTHEST) {
    color = light;
    return;
  }
  vec2 pixel = 1.0 / vec2(textureSize(picture, 0));
  vec2 x = vec2(pixel.x, 0.0), y = vec2(0.0, pixel.y);
  vec3 along_x = nearer(place_at(uv + x) - here, here - place_at(uv - x));
  vec3 along_y = nearer(place_at(uv + y) - here, here - place_at(uv - y));
  vec3 normal = normalize(cross(along_y, along_x));
  float hidden = 0.0;
  for (int i = 0; i < DIRECTIONS; ++i) {
    float angle = (float(i) + 0.5) * 2.0 * PI / float(DIRECTIONS), highest = 0.1;
    vec2 toward = vec2(cos(angle), sin(angle)) * radius / (2.0 * reach * here.z);
    for (int k = 1; k <= STEPS; ++k) {
      vec2 there = uv + toward * float(k * k) / float(STEPS * STEPS);
      if (any(lessThan(there, vec2(0.0))) || any(greaterThan(there, vec2(1.0)))) break;
      vec3 way = place_at((floor(there / pixel) + 0.5) * pixel) - here;  // depths belong to pixel centers
      float distance = length(way), rise = dot(way, normal) / max(distance, 1e-6);
      if (distance > radius || rise <= highest) continue;
      hidden += (rise - highest) * (1.0 - distance * distance / (radius * radius));
      highest = rise;
    }
  }
  color = vec4(light.rgb * (1.0 - hidden / float(DIRECTIONS)), 1.0);
}
