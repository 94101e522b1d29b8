// What a surface looks like to a ray.
#include "material.h"

#include <algorithm>
#include <cmath>

namespace wb {
namespace {

double within(double value, bool repeats) {
  if (!std::isfinite(value)) return 0;
  if (!repeats) return std::clamp(value, 0.0, 1.0);
  const double rest = std::fmod(value, 1);
  return rest < 0 ? rest + 1 : rest;
}

size_t pixel(double share, size_t count) {
  return std::min(static_cast<size_t>(share * static_cast<double>(count)), count - 1);
}

}  // namespace

// Translation, then rotation and scale about the center. The node counts from the bottom, as VRML does.
UV Texture::transformed(const UV &place) const {
  if (!transform) return place;
  const Transform &t = *transform;
  const double x = place[0] + t.translation[0] + t.center[0];
  const double y = 1 - place[1] + t.translation[1] + t.center[1];
  return {t.scale[0] * (t.cosine * x - t.sine * y) - t.center[0],
          1 - t.scale[1] * (t.sine * x + t.cosine * y) + t.center[1]};
}

const uint8_t *Texture::texel(const UV &place) const {
  const UV at = transformed(place);
  const size_t row = pixel(within(at[1], repeat_t), pixels.shape(0));
  const size_t column = pixel(within(at[0], repeat_s), pixels.shape(1));
  return pixels.data() + 4 * (row * pixels.shape(1) + column);
}

Vec3 Texture::color(const UV &place) const {
  const uint8_t *found = texel(place);
  return {found[0] / 255.0, found[1] / 255.0, found[2] / 255.0};
}

double Texture::alpha(const UV &place) const { return texel(place)[3] / 255.0; }

Look Material::look(const std::optional<UV> &place) const {
  Look found = without_ink(place);
  if (ink && place) {
    const Vec3 color = ink->color(*place);
    const double share = ink->alpha(*place);
    for (size_t k = 0; k < 3; ++k) found.color[k] += share * (color[k] - found.color[k]);
  }
  return found;
}

Look Material::without_ink(const std::optional<UV> &place) const {
  if (!texture || !place) return plain;
  const Vec3 color = texture->color(*place);
  Look found{{plain.color[0] * color[0], plain.color[1] * color[1], plain.color[2] * color[2]},
             plain.roughness};
  if (rough) found.roughness = rough->color(*place)[0];
  if (occluded) found.occlusion = occluded->color(*place)[0];
  return found;
}

}  // namespace wb
