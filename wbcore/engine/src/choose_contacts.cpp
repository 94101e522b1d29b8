// Which contacts of a pair are kept if there are more than the surface allows.
#include <algorithm>
#include <numeric>

#include "colliders.h"

namespace wb {
namespace {

Vec3 normal_of(const dContactGeom &c) { return {c.normal[0], c.normal[1], c.normal[2]}; }
Vec3 point_of(const dContactGeom &c) { return {c.pos[0], c.pos[1], c.pos[2]}; }

// Marks the contacts that are farthest in one of eight directions along the face with normal `n`.
void mark_outline(const std::vector<dContactGeom> &found, const std::vector<size_t> &patch, const Vec3 &n,
                  std::vector<char> &kept) {
  for (int k = 0; k < kOutline; ++k) {
    const Vec3 u = outline_direction(n, k);
    const auto less = [&](size_t i, size_t j) {
      return dot(u, point_of(found[i])) < dot(u, point_of(found[j]));
    };
    kept[*std::max_element(patch.begin(), patch.end(), less)] = 1;
  }
}

// On a flat face the outline of a patch is deepest. Anything deeper inside it is a bump and is kept.
void mark_bumps(const std::vector<dContactGeom> &found, const std::vector<size_t> &patch,
                std::vector<char> &kept) {
  double deepest = 0;
  for (size_t i : patch)
    if (kept[i]) deepest = std::max(deepest, found[i].depth);
  for (size_t i : patch)
    if (found[i].depth > deepest * (1 + 1e-6)) kept[i] = 1;
}

// Marks the contacts on the outlines of patches, and bumps.
std::vector<char> marked(const std::vector<dContactGeom> &found) {
  std::vector<char> kept(found.size(), 0), seen(found.size(), 0);
  std::vector<size_t> patch;
  for (size_t i = 0; i < found.size(); ++i) {
    if (seen[i]) continue;
    const Vec3 n = normal_of(found[i]);
    patch.clear();
    for (size_t j = i; j < found.size(); ++j)
      if (!seen[j] && same_face(n, normal_of(found[j]))) seen[j] = 1, patch.push_back(j);
    if (patch.empty()) {  // a normal that is zero or not finite
      kept[i] = 1;
      continue;
    }
    mark_outline(found, patch, n, kept);
    mark_bumps(found, patch, kept);
  }
  return kept;
}

}  // namespace

Vec3 outline_direction(const Vec3 &normal, int k) {
  const Vec3 x = any_perpendicular(normal), y = cross(normal, x);
  const double angle = 2 * M_PI * k / kOutline;
  return x * std::cos(angle) + y * std::sin(angle);
}

void choose_contacts(std::vector<dContactGeom> &found, int most) {
  if (static_cast<int>(found.size()) <= most) return;
  const std::vector<char> kept = marked(found);
  std::vector<size_t> order(found.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) {
    return kept[i] != kept[j] ? kept[i] > kept[j] : found[i].depth > found[j].depth;
  });
  std::vector<dContactGeom> chosen;
  for (int i = 0; i < most; ++i) chosen.push_back(found[order[i]]);
  found.swap(chosen);
}

}  // namespace wb
