// Places the vertices of a drawing, which are in the world's axes.
#version 430 core
#include "view.glsl"

layout(location = 0) in vec3 position;

#ifdef GL_ES
uniform float point_size;
#endif

void main() {
  gl_Position = view.clip * vec4(position, 1.0);
#ifdef GL_ES
  gl_PointSize = point_size;
#endif
}
