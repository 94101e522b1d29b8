// Bindings of physics plugins: libraries in C and C++, and Python functions in their place.

#include <limits>

#include "bind_world.h"
#include "platform/library.h"
#include "plugin/native_plugin.h"

namespace wb {
namespace {

using namespace nb::literals;
using Place = std::optional<std::pair<BodyHandle, int32_t>>;  // a body, and the number of a solid in it

// A geom, or a space of geoms, as a plugin gets it. ODE's own object may be gone later.
struct PluginGeom {
  std::shared_ptr<World> world;
  dGeomID id;
  bool operator==(const PluginGeom &o) const { return id == o.id; }
};

Place place_of(const nb::object &host, const char *def) {
  const nb::object found = host.attr("solid")(def);
  if (found.is_none()) return std::nullopt;
  return std::pair{nb::cast<BodyHandle>(found[0]), nb::cast<int32_t>(found[1])};
}

PluginHost host_of(World &world, const nb::object &host) {
  PluginHost made;
  made.body = [&world, host](const char *def) -> dBodyID {
    nb::gil_scoped_acquire acquire;
    const Place place = place_of(host, def);
    return place ? world.bodies[place->first.slot].ode : nullptr;
  };
  made.geom = [&world, host](const char *def) -> dGeomID {
    nb::gil_scoped_acquire acquire;
    const Place place = place_of(host, def);
    return place ? world.geom_of_solid(place->first.slot, place->second) : nullptr;
  };
  made.send = [host](int channel, const void *data, size_t size) {
    nb::gil_scoped_acquire acquire;
    host.attr("send")(channel, nb::bytes(static_cast<const char *>(data), size));
  };
  made.print = [host](const std::string &text) {
    nb::gil_scoped_acquire acquire;
    // bytes: a plugin may print text in any encoding
    host.attr("print")(nb::bytes(text.data(), text.size()));
  };
  made.time_ms = [host] {
    nb::gil_scoped_acquire acquire;
    return nb::cast<double>(host.attr("time_ms")());
  };
  return made;
}

std::shared_ptr<NativePlugin> load(const PyWorld &w, const std::string &name, const std::string &path,
                                   const nb::object &host, const std::string &folder, double limit_s,
                                   const std::string &note_file) {
  World &world = checked(w);
  return std::make_shared<NativePlugin>(world, PluginFile{name, path, folder, limit_s, note_file},
                                        host_of(world, host));
}

// Makes this library and ODE's visible to libraries loaded later. They are linked with neither, or with ODE
// by the name of the installed library: an empty library has that name here, so that no second ODE is loaded.
void open_to_plugins() {
  const std::string own = file_of(reinterpret_cast<const void *>(&open_to_plugins));
  const std::string named = own.substr(0, own.rfind('/') + 1) + "libode.so";
  if (!open_library(own, Visibility::shared) || (kHasOwnOde && !open_library(named, Visibility::shared)))
    throw EngineError("the engine cannot be opened to plugins: " + library_error());
}

bool is_available(const std::string &symbol) { return find_symbol(nullptr, symbol.c_str()) != nullptr; }

// Makes a library of the system visible to libraries loaded later; false if it is not installed.
bool open_system_library(const std::string &name) { return open_library(name, Visibility::late) != nullptr; }

// Python functions; None: the plugin has no such function.
class PythonPlugin : public StepPlugin {
 public:
  PythonPlugin(const PyWorld &w, nb::object step, nb::object collide, nb::object step_end)
      : world_(w.world), step_(std::move(step)), collide_(std::move(collide)), end_(std::move(step_end)) {}
  void step() override { run(step_); }
  void step_end() override { run(end_); }
  int collide(dGeomID a, dGeomID b) override {
    if (collide_.is_none()) return 0;
    nb::gil_scoped_acquire acquire;
    const std::shared_ptr<World> world = world_.lock();
    return nb::cast<int>(collide_(PluginGeom{world, a}, PluginGeom{world, b}));
  }

 private:
  static void run(const nb::object &function) {
    if (function.is_none()) return;
    nb::gil_scoped_acquire acquire;
    function();
  }
  std::weak_ptr<World> world_;
  nb::object step_, collide_, end_;
};

std::optional<BodyHandle> body_of_geom(const PluginGeom &g) {
  const dBodyID body = dGeomIsSpace(g.id) ? nullptr : dGeomGetBody(g.id);
  for (uint32_t slot : g.world->bodies.live())
    if (body && g.world->bodies[slot].ode == body) return BodyHandle(g.world, slot);
  return std::nullopt;
}

std::optional<GeomHandle> geom_of(const PluginGeom &g) {
  const uint32_t slot = g.world->slot_of_geom(g.id);
  return slot == kNone ? std::nullopt : std::optional(GeomHandle(g.world, slot));
}

// Rows of point, normal, depth.
nb::ndarray<nb::numpy, double> contacts_of(const PluginGeom &a, const PluginGeom &b, int most) {
  require(most >= 1 && most <= 10000, "maximum", "in 1 to 10000", most);
  std::vector<dContactGeom> found(static_cast<size_t>(most));
  const int count = collide_in_turn(a.id, b.id, most, found.data());
  auto *rows = new double[static_cast<size_t>(count) * 7 + 1];
  nb::capsule owner(rows, [](void *p) noexcept { delete[] static_cast<double *>(p); });
  for (int i = 0; i < count; ++i) {
    double *row = rows + 7 * i;
    for (int k = 0; k < 3; ++k)
      row[k] = found[static_cast<size_t>(i)].pos[k], row[3 + k] = found[static_cast<size_t>(i)].normal[k];
    row[6] = found[static_cast<size_t>(i)].depth;
  }
  return nb::ndarray<nb::numpy, double>(rows, {static_cast<size_t>(count), 7}, owner);
}

void add_contact(const PluginGeom &a, const PluginGeom &b, const Vec3 &point, const Vec3 &normal,
                 double depth, double mu, double bounce, double bounce_velocity, double soft_erp,
                 double soft_cfm) {
  require_finite("point", point);
  require_not_negative("depth", depth);
  require(mu >= 0, "mu", "0 or more", mu);
  require(bounce >= 0 && bounce <= 1, "bounce", "in 0 to 1", bounce);
  require_not_negative("bounce_velocity", bounce_velocity);
  require(soft_erp >= 0 && soft_erp <= 1, "soft_erp", "in 0 to 1", soft_erp);
  require_not_negative("soft_cfm", soft_cfm);
  dContact contact{};
  const Vec3 unit = require_direction("normal", normal);
  for (int k = 0; k < 3; ++k) contact.geom.pos[k] = point[k], contact.geom.normal[k] = unit[k];
  contact.geom.depth = depth;
  contact.geom.g1 = a.id, contact.geom.g2 = b.id;
  dSurfaceParameters &s = contact.surface;
  s.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM | (bounce > 0 ? dContactBounce : 0);
  s.mu = mu, s.bounce = bounce, s.bounce_vel = bounce_velocity, s.soft_erp = soft_erp, s.soft_cfm = soft_cfm;
  const dBodyID one = dGeomIsSpace(a.id) ? nullptr : dGeomGetBody(a.id);
  const dBodyID other = dGeomIsSpace(b.id) ? nullptr : dGeomGetBody(b.id);
  if (!one && !other) throw std::invalid_argument("neither of the geoms belongs to a body with Physics");
  const dJointGroupID group = a.world->plugin_contacts();
  if (!group) throw EngineError("this world has no plugin");
  dJointAttach(dJointCreateContact(a.world->ode_world(), group, &contact), one, other);
}

// (corners, color, size, pass, whether others hide it, positions).
using Batch =
    nb::typed<nb::tuple, int, nb::typed<nb::tuple, float, float, float, float>, float, int, bool, nb::bytes>;

nb::typed<nb::list, Batch> drawn(NativePlugin &plugin, const std::optional<std::string> &view) {
  nb::list found;
  for (const DrawnBatch &one : plugin.draw(view ? view->c_str() : nullptr)) {
    const auto &c = one.color;
    found.append(nb::make_tuple(
        one.corners, nb::make_tuple(c[0], c[1], c[2], c[3]), one.size, one.pass, one.is_hidden,
        nb::bytes(reinterpret_cast<const char *>(one.at.data()), one.at.size() * sizeof(float))));
  }
  return nb::borrow<nb::typed<nb::list, Batch>>(found);
}

nb::bytes bytes_of(const std::vector<char> &data) { return nb::bytes(data.data(), data.size()); }

void restore(NativePlugin &plugin, const nb::bytes &data) {
  require(data.size() <= std::numeric_limits<int>::max(), "size of the data", "that of an int at most",
          static_cast<double>(data.size()));
  plugin.restore({data.c_str(), data.c_str() + data.size()});
}

void bind_geoms(nb::module_ &m) {
  nb::class_<PluginGeom>(m, "PluginGeom",
                         "A collision geometry of a solid, or the space of several, in a physics plugin.")
      .def("__eq__", [](const PluginGeom &a, const PluginGeom &b) { return a == b; })
      .def("__eq__", [](const PluginGeom &, nb::object) { return false; })
      .def("__hash__", [](const PluginGeom &g) { return reinterpret_cast<uintptr_t>(g.id); })
      .def_prop_ro(
          "is_space", [](const PluginGeom &g) { return dGeomIsSpace(g.id) != 0; },
          "True for the geometries of a solid with several; the plugin is asked about it first.")
      .def_prop_ro("body", &body_of_geom, "Its body; None for a space, or without Physics.")
      .def_prop_ro("geom", &geom_of, "The engine's geom; None for a space.")
      .def("contacts", &contacts_of, "other"_a, "maximum"_a = 10,
           "(n, 7) array: point (m), normal from `other` to this geom, depth (m) of each contact.")
      .def("add_contact", &add_contact, "other"_a, "point"_a, "normal"_a, "depth"_a, "mu"_a = 1.0,
           "bounce"_a = 0.0, "bounce_velocity"_a = 0.01, "soft_erp"_a = 0.2, "soft_cfm"_a = 0.001,
           "Makes a contact joint that acts in the next step. mu: friction coefficient, inf for no slip; "
           "bounce: 0 to 1, above bounce_velocity (m/s).");
}

void bind_notes(nb::module_ &m) {
  nb::class_<NotePlace>(m, "PluginNote", "The calls of a plugin in another process, which has this file.")
      .def(nb::init<const std::string &>(), "file"_a, "The file is created if it does not exist.")
      .def_prop_ro(
          "plugin", [](NotePlace &n) { return std::string(n->plugin); }, "Its name; \"\": none was loaded.")
      .def_prop_ro(
          "function", [](NotePlace &n) { return std::string(n->function); }, "What was called last.")
      .def_prop_ro(
          "step", [](NotePlace &n) { return n->step; }, "Steps made before that call.")
      .def_prop_ro(
          "calls", [](NotePlace &n) { return n->calls; }, "Calls made so far.")
      .def_prop_ro(
          "is_running", [](NotePlace &n) { return n->is_running != 0; }, "True during a call.")
      .def_prop_ro(
          "has_failed", [](NotePlace &n) { return n->has_failed != 0; },
          "True after a call that crashed, threw or took too long.");
}

}  // namespace

void bind_plugin(nb::module_ &m) {
  [[maybe_unused]] const nb::class_<StepPlugin> base(m, "StepPlugin",
                                                     "The part of a physics plugin in the steps of a world.");
  nb::class_<NativePlugin, StepPlugin>(m, "NativePlugin",
                                       "A physics plugin in a shared library. EngineError if a function "
                                       "crashes, throws or takes too long.")
      .def_static("load", &load, "world"_a, "name"_a, "path"_a, "host"_a, "folder"_a, "limit_s"_a = 30.0,
                  "note_file"_a = "",
                  "host: object with solid(def_name) -> (Body, number of the solid) or None, send(channel, "
                  "data), print(text) and time_ms(). folder: the current one during init. note_file: says "
                  "during a call which one it is.")
      .def("init", &NativePlugin::init, "Call webots_physics_init in the folder of the library.")
      .def("cleanup", &NativePlugin::cleanup, "Call webots_physics_cleanup, once after each init.")
      .def("has", &NativePlugin::has, "function"_a)
      .def(
          "draw", &drawn, "view"_a = nb::none(),
          "Call webots_physics_predraw and _draw for a view: None for the main one, else the robot with the "
          "camera. What they draw, as (corners, color, size, pass, is_hidden, positions): 1 corner for "
          "points, 2 for lines, 3 for triangles; red, green, blue, opacity (0 to 1); pixels; 0 or 1; whether "
          "what is in front hides it; float32 x, y, z of each vertex (m).")
      .def(
          "save", [](NativePlugin &p) { return bytes_of(p.save()); },
          "Call webots_physics_save, which the library must have; the variables of the plugin.")
      .def("restore", &restore, "data"_a, "Call webots_physics_restore with what `save` returned.")
      .def_prop_ro("state_version", &NativePlugin::state_version,
                   "webots_physics_state_version of the library; 1 without it.")
      .def_prop_ro(
          "unread", [](NativePlugin &p) { return bytes_of(p.unread()); },
          "The packets for dWebotsReceive that were not read.")
      .def(
          "receive", [](NativePlugin &p, const nb::bytes &data) { p.receive(data.c_str(), data.size()); },
          "data"_a, "Append a packet for dWebotsReceive.")
      .def(
          "replace_unread",
          [](NativePlugin &p, const nb::bytes &data) { p.replace_unread(data.c_str(), data.size()); },
          "data"_a, "Set the packets for dWebotsReceive.");
  nb::class_<PythonPlugin, StepPlugin>(m, "PythonPlugin", "A physics plugin of Python functions.")
      .def(nb::init<const PyWorld &, nb::object, nb::object, nb::object>(), "world"_a, "step"_a.none(),
           "collide"_a.none(), "step_end"_a.none(),
           "collide(geom, other) returns 0 if the world shall make the contacts.");
  bind_geoms(m);
  bind_notes(m);
  m.def("open_to_plugins", &open_to_plugins,
        "Make the functions for plugins, and ODE's, visible to libraries.");
  m.def("open_system_library", &open_system_library, "name"_a,
        "Make a library of the system visible to libraries loaded later; False if it is not installed.");
  m.def("is_available", &is_available, "symbol"_a, "True for a function that a library would find now.");
}

void bind_world_plugin(nb::class_<PyWorld> &c) {
  c.def(
       "attach_plugin",
       [](const PyWorld &w, std::shared_ptr<StepPlugin> plugin) {
         checked(w).attach_plugin(std::move(plugin));
       },
       "plugin"_a.none(), "Let a plugin take part in the steps from now on; None: no plugin.")
      .def(
          "plugin_geom",
          [](const PyWorld &w, const BodyHandle &body, int32_t solid) -> std::optional<PluginGeom> {
            const dGeomID id = checked(w).geom_of_solid(body.slot, solid);
            return id ? std::optional(PluginGeom{w.world, id}) : std::nullopt;
          },
          "body"_a, "solid"_a, "What dWebotsGetGeomFromDEF returns; None if the solid has no geometry.")
      .def(
          "take_changes_of_plugin", [](const PyWorld &w) { checked(w).take_changes_of_plugin(); },
          "Read what a plugin changed outside of a step.");
}

}  // namespace wb
