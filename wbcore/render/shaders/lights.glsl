// Lights: what arrives at a point from each. Source: manual, chapters PointLight and SpotLight.
//
// The lights are sorted: directional, then point, then spot lights.
layout(std140, binding = 1) uniform Lights { vec4 lights[MOST_LIGHTS * 5]; };
#ifdef SHADOWS
layout(binding = 14) uniform sampler2DArrayShadow shadow_maps;
#endif

struct Light {
  vec3 toward;      // unit vector to the light
  vec3 color;       // with attenuation
  float intensity;  // the light's own
};

// The share of light that arrives; 1.5 texels above the surface, so that it does not shade itself.
float lit_share(int shadow, vec3 point, vec3 normal, float distance) {
#ifdef SHADOWS
  if (shadow < 0) return 1.0;
  vec3 above = point + normal * (1.5 * view.shadow_texel[shadow] * distance);
  vec4 place = view.shadow_clip[shadow] * vec4(above, 1.0);
  vec3 inside = place.xyz / place.w * 0.5 + 0.5;
  return texture(shadow_maps, vec4(inside.xy, float(shadow), min(inside.z, 1.0)));
#else
  return 1.0;
#endif
}

Light directional_light(int i, vec3 point, vec3 normal) {
  vec4 color = lights[5 * i], beam = lights[5 * i + 2];
  return Light(-beam.xyz, color.rgb * color.a * lit_share(int(beam.w), point, normal, 1.0), color.a);
}

Light point_light(int i, vec3 point, vec3 normal) {
  vec4 color = lights[5 * i], terms = lights[5 * i + 3];
  vec3 way = lights[5 * i + 1].xyz - point;
  float inverse = inversesqrt(dot(way, way)), distance = dot(way, way) * inverse;
  float left = step(distance, terms.w) / (terms.x + distance * (terms.y + distance * terms.z));
  return Light(way * inverse, color.rgb * (color.a * left), color.a);
}

Light spot_light(int i, vec3 point, vec3 normal) {
  vec4 beam = lights[5 * i + 2], cone = lights[5 * i + 4];
  Light light = point_light(i, point, normal);
  float angle = acos(clamp(dot(light.toward, -beam.xyz), -1.0, 1.0));
  light.color *= clamp((cone.y - angle) * cone.z, 0.0, 1.0) * lit_share(int(beam.w), point, normal, distance(lights[5 * i + 1].xyz, point));
  return light;
}

// Calls `with(light)` for each light.
#define FOR_EACH_LIGHT(point, normal, with)                                                             \
  for (int i = 0; i < DIRECTIONAL; ++i) with(directional_light(i, point, normal));                      \
  for (int i = DIRECTIONAL; i < DIRECTIONAL + POINTS; ++i) with(point_light(i, point, normal));         \
  for (int i = DIRECTIONAL + POINTS; i < DIRECTIONAL + POINTS + SPOTS; ++i)                             \
    with(spot_light(i, point, normal));
