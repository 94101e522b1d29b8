// A static tree of bounding boxes, split by the surface area heuristic, for casting rays.
#pragma once

#include <cstdint>
#include <vector>

#include "../tree.h"

namespace wb {

class Bvh {
 public:
  // Item i has boxes[i]. Replaces an earlier tree.
  void build(const std::vector<Box> &boxes);
  bool empty() const { return nodes_.empty(); }
  const Box &bounds() const { return nodes_[0].box; }

  // Calls `visit(item, length)` for items that the ray may hit, near ones first; it returns the new length
  // limit of the search.
  template <class Visit>
  void cast(const Segment &segment, double length, Visit &&visit) const {
    if (nodes_.empty()) return;
    Waiting stack[2 * kDepth];
    int top = 0;
    stack[top++] = {0, segment.entry(nodes_[0].box, length)};
    while (top) {
      const Waiting next = stack[--top];
      if (!(next.entry <= length)) continue;
      const Node &node = nodes_[next.node];
      if (node.count) {
        for (uint32_t i = 0; i < node.count; ++i) length = visit(items_[node.first + i], length);
        continue;
      }
      Waiting near{next.node + 1, segment.entry(nodes_[next.node + 1].box, length)};
      Waiting far{node.first, segment.entry(nodes_[node.first].box, length)};
      if (far.entry < near.entry) std::swap(near, far);  // a miss is not visited, wherever it is
      if (far.entry <= length) stack[top++] = far;
      if (near.entry <= length) stack[top++] = near;
    }
  }

  // True if `test(item)` is true for an item that the ray may hit when all boxes are wider by `room`.
  template <class Test>
  bool any(const Segment &segment, double length, double room, Test &&test) const {
    if (nodes_.empty()) return false;
    uint32_t stack[2 * kDepth];
    int top = 0;
    stack[top++] = 0;
    while (top) {
      const uint32_t at = stack[--top];
      const Node &node = nodes_[at];
      if (!(segment.entry(node.box.widened(room), length) <= length)) continue;
      for (uint32_t i = 0; i < node.count; ++i)
        if (test(items_[node.first + i])) return true;
      if (!node.count) stack[top++] = at + 1, stack[top++] = node.first;
    }
    return false;
  }

 private:
  static constexpr int kDepth = 64;

  struct Node {
    Box box;
    uint32_t first = 0;  // leaf: its first place in items_; else the second child (the first one follows)
    uint32_t count = 0;  // number of items; 0: not a leaf
  };
  struct Waiting {
    uint32_t node;
    double entry;
  };
  struct Builder;

  std::vector<Node> nodes_;
  std::vector<uint32_t> items_;
};

}  // namespace wb
