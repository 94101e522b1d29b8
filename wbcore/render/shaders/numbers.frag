// The numbers of shapes.
#version 430 core

#include "surface.glsl"

void main() {
  color = vec4(0.0);
  shown = number;
}
