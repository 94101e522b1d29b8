// From light to displayed values: the tone map with exposure and a gamma of 2.2; blue comes first, as in the
// pictures of cameras. FINE: a curve as of film, with deeper shadows and softer highlights, after Narkowicz's
// approximation of ACES; its factor keeps a middle gray.
vec3 displayed(vec3 light, float exposure) {
#ifdef LINEAR
  return light;
#elif defined(FINE)
  vec3 x = max(light, 0.0) * (exposure * FILM_FACTOR);
  return pow(min((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 1.0), vec3(1.0 / 2.2)).bgr;
#else
  // x^(1 / 2.2) by a polynomial in x^(1 / 4), whose error is below 0.2 displayed values.
  vec3 q = sqrt(sqrt(1.0 - exp(-max(light, 0.0) * exposure)));
  return (q * (0.032577 + q * (1.245668 + q * (0.139806 * q - 0.418051)))).bgr;
#endif
}
