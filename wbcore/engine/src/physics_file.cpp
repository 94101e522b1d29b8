// The physics of a world as bytes: the settings, the objects in the order of their slots, and the state.
#include "physics_file.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "byte_stream.h"

namespace wb {
namespace {

static_assert(std::endian::native == std::endian::little, "the format has little-endian numbers");

constexpr uint64_t kPhysicsMagic = 0x3130535948504257ull;  // "WBPHYS01"

template <class Io>
void settings_fields(Io &io, WorldSettings &s) {
  io(s.dt), io(s.gravity), io(s.erp), io(s.cfm), io(s.seed), io(s.capacity), io(s.exact.rows);
  io(s.exact.heap_rows), io(s.quick_iterations), io(s.max_speed), io(s.max_distance), io(s.threads);
  io(s.contacts);
}

template <class Io>
void properties_fields(Io &io, ContactProperties &p) {
  io(p.material1), io(p.material2), io(p.max_contacts);
  transfer_list(io, p.coulomb_friction), transfer_list(io, p.force_dependent_slip);
  io(p.friction_rotation), io(p.rolling_friction), io(p.bounce), io(p.bounce_velocity), io(p.soft_erp);
  io(p.soft_cfm);
}

// What ODE keeps of a body and the world does not.
struct BodyModes {
  uint8_t finite_rotation = 0, gyroscopic = 1;

  void take(dBodyID b) {
    finite_rotation = dBodyGetFiniteRotationMode(b) != 0;
    gyroscopic = dBodyGetGyroscopicMode(b) != 0;
  }
  void give(dBodyID b) const {
    dBodySetFiniteRotationMode(b, finite_rotation);
    dBodySetGyroscopicMode(b, gyroscopic);
  }
};

template <class Io>
void body_fields(Io &io, Body &b, BodyModes &modes) {
  io(b.kind), io(b.order), io(b.mass.mass), io(b.mass.center), io(b.mass.inertia);
  io(b.auto_disable), io(b.idle_time), io(b.linear_threshold), io(b.angular_threshold);
  io(b.linear_damping), io(b.angular_damping), io(b.max_angular_speed);
  io(modes.finite_rotation), io(modes.gyroscopic);
}

template <class Io>
void shape_fields(Io &io, Shape &s) {
  io(s.kind), io(s.size), io(s.up);
  if (s.kind == ShapeKind::mesh) {
    auto vertices = Io::reading ? std::vector<double>() : s.mesh->vertices;
    auto triangles = Io::reading ? std::vector<uint32_t>() : s.mesh->triangles;
    transfer_list(io, vertices), transfer_list(io, triangles);
    if (Io::reading) s.mesh = std::make_shared<Mesh>(std::move(vertices), std::move(triangles));
  }
  if (s.kind == ShapeKind::heightfield) {
    HeightGrid grid = Io::reading ? HeightGrid{} : *s.grid;
    io(grid.columns), io(grid.rows), io(grid.x_spacing), io(grid.y_spacing), io(grid.thickness);
    transfer_list(io, grid.heights);
    if (Io::reading) s.grid = Shape::heightfield(std::move(grid)).grid;
  }
}

template <class Io>
void geom_fields(Io &io, Geom &g) {
  shape_fields(io, g.shape);
  io(g.body), io(g.offset), io(g.order), io(g.role), io(g.robot), io(g.solid), io(g.material), io(g.category);
  io(g.collides_with), io(g.enabled), io(g.track);
}

template <class Io>
void joint_fields(Io &io, Joint &j) {
  io(j.kind), io(j.kinematic), io(j.parent), io(j.child), io(j.suspension.axis), io(j.suspension.spring);
  io(j.suspension.damper), io(j.anchor_in_parent), io(j.anchor_in_child), io(j.rest), io(j.measure);
  io(j.stop_erp), io(j.stop_cfm), io(j.enabled), io(j.feedback_on);
  for (JointAxis &a : j.axes) {
    io(a.direction), io(a.min_stop), io(a.max_stop), io(a.spring), io(a.damper), io(a.brake), io(a.friction);
    io(a.motorized), io(a.has_brake), io(a.position);
  }
}

template <class Io>
void fluid_fields(Io &io, Fluid &f) {
  io(f.density), io(f.viscosity), io(f.stream_velocity), io(f.geom);
}

template <class Io>
void immersion_fields(Io &io, Immersion &i) {
  io(i.body), io(i.fluid), io(i.solid), io(i.reference), io(i.drag_force), io(i.drag_torque);
  io(i.viscous_force), io(i.viscous_torque);
}

template <class Io>
void propeller_fields(Io &io, Propeller &p) {
  io(p.body), io(p.axis), io(p.center), io(p.thrust_constants), io(p.torque_constants);
}

template <class Io>
void track_fields(Io &io, Track &t) {
  io(t.body), io(t.offset), io(t.motorized);
}

// The objects of one kind: their number, and each one, with its slot.
template <class Io, class T, class Transfer>
void transfer_slots(Io &io, Slots<T> &slots, Transfer transfer) {
  uint32_t count = slots.size();
  if (count != slots.extent())
    throw EngineError("objects of this world were removed: write it before, or load it anew");
  io(count);
  for (uint32_t i = 0; i < count; ++i) transfer(i);
}

}  // namespace

// Makes the objects that were read, with the bits that were written: functions of the world would normalize
// vectors once more.
struct PhysicsFile {
  template <class Io>
  static void transfer_body_at(Io &io, World &w, uint32_t slot) {
    Body one;
    BodyModes modes;
    if constexpr (!Io::reading) {
      if (w.bodies[slot].ode) modes.take(w.bodies[slot].ode);
      body_fields(io, w.bodies[slot], modes);
      std::vector<char> state = w.save_body(slot);
      transfer_list(io, state);
    } else {
      body_fields(io, one, modes);
      std::vector<char> state;
      transfer_list(io, state);
      add_body(w, one, modes, state);
    }
  }

  static void add_body(World &w, const Body &from, const BodyModes &modes, const std::vector<char> &state) {
    const uint32_t slot = w.add_body(from.kind, Pose{}, from.mass);
    Body &b = w.bodies[slot];
    b.order = from.order;
    w.restore_body(slot, state.data(), state.size());
    if (!b.ode) return;
    w.set_body_damping(slot, from.linear_damping, from.angular_damping);
    if (from.auto_disable)
      w.set_auto_disable(slot, from.idle_time, from.linear_threshold, from.angular_threshold);
    b.max_angular_speed = from.max_angular_speed;
    dBodySetMaxAngularSpeed(b.ode, from.max_angular_speed > 0 ? from.max_angular_speed : dInfinity);
    modes.give(b.ode);
  }

  static void add_geom(World &w, const Geom &from) {
    Geom &g = w.geoms[w.add_geom(from.shape, from.body, from.offset)];
    g.order = from.order, g.role = from.role, g.robot = from.robot, g.solid = from.solid;
    g.material = from.material, g.category = from.category, g.collides_with = from.collides_with;
    g.enabled = from.enabled, g.track = from.track;
  }

  static void add_joint(World &w, const Joint &from) {
    JointSpec spec{};
    spec.kind = from.kind, spec.kinematic = from.kinematic, spec.parent = from.parent,
    spec.child = from.child;
    spec.anchor = from.anchor_in_parent, spec.suspension = from.suspension;
    spec.stop_erp = from.stop_erp, spec.stop_cfm = from.stop_cfm;
    for (int i = 0; i < 3; ++i)
      spec.axes[i] = from.axes[i].direction, spec.positions[i] = from.axes[i].position;
    const uint32_t slot = w.add_joint(spec);
    Joint &j = w.joints[slot];
    j.suspension = from.suspension, j.anchor_in_child = from.anchor_in_child, j.rest = from.rest;
    j.measure = from.measure;
    std::copy(std::begin(from.axes), std::end(from.axes), j.axes);
    w.align_joint(j);
    w.configure_joint(slot);
    if (!from.enabled) w.set_joint_enabled(slot, false);
    if (from.feedback_on) w.set_joint_feedback(slot, true);
  }

  // Transfers the objects of one kind; `add` gets those that are read.
  template <class Io, class T, class Transfer, class Add>
  static void transfer_all(Io &io, Slots<T> &slots, Transfer transfer, Add add) {
    transfer_slots(io, slots, [&](uint32_t slot) {
      if constexpr (Io::reading) {
        T one;
        transfer(io, one);
        add(one);
      } else {
        transfer(io, slots[slot]);
      }
    });
  }

  template <class Io>
  static void transfer_rules(Io &io, World &w) {
    std::vector<ContactProperties> set = w.surfaces.all();
    uint64_t count = set.size();
    io(count);
    for (uint64_t i = 0; i < count; ++i) {
      ContactProperties one = Io::reading ? ContactProperties{} : set[i];
      properties_fields(io, one);
      if (Io::reading) w.surfaces.set(one.material1, one.material2, one);
    }
    transfer_list(io, w.self_collision_);
    io(w.contact_feedback);
  }

  template <class Io>
  static void transfer(Io &io, World &w) {
    transfer_rules(io, w);
    transfer_slots(io, w.bodies, [&](uint32_t slot) { transfer_body_at(io, w, slot); });
    transfer_all(
        io, w.geoms, [](Io &to, Geom &g) { geom_fields(to, g); }, [&](const Geom &g) { add_geom(w, g); });
    transfer_all(
        io, w.fluids, [](Io &to, Fluid &f) { fluid_fields(to, f); }, [&](const Fluid &f) { w.add_fluid(f); });
    transfer_all(
        io, w.immersions, [](Io &to, Immersion &i) { immersion_fields(to, i); },
        [&](const Immersion &i) { w.add_immersion(i); });
    transfer_all(
        io, w.propellers, [](Io &to, Propeller &p) { propeller_fields(to, p); },
        [&](const Propeller &p) { w.propellers.add(p); });
    transfer_all(
        io, w.tracks, [](Io &to, Track &t) { track_fields(to, t); }, [&](const Track &t) { w.add_track(t); });
    transfer_all(
        io, w.joints, [](Io &to, Joint &j) { joint_fields(to, j); },
        [&](const Joint &j) { add_joint(w, j); });
    for (uint32_t slot : w.bodies.live()) io(w.bodies[slot].parent);
  }
};

std::vector<char> write_physics(World &world) {
  world.check_change();
  ByteWriter writer;
  uint64_t magic = kPhysicsMagic;
  WorldSettings settings = world.settings();
  writer(magic);
  settings_fields(writer, settings);
  PhysicsFile::transfer(writer, world);
  std::vector<char> state = world.save();
  transfer_list(writer, state);
  return std::move(writer.bytes);
}

std::unique_ptr<World> read_physics(const char *data, size_t size) {
  ByteReader reader(data, size);
  uint64_t magic = 0;
  reader(magic);
  if (magic != kPhysicsMagic) throw std::invalid_argument("this is no physics of a world");
  WorldSettings settings;
  settings_fields(reader, settings);
  auto world = std::make_unique<World>(settings);
  PhysicsFile::transfer(reader, *world);
  std::vector<char> state;
  transfer_list(reader, state);
  world->restore(state.data(), state.size());
  return world;
}

}  // namespace wb
