// Light without the share that occlusion.frag measured: the mean over a window, in which every turn and shift
// occurs once, of pixels about as far away.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D occlusion;  // share; distance along the view

const int WINDOW = 4;
const float SAME = 0.05;  // largest difference of distances, as a share

void main() {
  ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(occlusion, 0) - 1;
  float ahead = texelFetch(occlusion, here, 0).g, hidden = 0.0, count = 0.0;
  for (int y = 0; y < WINDOW; ++y)
    for (int x = 0; x < WINDOW; ++x) {
      vec2 near = texelFetch(occlusion, clamp(here + ivec2(x, y) - WINDOW / 2, ivec2(0), last), 0).rg;
      if (abs(near.y - ahead) > SAME * ahead) continue;
      hidden += near.x;
      count += 1.0;
    }
  color = vec4(texelFetch(picture, here, 0).rgb * (1.0 - hidden / max(count, 1.0)), 1.0);
}
