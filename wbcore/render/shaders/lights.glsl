// Lights: what arrives at a point from each. Source: manual, chapters PointLight and SpotLight.
//
// FOR_EACH_LIGHT(point, normal, with), which light_macros.py writes, calls `with` for each of them.
layout(std140, binding = 1) uniform Lights { vec4 lights[MOST_LIGHTS * 5]; };
flat in vec4 light_rows[LIGHT_ROWS];
#ifdef SHADOWS
layout(binding = 14) uniform sampler2DArrayShadow shadow_maps;
#endif
#ifdef CUBE_SHADOWS
layout(binding = 11) uniform samplerCubeArrayShadow shadow_cubes;
#endif

struct Light {
  vec3 toward;      // unit vector to the light
  vec3 color;       // with attenuation
  float intensity;  // the light's own
};

Light directional_light(vec4 color, vec4 beam) { return Light(-beam.xyz, color.rgb * color.a, color.a); }

Light point_light(vec4 color, vec4 place, vec4 terms, vec3 point) {
  vec3 way = place.xyz - point;
  float inverse = inversesqrt(dot(way, way)), distance = dot(way, way) * inverse;
  float left = step(distance, terms.w) / (terms.x + distance * (terms.y + distance * terms.z));
  return Light(way * inverse, color.rgb * (color.a * left), color.a);
}

Light spot_light(vec4 color, vec4 place, vec4 terms, vec4 beam, vec4 cone, vec3 point) {
  Light light = point_light(color, place, terms, point);
  float angle = acos(clamp(dot(light.toward, -beam.xyz), -1.0, 1.0));
  light.color *= clamp((cone.y - angle) * cone.z, 0.0, 1.0);
  return light;
}

#ifdef SHADOWS
// What a shadow map leaves of a light; `above` is the point lifted off its surface, so that it does not shade itself.
Light shaded(Light light, float map, mat4 clip, vec3 above) {
  vec4 place = clip * vec4(above, 1.0);
  vec3 inside = place.xyz / place.w * 0.5 + 0.5;
  light.color *= texture(shadow_maps, vec4(inside.xy, map, min(inside.z, 1.0)));
  return light;
}
#endif

#ifdef CUBE_SHADOWS
// The same for a point light: the depth on the face of the cube that the point is seen through.
Light shaded_around(Light light, float cube, vec4 place, float near, vec3 above) {
  vec3 way = above - place.xyz, size = abs(way);
  float ahead = max(max(size.x, size.y), size.z), far = place.w;
  float depth = (far + near - 2.0 * far * near / ahead) / (far - near) * 0.5 + 0.5;
  light.color *= texture(shadow_cubes, vec4(way, cube), clamp(depth, 0.0, 1.0));
  return light;
}
#endif
