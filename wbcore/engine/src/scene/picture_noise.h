// White noise on pictures of cameras.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wb {

// Gaussian noise with a standard deviation in units of a byte.
class PictureNoise {
 public:
  explicit PictureNoise(double deviation);

  // Adds noise to the colors (blue, green, red) of pixels of four bytes, rounded and limited to 0 to 255; the
  // alpha bytes stay. The same seed gives the same noise.
  void add(uint8_t *pixels, size_t count, uint64_t seed) const;

 private:
  std::vector<uint8_t> more_, less_;  // the bank: what is added to bytes, and what is taken away
};

}  // namespace wb
