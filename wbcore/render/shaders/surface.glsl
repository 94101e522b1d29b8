// What the vertex shader hands to the others, and the textures of a group.
in vec3 at;       // place in the world
in vec3 facing;   // normal, of any length; of lines and points: a color
in vec2 uv;       // as in the mesh
in vec2 mapped;   // after the TextureTransform
flat in vec4 fields[4];  // of the material record
flat in uint number;

layout(location = 0) out vec4 color;
#ifdef NUMBERS
layout(location = 1) out uint shown;
#endif

layout(binding = 0) uniform sampler2D base_map;
layout(binding = 1) uniform sampler2D roughness_map;
layout(binding = 2) uniform sampler2D metalness_map;
layout(binding = 3) uniform sampler2D occlusion_map;
layout(binding = 4) uniform sampler2D normal_map;
layout(binding = 5) uniform sampler2D emissive_map;
layout(binding = 6) uniform sampler2D ink_map;
