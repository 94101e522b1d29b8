// Adds the glow of bright parts: blurred pictures, each half as large as the one before.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D glow_1;
layout(binding = 2) uniform sampler2D glow_2;
layout(binding = 3) uniform sampler2D glow_3;
layout(binding = 4) uniform sampler2D glow_4;
layout(binding = 5) uniform sampler2D glow_5;
layout(binding = 6) uniform sampler2D glow_6;

void main() {
  vec3 light = texture(picture, uv).rgb;
  light += 0.01 * texture(glow_1, uv).rgb + 0.02 * texture(glow_2, uv).rgb + 0.04 * texture(glow_3, uv).rgb;
  light += 0.08 * texture(glow_4, uv).rgb + 0.16 * texture(glow_5, uv).rgb + 0.32 * texture(glow_6, uv).rgb;
  color = vec4(light, 1.0);
}
