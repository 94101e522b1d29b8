// A share of a second picture is added.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D added;
uniform float share;

void main() { color = vec4(texture(picture, uv).rgb + share * texture(added, uv).rgb, 1.0); }
