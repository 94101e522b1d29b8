// Ambient occlusion in screen space: the share of the horizon, in eight directions, that is hidden by
// surfaces nearer than a radius, and the distance. Source: manual, Camera.ambientOcclusionRadius.
// Neighboring pixels look in other directions and at other distances, so that no edge of a near surface
// appears again elsewhere; occluded.frag takes the mean over them. The target is half as wide and as high as the
// picture, for speed.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
uniform vec2 reach;  // half width and half height of the view at distance 1
uniform float radius;

#include "depths.glsl"

const int DIRECTIONS = 8, STEPS = 6, WINDOW = 4;
const float PI = 3.14159265358979, FARTHEST = 200.0;

vec3 place_at(vec2 at) {
  float ahead = ahead_at(at);
  return vec3((2.0 * at - 1.0) * reach * ahead, ahead);
}

// The smaller of two steps, so that edges do not tilt the normal.
vec3 nearer(vec3 a, vec3 b) { return abs(a.z) < abs(b.z) ? a : b; }

void main() {
  vec2 pixel = 1.0 / vec2(textureSize(depths, 0));
  vec2 own = (floor(uv / pixel) + 0.5) * pixel;  // depths belong to pixel centers
  vec3 here = place_at(own);
  if (here.z > FARTHEST) {
    color = vec4(0.0, here.z, 0.0, 1.0);
    return;
  }
  // In a window of 4 by 4 pixels every pair of turn and shift occurs once.
  ivec2 cell = ivec2(gl_FragCoord.xy) % WINDOW;
  float turn = float((cell.x + 2 * cell.y) % WINDOW) / float(WINDOW);
  float shift = float((3 * cell.x + cell.y) % WINDOW) / float(WINDOW);
  vec2 x = vec2(pixel.x, 0.0), y = vec2(0.0, pixel.y);
  vec3 along_x = nearer(place_at(own + x) - here, here - place_at(own - x));
  vec3 along_y = nearer(place_at(own + y) - here, here - place_at(own - y));
  vec3 normal = normalize(cross(along_y, along_x));
  float hidden = 0.0;
  for (int i = 0; i < DIRECTIONS; ++i) {
    float angle = (float(i) + turn) * 2.0 * PI / float(DIRECTIONS), highest = 0.1;
    vec2 toward = vec2(cos(angle), sin(angle)) * radius / (2.0 * reach * here.z);
    for (int k = 1; k <= STEPS; ++k) {
      float far = (float(k) - shift) / float(STEPS);
      vec2 there = own + toward * far * far;
      if (any(lessThan(there, vec2(0.0))) || any(greaterThan(there, vec2(1.0)))) break;
      vec3 way = place_at((floor(there / pixel) + 0.5) * pixel) - here;
      float distance = length(way), rise = dot(way, normal) / max(distance, 1e-6);
      if (distance > radius || rise <= highest) continue;
      hidden += (rise - highest) * (1.0 - distance * distance / (radius * radius));
      highest = rise;
    }
  }
  color = vec4(hidden / float(DIRECTIONS), here.z, 0.0, 1.0);
}
