// The contacts of two geoms: ODE's colliders, and our own where ODE's let bodies rock or sink.
#pragma once

#include <ode/ode.h>

#include <vector>

#include "geom.h"
#include "segments.h"

namespace wb {

// Contacts in the order found. The normal points into the first geom, whose deepest point is `point`.
class ContactSink {
 public:
  explicit ContactSink(std::vector<dContactGeom> &out) : out_(out) {}
  void add(const Vec3 &point, const Vec3 &normal, double depth);
  // Replaces the added contacts by those that ODE finds.
  void take_from_ode(const Geom &a, const Geom &b);
  size_t size() const { return out_.size(); }
  void clear() { out_.clear(); }

 private:
  std::vector<dContactGeom> &out_;
};

// Fills `found` with the contacts of two geoms, with normals from b into a.
void collide_geoms(const Geom &a, const Geom &b, std::vector<dContactGeom> &found);

// The same with ODE's collider only.
void collide_in_ode(const Geom &a, const Geom &b, std::vector<dContactGeom> &found);

// Keeps the `most` deepest contacts (manual: ContactProperties.maxContactJoints). Contacts on the outline of
// a patch on one flat face take precedence over deeper ones inside it: without them the body has no stable
// support.
void choose_contacts(std::vector<dContactGeom> &found, int most);

// Number of directions along a face in which the outline of its contacts is searched.
constexpr int kOutline = 8;
Vec3 outline_direction(const Vec3 &normal, int k);
// Whether two unit normals belong to one flat face (within 2.6 degrees).
inline bool same_face(const Vec3 &m, const Vec3 &n) { return dot(m, n) >= 0.999; }

// The colliders, one file each. The normal points into the first geom.
void collide_box_plane(const Geom &box, const Geom &plane, ContactSink &sink);
void collide_box_box(const Geom &a, const Geom &b, ContactSink &sink);
void collide_cylinder_plane(const Geom &cylinder, const Geom &plane, ContactSink &sink);
void collide_cylinder(const Geom &cylinder, const Geom &other, ContactSink &sink);  // box, cylinder, capsule
void collide_capsule_box(const Geom &capsule, const Geom &box, ContactSink &sink);
void collide_cylinder_heights(const Geom &cylinder, const Geom &heights, ContactSink &sink);
// Vector from the box to the nearest point of a line, in the box's frame; 0 if they touch.
Vec3 way_from_box(const Line &line, const Vec3 &half);
// Adds contacts to those that ODE has found, and removes those that become redundant.
void improve_mesh_contacts(const Geom &shape, const Geom &mesh, std::vector<dContactGeom> &found);

}  // namespace wb
