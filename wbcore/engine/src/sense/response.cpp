// The response of a sensor: lookup table, noise and resolution.
#include "response.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace wb {

Response::Table::Table(Rows sorted) : rows(std::move(sorted)) {
  for (const auto &row : rows) inputs.push_back(row[0]);
  for (size_t i = 1; i < rows.size(); ++i) {
    const auto &low = rows[i - 1], &high = rows[i];
    const double width = high[0] - low[0];
    slopes.push_back({0, 0});
    if (width > 0) slopes.back() = {(high[1] - low[1]) / width, (high[2] - low[2]) / width};
  }
}

// The table of the last call is the one that is most likely wanted again.
std::shared_ptr<const Response::Table> Response::table_of(Rows rows) {
  static std::mutex mutex;
  static std::weak_ptr<const Table> last;
  std::stable_sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) { return a[0] < b[0]; });
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Table> found = last.lock();
  if (!found || found->rows != rows) last = found = std::make_shared<const Table>(std::move(rows));
  return found;
}

Response::Response(std::vector<std::array<double, 3>> rows, double resolution)
    : table_(table_of(std::move(rows))), resolution_(resolution) {}

Response::Found Response::look_up(double value) const {
  const auto &[rows, inputs, slopes] = *table_;
  if (rows.empty() || std::isnan(value)) return {value, 0};
  const auto above = std::upper_bound(inputs.begin(), inputs.end(), value) - inputs.begin();
  if (above == 0) return {rows[0][1], rows[0][2]};
  const auto &low = rows[above - 1];
  if (static_cast<size_t>(above) == rows.size()) return {low[1], low[2]};
  const auto &slope = slopes[above - 1];
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
