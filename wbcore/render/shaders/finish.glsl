// From light to displayed values: the tone map with exposure and a gamma of 2.2; blue comes first, as in the
// pictures of cameras.
vec3 displayed(vec3 light, float exposure) {
#ifdef LINEAR
  return light;
#else
  // x^(1 / 2.2) by a polynomial in x^(1 / 4), whose error is below 0.2 displayed values.
  vec3 q = sqrt(sqrt(1.0 - exp(-max(light, 0.0) * exposure)));
  return (q * (0.032577 + q * (1.245668 + q * (0.139806 * q - 0.418051)))).bgr;
#endif
}
