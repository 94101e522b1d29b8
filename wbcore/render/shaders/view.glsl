// What all programs know of a picture; the layout of `ViewBlock` in blocks.py.
layout(std140, binding = 0) uniform View {
  mat4 clip;            // from the world to clip space
  vec4 eye;             // place; exposure
  vec4 forward;         // viewing direction; 1: fog by distance along it
  vec4 sky;             // color of the sky; luminosity
  vec4 ambient;         // sum of the lights
  vec4 fog_color;       // linear; 0: no fog, 1: linear, 2: exponential, 3: exponential with square
  vec4 fog_range;       // 1 / visibility range
  vec4 shadow_texel;    // width of a texel of each shadow map; in cones, at distance 1
  mat4 shadow_clip[4];  // from the world to each shadow map
}
view;
