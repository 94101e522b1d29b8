// The bright parts of a picture: where the mean luma of 3 x 3 pixels reaches the threshold.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;
uniform float threshold;

void main() {
  vec2 step = 1.0 / vec2(textureSize(picture, 0));
  vec3 sum = vec3(0.0);
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y) sum += texture(picture, uv + vec2(x, y) * step).rgb;
  bool is_bright = dot(sum / 9.0, vec3(0.299, 0.587, 0.114)) >= threshold;
  color = vec4(is_bright ? min(texture(picture, uv).rgb, vec3(4000.0)) : vec3(0.0), 1.0);
}
