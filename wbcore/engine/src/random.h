// The random stream of a world: two multiply-with-carry generators, as in Webots.
#pragma once

#include <cmath>
#include <cstdint>

namespace wb {

struct Random {
  uint32_t w = 0, z = 362436069u;

  void seed(uint32_t value) {
    w = value;
    z = 362436069u;
  }

  uint32_t next() {
    z = 36969u * (z & 0xffffu) + (z >> 16);
    w = 18000u * (w & 0xffffu) + (w >> 16);
    return (z << 16) + w;
  }

  // Uniform in [0, 1).
  double uniform() { return static_cast<uint32_t>(next() + 1u) * 2.328306435454494e-10; }

  // Standard normal by Marsaglia's polar method; the second value is discarded.
  double gaussian() {
    double x, y, s;
    do {
      x = 2 * uniform() - 1;
      y = 2 * uniform() - 1;
      s = x * x + y * y;
    } while (s > 1 || s == 0);
    return x * std::sqrt(-2 * std::log(s) / s);
  }
};

}  // namespace wb
