// Prints, bit by bit, the lengths of random rays that random boxes, spheres and triangles shorten, the
// numbers of pictures that become of them, and whether rays are longer than random lengths.
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "scene/ray_batch.h"

namespace {

constexpr size_t kColumns = 16;

uint64_t state = 7;

double number(double low, double high) {
  state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
  return low + (high - low) * (static_cast<double>(state >> 11) / 9007199254740992.0);
}

wb::Vec3 vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }

// Unit vectors; parallel to sides in some rounds.
void aim_anywhere(int round, wb::RayBatch &rays) {
  rays.count = 1 + round % wb::RayBatch::kMost;
  for (size_t i = 0; i < rays.count; ++i) {
    const wb::Vec3 way = vector(1);
    const double size = std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    rays.x[i] = round % 7 ? way[0] / size : 1, rays.y[i] = round % 7 ? way[1] / size : 0;
    rays.z[i] = round % 7 ? way[2] / size : 0;
  }
}

// Through points of a plane, in 1 to 4 rows of 1 to 16 columns.
void aim_at_plane(int round, wb::RayBatch &rays) {
  const size_t columns = 1 + round % kColumns, rows = 1 + round / kColumns % 4;
  double left[kColumns], up[4];
  for (double &one : left) one = number(-1, 1);
  for (double &one : up) one = number(-1, 1);
  rays.count = rows * columns;
  wb::aim({vector(1), vector(1), vector(1)}, left, up, columns, rays);
}

void print(const wb::RayBatch &rays) {
  float shown[wb::RayBatch::kMost];
  wb::write_lengths(rays, number(0, 2), number(2, 4), shown);
  for (size_t i = 0; i < rays.count; ++i) {
    uint64_t bits;
    uint32_t half;
    std::memcpy(&bits, &rays.length[i], sizeof bits);
    std::memcpy(&half, &shown[i], sizeof half);
    std::printf("%016" PRIx64 "\n%08" PRIx32 "\n", bits, half);
  }
  for (int i = 0; i < 4; ++i) std::printf("%d\n", wb::is_longer(rays, number(0, 9)));
}

}  // namespace

int main() {
  for (int round = 0; round < 400; ++round) {
    wb::RayBatch rays;
    rays.start = round % 3 ? 0 : 0.1;
    if (round % 2)
      aim_at_plane(round / 2, rays);
    else
      aim_anywhere(round / 2, rays);
    wb::begin(rays);
    for (int shape = 0; shape < 8; ++shape) {
      const double angle = number(0, 3);
      const wb::Mat3 turn{std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1};
      wb::measure_box({number(0.1, 2), number(0.1, 2), number(0.1, 2)}, {vector(3), turn}, rays);
      wb::measure_sphere(vector(3), number(0.1, 1), rays);
      wb::measure_triangle(vector(3), vector(2), vector(2), 1e-12, rays);
    }
    print(rays);
  }
}
