// PBRAppearance: microfacets after Trowbridge and Reitz (GGX), Fresnel after Schlick, Lambert, image-based
// light with the split-sum approximation.
#version 430 core

#include "view.glsl"
#include "surface.glsl"
#include "lights.glsl"
#include "fog.glsl"
#include "finish.glsl"

layout(binding = 12) uniform sampler2D reflectance_table;
#ifdef CUBE
layout(binding = 13) uniform samplerCube surroundings;
#endif

const float PI = 3.14159265358979;

// A normal that a map of slopes along u and v tilts.
vec3 tilted(vec3 normal, vec2 place, vec3 slope) {
  // Rows count downward: with the upward ones, x, y and the normal are right-handed.
  vec3 along_x = dFdx(at), along_y = -dFdy(at);
  vec2 step_x = dFdx(place), step_y = -dFdy(place);
  vec3 beside_x = cross(normal, along_x), beside_y = cross(along_y, normal);
  vec3 tangent = beside_y * step_x.x + beside_x * step_y.x;
  vec3 bitangent = beside_y * step_x.y + beside_x * step_y.y;
  float size = max(dot(tangent, tangent), dot(bitangent, bitangent));
  if (size <= 0.0) return normal;
  return normalize((tangent * slope.x + bitangent * slope.y) * inversesqrt(size) + normal * slope.z);
}

vec3 bumped(vec3 normal, vec2 place, float strength) {
  vec3 slope = texture(normal_map, place).rgb * 2.0 - 1.0;
  slope.xy *= vec2(strength, -strength);  // the picture's green counts upward, v downward
  return tilted(normal, place, slope);
}

#ifdef RELIEF
// Fine looks take the brightness of a standard texture as its height: joints are low, fibers are high.
const float STEEP = 1.5, GLOSS = 0.5;

float height(vec2 place) { return dot(texture(base_map, place).rgb, vec3(0.299, 0.587, 0.114)); }

vec3 embossed(vec3 normal, vec2 place) {
  vec2 texel = 1.0 / vec2(textureSize(base_map, 0));
  float x = height(place + vec2(texel.x, 0.0)) - height(place - vec2(texel.x, 0.0));
  float y = height(place + vec2(0.0, texel.y)) - height(place - vec2(0.0, texel.y));
  return tilted(normal, place, normalize(vec3(-STEEP * x, -STEEP * y, 1.0)));
}
#endif

// One side of Smith's shadowing for a cosine and the squared roughness parameter.
float shadowing(float cosine, float a2) {
  return 2.0 * cosine / (cosine + sqrt(a2 + (1.0 - a2) * cosine * cosine));
}

vec3 normal, back, matt, head_on;
float a2, grazing, view_cosine;
vec3 light_out = vec3(0.0);

void add(Light light) {
  vec3 middle = normalize(light.toward + back);
  float light_cosine = clamp(dot(normal, light.toward), 0.0001, 1.0);
  float half_cosine = clamp(dot(normal, middle), 0.0, 1.0);
  float away = clamp(1.0 - dot(back, middle), 0.0, 1.0), squared = away * away;
  vec3 reflected = head_on + (grazing - head_on) * (squared * squared * away);
  float spread = (half_cosine * a2 - half_cosine) * half_cosine + 1.0;
  float facets = a2 / (PI * spread * spread);
  float open = shadowing(light_cosine, a2) * shadowing(view_cosine, a2);
  // As in Webots, diffuse light grows with the square of the light's own intensity.
  vec3 sent = (1.0 - reflected) * matt * (light.intensity / PI) +
              reflected * (open * facets / (4.0 * light_cosine * view_cosine));
  light_out += light_cosine * light.color * sent;
}

void main() {
  vec4 base = fields[0], values = fields[1], glow = fields[3];
  vec3 way = at - eye.xyz;
  normal = normalize(facing);
  back = -normalize(way);
#ifdef MAP4
  normal = bumped(normal, mapped, values.z);
#elif defined(RELIEF)
  normal = embossed(normal, mapped);
#endif
  float rough = values.x, metal = values.y;
#ifdef MAP1
  rough = texture(roughness_map, mapped).r;
#endif
#ifdef MAP2
  metal = texture(metalness_map, mapped).r;
#endif
#ifdef MAP0
  base *= linear(texture(base_map, mapped));
#endif
#ifdef MAP6
  vec4 ink = texture(ink_map, uv);
  base.rgb = mix(base.rgb, ink.rgb, ink.a);
#endif
#if defined(RELIEF) && !defined(MAP1)
  rough *= 1.0 - GLOSS * height(mapped);
#endif
  rough = clamp(rough, 0.04, 1.0);
  metal = clamp(metal, 0.0, 1.0);
  a2 = rough * rough * rough * rough;
  matt = base.rgb * 0.96 * (1.0 - metal);
  head_on = mix(vec3(0.04), base.rgb, metal);
  grazing = clamp(25.0 * max(max(head_on.r, head_on.g), head_on.b), 0.0, 1.0);
  view_cosine = abs(dot(normal, back)) + 0.0001;
  FOR_EACH_LIGHT(at, normal, add)

  vec2 table = texture(reflectance_table, vec2(view_cosine - 0.0011, rough)).rg;
  vec3 from_all = sky.rgb, from_mirror = sky.rgb;
#ifdef CUBE
  from_all = textureLod(surroundings, CUBE_AXES(normal), CUBE_LEVELS - 2.0).rgb;
  from_mirror = textureLod(surroundings, CUBE_AXES(reflect(-back, normal)), (CUBE_LEVELS - 1.0) * rough).rgb;
#endif
  vec3 around = (from_all * matt + from_mirror * (head_on * table.x + table.y)) * sky.a * fields[2].a;
#ifdef MAP3
  around = mix(around, around * texture(occlusion_map, mapped).r, values.w);
#endif
  vec3 emitted = glow.rgb;
#ifdef MAP5
  emitted *= texture(emissive_map, mapped).rgb;
#endif
  color = vec4(displayed(fogged(light_out + around + emitted, way), eye.w), base.a);
#ifdef NUMBERS
  shown = number;
#endif
}
