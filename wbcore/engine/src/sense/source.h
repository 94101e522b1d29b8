// What a sensor measures: one class for each kind of measurement.
#pragma once

#include <cstddef>
#include <vector>

namespace wb {

class Source {
 public:
  Source() = default;
  Source(const Source &) = delete;
  Source &operator=(const Source &) = delete;
  virtual ~Source() = default;

  // The values of a sample, in the order of the message: 1 for a number, n for a vector of n numbers.
  virtual std::vector<int> parts() const { return {1}; }
  // False if the object that it measures was removed or has changes that it does not know.
  virtual bool is_usable() const = 0;
  // True if `watch` has to be called after each step, whether a sample is due or not.
  virtual bool watches() const { return false; }
  virtual void watch() {}
  // Writes the numbers. `elapsed`: seconds since the last sample; infinite after a reset.
  virtual void measure(double elapsed, double *values) = 0;
};

}  // namespace wb
