// Colors that are displayed as they are: for pictures that consist of light, the light that the tone map shows so.
#version 430 core
#include "view.glsl"

uniform vec4 shown;  // red, green, blue, opacity
layout(location = 0) out vec4 color;

void main() {
#ifdef LINEAR
  vec3 part = pow(min(shown.rgb, vec3(0.999)), vec3(2.2));
  color = vec4(-log(1.0 - part) / max(view.eye.w, 1e-6), shown.a);
#else
  color = shown.bgra;
#endif
}
