// Bindings of motors.
#include <cstring>

#include "bind.h"

namespace wb {
namespace {

using namespace nb::literals;

template <auto Member>
void bind_value(nb::class_<MotorHandle> &c, const char *name, void (*check)(const char *, double),
                const char *doc) {
  c.def_prop_rw(
      name, [](const MotorHandle &h) { return h.get().*Member; },
      [name, check](const MotorHandle &h, double v) {
        check(name, v);
        h.get().*Member = v;
      },
      doc);
}

template <auto Member>
void bind_reading(nb::class_<MotorHandle> &c, const char *name, const char *doc) {
  c.def_prop_ro(name, [](const MotorHandle &h) { return h.get().*Member; }, doc);
}

// A command wakes the bodies of the joint.
template <auto Method>
auto command() {
  return [](const MotorHandle &h, double value) {
    const auto done = [&] { h.wake(); };
    if constexpr (std::is_void_v<decltype((h.get().*Method)(value))>) {
      (h.get().*Method)(value);
      done();
    } else {
      const bool cut = (h.get().*Method)(value);
      done();
      return cut;
    }
  };
}

void not_negative(const char *name, double v) { require_not_negative(name, v); }
void finite(const char *name, double v) { require_finite(name, v); }
void not_zero(const char *name, double v) {
  require(v != 0 && std::isfinite(v), name, "finite and not 0", v);
}

}  // namespace

Motor &MotorHandle::get() const {
  if (own_) return *own_;
  if (propeller_) return propeller_->get().motor;
  if (track_) return track_->get().motor;
  Joint &j = joint_->get();
  if (!j.axes[axis_].motorized) throw HandleError("this motor was removed");
  return j.axes[axis_].motor;
}

void MotorHandle::wake() const {
  if (joint_) joint_->world->wake_joint(joint_->slot);
}

double MotorHandle::feedback() const {
  get();
  return joint_ ? joint_->world->motor_feedback(joint_->slot, axis_) : 0;
}

double MotorHandle::position() const {
  get();
  if (propeller_) return propeller_->get().position;
  if (track_) return track_->get().position;
  return joint_ ? joint_->get().axes[axis_].position : 0;
}

void bind_motor(nb::module_ &m) {
  nb::class_<MotorHandle> c(
      m, "Motor",
      "Control law of a motor (manual, chapter Motor): rad or m, per second, N m or N. Setters "
      "return True if the value was cut to a limit. `Motor()` is one without a joint, driven by "
      "`velocity_for` or `move`.");
  c.def(nb::init<>());
  bind_value<&Motor::min_position>(c, "min_position", finite, "Soft limit; both limits 0: none.");
  bind_value<&Motor::max_position>(c, "max_position", finite, "Soft limit; both limits 0: none.");
  bind_value<&Motor::max_velocity>(c, "max_velocity", not_negative, "Limit of the target velocity.");
  bind_value<&Motor::max_force>(c, "max_force", not_negative, "Limit of the available force (N or N m).");
  bind_value<&Motor::multiplier>(c, "multiplier", not_zero,
                                 "Factor on position, velocity and force commands.");
  bind_reading<&Motor::acceleration>(c, "acceleration", "-1: not limited.");
  bind_reading<&Motor::target_position>(c, "target_position", "Infinite in velocity control.");
  bind_reading<&Motor::target_velocity>(c, "target_velocity", "With sign in velocity control.");
  bind_reading<&Motor::available_force>(c, "available_force", "N or N m");
  bind_reading<&Motor::wanted_force>(c, "wanted_force", "Last commanded force, times the multiplier.");
  bind_reading<&Motor::current_velocity>(c, "current_velocity",
                                         "Output of the control law in the last step.");
  bind_reading<&Motor::integral>(c, "integral", "Integral of the position error.");
  c.def_prop_ro(
       "pid", [](const MotorHandle &h) { return Vec3{h.get().p, h.get().i, h.get().d}; }, "(P, I, D)")
      .def_prop_ro("force_control", [](const MotorHandle &h) { return h.get().force_mode != 0; })
      .def_prop_ro("position", &MotorHandle::position, "Of the joint axis, the propeller or the belt.")
      .def_prop_ro(
          "feedback", &MotorHandle::feedback,
          "Force or torque of motor and stops about the axis in the last step; needs joint.feedback = True.")
      .def("set_position", command<&Motor::set_position>(), "value"_a,
           "Target times multiplier, cut to the soft limits; infinity: velocity control. Ends force control.")
      .def("set_velocity", command<&Motor::set_velocity>(), "value"_a, "Times multiplier, cut to the limit.")
      .def("set_force", command<&Motor::set_force>(), "value"_a, "Starts force control; times multiplier.")
      .def("set_available_force", command<&Motor::set_available_force>(), "value"_a,
           "Cut to max_force; >= 0.")
      .def("set_acceleration", command<&Motor::set_acceleration>(), "value"_a, "-1 or >= 0")
      .def(
          "set_pid",
          [](const MotorHandle &h, double p, double i, double d) {
            h.get().set_pid(p, i, d);
            h.wake();
          },
          "p"_a, "i"_a, "d"_a, "None negative; clears the integral and the previous error.")
      .def(
          "reset", [](const MotorHandle &h, double p) { h.get().reset(p), h.wake(); }, "position"_a,
          "Position control at `position` with full velocity and force and a cleared history.")
      .def(
          "stop", [](const MotorHandle &h) { h.get().current_velocity = 0; }, "Current velocity to 0.")
      .def(
          "state",
          [](const MotorHandle &h) {
            const Motor &m = h.get();
            return nb::bytes(reinterpret_cast<const char *>(&m), sizeof m);
          },
          "Limits, gains, commands and history as bytes; a world's state includes its motors.")
      .def(
          "restore",
          [](const MotorHandle &h, nb::bytes state) {
            if (state.size() != sizeof(Motor)) throw std::invalid_argument("not a state of a motor");
            std::memcpy(&h.get(), state.c_str(), sizeof(Motor));
          },
          "state"_a, "Restore what `state` returned.")
      .def(
          "velocity_for",
          [](const MotorHandle &h, double x, double dt) { return h.get().velocity_for(x, dt); }, "position"_a,
          "dt"_a, "One step of the control law: the target velocity at `position`.")
      .def(
          "move", [](const MotorHandle &h, double x, double dt) { return h.get().move(x, dt); }, "position"_a,
          "dt"_a, "One step of a motor without physics: the position after dt.");
}

}  // namespace wb
