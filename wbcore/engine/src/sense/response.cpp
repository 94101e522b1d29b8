// The response of a sensor: lookup table, noise and resolution.
#include "response.h"

#include <algorithm>
#include <cmath>

namespace wb {

Response::Response(std::vector<std::array<double, 3>> rows, double resolution)
    : rows_(std::move(rows)), resolution_(resolution) {
  std::stable_sort(rows_.begin(), rows_.end(), [](const auto &a, const auto &b) { return a[0] < b[0]; });
  for (const auto &row : rows_) inputs_.push_back(row[0]);
  for (size_t i = 1; i < rows_.size(); ++i) {
    const auto &low = rows_[i - 1], &high = rows_[i];
    const double width = high[0] - low[0];
    slopes_.push_back({0, 0});
    if (width > 0) slopes_.back() = {(high[1] - low[1]) / width, (high[2] - low[2]) / width};
  }
}

Response::Found Response::look_up(double value) const {
  if (rows_.empty() || std::isnan(value)) return {value, 0};
  const auto above = std::upper_bound(inputs_.begin(), inputs_.end(), value) - inputs_.begin();
  if (above == 0) return {rows_[0][1], rows_[0][2]};
  const auto &low = rows_[above - 1];
  if (static_cast<size_t>(above) == rows_.size()) return {low[1], low[2]};
  const auto &slope = slopes_[above - 1];
  const double beyond = value - low[0];
  return {low[1] + slope[0] * beyond, low[2] + slope[1] * beyond};
}

double Response::operator()(double value, Random &random) const {
  Found found = look_up(value);
  if (found.noise != 0) found.output *= 1 + found.noise * random.gaussian();
  return resolution_ > 0 ? rounded(found.output, resolution_) : found.output;
}

double rounded(double value, double resolution) {
  if (resolution <= 0) return value;
  const double steps = value / resolution + 0.5;
  return std::isfinite(steps) ? std::trunc(steps) * resolution : value;
}

}  // namespace wb
