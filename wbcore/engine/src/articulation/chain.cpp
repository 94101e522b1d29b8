// The joints of a robot as a tree of links: where they are, and how masses resist motion.
#include "chain.h"

#include <algorithm>

#include "../errors.h"

namespace wb {
namespace {

// How a motion that turns with velocity `v` changes.
Spatial cross_motion(const Spatial &v, const Spatial &motion) {
  return {cross(v.angular, motion.angular),
          cross(v.angular, motion.linear) + cross(v.linear, motion.angular)};
}

// How a momentum changes that turns with velocity `v`.
Spatial cross_force(const Spatial &v, const Spatial &force) {
  return {cross(v.angular, force.angular) + cross(v.linear, force.linear), cross(v.angular, force.linear)};
}

// The unit motions of a floating base: three linear, three angular.
Spatial base_motion(size_t freedom) {
  Spatial made;
  (freedom < 3 ? made.linear : made.angular)[freedom % 3] = 1;
  return made;
}

}  // namespace

Chain::Inertia &Chain::Inertia::operator+=(const Inertia &other) {
  mass += other.mass;
  moment += other.moment;
  for (size_t i = 0; i < 9; ++i) inertia[i] += other.inertia[i];
  return *this;
}

Spatial Chain::Inertia::operator*(const Spatial &v) const {
  return {inertia * v.angular + cross(moment, v.linear), v.linear * mass - cross(moment, v.angular)};
}

Chain::Chain(std::vector<ChainLink> links, bool is_floating, const Mass &base_mass)
    : links_(std::move(links)), is_floating_(is_floating), base_mass_(base_mass), poses_(links_.size()) {
  for (size_t i = 0; i < links_.size(); ++i) {
    ChainLink &link = links_[i];
    require(link.parent >= -1 && link.parent < static_cast<int>(i), "parent", "that of a link before",
            link.parent);
    const bool moves = link.freedom != Freedom::kFixed;
    if (moves) link.axis = require_direction("axis", link.axis);
    joint_of_.push_back(moves ? static_cast<int>(joints_.size()) : -1);
    if (moves) joints_.push_back(i);
  }
  motions_.resize(links_.size());
}

void Chain::place(const Pose &base, std::span<const double> positions) {
  require(positions.size() == joints(), "number of positions", "that of the joints",
          static_cast<double>(positions.size()));
  base_ = base;
  for (size_t i = 0; i < links_.size(); ++i) {
    const ChainLink &link = links_[i];
    const Pose &above = pose(link.parent);
    const Vec3 axis = above.rotation * link.axis;
    Pose local = link.rest;
    if (link.freedom == Freedom::kHinge) {
      const Mat3 turn = rotation(link.axis, positions[static_cast<size_t>(joint_of_[i])]);
      local = {link.anchor + turn * (link.rest.position - link.anchor), turn * link.rest.rotation};
      motions_[i] = {axis, cross(above * link.anchor - base.position, axis)};
    } else if (link.freedom == Freedom::kSlider) {
      local.position += link.axis * positions[static_cast<size_t>(joint_of_[i])];
      motions_[i] = {kZero, axis};
    }
    poses_[i] = above * local;
  }
}

void Chain::jacobian(int link, const Vec3 &point, std::span<double> rows) const {
  const size_t width = freedoms();
  require(rows.size() == 6 * width, "number of numbers", "6 for each freedom",
          static_cast<double>(rows.size()));
  std::fill(rows.begin(), rows.end(), 0.0);
  const Vec3 arm = point - base_.position;
  const auto put = [&](size_t column, const Spatial &motion) {
    const Vec3 linear = motion.linear + cross(motion.angular, arm);
    for (size_t k = 0; k < 3; ++k) {
      rows[k * width + column] = linear[k];
      rows[(k + 3) * width + column] = motion.angular[k];
    }
  };
  for (size_t k = 0; k < first(); ++k) put(k, base_motion(k));
  for (int i = link; i >= 0; i = links_[static_cast<size_t>(i)].parent)
    if (const int joint = joint_of_[static_cast<size_t>(i)]; joint >= 0)
      put(first() + static_cast<size_t>(joint), motions_[static_cast<size_t>(i)]);
}

Chain::Inertia Chain::inertia_of(const Pose &pose, const Mass &mass) const {
  if (mass.mass == 0) return {};
  const Vec3 center = pose * mass.center - base_.position;
  Inertia made{mass.mass, center * mass.mass, pose.rotation * mass.inertia * transposed(pose.rotation)};
  const Mat3 far = point_inertia(mass.mass, center);
  for (size_t i = 0; i < 9; ++i) made.inertia[i] += far[i];
  return made;
}

// The inertia of each link with all that it carries; `base` becomes that of everything.
std::vector<Chain::Inertia> Chain::composites(Inertia &base) const {
  std::vector<Inertia> made(links_.size());
  for (size_t i = 0; i < made.size(); ++i) made[i] = inertia_of(poses_[i], links_[i].mass);
  base = inertia_of(base_, base_mass_);
  for (size_t i = made.size(); i-- > 0;) {
    const int above = links_[i].parent;
    (above < 0 ? base : made[static_cast<size_t>(above)]) += made[i];
  }
  return made;
}

void Chain::mass_matrix(std::span<double> matrix) const {
  const size_t width = freedoms();
  require(matrix.size() == width * width, "number of numbers", "the square of the freedoms",
          static_cast<double>(matrix.size()));
  std::fill(matrix.begin(), matrix.end(), 0.0);
  Inertia whole;
  const std::vector<Inertia> carried = composites(whole);
  const auto put = [&](size_t a, size_t b, double value) {
    matrix[a * width + b] = matrix[b * width + a] = value;
  };
  for (size_t k = 0; k < first(); ++k)
    for (size_t l = 0; l <= k; ++l) put(k, l, base_motion(l).of(whole * base_motion(k)));
  for (size_t joint = 0; joint < joints(); ++joint) {
    const size_t link = joints_[joint], row = first() + joint;
    const Spatial momentum = carried[link] * motions_[link];
    for (int i = static_cast<int>(link); i >= 0; i = links_[static_cast<size_t>(i)].parent)
      if (const int other = joint_of_[static_cast<size_t>(i)]; other >= 0)
        put(row, first() + static_cast<size_t>(other), motions_[static_cast<size_t>(i)].of(momentum));
    for (size_t k = 0; k < first(); ++k) put(row, k, base_motion(k).of(momentum));
  }
}

void Chain::forces(std::span<const double> velocities, std::span<const double> accelerations,
                   const Vec3 &gravity, std::span<double> result) const {
  for (const size_t size : {velocities.size(), accelerations.size(), result.size()})
    require(size == freedoms(), "number of numbers", "that of the freedoms", static_cast<double>(size));
  // Gravity is an acceleration of the whole world upward.
  Spatial base_velocity, base_acceleration{kZero, -gravity};
  for (size_t k = 0; k < first(); ++k) {
    base_velocity = base_velocity + base_motion(k) * velocities[k];
    base_acceleration = base_acceleration + base_motion(k) * accelerations[k];
  }
  // The acceleration of the point that passes the reference, not of the base's origin.
  base_acceleration.linear += -cross(base_velocity.angular, base_velocity.linear);
  const size_t count = links_.size();
  std::vector<Spatial> velocity(count), acceleration(count), force(count);
  const auto needed = [](const Inertia &inertia, const Spatial &v, const Spatial &a) {
    return inertia * a + cross_force(v, inertia * v);
  };
  for (size_t i = 0; i < count; ++i) {
    const int above = links_[i].parent, joint = joint_of_[i];
    velocity[i] = above < 0 ? base_velocity : velocity[static_cast<size_t>(above)];
    acceleration[i] = above < 0 ? base_acceleration : acceleration[static_cast<size_t>(above)];
    if (joint >= 0) {
      const size_t place = first() + static_cast<size_t>(joint);
      const Spatial own = motions_[i] * velocities[place];
      acceleration[i] = acceleration[i] + motions_[i] * accelerations[place] + cross_motion(velocity[i], own);
      velocity[i] = velocity[i] + own;
    }
    force[i] = needed(inertia_of(poses_[i], links_[i].mass), velocity[i], acceleration[i]);
  }
  Spatial on_base = needed(inertia_of(base_, base_mass_), base_velocity, base_acceleration);
  for (size_t i = count; i-- > 0;) {
    const int above = links_[i].parent, joint = joint_of_[i];
    if (joint >= 0) result[first() + static_cast<size_t>(joint)] = motions_[i].of(force[i]);
    Spatial &below = above < 0 ? on_base : force[static_cast<size_t>(above)];
    below = below + force[i];
  }
  for (size_t k = 0; k < first(); ++k) result[k] = base_motion(k).of(on_base);
}

std::vector<size_t> Chain::path(int link) const {
  std::vector<size_t> found;
  for (int i = link; i >= 0; i = links_[static_cast<size_t>(i)].parent)
    if (joint_of_[static_cast<size_t>(i)] >= 0)
      found.push_back(static_cast<size_t>(joint_of_[static_cast<size_t>(i)]));
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace wb
