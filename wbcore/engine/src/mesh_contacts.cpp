// Contacts of a box, sphere, capsule or cylinder with a mesh. ODE tests triangle by triangle: on a flat floor
// of many triangles it also finds inner edges, with normals that push sideways, and it misses rims of flat
// cylinders.
#include <algorithm>

#include "colliders.h"
#include "supports.h"

namespace wb {
namespace {

constexpr double kSpread = 1.1;  // relative to the radius of the circle in which a ball is below a face

struct Face {
  Vec3 corner[3], normal;
};

struct Held {
  Vec3 point, normal;  // of the shape's point below the face
  double depth;
  double slack;  // how far around the plane's points this one is representative (m)
};

bool over(const Face &f, const Vec3 &p) {
  for (int i = 0; i < 3; ++i) {
    const Vec3 edge = f.corner[(i + 1) % 3] - f.corner[i];
    if (dot(cross(edge, p - f.corner[i]), f.normal) < -1e-9 * dot(edge, edge)) return false;
  }
  return true;
}

double depth_below(const Face &f, const Vec3 &p) { return dot(f.normal, f.corner[0] - p); }

// Whether another face is between a point and the face above it; if so, the point did not enter through this
// face.
bool hidden(const std::vector<Face> &faces, const Face &face, const Vec3 &p, double depth) {
  for (const Face &f : faces) {
    const double lean = dot(f.normal, face.normal);
    if (std::fabs(lean) < 1e-9) continue;
    const double way = depth_below(f, p) / lean;
    if (way > 1e-6 * depth && way < depth * (1 - 1e-6) && over(f, p + face.normal * way)) return true;
  }
  return false;
}

// The mesh's faces around the shape.
std::vector<Face> faces_near(const Mesh &mesh, const Shape &shape, const Pose &pose) {
  const Vec3 half = reach(shape, pose.rotation);
  std::vector<uint32_t> near;
  mesh.tree().query({pose.position - half, pose.position + half}, [&](uint32_t t) { near.push_back(t); });
  std::sort(near.begin(), near.end());
  std::vector<Face> faces;
  for (uint32_t t : near) {
    Face f{{mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)}, {}};
    const Vec3 across = cross(f.corner[1] - f.corner[0], f.corner[2] - f.corner[0]);
    if (norm(across) == 0) continue;
    f.normal = normalized(across);
    faces.push_back(f);
  }
  return faces;
}

std::vector<Held> held_points(const std::vector<Face> &faces, const Shape &shape, const Pose &pose) {
  std::vector<Held> held;
  for (const Face &f : faces) {
    if (depth_below(f, pose.position) > 0) continue;
    const Supports s = supports_above(shape, pose, f.normal);
    for (int i = 0; i < s.count; ++i) {
      const Vec3 &p = s.points[i];
      const double depth = depth_below(f, p);
      if (depth <= 0 || !over(f, p) || hidden(faces, f, p, depth)) continue;
      // A point above an edge belongs to the faces on both sides of it.
      const auto same = [&](const Held &h) {
        return same_face(h.normal, f.normal) && norm(h.point - p) < 1e-9 * (1 + norm(p));
      };
      if (std::none_of(held.begin(), held.end(), same)) {
        // Half width of a circle's segment of height d: sqrt(2 r d - d^2), about sqrt(2 r d).
        const double spread = std::sqrt(2 * s.round * depth);
        held.push_back({p, f.normal, depth, s.slack + kSpread * spread});
      }
    }
  }
  return held;
}

// Whether a point is on the plane of `h`'s face, inside the polygon of the points found on this plane.
bool covered(const std::vector<Held> &held, const Held &h, const Vec3 &p) {
  const double below = dot(h.normal, h.point - p);  // the face is at -depth
  if (below > h.depth || below < -2 * h.depth) return false;
  for (int k = 0; k < kOutline; ++k) {
    const Vec3 u = outline_direction(h.normal, k);
    double farthest = -HUGE_VAL;
    for (const Held &o : held)
      if (same_face(o.normal, h.normal)) farthest = std::max(farthest, dot(u, o.point));
    if (dot(u, p) > farthest + h.slack) return false;
  }
  return true;
}

}  // namespace

void improve_mesh_contacts(const Geom &shape, const Geom &mesh, std::vector<dContactGeom> &found) {
  const Pose frame = ode_pose(mesh), pose = inverse(frame) * ode_pose(shape);
  const auto faces = faces_near(*mesh.shape.mesh, shape.shape, pose);
  const auto held = held_points(faces, shape.shape, pose);
  if (held.empty()) return;
  std::erase_if(found, [&](const dContactGeom &c) {
    const Vec3 p = local_point(frame, {c.pos[0], c.pos[1], c.pos[2]});
    return std::any_of(held.begin(), held.end(), [&](const Held &h) { return covered(held, h, p); });
  });
  ContactSink sink(found);
  for (const Held &h : held) sink.add(frame * h.point, frame.rotation * h.normal, h.depth);
}

}  // namespace wb
