// Which contacts two geoms make: ODE's own colliders, and ours where ODE's let bodies rock or sink.
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
  // Replaces what was added by the contacts that ODE finds.
  void take_from_ode(const Geom &a, const Geom &b);

 private:
  std::vector<dContactGeom> &out_;
};

// Fills `found` with the contacts of two geoms, with normals from b into a.
void collide_geoms(const Geom &a, const Geom &b, std::vector<dContactGeom> &found);

// The same by ODE's collider alone.
void collide_in_ode(const Geom &a, const Geom &b, std::vector<dContactGeom> &found);

// Keeps `most` contacts, the deepest (manual: ContactProperties.maxContactJoints). Contacts at the outline of
// a patch on one flat face go before those inside it, however deep: without them the body has no firm stand.
void choose_contacts(std::vector<dContactGeom> &found, int most);

// Directions along a face in which the outline of its contacts is looked for.
constexpr int kOutline = 8;
Vec3 outline_direction(const Vec3 &normal, int k);
// Whether two unit normals belong to one flat face (2.6 degrees).
inline bool same_face(const Vec3 &m, const Vec3 &n) { return dot(m, n) >= 0.999; }

// The colliders, one file each. The normal points into the first geom.
void collide_box_plane(const Geom &box, const Geom &plane, ContactSink &sink);
void collide_cylinder_plane(const Geom &cylinder, const Geom &plane, ContactSink &sink);
void collide_cylinder(const Geom &cylinder, const Geom &other, ContactSink &sink);  // box, cylinder, capsule
void collide_capsule_box(const Geom &capsule, const Geom &box, ContactSink &sink);
void collide_cylinder_heights(const Geom &cylinder, const Geom &heights, ContactSink &sink);
// From the box to the point of a line that is nearest to it, in the box's frame; 0 where they touch.
Vec3 way_from_box(const Line &line, const Vec3 &half);
// Adds to what ODE has found, and takes away what this makes superfluous.
void improve_mesh_contacts(const Geom &shape, const Geom &mesh, std::vector<dContactGeom> &found);

}  // namespace wb
