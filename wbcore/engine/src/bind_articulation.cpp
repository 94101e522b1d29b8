// Bindings of the kinematics and dynamics of robots.
#include "articulation/reach.h"
#include "bind.h"

namespace wb {
namespace {

using namespace nb::literals;
using Doubles = std::vector<double>;

nb::ndarray<nb::numpy, double> array_of(Doubles numbers, std::initializer_list<size_t> shape) {
  auto *kept = new Doubles(std::move(numbers));
  nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<Doubles *>(p); });
  return nb::ndarray<nb::numpy, double>(kept->data(), shape, owner);
}

void check_link(const Chain &chain, int link) {
  require(link >= -1 && link < static_cast<int>(chain.links()), "link", "-1 or a link's number", link);
}

ChainLink link_of(int parent, int freedom, const Vec3 &anchor, const Vec3 &axis, const Vec3 &position,
                  const Quat &orientation, const std::optional<Mass> &mass, double low, double high) {
  require(freedom >= 0 && freedom <= 2, "freedom", "0 to 2", freedom);
  require(low <= high, "low", "at most high", low);
  return {parent,
          static_cast<Freedom>(freedom),
          anchor,
          axis,
          pose_of(position, orientation),
          mass.value_or(Mass{}),
          low,
          high};
}

void bind_link(nb::module_ &m) {
  nb::class_<ChainLink>(m, "Link", "A link of a `Chain`, and the joint that holds it.")
      .def(
          "__init__",
          [](ChainLink *made, int parent, int freedom, const Vec3 &anchor, const Vec3 &axis,
             const Vec3 &position, const Quat &orientation, const std::optional<Mass> &mass, double low,
             double high) {
            new (made)
                ChainLink(link_of(parent, freedom, anchor, axis, position, orientation, mass, low, high));
          },
          "parent"_a, "freedom"_a, "anchor"_a, "axis"_a, "position"_a, "orientation"_a, "mass"_a.none(),
          "low"_a = -kInfinity, "high"_a = kInfinity,
          "parent: number of a link before, -1 for the base; freedom: 0 none, 1 hinge, 2 slider; anchor, "
          "axis, position and orientation (w, x, y, z) in the parent's frame, the pose at the position 0; "
          "low, high: limits (rad or m).");
}

}  // namespace

void bind_articulation(nb::module_ &m) {
  bind_link(m);
  nb::class_<Chain>(
      m, "Chain",
      "The joints of a robot as a tree of links. All results are for the last `place`. A "
      "floating base has six freedoms, before those of the joints: linear and angular velocity.")
      .def(
          "__init__",
          [](Chain *made, const std::vector<ChainLink> &links, bool is_floating,
             const std::optional<Mass> &mass) {
            new (made) Chain(links, is_floating, mass.value_or(Mass{}));
          },
          "links"_a, "is_floating"_a, "base_mass"_a.none())
      .def_prop_ro("joints", &Chain::joints, "Number of joints.")
      .def_prop_ro("freedoms", &Chain::freedoms, "Number of freedoms.")
      .def(
          "place",
          [](Chain &c, const Vec3 &position, const Quat &orientation, const Doubles &positions) {
            require_finite("positions", positions);
            c.place(pose_of(position, orientation), positions);
          },
          "position"_a, "orientation"_a, "positions"_a,
          "Takes a pose of the base (m; w, x, y, z) and the positions of all joints (rad or m).")
      .def(
          "pose",
          [](const Chain &c, int link) {
            check_link(c, link);
            const Pose &pose = c.pose(link);
            return std::make_tuple(pose.position, to_quat(pose.rotation));
          },
          "link"_a, "Position and orientation (w, x, y, z) of a link, -1 for the base, in the world.")
      .def(
          "jacobian",
          [](const Chain &c, int link, const Vec3 &point) {
            check_link(c, link);
            Doubles rows(6 * c.freedoms());
            c.jacobian(link, c.pose(link) * point, rows);
            return array_of(std::move(rows), {6, c.freedoms()});
          },
          "link"_a, "point"_a,
          "(6, freedoms): linear and angular velocity of a point of a link per velocity of each freedom.")
      .def(
          "mass_matrix",
          [](const Chain &c) {
            Doubles matrix(c.freedoms() * c.freedoms());
            c.mass_matrix(matrix);
            return array_of(std::move(matrix), {c.freedoms(), c.freedoms()});
          },
          "(freedoms, freedoms): kg m^2, kg m and kg.")
      .def(
          "forces",
          [](const Chain &c, const Doubles &velocities, const Doubles &accelerations, const Vec3 &gravity) {
            Doubles result(c.freedoms());
            c.forces(velocities, accelerations, gravity, result);
            return array_of(std::move(result), {c.freedoms()});
          },
          "velocities"_a, "accelerations"_a, "gravity"_a,
          "(freedoms,): the forces (N, N m) that give the freedoms these accelerations.")
      .def(
          "reach",
          [](Chain &c, const Vec3 &base, const Quat &turn, const Doubles &start, int link, const Vec3 &point,
             const Vec3 &position, const std::optional<Quat> &orientation, double distance, double angle,
             int iterations, int attempts) {
            Goal goal{link, point, position, {}};
            if (orientation) goal.orientation = to_matrix(require_rotation("orientation", *orientation));
            Reached r = reach(c, pose_of(base, turn), start, goal, {distance, angle, iterations, attempts});
            const size_t count = r.positions.size();
            return std::make_tuple(array_of(std::move(r.positions), {count}), r.distance, r.angle,
                                   r.iterations, r.is_reached);
          },
          "base"_a, "base_orientation"_a, "start"_a, "link"_a, "point"_a, "position"_a,
          "orientation"_a.none() = nb::none(), "distance"_a = 1e-6, "angle"_a = 1e-6, "iterations"_a = 100,
          "attempts"_a = 10,
          "Positions of the joints with which a point of a link is at a position of the world, and its frame "
          "has an orientation, if given; errors (m, rad), iterations, and whether the errors are at most "
          "`distance` and `angle`. Other joints than those between base and link keep their positions.");
}

}  // namespace wb
