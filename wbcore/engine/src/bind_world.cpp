// Bindings of the world: settings, stepping, hooks and state.
#include "bind_world.h"

#include "physics_file.h"

namespace wb {
namespace {

using namespace nb::literals;

// Steps between two checks for Ctrl-C.
constexpr uint64_t kChunk = 256;

// A single step of a small world takes a few microseconds: less than releasing the lock costs.
void step(const PyWorld &w, uint64_t count) {
  if (count == 1 && w.world->small()) {
    w.world->step(1);
    return;
  }
  while (count > 0) {
    const uint64_t chunk = std::min(count, kChunk);
    {
      nb::gil_scoped_release release;
      w.world->step(chunk);
    }
    count -= chunk;
    if (count > 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

thread_local std::exception_ptr failed_step;

// nanobind translates the rethrown exception for Python.
void raise_failed_step(const PyWorld &) { std::rethrow_exception(std::exchange(failed_step, nullptr)); }

// `step()` without arguments is so frequent that it bypasses nanobind's argument parsing.
PyObject *step_method(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
  if (count == 0 && !names && nb::inst_ready(self)) {
    try {
      step(*nb::inst_ptr<PyWorld>(self), 1);
      Py_RETURN_NONE;
    } catch (...) {
      failed_step = std::current_exception();
    }
    return PyObject_CallMethod(self, "_raise_failed_step", nullptr);
  }
  const nb::object any = nb::getattr(nb::handle(self), "_step");
  return PyObject_Vectorcall(any.ptr(), arguments, static_cast<size_t>(count), names);
}

PyMethodDef methods[] = {
    {"step", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(step_method)),
     METH_FASTCALL | METH_KEYWORDS,
     "step($self, /, count=1)\n--\n\n"
     "Makes `count` steps; the lock of the interpreter is released unless it is one step of a small "
     "world. PhysicsError after a step that left a body in an invalid state; the step is complete "
     "then. EngineError if another thread steps this world."},
    {nullptr, nullptr, 0, nullptr}};

void set_hook(PyWorld &w, nb::object &place, std::function<void()> World::*target, nb::object function) {
  World &world = checked(w);
  place = function.is_none() ? nb::object() : function;
  if (!place.is_valid()) {
    world.*target = nullptr;
    return;
  }
  // The hooks own the function; the world only borrows it, so that Python's garbage collector sees all
  // references.
  world.*target = [borrowed = nb::handle(place)] {
    nb::gil_scoped_acquire acquire;
    nb::borrow(borrowed)();
  };
}

void set_pair_hook(PyWorld &w, nb::object function) {
  World &world = checked(w);
  w.hooks->on_pair = function.is_none() ? nb::object() : function;
  if (!w.hooks->on_pair.is_valid()) {
    world.on_pair = nullptr;
    return;
  }
  world.on_pair = [borrowed = nb::handle(w.hooks->on_pair)](uint32_t a, uint32_t b) {
    nb::gil_scoped_acquire acquire;
    return nb::cast<bool>(nb::borrow(borrowed)(a, b));
  };
}

nb::object or_none(const nb::object &o) { return o.is_valid() ? o : nb::none(); }

int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const PyWorld *w = nb::inst_ptr<PyWorld>(self);
  for (const nb::object *o : {&w->hooks->before_solve, &w->hooks->after_step, &w->hooks->on_pair})
    Py_VISIT(o->ptr());
  return 0;
}

int clear(PyObject *self) {
  nb::inst_ptr<PyWorld>(self)->forget_hooks();
  return 0;
}

PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void *>(clear)},
                       {Py_tp_methods, methods},
                       {0, nullptr}};

// The names of the laws of contact, in the order of ContactLaw.
constexpr std::array kContactLaws{"webots", "precise"};

ContactLaw law_of(const std::string &name) {
  std::string allowed;
  for (size_t i = 0; i < kContactLaws.size(); ++i) {
    if (name == kContactLaws[i]) return static_cast<ContactLaw>(i);
    allowed += (i ? "' or '" : "'") + std::string(kContactLaws[i]);
  }
  throw std::invalid_argument("contacts must be " + allowed + "', not '" + name + "'");
}

const char *name_of(ContactLaw law) { return kContactLaws[static_cast<size_t>(law)]; }

bool is_sparse(const std::string &solver) {
  if (solver != "sparse" && solver != "dense")
    throw std::invalid_argument("solver must be 'sparse' or 'dense', not '" + solver + "'");
  return solver == "sparse";
}

void construct(PyWorld *w, double dt, const Vec3 &gravity, double erp, double cfm, uint32_t seed,
               uint32_t capacity, uint32_t exact_rows, uint32_t exact_heap_rows, uint32_t quick_iterations,
               double max_speed, double max_distance, uint32_t threads, const std::string &contacts,
               const std::string &solver) {
  new (w) PyWorld(std::make_shared<World>(WorldSettings{
      dt, gravity, erp, cfm, seed, capacity, ExactLimits{exact_rows, exact_heap_rows}, quick_iterations,
      max_speed, max_distance, threads, law_of(contacts), is_sparse(solver)}));
}

nb::bytes save_world(const PyWorld &w) {
  const std::vector<char> bytes = checked(w).save();
  return nb::bytes(bytes.data(), bytes.size());
}

nb::bytes physics_of_world(const PyWorld &w) {
  const std::vector<char> bytes = write_physics(checked(w));
  return nb::bytes(bytes.data(), bytes.size());
}

PyWorld *world_of_physics(const nb::bytes &data) {
  return new PyWorld(read_physics(data.c_str(), data.size()));
}

void bind_settings(nb::class_<PyWorld> &c) {
  c.def_prop_ro(
      "contact_law", [](const PyWorld &w) { return name_of(w.world->settings().contacts); },
      "The law of contact: 'webots' or 'precise' (see docs/physics.md).");
  c.def_prop_rw(
       "dt", [](const PyWorld &w) { return w.world->settings().dt; },
       [](const PyWorld &w, double v) { checked(w).set_dt(v); }, "Step length (s).")
      .def_prop_rw(
          "gravity", [](const PyWorld &w) { return w.world->settings().gravity; },
          [](const PyWorld &w, const Vec3 &g) { checked(w).set_gravity(g); },
          "m/s^2; setting it wakes all bodies.")
      .def_prop_rw(
          "erp", [](const PyWorld &w) { return w.world->settings().erp; },
          [](const PyWorld &w, double v) { checked(w).set_erp_cfm(v, w.world->settings().cfm); }, "0 to 1")
      .def_prop_rw(
          "cfm", [](const PyWorld &w) { return w.world->settings().cfm; },
          [](const PyWorld &w, double v) { checked(w).set_erp_cfm(w.world->settings().erp, v); }, ">= 0")
      .def(
          "set_solver",
          [](const PyWorld &w, uint32_t rows, uint32_t heap, uint32_t n) {
            checked(w).set_solver({rows, heap}, n);
          },
          "exact_rows"_a = 400, "exact_heap_rows"_a = 125, "quick_iterations"_a = 20,
          "Islands with joints are solved exactly up to exact_rows constraint rows, else iteratively. Heaps "
          "of loose "
          "bodies are solved exactly, from the smallest on, as long as their time (the cube of their rows) "
          "is that of "
          "one heap of exact_heap_rows.")
      .def(
          "set_self_collision",
          [](const PyWorld &w, int32_t r, bool on) { checked(w).set_self_collision(r, on); }, "robot"_a,
          "on"_a, "Whether geoms of this robot touch each other and its rays hit it.")
      .def(
          "set_contact_properties",
          [](const PyWorld &w, uint32_t a, uint32_t b, const ContactProperties &p) {
            checked(w).set_contact_properties(a, b, p);
          },
          "material1"_a, "material2"_a, "properties"_a,
          "For this pair of materials in either order; the values of `material1` come first.")
      .def(
          "remove_contact_properties",
          [](const PyWorld &w, uint32_t a, uint32_t b) { checked(w).remove_contact_properties(a, b); },
          "material1"_a, "material2"_a, "Reset the pair to the defaults.");
}

void bind_state(nb::class_<PyWorld> &c) {
  c.def("state", &save_world, "All that changes while the world steps, as bytes.")
      .def(
          "restore", [](const PyWorld &w, nb::bytes b) { checked(w).restore(b.c_str(), b.size()); },
          "state"_a,
          "Continues exactly where `state` was taken. ValueError if the bytes are damaged or of a world with "
          "other "
          "bodies, geoms or joints.")
      .def("physics", &physics_of_world,
           "Bodies, geoms, joints and all that was set, with the state, as bytes: for `from_physics`, and "
           "for the "
           "program state_hash. Rays, plugins and functions called in steps are left out. EngineError if "
           "objects "
           "were removed.")
      .def_static("from_physics", &world_of_physics, "physics"_a,
                  "The same world. If it was written before its first step, its steps have the same bits. "
                  "ValueError if the bytes are damaged.")
      .def(
          "hash", [](const PyWorld &w) { return checked(w).hash(); },
          "64-bit hash over the bits of all poses, velocities and joint positions and the number of steps.")
      .def_prop_rw(
          "threads", [](const PyWorld &w) { return w.world->settings().threads; },
          [](const PyWorld &w, uint32_t v) { checked(w).set_threads(v); },
          "Maximum number of threads (1 to 256) on which a step solves its islands. They are used in steps "
          "that are long enough; the number does not change the motion.")
      .def_prop_rw(
          "solver", [](const PyWorld &w) { return w.world->settings().sparse ? "sparse" : "dense"; },
          [](const PyWorld &w, const std::string &v) { checked(w).use_sparse_solver(is_sparse(v)); },
          "Solver of exact steps: 'sparse' goes along the trees of bodies of each large island, 'dense' is "
          "ODE's own. Both solve the same equations; the results differ in rounding.")
      .def(
          "seed", [](const PyWorld &w, uint32_t s) { checked(w).set_seed(s); }, "value"_a,
          "Reseed the random generators of the world and of the iterative solver.")
      .def(
          "random", [](const PyWorld &w) { return checked(w).random.uniform(); }, "Uniform in [0, 1).")
      .def("gauss", [](const PyWorld &w) { return checked(w).random.gaussian(); }, "Standard normal.");
}

void bind_hooks(nb::class_<PyWorld> &c) {
  c.def_prop_rw(
       "before_solve", [](const PyWorld &w) { return or_none(w.hooks->before_solve); },
       [](PyWorld &w, nb::object f) { set_hook(w, w.hooks->before_solve, &World::before_solve, f); },
       nb::for_setter(nb::arg("function").none()),
       "Called without arguments in each step after the motors, before the constraints are solved.")
      .def_prop_rw(
          "after_step", [](const PyWorld &w) { return or_none(w.hooks->after_step); },
          [](PyWorld &w, nb::object f) { set_hook(w, w.hooks->after_step, &World::after_step, f); },
          nb::for_setter(nb::arg("function").none()),
          "Called at the end of each step, with the new contacts and rays.")
      .def_prop_rw(
          "on_pair", [](const PyWorld &w) { return or_none(w.hooks->on_pair); },
          [](PyWorld &w, nb::object f) { set_pair_hook(w, f); }, nb::for_setter(nb::arg("function").none()),
          "Called with the ids of two geoms that may touch; True: no contacts are made. It must not add or "
          "remove anything.");
}

}  // namespace

void bind_world(nb::module_ &m) {
  nb::class_<PyWorld> c(
      m, "World",
      "A world of bodies, geoms, joints and rays. Not to be used from two threads at once; several "
      "worlds may be stepped from several threads.",
      nb::type_slots(slots));
  c.def("__init__", &construct, nb::kw_only(), "dt"_a = 0.032, "gravity"_a = Vec3{0, 0, -9.81}, "erp"_a = 0.2,
        "cfm"_a = 1e-5, "seed"_a = 0, "capacity"_a = 65536, "exact_rows"_a = 400, "exact_heap_rows"_a = 125,
        "quick_iterations"_a = 20, "max_speed"_a = 1e6, "max_distance"_a = 1e9, "threads"_a = 1,
        "contacts"_a = "webots", "solver"_a = "sparse",
        "dt: s; gravity: m/s^2; capacity: most bodies and most joint axes; max_speed (m/s), max_distance "
        "(m): beyond them, a body is reported as a problem; threads, contacts, solver: see the properties "
        "threads, contact_law, solver.")
      .def("_raise_failed_step", &raise_failed_step)
      .def(
          "collide", [](const PyWorld &w) { checked(w).collide(); },
          "Find the contacts at the current poses; the first step does this automatically.");
  c.attr("_step") = nb::cpp_function(&step, nb::name("step"), nb::is_method(), "count"_a = 1);
  bind_settings(c);
  bind_hooks(c);
  bind_state(c);
  bind_world_makers(c);
  bind_world_drives(c);
  bind_world_views(c);
  bind_world_plugin(c);
}

}  // namespace wb
