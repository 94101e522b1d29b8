// A balanced binary tree of bounding boxes, for finding pairs and casting rays.
#include "tree.h"

#include <algorithm>
#include <limits>

namespace wb {

Box Box::merged(const Box &o) const {
  Box r;
  for (int i = 0; i < 3; ++i) {
    r.low[i] = std::min(low[i], o.low[i]);
    r.high[i] = std::max(high[i], o.high[i]);
  }
  return r;
}

Box Box::turned(const Pose &pose) const {
  const Vec3 center = pose * ((low + high) * 0.5), half = (high - low) * 0.5;
  Box r;
  for (int i = 0; i < 3; ++i) {
    double extent = 0;
    for (int k = 0; k < 3; ++k) extent += std::fabs(pose.rotation[3 * i + k]) * half[k];
    r.low[i] = center[i] - extent;
    r.high[i] = center[i] + extent;
  }
  return r;
}

uint32_t Tree::allocate() {
  if (!free_.empty()) {
    const uint32_t node = free_.back();
    free_.pop_back();
    nodes_[node] = Node{};
    return node;
  }
  nodes_.emplace_back();
  return static_cast<uint32_t>(nodes_.size() - 1);
}

uint32_t Tree::insert(const Box &box, uint32_t value) {
  const uint32_t leaf = allocate();
  nodes_[leaf].box = box;
  nodes_[leaf].value = value;
  if (root_ == kNil) return root_ = leaf;
  const uint32_t sibling = best_sibling(box), parent = allocate(), above = nodes_[sibling].parent;
  nodes_[parent].parent = above;
  nodes_[parent].child[0] = sibling;
  nodes_[parent].child[1] = leaf;
  replace_child(above, sibling, parent);
  nodes_[sibling].parent = nodes_[leaf].parent = parent;
  refit_up(parent);
  return leaf;
}

void Tree::remove(uint32_t leaf) {
  const uint32_t parent = nodes_[leaf].parent;
  free_.push_back(leaf);
  if (parent == kNil) {
    root_ = kNil;
    return;
  }
  const uint32_t sibling = nodes_[parent].child[nodes_[parent].child[0] == leaf];
  const uint32_t above = nodes_[parent].parent;
  nodes_[sibling].parent = above;
  replace_child(above, parent, sibling);
  free_.push_back(parent);
  refit_up(above);
}

// Descends where the surface of the boxes grows least (surface area heuristic).
uint32_t Tree::best_sibling(const Box &box) const {
  uint32_t node = root_;
  while (!nodes_[node].leaf()) {
    const Node &n = nodes_[node];
    const double here = n.box.area(), with = n.box.merged(box).area();
    const double inherited = 2 * (with - here);
    double cost[2];
    for (int i = 0; i < 2; ++i) {
      const Node &c = nodes_[n.child[i]];
      const double grown = c.box.merged(box).area();
      cost[i] = inherited + (c.leaf() ? grown : grown - c.box.area());
    }
    if (2 * with < cost[0] && 2 * with < cost[1]) break;
    node = n.child[cost[1] < cost[0]];
  }
  return node;
}

void Tree::replace_child(uint32_t parent, uint32_t old_child, uint32_t new_child) {
  if (parent == kNil)
    root_ = new_child;
  else
    nodes_[parent].child[nodes_[parent].child[1] == old_child] = new_child;
}

void Tree::refit(uint32_t node) {
  Node &n = nodes_[node];
  const Node &a = nodes_[n.child[0]], &b = nodes_[n.child[1]];
  n.box = a.box.merged(b.box);
  n.height = 1 + std::max(a.height, b.height);
}

void Tree::refit_up(uint32_t node) {
  while (node != kNil) {
    refit(node);
    node = balance(node);
    node = nodes_[node].parent;
  }
}

// Rotates the higher child up if the heights differ by more than one. Returns the node now on top.
uint32_t Tree::balance(uint32_t node) {
  const Node &n = nodes_[node];
  const int difference = nodes_[n.child[1]].height - nodes_[n.child[0]].height;
  if (difference > 1) return rotate_up(node, 1);
  if (difference < -1) return rotate_up(node, 0);
  return node;
}

// The child on `side` takes the node's place; the node keeps the lower one of that child's children.
uint32_t Tree::rotate_up(uint32_t node, int side) {
  const uint32_t up = nodes_[node].child[side];
  const int higher = nodes_[nodes_[up].child[1]].height > nodes_[nodes_[up].child[0]].height;
  const uint32_t lower_child = nodes_[up].child[!higher];
  replace_child(nodes_[node].parent, node, up);
  nodes_[up].parent = nodes_[node].parent;
  nodes_[up].child[!higher] = node;
  nodes_[node].parent = up;
  nodes_[node].child[side] = lower_child;
  nodes_[lower_child].parent = node;
  refit(node);
  refit(up);
  return up;
}

}  // namespace wb
