// The response of a sensor: lookup table, noise and resolution.
//
// Source: manual, sections on lookup tables and `resolution`; noise is proportional to the value.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "../random.h"

namespace wb {

class Response {
 public:
  // rows: input, output, relative standard deviation of the noise; resolution: step between values, 0 or
  // less for none. Without rows the output equals the input.
  Response(std::vector<std::array<double, 3>> rows, double resolution);

  // The rows, inputs ascending.
  const std::vector<std::array<double, 3>> &rows() const { return table_->rows; }
  double resolution() const { return resolution_; }

  // Output and noise, interpolated between rows; outside, those of the first or last row.
  struct Found {
    double output, noise;
  };
  Found look_up(double value) const;

  // Converts a measured quantity to the sensor's value; NaN stays NaN.
  double operator()(double value, Random &random) const;

 private:
  using Rows = std::vector<std::array<double, 3>>;

  // Sensors of the same type share one: it stays in the processor's cache while many robots are sampled.
  struct Table {
    explicit Table(Rows sorted);
    Rows rows;  // inputs ascending
    std::vector<double> inputs;
    std::vector<std::array<double, 2>> slopes;  // of output and noise between rows
  };
  static std::shared_ptr<const Table> table_of(Rows rows);

  std::shared_ptr<const Table> table_;
  double resolution_;
};

// The nearest multiple of a resolution (0 or less: the value itself). As in Webots, halves and fractions of
// negative values are rounded up.
double rounded(double value, double resolution);

}  // namespace wb
