// Lens distortion: the inverse of Brown's model (Lambers, Sommerhoff, Kolb: Realistic Lens Distortion
// Rendering, 2018). Source: manual, chapter Lens.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;
uniform vec4 radial_tangential;
uniform vec2 center;

void main() {
  // As in Webots, whose cameras draw upside down, all coordinates count from the top.
  vec2 from = uv - center, k = radial_tangential.xy, p = radial_tangential.zw;
  float r = dot(from, from);
  float bend = k.x * r + k.y * r * r;
  float inverse = 1.0 / (4.0 * k.x * r + 6.0 * k.y * r * r + 8.0 * p.x * from.y + 8.0 * p.y * from.x + 1.0);
  vec2 sideways = vec2(2.0 * p.x * from.x * from.y + p.y * (r + 2.0 * from.x * from.x),
                       2.0 * p.y * from.x * from.y + p.x * (r + 2.0 * from.y * from.y));
  color = texture(picture, uv - inverse * (bend * from + sideways));
}
