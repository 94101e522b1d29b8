// Cylindrical and spherical pictures from six planar ones. Source: manual, Camera.projection.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2DArray faces;
uniform vec2 view_angles;  // horizontal and vertical field of view
uniform float widening;    // half the width of a face at distance 1

void main() {
  vec3 way;  // forward, left, up
#ifdef CYLINDRICAL
  vec2 angle = (0.5 - uv) * view_angles;
  way = vec3(cos(angle.y) * cos(angle.x), cos(angle.y) * sin(angle.x), sin(angle.y));
#else
  vec2 from = 0.5 - uv;
  float off = length(from) * view_angles.x;
  vec2 side = from / max(length(from), 1e-9);
  way = vec3(cos(off), sin(off) * side);
#endif
  vec3 size = abs(way);
  vec3 face;  // number, then left and up on it
  if (size.z > size.x && size.z > size.y)
    face = way.z > 0.0 ? vec3(4.0, way.y, -way.x) : vec3(5.0, way.y, way.x);
  else if (size.x >= size.y)
    face = way.x > 0.0 ? vec3(0.0, way.y, way.z) : vec3(2.0, -way.y, way.z);
  else
    face = way.y > 0.0 ? vec3(3.0, -way.x, way.z) : vec3(1.0, way.x, way.z);
  float depth = max(max(size.x, size.y), size.z);
  color = texture(faces, vec3(0.5 - 0.5 * face.yz / (depth * widening), face.x));
}
