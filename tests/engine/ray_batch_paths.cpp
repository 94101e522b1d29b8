// Prints the lengths of random rays that random boxes, spheres and triangles shorten, bit by bit.
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <limits>

#include "scene/ray_batch.h"

int main() {
  uint64_t state = 7;
  const auto number = [&](double low, double high) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    return low + (high - low) * (static_cast<double>(state >> 11) / 9007199254740992.0);
  };
  const auto vector = [&](double size) {
    return wb::Vec3{number(-size, size), number(-size, size), number(-size, size)};
  };
  for (int round = 0; round < 400; ++round) {
    wb::RayBatch rays;
    rays.count = 1 + round % wb::RayBatch::kMost;
    rays.start = round % 3 ? 0 : 0.1;
    for (size_t i = 0; i < wb::RayBatch::kMost; ++i) {
      const wb::Vec3 way = vector(1);
      const double size = std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
      rays.x[i] = round % 7 ? way[0] / size : 1, rays.y[i] = round % 7 ? way[1] / size : 0;
      rays.z[i] = round % 7 ? way[2] / size : 0;  // parallel to sides in some rounds
      rays.length[i] = std::numeric_limits<double>::infinity();
    }
    for (int shape = 0; shape < 8; ++shape) {
      const double angle = number(0, 3);
      const wb::Mat3 turn{std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1};
      wb::measure_box({number(0.1, 2), number(0.1, 2), number(0.1, 2)}, {vector(3), turn}, rays);
      wb::measure_sphere(vector(3), number(0.1, 1), rays);
      wb::measure_triangle(vector(3), vector(2), vector(2), 1e-12, rays);
    }
    for (size_t i = 0; i < rays.count; ++i) {
      uint64_t bits;
      std::memcpy(&bits, &rays.length[i], sizeof bits);
      std::printf("%016" PRIx64 "\n", bits);
    }
  }
}
