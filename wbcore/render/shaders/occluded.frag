// Light without the share that occlusion.frag measured: the mean over a window, in which every turn and shift
// occurs once, of places about as far away; where there are none, that of the place most equally far away.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D occlusion;  // share; distance along the view; half as wide and high

#include "depths.glsl"

const int WINDOW = 4;
const float SAME = 0.05;  // largest difference of distances, as a share

void main() {
  ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(occlusion, 0) - 1;
  ivec2 first = (here + 1) / 2 - WINDOW / 2;
  float ahead = ahead_at(uv), hidden = 0.0, count = 0.0, nearest = 1e30, other = 0.0;
  for (int y = 0; y < WINDOW; ++y)
    for (int x = 0; x < WINDOW; ++x) {
      vec2 near = texelFetch(occlusion, clamp(first + ivec2(x, y), ivec2(0), last), 0).rg;
      float apart = abs(near.y - ahead);
      if (apart < nearest) nearest = apart, other = near.x;
      if (apart > SAME * ahead) continue;
      hidden += near.x;
      count += 1.0;
    }
  hidden = count > 0.0 ? hidden / count : other;
  color = vec4(texelFetch(picture, here, 0).rgb * (1.0 - hidden), 1.0);
}
