// Colors that are displayed as they are: for pictures that consist of light, the light that the tone map shows so.
#version 430 core
#include "view.glsl"

uniform vec4 shown;  // red, green, blue, opacity
layout(location = 0) out vec4 color;

void main() {
#ifdef LINEAR
  vec3 part = pow(min(shown.rgb, vec3(0.999)), vec3(2.2));
#ifdef FINE
  // The positive root x of x (2.51 x + 0.03) = part (x (2.43 x + 0.59) + 0.14).
  vec3 a = 2.51 - 2.43 * part, b = 0.03 - 0.59 * part;
  vec3 light = (sqrt(b * b + 0.56 * a * part) - b) / (2.0 * FILM_FACTOR * a);
#else
  vec3 light = -log(1.0 - part);
#endif
  color = vec4(light / max(view.eye.w, 1e-6), shown.a);
#else
  color = shown.bgra;
#endif
}
