// Fog over a surface. Source: manual, chapter Fog.
vec3 fogged(vec3 light, vec3 way) {
#ifndef FOG
  return light;
#else
  float distance = forward.w > 0.5 ? dot(way, forward.xyz) : length(way);
  float left = 1.0 - distance * ambient.w;
  if (fog_color.a > 2.5)
    left = exp(-distance * distance * ambient.w * ambient.w);
  else if (fog_color.a > 1.5)
    left = exp(-distance * ambient.w);
  return mix(light, fog_color.rgb, pow(1.0 - clamp(left, 0.0, 1.0), 2.2));
#endif
}
