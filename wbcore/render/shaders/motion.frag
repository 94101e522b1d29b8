// Motion blur: a share of the previous picture remains.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D previous;
uniform float share;

void main() { color = mix(texture(picture, uv), texture(previous, uv), share); }
