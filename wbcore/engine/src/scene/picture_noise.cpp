// Gaussian noise from a bank: each of its values has the same probability, in random order.
//
// To draw a value for each channel takes longer than the picture itself. Runs of 256 pixels take consecutive
// values of the bank instead, each from a place of its own, so that a run takes one number of the generator
// (splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). The bank has
// 3 * 2^16 values up to 4.5 deviations; their variance is scaled to 1.
#include "picture_noise.h"

#include <algorithm>
#include <cmath>

namespace wb {
namespace {

constexpr size_t kPixels = 1 << 16;  // of the bank: with its bytes it stays in a processor's cache
constexpr size_t kRun = 256;         // pixels that take consecutive values
constexpr size_t kValues = 3 * kPixels;
constexpr double kMostAdded = 255;

// The inverse of the normal distribution function, by Newton's method on the complementary error function.
double normal_quantile(double probability, double start) {
  double x = start;
  for (int i = 0; i < 8; ++i) {
    const double error = 0.5 * std::erfc(-x * M_SQRT1_2) - probability;
    x -= error * std::sqrt(2 * M_PI) * std::exp(0.5 * x * x);
  }
  return x;
}

uint64_t next(uint64_t &state) {
  uint64_t x = state += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Standard normal values of equal probability with a variance of 1, symmetric about 0, in random order.
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

  // Fisher and Yates: the standard library's order differs between compilers
  uint64_t state = 1;
  for (size_t i = kValues - 1; i > 0; --i) std::swap(values[i], values[next(state) % (i + 1)]);
  return values;
}

const std::vector<double> &normal_values() {
  static const std::vector<double> values = make_values();
  return values;
}

// Adds and takes away bytes, limited to 0 to 255, in a form that compilers turn into vector instructions.
void add_limited(uint8_t *bytes, const uint8_t *more, const uint8_t *less, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const uint8_t sum = static_cast<uint8_t>(bytes[i] + std::min<uint8_t>(more[i], 255 - bytes[i]));
    bytes[i] = static_cast<uint8_t>(sum - std::min(sum, less[i]));
  }
}

}  // namespace

PictureNoise::PictureNoise(double deviation) : more_(4 * (kPixels + kRun)), less_(4 * (kPixels + kRun)) {
  for (size_t i = 0; i < more_.size(); ++i) {
    if (i % 4 == 3) continue;  // alpha
    const size_t at = 3 * (i / 4 % kPixels) + i % 4;
    const double wanted = std::min(deviation, 1e6) * normal_values()[at];
    const double added = std::clamp(std::floor(wanted + 0.5), -kMostAdded, kMostAdded);
    (added > 0 ? more_ : less_)[i] = static_cast<uint8_t>(std::abs(added));
  }
}

void PictureNoise::add(uint8_t *pixels, size_t count, uint64_t seed) const {
  for (size_t i = 0; i < count; i += kRun) {
    const size_t start = 4 * (next(seed) % kPixels);
    add_limited(pixels + 4 * i, &more_[start], &less_[start], 4 * std::min(kRun, count - i));
  }
}

}  // namespace wb
