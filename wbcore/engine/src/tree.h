// A balanced binary tree of bounding boxes, for finding pairs and casting rays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "vec.h"

namespace wb {

struct Box {
  Vec3 low{}, high{};

  bool overlaps(const Box &o) const {
    return low[0] <= o.high[0] && high[0] >= o.low[0] && low[1] <= o.high[1] && high[1] >= o.low[1] &&
           low[2] <= o.high[2] && high[2] >= o.low[2];
  }
  bool contains(const Box &o) const {
    return low[0] <= o.low[0] && low[1] <= o.low[1] && low[2] <= o.low[2] && high[0] >= o.high[0] &&
           high[1] >= o.high[1] && high[2] >= o.high[2];
  }
  double area() const {
    const double x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x * y + y * z + z * x;
  }
  Box merged(const Box &o) const;
  Box widened(double room) const {
    const Vec3 all{room, room, room};
    return {low - all, high + all};
  }
  // Bounds of this box at a pose.
  Box turned(const Pose &pose) const;
};

// A line from `origin` along the unit vector `direction`.
struct Segment {
  static constexpr double kMiss = std::numeric_limits<double>::quiet_NaN();
  Vec3 origin, direction, inverse;

  Segment(const Vec3 &o, const Vec3 &d) : origin(o), direction(d) {
    for (int i = 0; i < 3; ++i) inverse[i] = 1.0 / d[i];
  }

  // Distance at which it enters the box, or NaN if it misses the box within `length`: a miss is not `<=` any
  // length, not even that of a ray that goes on forever.
  double entry(const Box &box, double length) const {
    double near = 0, far = length;
    for (int i = 0; i < 3; ++i) {
      if (direction[i] == 0) {
        if (origin[i] < box.low[i] || origin[i] > box.high[i]) return kMiss;
        continue;
      }
      const double a = (box.low[i] - origin[i]) * inverse[i], b = (box.high[i] - origin[i]) * inverse[i];
      near = std::max(near, std::min(a, b));
      far = std::min(far, std::max(a, b));
    }
    return near <= far ? near : kMiss;
  }
};

class Tree {
 public:
  // Each leaf carries a number chosen by its owner. Returns the leaf.
  uint32_t insert(const Box &box, uint32_t value);
  void remove(uint32_t leaf);
  const Box &box(uint32_t node) const { return nodes_[node].box; }

  template <class Visit>
  void query(const Box &box, Visit &&visit) const {
    if (root_ == kNil) return;
    uint32_t stack[kDepth];
    int top = 0;
    stack[top++] = root_;
    while (top) {
      const Node &node = nodes_[stack[--top]];
      if (!node.box.overlaps(box)) continue;
      if (node.leaf())
        visit(node.value);
      else
        stack[top++] = node.child[0], stack[top++] = node.child[1];
    }
  }

  // `visit(value, length)` returns the new length limit of the search.
  template <class Visit>
  void cast(const Segment &segment, double length, Visit &&visit) const {
    if (root_ == kNil) return;
    uint32_t stack[kDepth];
    int top = 0;
    stack[top++] = root_;
    while (top) {
      const Node &node = nodes_[stack[--top]];
      if (!(segment.entry(node.box, length) <= length)) continue;
      if (node.leaf())
        length = visit(node.value, length);
      else
        stack[top++] = node.child[0], stack[top++] = node.child[1];
    }
  }

 private:
  static constexpr uint32_t kNil = 0xffffffffu;
  static constexpr int kDepth = 128;  // a balanced tree of 2^32 leaves is lower than half of this

  struct Node {
    Box box;
    uint32_t parent = kNil, child[2] = {kNil, kNil}, value = 0;
    int height = 0;
    bool leaf() const { return child[0] == kNil; }
  };

  uint32_t allocate();
  uint32_t best_sibling(const Box &box) const;
  void replace_child(uint32_t parent, uint32_t old_child, uint32_t new_child);
  void refit(uint32_t node);
  void refit_up(uint32_t node);
  uint32_t balance(uint32_t node);
  uint32_t rotate_up(uint32_t node, int side);

  std::vector<Node> nodes_;
  std::vector<uint32_t> free_;
  uint32_t root_ = kNil;
};

}  // namespace wb
