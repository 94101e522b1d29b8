// Distances along the view from the depth buffer.
layout(binding = 7) uniform sampler2D depths;
uniform vec2 range;  // nearest and farthest distance

float ahead_at(vec2 place) {
  float z = 2.0 * texture(depths, place).r - 1.0;
  return 2.0 * range.x * range.y / (range.y + range.x - z * (range.y - range.x));
}
