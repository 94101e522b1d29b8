// A motor's control law: from targets to the velocity and the force of a joint (manual, chapter Motor).
#pragma once

namespace wb {

// Plain data that is saved and restored byte by byte. Units: rad or m, per second, N m or N.
struct Motor {
  // Limits and gains, from the node's fields.
  double min_position = 0, max_position = 0;  // both 0: no soft limits
  double max_velocity = 10, max_force = 10;
  double acceleration = -1;  // -1: not limited
  double p = 10, i = 0, d = 0;
  double multiplier = 1;
  // Commands of the controller.
  double target_position = 0, target_velocity = 10, available_force = 10, wanted_force = 0;
  // Internal state.
  double current_velocity = 0, integral = 0, previous_error = 0;
  double feedback = 0;
  double force_mode = 0;  // 1 after set_force, 0 after set_position; a double, so the struct has no gaps

  // Each setter returns true if the value was clamped to a limit.
  bool set_position(double value);
  bool set_velocity(double value);
  bool set_available_force(double value);
  bool set_force(double value);
  void set_acceleration(double value);
  void set_pid(double new_p, double new_i, double new_d);
  // Clears velocity, integral and error; target at `position`, full velocity, position control.
  void reset(double position);

  // Target joint velocity for the step of length dt that starts at `position`.
  double velocity_for(double position, double dt);
  // Force of force control, clamped to the available force.
  double applied_force() const;
  // Moves a joint without physics: returns its position after dt.
  double move(double position, double dt);

 private:
  void approach(double wanted, double limit, double dt);
};

}  // namespace wb
