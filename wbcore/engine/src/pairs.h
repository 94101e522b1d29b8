// The pairs of geoms that may touch: found with the tree, kept from step to step, in a fixed order.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "geom.h"
#include "slots.h"
#include "tree.h"

namespace wb {

enum class Verdict : uint8_t { skip, contact, immersion };

struct Pair {
  uint64_t newer, older;  // orders of the two geoms; pairs are sorted newest first
  uint32_t a, b;          // a is the newer geom
  uint32_t version;       // version of the rules behind the verdict
  Verdict verdict;
  uint32_t surface;  // index of the contact properties
};

class Pairs {
 public:
  void add(Slots<Geom> &geoms, uint32_t slot);
  void remove(Slots<Geom> &geoms, uint32_t slot);
  // Applies the new bounds of a geom. Its velocity, if any, determines the margin.
  void update(Slots<Geom> &geoms, uint32_t slot, const Box &bounds, const double *velocity, double dt);
  // Updates and returns the list of pairs, without those that the rules of a version keep apart. The caller
  // may change verdicts.
  using Apart = std::function<bool(const Geom &, const Geom &)>;
  std::vector<Pair> &list(const Slots<Geom> &geoms, uint32_t rules, const Apart &apart);
  // The list as of the last call of `list`.
  std::vector<Pair> &listed() { return pairs_; }
  // Increases whenever the list changes.
  uint64_t changes() const { return changes_; }
  const Tree &tree() const { return tree_; }
  const std::vector<uint32_t> &unbounded() const { return unbounded_; }

 private:
  void begin_anew(const Slots<Geom> &geoms);
  void find_partners(const Slots<Geom> &geoms, uint32_t slot, const Apart &apart);
  void append(const Slots<Geom> &geoms, uint32_t a, uint32_t b);

  Tree tree_;
  std::vector<Pair> pairs_, merged_;
  std::vector<uint32_t> changed_, unbounded_;
  std::vector<uint8_t> is_changed_;
  uint64_t changes_ = 0;
  uint32_t rules_ = 0;
};

}  // namespace wb
