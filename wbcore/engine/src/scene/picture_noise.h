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
  std::vector<int32_t>
      added_;  // values of equal probability, in 1/256 of a byte, with half a byte for rounding
};

}  // namespace wb
