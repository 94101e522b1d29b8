// What the vertex shader hands to the others, and the textures of a group.
in vec3 at;       // place in the world
in vec3 facing;   // normal, of any length; of lines and points: a color
in vec2 uv;       // as in the mesh
in vec2 mapped;   // after the TextureTransform
flat in vec4 fields[4];  // of the material record
flat in uint number;

// The same in the whole picture. It comes with the vertices, because software renderers check each reading
// of a uniform block, which would cost as much as the light itself.
flat in vec4 eye;      // place; exposure
flat in vec4 sky;      // color; luminosity
flat in vec4 ambient;  // sum of the lights; 1 / visibility range in fog
flat in vec4 forward;  // viewing direction; 1: fog by distance along it
flat in vec4 fog_color;

layout(location = 0) out vec4 color;
#ifdef NUMBERS
layout(location = 1) out uint shown;
#endif

// From sRGB to linear, after filtering, as in Webots.
vec4 linear(vec4 color) {
#ifdef UNCONVERTED
  return color;
#else
  // ((c + 0.055) / 1.055)^2.4 by a polynomial, whose error is below 0.1 displayed values.
  vec3 c = color.rgb;
  vec3 bent = 0.001034 + c * (0.0288 + c * (0.557167 + c * (0.534196 - 0.12192 * c)));
  return vec4(mix(c * (1.0 / 12.92), bent, step(0.04045, c)), color.a);
#endif
}

layout(binding = 0) uniform sampler2D base_map;
layout(binding = 1) uniform sampler2D roughness_map;
layout(binding = 2) uniform sampler2D metalness_map;
layout(binding = 3) uniform sampler2D occlusion_map;
layout(binding = 4) uniform sampler2D normal_map;
layout(binding = 5) uniform sampler2D emissive_map;
layout(binding = 6) uniform sampler2D ink_map;
