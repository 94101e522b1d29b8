// A static tree of bounding boxes: construction by binned surface area heuristic.
#include "bvh.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

namespace wb {
namespace {

constexpr uint32_t kLeafItems = 4;  // items that need no further split
constexpr size_t kBins = 16;
// Share of the coordinates by which boxes grow: rounding must not exclude what a ray touches.
constexpr double kBoxRoom = 1e-12;

struct Bin {
  Box box;
  uint32_t count = 0;
  void add(const Box &b, uint32_t n) {
    if (!n) return;
    box = count ? box.merged(b) : b;
    count += n;
  }
};

double cost(const Bin &bin) { return bin.count ? bin.box.area() * bin.count : 0; }

}  // namespace

struct Bvh::Builder {
  Bvh &tree;
  const std::vector<Box> &boxes;

  double center(uint32_t item, int axis) const { return boxes[item].low[axis] + boxes[item].high[axis]; }

  Box around(uint32_t first, uint32_t count) const {
    Box box = boxes[tree.items_[first]];
    double largest = 0;
    for (uint32_t i = 1; i < count; ++i) box = box.merged(boxes[tree.items_[first + i]]);
    for (int k = 0; k < 3; ++k) largest = std::max({largest, std::fabs(box.low[k]), std::fabs(box.high[k])});
    for (int k = 0; k < 3; ++k) box.low[k] -= kBoxRoom * largest, box.high[k] += kBoxRoom * largest;
    return box;
  }

  void make(uint32_t first, uint32_t count, int depth) {
    const size_t at = tree.nodes_.size();
    tree.nodes_.push_back({around(first, count), first, count});
    if (count <= kLeafItems) return;
    const uint32_t left = depth < kDepth / 2 ? split(first, count) : halve(first, count);
    make(first, left, depth + 1);
    const auto second = static_cast<uint32_t>(tree.nodes_.size());
    make(first + left, count - left, depth + 1);
    tree.nodes_[at].first = second;
    tree.nodes_[at].count = 0;
  }

  // The axis along which the centers are spread most, and their range.
  int widest(uint32_t first, uint32_t count, double &low, double &high) const {
    int best = 0;
    low = high = 0;
    for (int axis = 0; axis < 3; ++axis) {
      double a = std::numeric_limits<double>::infinity(), b = -a;
      for (uint32_t i = first; i < first + count; ++i) {
        a = std::min(a, center(tree.items_[i], axis));
        b = std::max(b, center(tree.items_[i], axis));
      }
      if (axis == 0 || b - a > high - low) best = axis, low = a, high = b;
    }
    return best;
  }

  // Reorders the items so that a split costs least; returns the number of items on the left.
  uint32_t split(uint32_t first, uint32_t count) {
    double low, high;
    const int axis = widest(first, count, low, high);
    if (!(high > low)) return count / 2;
    const double scale = kBins / (high - low);
    const auto bin_of = [&](uint32_t item) {
      return std::min(static_cast<size_t>((center(item, axis) - low) * scale), kBins - 1);
    };
    std::array<Bin, kBins> bins;
    for (uint32_t i = first; i < first + count; ++i)
      bins[bin_of(tree.items_[i])].add(boxes[tree.items_[i]], 1);
    const size_t border = cheapest(bins);
    const auto begin = tree.items_.begin() + first;
    const auto middle =
        std::partition(begin, begin + count, [&](uint32_t item) { return bin_of(item) < border; });
    const auto left = static_cast<uint32_t>(middle - begin);
    return left && left < count ? left : halve(first, count);
  }

  static size_t cheapest(const std::array<Bin, kBins> &bins) {
    std::array<double, kBins> right_cost{};
    Bin right, left;
    for (size_t i = kBins - 1; i > 0; --i) right.add(bins[i].box, bins[i].count), right_cost[i] = cost(right);
    size_t best = kBins / 2;
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 1; i < kBins; ++i) {
      left.add(bins[i - 1].box, bins[i - 1].count);
      if (left.count && cost(left) + right_cost[i] < least) least = cost(left) + right_cost[i], best = i;
    }
    return best;
  }

  // Equal halves, which bounds the depth.
  uint32_t halve(uint32_t first, uint32_t count) {
    double low, high;
    const int axis = widest(first, count, low, high);
    const auto begin = tree.items_.begin() + first;
    const auto place = [&](uint32_t item) { return std::pair(center(item, axis), item); };
    std::nth_element(begin, begin + count / 2, begin + count,
                     [&](uint32_t a, uint32_t b) { return place(a) < place(b); });
    return count / 2;
  }
};

void Bvh::build(const std::vector<Box> &boxes) {
  nodes_.clear();
  items_.resize(boxes.size());
  std::iota(items_.begin(), items_.end(), 0);
  if (!boxes.empty()) Builder{*this, boxes}.make(0, static_cast<uint32_t>(boxes.size()), 0);
}

}  // namespace wb
