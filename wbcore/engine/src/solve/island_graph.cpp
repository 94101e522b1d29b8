// Bodies and joints of an island as trees: which joint is on which edge, and which close cycles.
#include "island_graph.h"

#include "joints/joint.h"

namespace wb::solve {
namespace {

constexpr int32_t kMounted = 1 << 16;  // more than any body has neighbors

int32_t number_of(const dxBody *body) { return body && body->invMass > 0 ? body->tag : kNothing; }

}  // namespace

void IslandGraph::number_bodies(const IslandParts &parts) {
  if (heavy_.size() != parts.body_count) built_ = grown_ = false;
  heavy_.resize(parts.body_count);
  for (uint32_t i = 0; i < parts.body_count; ++i) {
    dxBody *body = parts.bodies[i];
    body->tag = static_cast<int>(i);
    const uint8_t heavy = body->invMass > 0;
    if (heavy_[i] == heavy) continue;
    heavy_[i] = heavy;
    built_ = grown_ = false;
  }
}

uint32_t IslandGraph::weigh_rows(const IslandParts &parts, Equations &eq) {
  number_bodies(parts);
  size_t count = 0;
  uint32_t weight = 0;
  for (uint32_t i = 0; i < parts.joint_count; ++i) {
    dxJoint *joint = parts.joints[i];
    dxJoint::Info1 info;
    joint->getInfo1(&info);
    if (info.m == 0) continue;
    const bool contact = joint->type() == dJointTypeContact;
    weight += info.m * (contact ? kWeightOfContact : 1);
    const Link link{info.m, number_of(joint->node[0].body), number_of(joint->node[1].body), contact};
    if (count == links_.size()) {
      links_.emplace_back();
      eq.joints.emplace_back();
    }
    eq.joints[count].joint = joint;
    if (!(links_[count] == link)) built_ = false;
    links_[count++] = link;
  }
  if (count != links_.size()) built_ = false;
  links_.resize(count);
  eq.joints.resize(count);
  return weight;
}

uint32_t IslandGraph::build(const IslandParts &parts, Equations &eq) {
  if (!built_) build_anew(eq);
  built_ = true;
  for (Node &n : eq.nodes) {
    n.body = parts.bodies[n.number];
    n.eliminated_rows = 0;
  }
  return static_cast<uint32_t>(eq.closing.size());
}

void IslandGraph::build_anew(Equations &eq) {
  for (size_t i = 0; i < links_.size(); ++i) {
    const Link &link = links_[i];
    JointRows &j = eq.joints[i];
    j = {j.joint, link.rows, 0, link.body0, link.body1, kNothing, link.contact};
  }
  if (list_edges() || !grown_) grow_trees(eq);
  grown_ = true;
  place_rows(eq);
}

// Contacts with the world are no edges. Returns whether the edges differ from those of the trees.
bool IslandGraph::list_edges() {
  edges_before_.swap(edges_);
  edges_.clear();
  for (const Link &link : links_)
    if (!link.contact || (link.body0 != kNothing && link.body1 != kNothing)) edges_.push_back(link);
  return edges_ != edges_before_;
}

void IslandGraph::grow_trees(Equations &eq) {
  first_.assign(heavy_.size(), kNothing);
  degree_.assign(heavy_.size(), 0);
  node_of_.assign(heavy_.size(), kNothing);
  neighbors_.clear();
  for (size_t i = 0; i < heavy_.size(); ++i)
    if (!heavy_[i]) degree_[i] = kNothing;
  link_bodies(eq);
  eq.nodes.clear();
  for (int32_t root; (root = next_root()) != kNothing;) grow(eq, root);
  for (size_t i = eq.nodes.size(); i-- > 0;) {
    Node &n = eq.nodes[i];
    if (n.parent == kNothing) continue;
    n.next_sibling = eq.nodes[n.parent].first_child;
    eq.nodes[n.parent].first_child = static_cast<int32_t>(i);
  }
}

void IslandGraph::link_bodies(const Equations &eq) {
  for (const JointRows &j : eq.joints) {
    if (j.body0 == kNothing || j.body1 == kNothing) {
      const int32_t body = j.body0 == kNothing ? j.body1 : j.body0;
      if (body != kNothing && !j.contact) degree_[body] += kMounted;
      continue;
    }
    bool known = false;
    for (int32_t e = first_[j.body0]; e != kNothing && !known; e = neighbors_[e].next)
      known = neighbors_[e].body == j.body1;
    if (known) continue;
    link(j.body0, j.body1);
    link(j.body1, j.body0);
  }
}

void IslandGraph::link(int32_t a, int32_t b) {
  neighbors_.push_back({b, first_[a]});
  first_[a] = static_cast<int32_t>(neighbors_.size() - 1);
  ++degree_[a];
}

// Of arms this is the body at their mount, whose node then has no rows but those to the world; of walking
// machines the trunk, from which the paths to the feet are short.
int32_t IslandGraph::next_root() const {
  int32_t best = kNothing;
  for (size_t i = 0; i < degree_.size(); ++i)
    if (degree_[i] != kNothing && node_of_[i] == kNothing && (best == kNothing || degree_[i] > degree_[best]))
      best = static_cast<int32_t>(i);
  return best;
}

void IslandGraph::grow(Equations &eq, int32_t root) {
  const auto add = [&](int32_t number, int32_t parent) {
    node_of_[number] = static_cast<int32_t>(eq.nodes.size());
    Node &n = eq.nodes.emplace_back();
    n.number = number;
    n.parent = parent;
    n.first_child = n.next_sibling = kNothing;
  };
  size_t at = eq.nodes.size();
  add(root, kNothing);
  for (; at < eq.nodes.size(); ++at)
    for (int32_t e = first_[eq.nodes[at].number]; e != kNothing; e = neighbors_[e].next)
      if (node_of_[neighbors_[e].body] == kNothing) add(neighbors_[e].body, static_cast<int32_t>(at));
}

// Rows are in the order of their nodes; those that close cycles come last.
void IslandGraph::place_rows(Equations &eq) {
  for (Node &n : eq.nodes) n.row_begin = n.row_end = 0;
  for (JointRows &j : eq.joints) {
    if (j.body0 != kNothing) j.body0 = node_of_[j.body0];
    if (j.body1 != kNothing) j.body1 = node_of_[j.body1];
    if (j.body0 == kNothing || j.body1 == kNothing)
      j.child = j.body0 == kNothing ? j.body1 : j.body0;
    else if (eq.nodes[j.body0].parent == j.body1)
      j.child = j.body0;
    else if (eq.nodes[j.body1].parent == j.body0)
      j.child = j.body1;
    if (j.child != kNothing) eq.nodes[j.child].row_end += j.count;
  }
  int32_t next = 0;
  for (Node &n : eq.nodes) {
    const int32_t count = n.row_end;
    n.row_begin = n.row_end = next;
    next += count;
  }
  eq.closing.clear();
  for (JointRows &j : eq.joints) {
    int32_t &place = j.child == kNothing ? next : eq.nodes[j.child].row_end;
    j.first_row = place;
    place += j.count;
    if (j.child == kNothing)
      for (int32_t r = j.first_row; r < place; ++r) eq.closing.push_back(r);
  }
}

}  // namespace wb::solve
