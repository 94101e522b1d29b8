// The Python module wbridge.wbcore.engine._engine.
#include "bind.h"
#include "ode_runtime.h"
#include "platform/vector.h"
#include "script/cells.h"

namespace {

PyObject *physics_error = nullptr;

// PhysicsError carries its problems: a list of (body id, kind, position, linear velocity, angular velocity).
void raise_physics_error(const wb::PhysicsError &e) {
  nb::list problems;
  for (const wb::Problem &p : e.problems)
    problems.append(nb::make_tuple(p.body, p.kind, p.position, p.linear_velocity, p.angular_velocity));
  nb::object error = nb::borrow(physics_error)(e.what());
  error.attr("problems") = problems;
  PyErr_SetObject(physics_error, error.ptr());
}

void translate(const std::exception_ptr &p, void *) {
  try {
    std::rethrow_exception(p);
  } catch (const wb::PhysicsError &e) {
    raise_physics_error(e);
  }
}

}  // namespace

NB_MODULE(_engine, m) {
  // A simulation that still exists when the interpreter exits is not a leak; the sanitizer build finds real
  // ones.
  nb::set_leak_warnings(false);
  m.doc() = "Physics engine over ODE: bodies, geoms, joints, motors, contacts, rays. See docs/engine.md.";
  m.attr("ODE_VERSION") = wb::kOdeVersion;
  m.attr("HAS_OWN_ODE") = wb::kHasOwnOde;
  m.attr("BUILD_NOTE") = wb::kBuildNote;
  m.attr("SIMD") = wb::simd_name();
  static nb::exception<wb::EngineError> engine_error(m, "EngineError", PyExc_RuntimeError);
  static nb::exception<wb::HandleError> handle_error(m, "HandleError", engine_error.ptr());
  static nb::exception<wb::PluginFailure> plugin_failure(m, "PluginFailure", engine_error.ptr());
  physics_error =
      PyErr_NewException("wbridge.wbcore.engine._engine.PhysicsError", engine_error.ptr(), nullptr);
  m.attr("PhysicsError") = nb::borrow(physics_error);
  nb::register_exception_translator(translate);
  wb::bind_mathematics(m);
  wb::bind_mass(m);
  wb::bind_shape(m);
  wb::bind_body(m);
  wb::bind_geom(m);
  wb::bind_motor(m);
  wb::bind_joint(m);
  wb::bind_contacts(m);
  wb::bind_rays(m);
  wb::bind_drives(m);
  wb::bind_packets(m);
  wb::bind_plugin(m);
  wb::bind_world(m);
  wb::bind_draw(m);
  wb::bind_scene(m);
  wb::bind_range_image(m);
  wb::bind_sense(m);
  wb::bind_motion(m);
  wb::bind_touch(m);
  wb::bind_light(m);
  wb::bind_direct_stepper(m);
  wb::bind_batch_stepper(m);
  wb::bind_script(m);
  wb::bind_script_cells(m);
  wb::bind_articulation(m);
}
