// Lines and points: the color of their vertices or, where it is negative, that of the material.
#version 430 core

#include "view.glsl"
#include "surface.glsl"
#include "finish.glsl"

void main() {
  vec3 light = facing.r < 0.0 ? fields[3].rgb : facing;
  color = vec4(displayed(fogged(light, at - view.eye.xyz)), 1.0);
#ifdef NUMBERS
  shown = number;
#endif
}
