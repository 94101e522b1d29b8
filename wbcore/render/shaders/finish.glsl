// From light to displayed values: fog, then the tone map with exposure and a gamma of 2.2.
vec3 fogged(vec3 light, vec3 way) {
#ifndef FOG
  return light;
#else
  float distance = view.forward.w > 0.5 ? dot(way, view.forward.xyz) : length(way);
  float left = 1.0 - distance * view.fog_range.x;
  if (view.fog_color.a > 2.5)
    left = exp(-distance * distance * view.fog_range.x * view.fog_range.x);
  else if (view.fog_color.a > 1.5)
    left = exp(-distance * view.fog_range.x);
  return mix(light, view.fog_color.rgb, pow(1.0 - clamp(left, 0.0, 1.0), 2.2));
#endif
}

vec3 displayed(vec3 light) {
#ifdef LINEAR
  return light;
#else
  // x^(1 / 2.2) by a polynomial in x^(1 / 4), whose error is below 0.2 displayed values.
  vec3 q = sqrt(sqrt(1.0 - exp(-max(light, 0.0) * view.eye.w)));
  return q * (0.032577 + q * (1.245668 + q * (0.139806 * q - 0.418051)));
#endif
}
