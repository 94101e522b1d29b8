// Correlated noise: a share of the last value plus new noise, depending on the time between.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../random.h"

namespace wb {

// Numbers of mean 0 and standard deviation 1, each correlated with its predecessor.
struct Drift {
  std::vector<double> values;

  // First-order Gauss-Markov noise, x' = k x + sqrt(1 - k^2) n: the deviation is 1 for every k from 0 to 1.
  void advance(double kept, Random &random) {
    const double fresh = std::sqrt(1 - kept * kept);
    for (double &one : values) one = kept * one + fresh * random.gaussian();
  }
};

// The share of the noise that remains after `elapsed` seconds. per_second: 0 to 1.
inline double correlation(double per_second, double elapsed) {
  if (per_second <= 0 || std::isinf(elapsed)) return 0;
  return std::pow(std::min(per_second, 1.0), elapsed);
}

}  // namespace wb
