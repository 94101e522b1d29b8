// The joints of a robot as a tree of links: where they are, and how masses resist motion.
//
// Forces, velocities and inertias are spatial (angular and linear part) and refer to a fixed point of the
// world, the base's present position, along the world's axes: R. Featherstone, Rigid Body Dynamics
// Algorithms, chapters 2, 5 and 6.
#pragma once

#include <span>
#include <vector>

#include "../mass.h"

namespace wb {

enum class Freedom : int { kFixed, kHinge, kSlider };

// A link and the joint that holds it. Anchor, axis and pose are in the frame of the link `parent`, which
// comes before it; the pose is that at the position 0.
struct ChainLink {
  int parent = -1;  // -1: the base, which is no link
  Freedom freedom = Freedom::kFixed;
  Vec3 anchor = kZero, axis{0, 0, 1};
  Pose rest;
  Mass mass;  // in the link's frame
  double low = -kInfinity, high = kInfinity;
};

struct Spatial {
  Vec3 angular = kZero, linear = kZero;

  Spatial operator+(const Spatial &other) const { return {angular + other.angular, linear + other.linear}; }
  Spatial operator*(double factor) const { return {angular * factor, linear * factor}; }
  // The power of a force at a velocity.
  double of(const Spatial &force) const { return dot(angular, force.angular) + dot(linear, force.linear); }
};

class Chain {
 public:
  // `base_mass`: of the base, which moves if `is_floating`; its six freedoms come first then: its linear and
  // angular velocity.
  Chain(std::vector<ChainLink> links, bool is_floating, const Mass &base_mass);

  size_t links() const { return links_.size(); }
  // Numbers of freedoms: of joints; of all.
  size_t joints() const { return joints_.size(); }
  size_t freedoms() const { return joints() + first(); }
  size_t first() const { return is_floating_ ? 6 : 0; }

  // Takes a pose of the base and positions of the joints.
  void place(const Pose &base, std::span<const double> positions);
  // After `place`: of a link, -1 for the base.
  const Pose &pose(int link) const { return link < 0 ? base_ : poses_.at(static_cast<size_t>(link)); }
  // The velocity of a point (world) of a link per velocity of each freedom, 6 rows: linear, angular.
  void jacobian(int link, const Vec3 &point, std::span<double> rows) const;
  // The matrix of (freedoms, freedoms): composite rigid bodies.
  void mass_matrix(std::span<double> matrix) const;
  // The forces of the freedoms that give accelerations, by recursion from the base (Newton and Euler). A
  // floating base's acceleration is that of its origin.
  void forces(std::span<const double> velocities, std::span<const double> accelerations, const Vec3 &gravity,
              std::span<double> result) const;

  double low(size_t joint) const { return links_[joints_[joint]].low; }
  double high(size_t joint) const { return links_[joints_[joint]].high; }
  // The joints between the base and a link.
  std::vector<size_t> path(int link) const;

 private:
  // Mass, first moment and inertia about the reference.
  struct Inertia {
    double mass = 0;
    Vec3 moment = kZero;
    Mat3 inertia{};
    Inertia &operator+=(const Inertia &other);
    Spatial operator*(const Spatial &motion) const;
  };

  Inertia inertia_of(const Pose &pose, const Mass &mass) const;
  std::vector<Inertia> composites(Inertia &base) const;

  std::vector<ChainLink> links_;
  std::vector<size_t> joints_;  // the link of each joint
  std::vector<int> joint_of_;   // the joint of each link, -1
  bool is_floating_;
  Mass base_mass_;
  Pose base_;
  std::vector<Pose> poses_;
  std::vector<Spatial> motions_;  // per velocity of a link's joint
};

}  // namespace wb
