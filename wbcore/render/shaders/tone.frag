// The tone map of a picture that consists of light.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;

#include "view.glsl"
#include "finish.glsl"

void main() { color = vec4(displayed(texture(picture, uv).rgb, view.eye.w), 1.0); }
