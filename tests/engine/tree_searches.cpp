// Prints how many of 4,096 boxes rays of infinite length look into: one that misses all, one that hits one.
#include <cstdio>
#include <limits>
#include <vector>

#include "scene/bvh.h"
#include "tree.h"

int main() {
  constexpr double kForever = std::numeric_limits<double>::infinity();
  std::vector<wb::Box> boxes;
  wb::Bvh fixed;
  wb::Tree moving;
  for (int x = 0; x < 64; ++x)
    for (int y = 0; y < 64; ++y) {
      const wb::Vec3 low = {2.0 * x, 2.0 * y, 0}, high = {2.0 * x + 1, 2.0 * y + 1, 1};
      boxes.push_back({low, high});
      moving.insert(boxes.back(), 64 * x + y);
    }
  fixed.build(boxes);
  for (const double height : {5.0, 0.5}) {
    const wb::Segment ray({63 * 2 + 0.5, -10, height}, {0, 1, 0});
    int of_fixed = 0, of_moving = 0;
    fixed.cast(ray, kForever, [&](uint32_t, double) { return ++of_fixed, 20.0; });
    moving.cast(ray, kForever, [&](uint32_t, double length) { return ++of_moving, length; });
    std::printf("%d %d\n", of_fixed, of_moving);
  }
}
