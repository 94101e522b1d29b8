// The direction along which a cylinder and a box, cylinder or capsule overlap least (separating axis search).
#pragma once

#include "geom.h"
#include "segments.h"

namespace wb {

class LeastOverlap {
 public:
  LeastOverlap(const Geom &cylinder, const Geom &other);

  // Each returns false if the shapes do not touch. The first one tries the directions known in closed form;
  // the second one some of those where the overlap has a crease, which finds most shapes apart; the third
  // one, after it, finds directions for rims on rims and on sides.
  bool search();
  bool search_creases();
  bool refine();

  double overlap() const { return overlap_; }
  const Vec3 &normal() const { return normal_; }  // into the cylinder
  // The cylinder's deepest point.
  Vec3 point() const;

  const Pose &first_pose() const { return at_; }
  const Pose &second_pose() const { return bt_; }

 private:
  // Directions perpendicular to an axis, by their angle: the best of the coarse ones, and its overlap.
  struct Circle {
    Vec3 x, y;
    double best, least;
    Vec3 at(double cosine, double sine) const { return x * cosine + y * sine; }
    Vec3 at(double angle) const { return at(std::cos(angle), std::sin(angle)); }
  };

  double along(const Vec3 &n) const;
  bool consider(const Vec3 &n);
  bool consider_axis(const Vec3 &n);
  bool consider_way(const Vec3 &way);
  bool consider_axes();
  bool consider_ends();
  bool search_box();
  bool search_coarsely(const Vec3 &axis, Circle &circle) const;
  bool search_closely(const Circle &circle);
  bool search_around();

  const Shape &a_, &b_;
  Pose at_, bt_;
  Vec3 apart_;
  Circle own_circle_, other_circle_;
  double overlap_ = HUGE_VAL;
  Vec3 normal_{};
};

}  // namespace wb
