// The programs of the renderer of cameras (wbcore/render/shaders), for browsers: the same light, the same colors.
// docs/scene-description.md describes the records that they read.

const HEAD = `
precision highp float;
precision highp int;
precision highp sampler2DShadow;
`;

// From light to displayed values. LINEAR: light stays, see light_picture.js. FINE: a curve as of film.
const DISPLAYED = `
uniform float exposure;
vec3 displayed(vec3 light) {
#ifdef LINEAR
  return light;
#elif defined(FINE)
  vec3 x = max(light, 0.0) * (exposure * 0.7);
  return pow(min((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 1.0), vec3(1.0 / 2.2));
#else
  return pow(1.0 - exp(-max(light, 0.0) * exposure), vec3(1.0 / 2.2));
#endif
}
`;

// INSTANCED: many shapes in one drawing, each with a matrix and a record of its own (see instances.js).
const PLACE = `
#ifdef INSTANCED
in mat4 instanceMatrix;
#define PLACE instanceMatrix
#else
uniform mat4 modelMatrix;
#define PLACE modelMatrix
#endif
`;

export const VERTEX = `${HEAD}${PLACE}
in vec3 position;
in vec3 normal;  // of lines and points: a color
in vec2 uv;
uniform mat4 viewMatrix, projectionMatrix;
#ifdef INSTANCED
in mat4 look;
in vec4 mapped_x, mapped_y;
flat out mat4 record;  // its columns are the first four rows
#define MAPPED_X mapped_x
#define MAPPED_Y mapped_y
#else
uniform vec4 record[6];
#define MAPPED_X record[4]
#define MAPPED_Y record[5]
#endif
out vec3 at;
out vec3 facing;
out vec2 mapped;
out vec2 plain;

void main() {
  vec4 place = PLACE * vec4(position, 1.0);
  at = place.xyz;
  gl_Position = projectionMatrix * viewMatrix * place;
  plain = uv;
  mapped = vec2(dot(MAPPED_X.xyz, vec3(uv, 1.0)), dot(MAPPED_Y.xyz, vec3(uv, 1.0)));
#ifdef INSTANCED
  record = look;
#endif
#ifdef UNLIT
  facing = normal;
  gl_PointSize = 4.0;
#else
  // The inverse transpose of a rotation with scales along the mesh's axes.
  mat3 turn = mat3(PLACE);
  vec3 squares = vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2]));
  facing = turn * (normal / max(squares, vec3(1e-20)));
#endif
}`;

const FRAGMENT_HEAD = `${HEAD}${DISPLAYED}
in vec3 at;
in vec3 facing;
in vec2 mapped;
in vec2 plain;
out vec4 color;
uniform vec3 cameraPosition;
#ifdef INSTANCED
flat in mat4 record;
#else
uniform vec4 record[6];
#endif
uniform vec4 sky;      // color; luminosity
uniform vec4 ambient;  // sum of the lights; 1 / visibility range in fog
uniform vec4 fog;      // color; kind: 0 none, 1 linear, 2 exponential, 3 exponential with square
uniform sampler2D map0, map1, map2, map3, map4, map5, map6;

// From sRGB to linear.
vec4 linear(vec4 color) {
#ifdef UNCONVERTED
  return color;
#else
  vec3 c = color.rgb;
  return vec4(mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)), color.a);
#endif
}

vec3 fogged(vec3 light, vec3 way) {
  if (fog.a < 0.5) return light;
  float far = length(way), left = 1.0 - far * ambient.w;
  if (fog.a > 2.5) left = exp(-far * far * ambient.w * ambient.w);
  else if (fog.a > 1.5) left = exp(-far * ambient.w);
  return mix(light, fog.rgb, pow(1.0 - clamp(left, 0.0, 1.0), 2.2));
}
`;

// What arrives from each light; `add` is called for each, as ADD_LIGHTS says (shadows.js).
const LIGHTS = `
#if LIGHTS > 0
uniform vec4 lights[LIGHTS * 5];
#endif
#if MAPS + CUBES > 0
uniform sampler2DShadow shadow_maps;
#endif
#if MAPS > 0
uniform vec4 shadow_tiles[MAPS];  // in the texture: place and size
uniform mat4 shadow_clips[MAPS];
uniform float shadow_texels[MAPS];  // their width (m); in a cone, at distance 1
#endif
#if CUBES > 0
uniform vec4 shadow_cubes[CUBES];
#endif
struct Light { vec3 toward; vec3 color; float intensity; };
// Texels of a map; points are lifted off their surface, so that it does not shade itself. FINE: shadows have soft
// edges, the mean over a disk of SOFT texels.
#ifdef FINE
const float LIFT = 3.5, SOFT = 2.0;
const int SAMPLES = 16;
#else
const float LIFT = 1.5;
#endif

void add(Light light);

#if MAPS + CUBES > 0
float seen_in_tile(vec4 tile, vec2 inside, vec2 rim, float depth) {
  return texture(shadow_maps, vec3(tile.xy + clamp(inside, rim, 1.0 - rim) * tile.zw, clamp(depth, 0.0, 1.0)));
}

float left_in_tile(vec4 tile, vec2 inside, vec2 rim, float depth) {
#ifdef FINE
  float left = 0.0;
  for (int i = 0; i < SAMPLES; ++i) {  // the places of a sunflower's seeds
    float angle = float(i) * 2.399963, radius = sqrt((float(i) + 0.5) / float(SAMPLES));
    left += seen_in_tile(tile, inside + 2.0 * SOFT * rim * radius * vec2(cos(angle), sin(angle)), rim, depth);
  }
  return left / float(SAMPLES);
#else
  return seen_in_tile(tile, inside, rim, depth);
#endif
}
#endif

// What a shadow map leaves of a light. raised: the normal, times the distance of a light with a cone.
#if MAPS > 0
float left_in_map(int map, vec3 raised) {
  vec4 place = shadow_clips[map] * vec4(at + raised * (LIFT * shadow_texels[map]), 1.0);
  vec3 inside = place.xyz / place.w * 0.5 + 0.5;
  if (place.w <= 0.0 || any(lessThan(inside.xy, vec2(0.0))) || any(greaterThan(inside.xy, vec2(1.0)))) return 1.0;
  return left_in_tile(shadow_tiles[map], inside.xy, vec2(MAP_RIM), inside.z);
}
#endif

// The same around a point light: the depth on the face of the cube that the point is seen through.
#if CUBES > 0
float left_around(int cube, vec4 place, vec3 raised) {
  vec3 way = at + raised * (LIFT * 4.0 * CUBE_RIM) - place.xyz, size = abs(way), turn = sign(way);
  float ahead = max(max(size.x, size.y), size.z), far = place.w, near = 0.01;
  float depth = (far + near - 2.0 * far * near / ahead) / (far - near) * 0.5 + 0.5;
  float face = turn.z > 0.0 ? 4.0 : 5.0;
  vec2 across = vec2(-turn.z * way.x, way.y);
  if (ahead == size.x) face = turn.x > 0.0 ? 0.0 : 1.0, across = vec2(-turn.x * way.y, way.z);
  else if (ahead == size.y) face = turn.y > 0.0 ? 2.0 : 3.0, across = vec2(turn.y * way.x, way.z);
  vec4 tile = shadow_cubes[cube];
  tile.x += face * tile.z;
  return left_in_tile(tile, across / ahead * 0.5 + 0.5, vec2(CUBE_RIM), depth);
}
#endif

#if LIGHTS > 0
void add_directional(int i, float left) {
  vec4 own = lights[5 * i];
  add(Light(-lights[5 * i + 2].xyz, own.rgb * (own.a * left), own.a));
}

void add_point(int i, float left) {
  vec4 own = lights[5 * i], terms = lights[5 * i + 3];
  vec3 way = lights[5 * i + 1].xyz - at;
  float far = max(length(way), 1e-9);
  left *= step(far, terms.w) / (terms.x + far * (terms.y + far * terms.z));
  add(Light(way / far, own.rgb * (own.a * left), own.a));
}

void add_spot(int i, float left) {
  vec4 cone = lights[5 * i + 4];
  vec3 toward = normalize(lights[5 * i + 1].xyz - at);
  float angle = acos(clamp(dot(toward, -lights[5 * i + 2].xyz), -1.0, 1.0));
  add_point(i, left * clamp((cone.y - angle) * cone.z, 0.0, 1.0));
}
#endif

void add_lights(vec3 normal) { ADD_LIGHTS }
`;

export const PHONG = `${FRAGMENT_HEAD}${LIGHTS}
vec3 normal, back, matt = vec3(0.0), shining = vec3(0.0);

void add(Light light) {
  float share = max(dot(light.toward, normal), 0.0);
  matt += share * light.color;
#ifdef SHINY
  float gloss = max(dot(normal, normalize(light.toward + back)), 0.0);
  shining += step(1e-9, share) * pow(gloss, record[2].a) * light.color;
#endif
}

void main() {
  vec3 way = at - cameraPosition;
  normal = normalize(facing);
  back = -normalize(way);
  add_lights(normal);
  vec3 tint = record[0].rgb;
  vec4 texel = vec4(1.0);
#ifdef MAP0
  texel = linear(texture(map0, mapped));
#endif
#ifdef MAP6
  vec4 ink = texture(map6, plain);
#ifdef MAP0
  texel.rgb = mix(texel.rgb, ink.rgb, ink.a);
#else
  tint = mix(tint, ink.rgb, ink.a);
#endif
#endif
  vec3 light = record[3].rgb + record[1].rgb * ambient.rgb + tint * matt + record[2].rgb * shining;
  color = vec4(displayed(fogged(texel.rgb * light, way)), texel.a * record[0].a);
}`;

export const PHYSICAL = `${FRAGMENT_HEAD}${LIGHTS}
uniform sampler2D reflectance;
#ifdef CUBE
uniform samplerCube surroundings;
#endif
const float PI = 3.14159265358979;

vec3 tilted(vec3 normal, vec2 place, vec3 slope) {
  vec3 along_x = dFdx(at), along_y = dFdy(at);
  vec2 step_x = dFdx(place), step_y = dFdy(place);
  vec3 beside_x = cross(normal, along_x), beside_y = cross(along_y, normal);
  vec3 tangent = beside_y * step_x.x + beside_x * step_y.x;
  vec3 bitangent = beside_y * step_x.y + beside_x * step_y.y;
  float size = max(dot(tangent, tangent), dot(bitangent, bitangent));
  if (size <= 0.0) return normal;
  return normalize((tangent * slope.x + bitangent * slope.y) * inversesqrt(size) + normal * slope.z);
}

vec3 bumped(vec3 normal, vec2 place, float strength) {
  vec3 slope = texture(map4, place).rgb * 2.0 - 1.0;
  slope.xy *= vec2(strength, -strength);
  return tilted(normal, place, slope);
}

#ifdef RELIEF
// Fine looks take the brightness of a standard texture as its height: joints are low, fibers are high.
const float STEEP = 1.5, GLOSS = 0.5;

float height(vec2 place) { return dot(texture(map0, place).rgb, vec3(0.299, 0.587, 0.114)); }

vec3 embossed(vec3 normal, vec2 place) {
  vec2 texel = 1.0 / vec2(textureSize(map0, 0));
  float x = height(place + vec2(texel.x, 0.0)) - height(place - vec2(texel.x, 0.0));
  float y = height(place + vec2(0.0, texel.y)) - height(place - vec2(0.0, texel.y));
  return tilted(normal, place, normalize(vec3(-STEEP * x, -STEEP * y, 1.0)));
}
#endif

float shadowing(float cosine, float a2) {
  return 2.0 * cosine / (cosine + sqrt(a2 + (1.0 - a2) * cosine * cosine));
}

vec3 normal, back, matt, head_on, light_out = vec3(0.0);
float a2, grazing, view_cosine;

void add(Light light) {
  vec3 middle = normalize(light.toward + back);
  float light_cosine = clamp(dot(normal, light.toward), 0.0001, 1.0);
  float half_cosine = clamp(dot(normal, middle), 0.0, 1.0);
  float away = clamp(1.0 - dot(back, middle), 0.0, 1.0), squared = away * away;
  vec3 reflected = head_on + (grazing - head_on) * (squared * squared * away);
  float spread = (half_cosine * a2 - half_cosine) * half_cosine + 1.0;
  float facets = a2 / (PI * spread * spread);
  float open = shadowing(light_cosine, a2) * shadowing(view_cosine, a2);
  vec3 sent = (1.0 - reflected) * matt * (light.intensity / PI) +
              reflected * (open * facets / (4.0 * light_cosine * view_cosine));
  light_out += light_cosine * light.color * sent;
}

void main() {
  vec4 base = record[0], values = record[1], glow = record[3];
  vec3 way = at - cameraPosition;
  normal = normalize(facing);
  back = -normalize(way);
#ifdef MAP4
  normal = bumped(normal, mapped, values.z);
#elif defined(RELIEF)
  normal = embossed(normal, mapped);
#endif
  float rough = values.x, metal = values.y;
#ifdef MAP1
  rough = texture(map1, mapped).r;
#endif
#ifdef MAP2
  metal = texture(map2, mapped).r;
#endif
#ifdef MAP0
  base *= linear(texture(map0, mapped));
#endif
#ifdef MAP6
  vec4 ink = texture(map6, plain);
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
  add_lights(normal);

  vec2 table = texture(reflectance, vec2(view_cosine - 0.0011, rough)).rg;
  vec3 from_all = sky.rgb, from_mirror = sky.rgb;
#ifdef CUBE
  vec3 mirrored = reflect(-back, normal);
  from_all = textureLod(surroundings, CUBE_AXES(normal), CUBE_LEVELS - 2.0).rgb;
  from_mirror = textureLod(surroundings, CUBE_AXES(mirrored), (CUBE_LEVELS - 1.0) * rough).rgb;
#endif
  vec3 around = (from_all * matt + from_mirror * (head_on * table.x + table.y)) * sky.a * record[2].a;
#ifdef MAP3
  around = mix(around, around * texture(map3, mapped).r, values.w);
#endif
  vec3 emitted = glow.rgb;
#ifdef MAP5
  emitted *= texture(map5, mapped).rgb;
#endif
  color = vec4(displayed(fogged(light_out + around + emitted, way)), base.a);
}`;

// Lines and points: the color of their vertices or, where it is negative, that of the material.
export const UNLIT_FRAGMENT = `${FRAGMENT_HEAD}
void main() {
#ifdef ROUND
  vec2 off = 2.0 * gl_PointCoord - 1.0;
  if (dot(off, off) > 1.0) discard;
#endif
  vec3 light = facing.r < 0.0 ? record[3].rgb : facing;
  color = vec4(displayed(fogged(light, at - cameraPosition)), record[0].a);
}`;

// Into the shadow map, which has only depths.
export const SHADOW_VERTEX = `${HEAD}${PLACE}
in vec3 position;
uniform mat4 viewMatrix, projectionMatrix;

void main() {
  gl_Position = projectionMatrix * viewMatrix * PLACE * vec4(position, 1.0);
}`;

export const SHADOW_FRAGMENT = `${HEAD}
void main() {}`;

// The sky box: squared pixels are light. It lies behind everything.
export const SKY_VERTEX = `${HEAD}
in vec3 position;
uniform mat4 viewMatrix, projectionMatrix;
out vec3 way;

void main() {
  way = position;
  vec4 place = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
  gl_Position = place.xyww;
}`;

export const SKY_FRAGMENT = `${HEAD}${DISPLAYED}
in vec3 way;
out vec4 color;
uniform samplerCube picture;
uniform float gain;  // light of a white pixel

void main() {
  vec3 texel = texture(picture, CUBE_AXES(way)).rgb;
  color = vec4(displayed(gain * texel * texel), 1.0);
}`;

// A picture that consists of light, with its depths.
export const TONE_VERTEX = `${HEAD}
in vec3 position;
out vec2 place;

void main() {
  place = position.xy * 0.5 + 0.5;
  gl_Position = vec4(position, 1.0);
}`;

export const TONE_FRAGMENT = `${HEAD}${DISPLAYED}
in vec2 place;
out vec4 color;
uniform sampler2D picture, depths;

void main() {
  color = vec4(displayed(texture(picture, place).rgb), 1.0);
  gl_FragDepth = texture(depths, place).r;
}`;
