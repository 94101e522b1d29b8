// Lines and points: the color of their vertices or, where it is negative, that of the material.
#version 430 core

#include "surface.glsl"
#include "fog.glsl"
#include "finish.glsl"

void main() {
#ifdef ROUND
  vec2 off = 2.0 * gl_PointCoord - 1.0;
  if (dot(off, off) > 1.0) discard;
#endif
  vec3 light = facing.r < 0.0 ? fields[3].rgb : facing;
  color = vec4(displayed(fogged(light, at - eye.xyz), eye.w), fields[0].a);
#ifdef NUMBERS
  shown = number;
#endif
}
