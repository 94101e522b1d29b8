// The pairs of geoms that may touch: found with the tree, kept from step to step, in a fixed order.
#include "pairs.h"

#include <algorithm>

namespace wb {
namespace {

// Margin around a geom in the tree, as a share of its size. A larger margin means fewer searches but more
// pairs.
constexpr double kReserve = 0.1;
// Additional margin, in steps at the current speed.
constexpr double kSteps = 8;

Box with_room(const Box &b, double reach) {
  Box r;
  for (int i = 0; i < 3; ++i) {
    const double room = kReserve * (b.high[i] - b.low[i]) + reach;
    r.low[i] = b.low[i] - room;
    r.high[i] = b.high[i] + room;
  }
  return r;
}

bool same_body(const Geom &a, const Geom &b) { return a.body != kNone && a.body == b.body; }

bool before(const Pair &x, const Pair &y) {
  return x.newer != y.newer ? x.newer > y.newer : x.older > y.older;
}

}  // namespace

void Pairs::add(Slots<Geom> &geoms, uint32_t slot) {
  if (is_changed_.size() <= slot) is_changed_.resize(slot + 1, 0);
  Geom &g = geoms[slot];
  if (g.bounded())
    g.leaf = tree_.insert(with_room(g.bounds, 0), slot);
  else
    unbounded_.push_back(slot);
  is_changed_[slot] = 1;
  changed_.push_back(slot);
}

void Pairs::remove(Slots<Geom> &geoms, uint32_t slot) {
  Geom &g = geoms[slot];
  if (g.leaf != kNone) tree_.remove(g.leaf);
  g.leaf = kNone;
  std::erase(unbounded_, slot);
  std::erase(changed_, slot);
  is_changed_[slot] = 0;
  ++changes_;
  std::erase_if(pairs_, [slot](const Pair &p) { return p.a == slot || p.b == slot; });
}

void Pairs::update(Slots<Geom> &geoms, uint32_t slot, const Box &bounds, const double *velocity, double dt) {
  Geom &g = geoms[slot];
  g.bounds = bounds;
  if (g.leaf == kNone || tree_.box(g.leaf).contains(bounds)) return;
  const double reach = velocity ? kSteps * dt * norm(Vec3{velocity[0], velocity[1], velocity[2]}) : 0;
  tree_.remove(g.leaf);
  g.leaf = tree_.insert(with_room(bounds, reach), slot);
  if (is_changed_[slot]) return;
  is_changed_[slot] = 1;
  changed_.push_back(slot);
}

std::vector<Pair> &Pairs::list(const Slots<Geom> &geoms, uint32_t rules, const Apart &apart) {
  if (rules_ != rules) begin_anew(geoms);
  rules_ = rules;
  if (changed_.empty()) return pairs_;
  ++changes_;
  std::erase_if(pairs_, [this](const Pair &p) { return is_changed_[p.a] || is_changed_[p.b]; });
  const size_t kept = pairs_.size();
  for (uint32_t slot : changed_) find_partners(geoms, slot, apart);
  for (uint32_t slot : changed_) is_changed_[slot] = 0;
  changed_.clear();
  std::sort(pairs_.begin() + kept, pairs_.end(), before);
  merged_.resize(pairs_.size());  // std::inplace_merge would allocate memory each time
  std::merge(pairs_.begin(), pairs_.begin() + kept, pairs_.begin() + kept, pairs_.end(), merged_.begin(),
             before);
  pairs_.swap(merged_);
  return pairs_;
}

void Pairs::begin_anew(const Slots<Geom> &geoms) {
  pairs_.clear();
  changed_ = geoms.live();
  for (uint32_t slot : changed_) is_changed_[slot] = 1;
}

// If both geoms of a pair changed, the newer one adds the pair.
void Pairs::find_partners(const Slots<Geom> &geoms, uint32_t slot, const Apart &apart) {
  const Geom &g = geoms[slot];
  const auto consider = [&](uint32_t other) {
    if (other == slot || same_body(g, geoms[other])) return;
    if (is_changed_[other] && geoms[other].order > g.order) return;
    if (apart(g, geoms[other])) return;
    append(geoms, slot, other);
  };
  if (g.bounded()) {
    tree_.query(tree_.box(g.leaf), consider);
    for (uint32_t other : unbounded_) consider(other);
  } else {
    for (uint32_t other : geoms.live()) consider(other);
  }
}

void Pairs::append(const Slots<Geom> &geoms, uint32_t a, uint32_t b) {
  if (geoms[a].order < geoms[b].order) std::swap(a, b);
  pairs_.push_back({geoms[a].order, geoms[b].order, a, b, kNone, Verdict::skip, 0});
}

}  // namespace wb
