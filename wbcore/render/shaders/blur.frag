// A Gaussian blur of 13 pixels along one axis.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;
uniform vec2 along;  // one pixel

const float WEIGHTS[7] = float[7](0.1964, 0.1748, 0.1210, 0.0656, 0.0278, 0.0092, 0.0034);

void main() {
  vec3 sum = texture(picture, uv).rgb * WEIGHTS[0];
  for (int i = 1; i < 7; ++i)
    sum +=
        (texture(picture, uv + along * float(i)).rgb + texture(picture, uv - along * float(i)).rgb) * WEIGHTS[i];
  color = vec4(sum, 1.0);
}
