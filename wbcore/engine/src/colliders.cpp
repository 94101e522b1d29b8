// The contacts of two geoms: ODE's colliders, and our own where ODE's let bodies rock or sink.
#include "colliders.h"

#include <algorithm>

#include "ode_runtime.h"

namespace wb {
namespace {

constexpr int kSearched = 100;  // contacts searched for first, as in Webots
constexpr int kMostSearched = 10000;

using Collider = void (*)(const Geom &, const Geom &, ContactSink &);

Collider own_collider(ShapeKind a, ShapeKind b) {
  if (a == ShapeKind::box && b == ShapeKind::plane) return collide_box_plane;
  if (a == ShapeKind::box && b == ShapeKind::box) return collide_box_box;
  if (a == ShapeKind::cylinder && b == ShapeKind::plane) return collide_cylinder_plane;
  if (a == ShapeKind::capsule && b == ShapeKind::box) return collide_capsule_box;
  if (a == ShapeKind::cylinder && b == ShapeKind::heightfield) return collide_cylinder_heights;
  if (a == ShapeKind::cylinder &&
      (b == ShapeKind::box || b == ShapeKind::cylinder || b == ShapeKind::capsule))
    return collide_cylinder;
  return nullptr;
}

void turn_normals(std::vector<dContactGeom> &found) {
  for (dContactGeom &c : found)
    for (int i = 0; i < 3; ++i) c.normal[i] = -c.normal[i];
}

bool collide_own(const Geom &a, const Geom &b, std::vector<dContactGeom> &found) {
  ContactSink sink(found);
  if (const Collider collide = own_collider(a.shape.kind, b.shape.kind)) {
    collide(a, b, sink);
    return true;
  }
  if (const Collider collide = own_collider(b.shape.kind, a.shape.kind)) {
    collide(b, a, sink);
    turn_normals(found);
    return true;
  }
  return false;
}

bool has_supports(ShapeKind kind) {
  return kind == ShapeKind::box || kind == ShapeKind::sphere || kind == ShapeKind::capsule ||
         kind == ShapeKind::cylinder;
}

}  // namespace

void ContactSink::add(const Vec3 &point, const Vec3 &normal, double depth) {
  dContactGeom &c = out_.emplace_back();
  for (int i = 0; i < 3; ++i) c.pos[i] = point[i], c.normal[i] = normal[i];
  c.pos[3] = c.normal[3] = 0;
  c.depth = depth;
  c.side1 = c.side2 = -1;
}

// ODE stops at the maximum number of contacts, wherever it is: a full list is searched again with more room.
// The room is kept because clearing it for every pair takes longer than most collisions.
void collide_in_ode(const Geom &a, const Geom &b, std::vector<dContactGeom> &found) {
  thread_local std::vector<dContactGeom> room(kSearched);
  for (int most = kSearched;; most *= 10) {
    if (room.size() < static_cast<size_t>(most)) room.resize(most);
    const int count = collide_in_turn(a.ode.id(), b.ode.id(), most, room.data());
    if (count < most || most >= kMostSearched) {
      found.assign(room.begin(), room.begin() + count);
      return;
    }
  }
}

void ContactSink::take_from_ode(const Geom &a, const Geom &b) { collide_in_ode(a, b, out_); }

void collide_geoms(const Geom &a, const Geom &b, std::vector<dContactGeom> &found) {
  found.clear();
  if (!collide_own(a, b, found)) {
    collide_in_ode(a, b, found);
    if (b.shape.kind == ShapeKind::mesh && has_supports(a.shape.kind)) {
      improve_mesh_contacts(a, b, found);
    } else if (a.shape.kind == ShapeKind::mesh && has_supports(b.shape.kind)) {
      turn_normals(found);
      improve_mesh_contacts(b, a, found);
      turn_normals(found);
    }
  }
  for (dContactGeom &c : found) c.g1 = a.ode.id(), c.g2 = b.ode.id();
}

}  // namespace wb
