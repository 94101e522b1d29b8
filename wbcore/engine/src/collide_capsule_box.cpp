// A capsule on a box. ODE finds only the nearest point, so a lying capsule rocks from end to end.
#include <algorithm>
#include <array>

#include "colliders.h"

namespace wb {
namespace {

Vec3 into(const Vec3 &half, const Vec3 &p) {
  Vec3 q;
  for (int i = 0; i < 3; ++i) q[i] = std::clamp(p[i], -half[i], half[i]);
  return q;
}

// Derivative of half the squared distance from the box: it increases along the axis, linearly between face
// planes.
double slope(const Line &axis, const Vec3 &half, double t) {
  const Vec3 p = axis.at(t);
  return dot(p - into(half, p), axis.along);
}

// Where the axis is nearest to the box, in 0 to 1; the middle of a stretch of equal distance.
double nearest(const Line &axis, const Vec3 &half) {
  std::array<double, 16> cuts{0, 1};  // at most 8; std::sort treats 16 at once, which the compiler checks
  int count = 2;
  for (int i = 0; i < 3; ++i)
    for (double face : {-half[i], half[i]}) {
      const double t = (face - axis.start[i]) / axis.along[i];
      if (t > 0 && t < 1) cuts[count++] = t;  // false for an axis along the face
    }
  std::sort(cuts.begin(), cuts.begin() + count);
  int falls = -1, rises = count;  // the last cut before the nearest stretch, and the first one after it
  for (int i = 0; i < count; ++i) {
    const double s = slope(axis, half, cuts[i]);
    if (s < 0) falls = i;
    if (s > 0) rises = std::min(rises, i);
  }
  if (rises > falls + 1) return (cuts[falls + 1] + cuts[rises - 1]) / 2;
  if (falls < 0) return 0;
  if (rises == count) return 1;
  const double low = slope(axis, half, cuts[falls]), high = slope(axis, half, cuts[rises]);
  return cuts[falls] - low * (cuts[rises] - cuts[falls]) / (high - low);
}

// The part of the axis above the face across axis `i`; false if there is none.
bool above_face(const Line &axis, const Vec3 &half, int i, double &from, double &to) {
  from = 0, to = 1;
  for (int j = 0; j < 3; ++j) {
    if (j == i) continue;
    if (axis.along[j] == 0) {
      if (std::fabs(axis.start[j]) > half[j]) return false;
      continue;
    }
    const double a = (-half[j] - axis.start[j]) / axis.along[j],
                 b = (half[j] - axis.start[j]) / axis.along[j];
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  return from <= to;
}

// The face with the shortest way out of the box for an axis that passes through it.
Vec3 way_out(const Line &axis, const Vec3 &half, double &depth) {
  const Vec3 end = axis.at(1);
  Vec3 best{};
  depth = HUGE_VAL;
  for (int i = 0; i < 3; ++i)
    for (double sign : {-1.0, 1.0}) {
      const double way = half[i] - std::min(sign * axis.start[i], sign * end[i]);
      if (way >= depth) continue;
      depth = way;
      best = {};
      best[i] = sign;
    }
  return best;
}

int steepest(const Vec3 &n) {
  int i = 0;
  for (int j : {1, 2})
    if (std::fabs(n[j]) > std::fabs(n[i])) i = j;
  return i;
}

class Finder {
 public:
  Finder(const Geom &capsule, const Geom &box, ContactSink &sink)
      : frame_(ode_pose(box)), half_(box.shape.size * 0.5), radius_(capsule.shape.size[0]), sink_(sink) {
    const Pose pose = inverse(frame_) * ode_pose(capsule);
    const Vec3 along = column(pose.rotation, 2) * capsule.shape.size[1];
    axis_ = {pose.position - along * 0.5, along};
  }

  void find() {
    const double t = nearest(axis_, half_);
    const Vec3 p = axis_.at(t), away = p - into(half_, p);
    const double distance = norm(away);
    if (distance >= radius_) return;
    double depth;
    const Vec3 n = distance > 1e-9 * radius_ ? away * (1 / distance) : way_out(axis_, half_, depth);
    const int face = steepest(n);
    const bool on_face = std::fabs(n[face]) == 1;
    if (!on_face) add(p, n, radius_ - distance);
    add_ends(face, std::copysign(1.0, n[face]), on_face ? -1 : t);
  }

 private:
  // Adds the ends of the part above a face, except at `taken`. The axis is straight, so its ends are deepest.
  void add_ends(int face, double sign, double taken) {
    double from, to;
    if (!above_face(axis_, half_, face, from, to)) return;
    Vec3 n{};
    n[face] = sign;
    for (double t : {from, to}) {
      const Vec3 p = axis_.at(t);
      const double depth = radius_ + half_[face] - sign * p[face];
      if (depth > 0 && norm(axis_.along) * std::fabs(t - taken) > 1e-6 * radius_) add(p, n, depth);
      if (norm(axis_.along) * (to - from) < 1e-6 * radius_) return;
    }
  }

  void add(const Vec3 &center, const Vec3 &n, double depth) {
    sink_.add(frame_ * (center - n * radius_), frame_.rotation * n, depth);
  }

  Pose frame_;
  Vec3 half_;
  double radius_;
  Line axis_;  // of the capsule, in the frame of the box
  ContactSink &sink_;
};

}  // namespace

Vec3 way_from_box(const Line &line, const Vec3 &half) {
  const Vec3 p = line.at(nearest(line, half));
  return p - into(half, p);
}

void collide_capsule_box(const Geom &capsule, const Geom &box, ContactSink &sink) {
  Finder(capsule, box, sink).find();
}

}  // namespace wb
