// Appearance and Material: diffuse, ambient and specular light after Phong.
#version 430 core

#include "view.glsl"
#include "surface.glsl"
#include "lights.glsl"
#include "fog.glsl"
#include "finish.glsl"

vec3 normal, back;
vec3 matt = vec3(0.0), shining = vec3(0.0);

void add(Light light) {
  float share = max(dot(light.toward, normal), 0.0);
  matt += share * light.color;
#ifdef SHINY
  float gloss = max(dot(normal, normalize(light.toward + back)), 0.0);
  shining += step(1e-9, share) * pow(gloss, fields[2].a) * light.color;
#endif
}

void main() {
  vec3 way = at - eye.xyz;
  normal = normalize(facing);
  back = -normalize(way);
  FOR_EACH_LIGHT(at, normal, add)
  vec3 tint = fields[0].rgb;
  vec4 texel = vec4(1.0);
#ifdef MAP0
  texel = linear(texture(base_map, mapped));
#endif
#ifdef MAP6
  vec4 ink = texture(ink_map, uv);
#ifdef MAP0
  texel.rgb = mix(texel.rgb, ink.rgb, ink.a);
#else
  tint = mix(tint, ink.rgb, ink.a);
#endif
#endif
  vec3 light = fields[3].rgb + fields[1].rgb * ambient.rgb + tint * matt + fields[2].rgb * shining;
  color = vec4(displayed(fogged(texel.rgb * light, way), eye.w), texel.a * fields[0].a);
#ifdef NUMBERS
  shown = number;
#endif
}
