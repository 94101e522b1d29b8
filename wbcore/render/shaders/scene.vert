// Places the vertices of an instance.
#version 430 core
#include "view.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;  // of lines and points: a color
layout(location = 2) in vec2 place;
layout(location = 3) in vec4 row_x;
layout(location = 4) in vec4 row_y;
layout(location = 5) in vec4 row_z;
layout(location = 6) in uvec4 instance;  // material, number

#ifdef GL_ES
layout(binding = 15) uniform sampler2D materials;  // in rows, as robot_windows/pages/live/web_gl.js writes them
const int COLUMNS = 1024;
uniform float point_size;
#else
layout(binding = 15) uniform samplerBuffer materials;
#endif

out vec3 at;
out vec3 facing;
out vec2 uv;
out vec2 mapped;
flat out vec4 fields[4];
flat out uint number;
flat out vec4 eye;
flat out vec4 sky;
flat out vec4 ambient;
flat out vec4 forward;
flat out vec4 fog_color;
#ifdef LIGHT_ROWS
layout(std140, binding = 1) uniform Lights { vec4 lights[MOST_LIGHTS * 5]; };
flat out vec4 light_rows[LIGHT_ROWS];
#endif

vec4 field(int which) {
  int at = int(instance.x) * TEXELS + which;
#ifdef GL_ES
  return texelFetch(materials, ivec2(at % COLUMNS, at / COLUMNS), 0);
#else
  return texelFetch(materials, at);
#endif
}

void main() {
#ifdef GL_ES
  gl_PointSize = point_size;
#endif
  vec4 point = vec4(position, 1.0);
  at = vec3(dot(row_x, point), dot(row_y, point), dot(row_z, point));
  gl_Position = view.clip * vec4(at, 1.0);
  uv = place;
  mapped = vec2(dot(field(4).xyz, vec3(uv, 1.0)), dot(field(5).xyz, vec3(uv, 1.0)));
  for (int i = 0; i < 4; ++i) fields[i] = field(i);
  number = instance.y;
  eye = view.eye;
  sky = view.sky;
  ambient = vec4(view.ambient.rgb, view.fog_range.x);
  forward = view.forward;
  fog_color = view.fog_color;
#ifdef LIGHT_ROWS
  SET_LIGHT_ROWS
#endif
#ifdef UNLIT
  facing = normal;
#else
  // The inverse transpose of a rotation with scales along the mesh's axes.
  vec3 squares = row_x.xyz * row_x.xyz + row_y.xyz * row_y.xyz + row_z.xyz * row_z.xyz;
  vec3 scaled = normal / max(squares, vec3(1e-20));
  facing = vec3(dot(row_x.xyz, scaled), dot(row_y.xyz, scaled), dot(row_z.xyz, scaled));
#endif
}
