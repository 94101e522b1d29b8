// Lights: what arrives at a point from each. Source: manual, chapters PointLight and SpotLight.
//
// FOR_EACH_LIGHT(point, normal, with), which light_macros.py writes, calls `with` for each of them.
layout(std140, binding = 1) uniform Lights { vec4 lights[MOST_LIGHTS * 5]; };
flat in vec4 light_rows[LIGHT_ROWS];
#ifdef SHADOWS
layout(binding = 14) uniform sampler2DArrayShadow shadow_maps;
#endif
#ifdef CUBE_SHADOWS
#ifdef GL_ES
layout(binding = 11) uniform sampler2DArrayShadow shadow_cubes;  // six layers for each cube
#else
layout(binding = 11) uniform samplerCubeArrayShadow shadow_cubes;
#endif
#endif

// How far points are lifted off their surface, so that they do not shade themselves (texels of a shadow map).
// FINE: shadows have soft edges, the mean over a disk of SOFT texels.
#ifdef FINE
const float LIFT = 3.5, SOFT = 2.0;
const int SAMPLES = 16;

// The places of a sunflower's seeds.
vec2 on_disk(int i) {
  float angle = float(i) * 2.399963, radius = sqrt((float(i) + 0.5) / float(SAMPLES));
  return radius * vec2(cos(angle), sin(angle));
}
#else
const float LIFT = 1.5;
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
// Which share of the light passes at a place of a map.
float passing(vec2 place, float map, float depth) {
#ifdef GL_ES
  if (any(lessThan(place, vec2(0.0))) || any(greaterThan(place, vec2(1.0)))) return 1.0;
#endif
  return texture(shadow_maps, vec4(place, map, depth));
}

// What a shadow map leaves of a light; `above` is the point lifted off its surface.
Light shaded(Light light, float map, mat4 clip, vec3 above) {
  vec4 place = clip * vec4(above, 1.0);
  vec3 inside = place.xyz / place.w * 0.5 + 0.5;
#ifdef FINE
  vec2 size = SOFT / vec2(textureSize(shadow_maps, 0).xy);
  float left = 0.0;
  for (int i = 0; i < SAMPLES; ++i)
    left += passing(inside.xy + on_disk(i) * size, map, min(inside.z, 1.0));
  light.color *= left / float(SAMPLES);
#else
  light.color *= passing(inside.xy, map, min(inside.z, 1.0));
#endif
  return light;
}
#endif

#ifdef CUBE_SHADOWS
// Which share of the light passes toward a direction. Source of the faces: OpenGL 4.3, table 8.19.
float passing_around(vec3 way, float cube, float depth) {
#ifdef GL_ES
  vec3 size = abs(way);
  vec4 face;  // along s, along t, ahead, number
  if (size.x >= size.y && size.x >= size.z)
    face = way.x > 0.0 ? vec4(-way.z, -way.y, size.x, 0.0) : vec4(way.z, -way.y, size.x, 1.0);
  else if (size.y >= size.z)
    face = way.y > 0.0 ? vec4(way.x, way.z, size.y, 2.0) : vec4(way.x, -way.z, size.y, 3.0);
  else
    face = way.z > 0.0 ? vec4(way.x, -way.y, size.z, 4.0) : vec4(-way.x, -way.y, size.z, 5.0);
  return texture(shadow_cubes, vec4(0.5 + 0.5 * face.xy / face.z, 6.0 * cube + face.w, depth));
#else
  return texture(shadow_cubes, vec4(way, cube), depth);
#endif
}

// The same for a point light: the depth on the face of the cube that the point is seen through.
Light shaded_around(Light light, float cube, vec4 place, float near, vec3 above) {
  vec3 way = above - place.xyz, size = abs(way);
  float ahead = max(max(size.x, size.y), size.z), far = place.w;
  float depth = (far + near - 2.0 * far * near / ahead) / (far - near) * 0.5 + 0.5;
#ifdef FINE
  // Two vectors across the way, as long as the disk's radius there.
  vec3 beside = normalize(cross(way, size.z < ahead ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec3 across = normalize(cross(way, beside));
  float radius = 2.0 * ahead * SOFT / float(textureSize(shadow_cubes, 0).x), left = 0.0;
  for (int i = 0; i < SAMPLES; ++i) {
    vec2 off = on_disk(i) * radius;
    left += passing_around(way + off.x * beside + off.y * across, cube, clamp(depth, 0.0, 1.0));
  }
  light.color *= left / float(SAMPLES);
#else
  light.color *= passing_around(way, cube, clamp(depth, 0.0, 1.0));
#endif
  return light;
}
#endif
