// Bindings of contact properties and of lists of contacts.
#include "contact_list.h"

namespace wb {
namespace {

using namespace nb::literals;

std::vector<std::tuple<int32_t, int32_t, double>> pairs_of(const ContactList &l) {
  std::vector<std::tuple<int32_t, int32_t, double>> found;
  for (size_t i = 0; i < l.depths.size(); ++i)
    found.emplace_back(l.geoms[2 * i], l.geoms[2 * i + 1], l.depths[i]);
  return found;
}

}  // namespace

// Bodies may have been woken or put to sleep by the caller since the contacts were found.
ContactList list_of(World &world, bool sleepers) {
  ContactList list;
  for (const Contact &c : world.kept_contacts)
    if (world.active(c)) list.add(c);
  for (const Contact &c : world.contacts)
    if (world.active(c) || (c.body_a == kNone && c.body_b == kNone)) list.add(c);
  if (!sleepers) return list;
  for (const Contact &c : world.resting_contacts())
    if (!world.active(c)) list.add(c);
  return list;
}

ContactList list_of(const std::vector<Contact> &contacts) {
  ContactList list;
  for (const Contact &c : contacts) list.add(c);
  return list;
}

void bind_contacts(nb::module_ &m) {
  nb::class_<ContactProperties>(m, "ContactProperties",
                                "Values of a ContactProperties node; -1 as coulomb_friction means infinite.")
      .def(
          "__init__",
          [](ContactProperties *p, std::vector<double> friction, std::array<double, 2> rotation,
             std::vector<double> slip, const Vec3 &rolling, double bounce, double bounce_velocity, double erp,
             double cfm, uint32_t most) {
            ContactProperties q{std::move(friction),
                                rotation,
                                std::move(slip),
                                rolling,
                                bounce,
                                bounce_velocity,
                                erp,
                                cfm,
                                most,
                                0,
                                0};
            q.check();
            new (p) ContactProperties(std::move(q));
          },
          "coulomb_friction"_a = std::vector<double>{1}, "friction_rotation"_a = std::array<double, 2>{0, 0},
          "force_dependent_slip"_a = std::vector<double>{0}, "rolling_friction"_a = kZero, "bounce"_a = 0.5,
          "bounce_velocity"_a = 0.01, "soft_erp"_a = 0.2, "soft_cfm"_a = 0.001, "max_contacts"_a = 10,
          "coulomb_friction, force_dependent_slip: 1 to 4 values; friction_rotation: rad per material; "
          "rolling_friction: m; bounce: 0 to 1; bounce_velocity: m/s; max_contacts: deepest ones kept per "
          "pair of "
          "geoms, 1 to 100.");
  nb::class_<ContactList>(m, "ContactList", "Contacts as arrays of n rows, in the order they were found.")
      .def("__len__", [](const ContactList &l) { return l.depths.size(); })
      .def_prop_ro("pairs", pairs_of, "Ids of the geoms and depth (m) of each contact, without numpy")
      .def_prop_ro(
          "points",
          [](nb::handle self) {
            const auto &l = nb::cast<const ContactList &>(self);
            return view(l.points.data(), {l.depths.size(), 3}, self);
          },
          nb::rv_policy::automatic, "(n, 3) m, world")
      .def_prop_ro(
          "normals",
          [](nb::handle self) {
            const auto &l = nb::cast<const ContactList &>(self);
            return view(l.normals.data(), {l.depths.size(), 3}, self);
          },
          nb::rv_policy::automatic, "(n, 3) unit vectors from the second geom into the first")
      .def_prop_ro(
          "depths",
          [](nb::handle self) {
            const auto &l = nb::cast<const ContactList &>(self);
            return view(l.depths.data(), {l.depths.size()}, self);
          },
          nb::rv_policy::automatic, "(n,) m")
      .def_prop_ro(
          "geoms",
          [](nb::handle self) {
            const auto &l = nb::cast<const ContactList &>(self);
            return view(l.geoms.data(), {l.depths.size(), 2}, self);
          },
          nb::rv_policy::automatic, "(n, 2) ids of the geoms")
      .def_prop_ro(
          "bodies",
          [](nb::handle self) {
            const auto &l = nb::cast<const ContactList &>(self);
            return view(l.bodies.data(), {l.depths.size(), 2}, self);
          },
          nb::rv_policy::automatic, "(n, 2) ids of the bodies, -1 for frames and the world")
      .def_prop_ro(
          "forces",
          [](nb::handle self) {
            const auto &l = nb::cast<const ContactList &>(self);
            return view(l.forces.data(), {l.depths.size(), 3}, self);
          },
          nb::rv_policy::automatic,
          "(n, 3) N on the first geom; 0 unless contact_feedback was on when they were found");
}

}  // namespace wb
