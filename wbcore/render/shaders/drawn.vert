// Places the vertices of a drawing, which are in the world's axes.
#version 430 core
#include "view.glsl"

layout(location = 0) in vec3 position;

void main() { gl_Position = view.clip * vec4(position, 1.0); }
