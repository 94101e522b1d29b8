// Gaussian noise from a table of the inverse distribution function: a pseudo-random index for each channel.
//
// 2^16 equally likely values represent the distribution up to 4.3 deviations; their variance is scaled to 1.
// Three indices of 16 bits come from one number of 64 bits, so that a pixel takes one number of the generator
// (splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
#include "picture_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace wb {
namespace {

constexpr size_t kValues = 1 << 16;
constexpr double kMostDeviation = 1e6;
constexpr double kMostAdded = 1e9;
constexpr int kFraction = 8;  // bits behind the point of what is added to a byte

// The inverse of the normal distribution function, by Newton's method on the complementary error function.
double normal_quantile(double probability, double start) {
  double x = start;
  for (int i = 0; i < 8; ++i) {
    const double error = 0.5 * std::erfc(-x * M_SQRT1_2) - probability;
    x -= error * std::sqrt(2 * M_PI) * std::exp(0.5 * x * x);
  }
  return x;
}

// Standard normal values of equal probability, in rising order, symmetric about 0, with a variance of 1.
std::vector<double> make_values() {
  std::vector<double> values(kValues);
  double x = 0, squares = 0;
  for (size_t i = kValues / 2; i < kValues; ++i) {
    x = normal_quantile((static_cast<double>(i) + 0.5) / kValues, x);
    values[i] = x, values[kValues - 1 - i] = -x;
    squares += 2 * x * x;
  }
  const double scale = std::sqrt(kValues / squares);
  for (double &value : values) value *= scale;
  return values;
}

const std::vector<double> &normal_values() {
  static const std::vector<double> values = make_values();
  return values;
}

uint64_t next(uint64_t &state) {
  uint64_t x = state += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

uint8_t limited(int32_t value) { return static_cast<uint8_t>(std::clamp(value >> kFraction, 0, 255)); }

}  // namespace

PictureNoise::PictureNoise(double deviation) : added_(kValues) {
  const double scale = std::min(deviation, kMostDeviation) * (1 << kFraction);
  std::transform(normal_values().begin(), normal_values().end(), added_.begin(), [scale](double value) {
    return static_cast<int32_t>(std::lround(std::clamp(value * scale, -kMostAdded, kMostAdded))) +
           (1 << (kFraction - 1));
  });
}

void PictureNoise::add(uint8_t *pixels, size_t count, uint64_t seed) const {
  for (size_t i = 0; i < count; ++i) {
    uint8_t *pixel = pixels + 4 * i;
    uint64_t bits = next(seed);
    for (int channel = 0; channel < 3; ++channel, bits >>= 16)
      pixel[channel] = limited((pixel[channel] << kFraction) + added_[bits & (kValues - 1)]);
  }
}

}  // namespace wb
