// The feature of a box, cylinder or capsule that faces a direction, and the contact patch of two features.
#include "shape_features.h"

#include <algorithm>

#include "supports.h"

namespace wb {
namespace {

constexpr double kSlack = 1e-6;    // relative to sizes: what is on a border is inside
constexpr double kShort = 0.05;    // relative to radii: shorter lines of contact are treated as points
constexpr double kSame = 1e-3;     // relative to the larger radius: closer points are the same
constexpr double kReached = 0.95;  // share of the overlap that the regular points should reach

void take_disc(Feature &f, const Supports &s, const Pose &pose, double radius, const Vec3 &d) {
  const Vec3 axis = column(pose.rotation, 2);
  const int first = dot(axis, d) > 0 ? 0 : 4;
  f.kind = Feature::Kind::disc;
  f.count = 4;
  std::copy_n(s.points + first, 4, f.points);
  f.center = (f.points[0] + f.points[2]) * 0.5;
  f.normal = axis;
  f.radius = radius;
  // On a tilted disc the outermost point is where the rim is farthest along d.
  const Vec3 across = d - axis * dot(axis, d);
  const double tilt = norm(across);
  f.tip = tilt > 1e-12 ? f.center + across * (radius / tilt) : f.points[0];
}

void take_face(Feature &f, const Supports &s, const Pose &pose, const Vec3 &d) {
  const Vec3 in_box = unrotate(pose.rotation, d);
  int axis = 0;
  for (int i : {1, 2})
    if (std::fabs(in_box[i]) > std::fabs(in_box[axis])) axis = i;
  // Bit i of a corner's number says whether it is at +i: the face has one bit fixed.
  const int here = in_box[axis] > 0 ? 1 << axis : 0, j = 1 << (axis + 1) % 3, k = 1 << (axis + 2) % 3;
  f.kind = Feature::Kind::face;
  f.count = 4;
  const int corners[4] = {here, here | j, here | j | k, here | k};
  for (int i = 0; i < 4; ++i) f.points[i] = s.points[corners[i]];
  f.center = (f.points[0] + f.points[2]) * 0.5;
  f.normal = column(pose.rotation, axis);
}

struct Flat {
  double x, y;
};

using wb::cross, wb::dot, wb::operator-;
Flat operator-(const Flat &a, const Flat &b) { return {a.x - b.x, a.y - b.y}; }
double dot(const Flat &a, const Flat &b) { return a.x * b.x + a.y * b.y; }
double cross(const Flat &a, const Flat &b) { return a.x * b.y - a.y * b.x; }
Flat between(const Flat &a, const Flat &b, double t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

// A feature seen along the normal: its outline in the plane across, and its height there.
struct View {
  const Feature &f;
  Flat p[4], center{};
  double z[4], center_z = 0, slope_x = 0, slope_y = 0;

  View(const Feature &feature, const Vec3 &origin, const Vec3 &x, const Vec3 &y, const Vec3 &n, double side)
      : f(feature) {
    for (int i = 0; i < f.count; ++i) {
      const Vec3 from = f.points[i] - origin;
      p[i] = {dot(from, x), dot(from, y)};
      z[i] = dot(from, n);
    }
    if (f.kind == Feature::Kind::line) {
      // The end nearer to the other feature is first: it is used where both project to the same point.
      if (side * z[1] > side * z[0]) std::swap(p[0], p[1]), std::swap(z[0], z[1]);
      return;
    }
    const Vec3 from = f.center - origin;
    center = {dot(from, x), dot(from, y)};
    center_z = dot(from, n);
    const double upright = dot(f.normal, n);
    slope_x = -dot(f.normal, x) / upright;
    slope_y = -dot(f.normal, y) / upright;
  }

  double size() const {
    return f.kind == Feature::Kind::face ? std::sqrt(dot(p[2] - p[0], p[2] - p[0])) : f.radius;
  }

  double height(const Flat &q) const {
    if (f.kind == Feature::Kind::line) return z[0] + (z[1] - z[0]) * std::clamp(along(q), 0.0, 1.0);
    return center_z + slope_x * (q.x - center.x) + slope_y * (q.y - center.y);
  }
  // Position of a point along a line, 0 to 1 from end to end.
  double along(const Flat &q) const {
    const Flat d = p[1] - p[0];
    return is_point() ? 0 : dot(q - p[0], d) / dot(d, d);
  }
  // Whether both ends of a line project to the same point.
  bool is_point() const {
    const Flat d = p[1] - p[0];
    return dot(d, d) <= kSlack * kSlack * f.radius * f.radius;
  }
  // Distance of a point outside edge `i` of a face (m).
  double outside(const Flat &q, int i) const {
    const Flat a = p[i], edge = p[(i + 1) % 4] - a;
    const double turn = cross(p[1] - p[0], p[2] - p[1]) > 0 ? 1 : -1;
    const double length = std::sqrt(dot(edge, edge));
    return length > 0 ? -turn * cross(edge, q - a) / length : 0;
  }
  bool holds(const Flat &q) const {
    const double slack = kSlack * size();
    if (f.kind == Feature::Kind::disc) return std::sqrt(dot(q - center, q - center)) <= f.radius + slack;
    for (int i = 0; i < 4; ++i)
      if (outside(q, i) > slack) return false;
    return true;
  }
};

// Both features, and the contact points found.
class Meeting {
 public:
  Meeting(const Feature &upper, const Feature &lower, const Vec3 &n)
      : n_(n),
        x_(any_perpendicular(n)),
        y_(cross(n, x_)),
        origin_(lower.points[0]),
        up_(upper, origin_, x_, y_, n, -1),
        low_(lower, origin_, x_, y_, n, 1) {}

  Patch found(double overlap) {
    using Kind = Feature::Kind;
    const Kind a = up_.f.kind, b = low_.f.kind;
    if (a == Kind::line && b == Kind::line) {
      lines();
    } else if (a == Kind::line || b == Kind::line) {
      clip(a == Kind::line ? up_ : low_, a == Kind::line ? low_ : up_);
    } else {
      if (a == Kind::disc && b == Kind::disc)
        discs();
      else if (a == Kind::disc)
        disc_and_face(up_, low_);
      else
        disc_and_face(low_, up_);
      if (patch_.deepest < kReached * overlap) add_tips();
    }
    return patch_;
  }

 private:
  void add(const Flat &q, double gap = 0) {
    const double z = up_.height(q), depth = low_.height(q) - z - gap;
    if (depth <= 0 || patch_.count == Patch::kMost) return;
    const Vec3 point = origin_ + x_ * q.x + y_ * q.y + n_ * z;
    if (has(point)) return;
    patch_.points[patch_.count] = point;
    patch_.depths[patch_.count++] = depth;
    patch_.deepest = std::max(patch_.deepest, depth);
  }

  // A duplicate point would double the stiffness, and only in some steps.
  bool has(const Vec3 &point) const {
    const double same = kSame * std::max(up_.f.radius, low_.f.radius);
    return std::any_of(patch_.points, patch_.points + patch_.count,
                       [&](const Vec3 &p) { return norm(p - point) < same; });
  }

  void add_rim(const View &disc) {
    for (const Flat &q : disc.p) add(q);
  }

  // A smaller disc inside a larger one contributes its rim; otherwise the corners of the lens and its widest
  // points.
  void discs() {
    const View &a = up_, &b = low_;
    const Flat way = b.center - a.center;
    const double d = std::sqrt(dot(way, way)), ra = a.f.radius, rb = b.f.radius;
    if (d <= std::fabs(ra - rb) + kSlack * ra) return add_rim(ra < rb ? a : b);
    if (d >= ra + rb) return;
    const Flat e{way.x / d, way.y / d};
    const double at = (d * d + ra * ra - rb * rb) / (2 * d),
                 aside = std::sqrt(std::max(0.0, ra * ra - at * at));
    for (double s : {aside, -aside}) add({a.center.x + e.x * at - e.y * s, a.center.y + e.y * at + e.x * s});
    add({a.center.x + e.x * ra, a.center.y + e.y * ra});
    add({b.center.x - e.x * rb, b.center.y - e.y * rb});
  }

  // The rim inside the face; where it extends beyond, also the border of the intersection.
  void disc_and_face(const View &disc, const View &face) {
    int inside = 0;
    for (const Flat &q : disc.p)
      if (face.holds(q)) ++inside, add(q);
    if (inside == 4) return;
    for (int i = 0; i < 4; ++i) {
      if (disc.holds(face.p[i])) add(face.p[i]);
      cut_edge(disc, face.p[i], face.p[(i + 1) % 4]);
    }
  }

  // Where an edge intersects a circle.
  void cut_edge(const View &disc, const Flat &from, const Flat &to) {
    double t[2];
    if (!cut(disc, from, to, t[0], t[1])) return;
    for (double s : t)
      if (s > 0 && s < 1) add(between(from, to, s));
  }

  static bool cut(const View &disc, const Flat &from, const Flat &to, double &t0, double &t1) {
    const Flat d = to - from, c = from - disc.center;
    const double a = dot(d, d), b = dot(c, d), r = disc.f.radius * (1 + kSlack);
    const double root = b * b - a * (dot(c, c) - r * r);
    if (root < 0) return false;
    t0 = (-b - std::sqrt(root)) / a;
    t1 = (-b + std::sqrt(root)) / a;
    return true;
  }

  // The ends of the part of a line that is on a disc or face.
  void clip(const View &line, const View &area) {
    const Flat a = line.p[0], b = line.p[1];
    double from = 0, to = line.is_point() ? 0 : 1;
    if (area.f.kind == Feature::Kind::disc) {
      double t0 = 0, t1 = 1;
      if (line.is_point() ? !area.holds(a) : !cut(area, a, b, t0, t1)) return;
      from = std::max(from, t0), to = std::min(to, t1);
    } else {
      const double slack = kSlack * area.size();
      for (int i = 0; i < 4; ++i) {
        const double at_a = area.outside(a, i) - slack, at_b = area.outside(b, i) - slack;
        if (at_a > 0 && at_b > 0) return;
        if (at_a > 0) from = std::max(from, at_a / (at_a - at_b));
        if (at_b > 0) to = std::min(to, at_a / (at_a - at_b));
      }
    }
    if (from > to) return;
    add(between(a, b, from));
    if (to > from) add(between(a, b, to));
  }

  // The ends of the parallel part, and the crossing point. Round sides recede from each other: the gap grows
  // with the square of the distance between the lines.
  void lines() {
    const View &a = up_, &b = low_;
    if (a.is_point() || b.is_point()) return point_on_line(a.is_point() ? a : b, a.is_point() ? b : a);
    const Flat d = a.p[1] - a.p[0], e = b.p[1] - b.p[0];
    const double turn = cross(d, e), length = std::sqrt(dot(d, d)), lengths = length * std::sqrt(dot(e, e));
    if (std::fabs(turn) > kSlack * lengths) {
      const double s = cross(b.p[0] - a.p[0], e) / turn, t = cross(b.p[0] - a.p[0], d) / turn;
      if (s >= 0 && s <= 1 && t >= 0 && t <= 1) add(between(a.p[0], a.p[1], s));
    }
    double from = a.along(b.p[0]), to = a.along(b.p[1]);
    if (from > to) std::swap(from, to);
    from = std::max(from, 0.0), to = std::min(to, 1.0);
    if (from > to + kSlack) return;
    if (patch_.count && (to - from) * length < kShort * (a.f.radius + b.f.radius)) return;
    for (double s : {from, to}) {
      const Flat q = between(a.p[0], a.p[1], s),
                 other = between(b.p[0], b.p[1], std::clamp(b.along(q), 0.0, 1.0));
      add(q, gap(q, other));
      if (to <= from) break;
    }
  }

  double gap(const Flat &q, const Flat &other) const {
    return dot(q - other, q - other) / (2 * (up_.f.radius + low_.f.radius));
  }

  void point_on_line(const View &point, const View &line) {
    const double t = line.along(point.p[0]);
    if (t < -kSlack || t > 1 + kSlack) return;
    add(point.p[0], gap(point.p[0], between(line.p[0], line.p[1], t)));
  }

  // The outermost points of tilted rims.
  void add_tips() {
    for (const View *v : {&up_, &low_}) {
      if (v->f.kind != Feature::Kind::disc) continue;
      const Vec3 from = v->f.tip - origin_;
      const Flat q{dot(from, x_), dot(from, y_)};
      if ((v == &up_ ? low_ : up_).holds(q)) add(q);
    }
  }

  Vec3 n_, x_, y_, origin_;
  View up_, low_;
  Patch patch_;
};

}  // namespace

Feature feature_facing(const Shape &shape, const Pose &pose, const Vec3 &d) {
  const Supports s = supports_above(shape, pose, -d);
  Feature f{};
  if (shape.kind == ShapeKind::box) {
    take_face(f, s, pose, d);
  } else if (s.count == 8) {
    take_disc(f, s, pose, shape.size[0], d);
  } else {
    f.kind = Feature::Kind::line;
    f.count = 2;
    std::copy_n(s.points, 2, f.points);
    f.radius = shape.size[0];
  }
  return f;
}

Patch meet(const Feature &upper, const Feature &lower, const Vec3 &normal, double overlap) {
  return Meeting(upper, lower, normal).found(overlap);
}

}  // namespace wb
