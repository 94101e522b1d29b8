// Motors of axes that are at a stop. ODE has one row for the stop and the motor of an axis: at a stop, it
// replaces the motor by its greatest force, whatever its velocity. That is right for a motor that pushes
// against the stop. One that leaves it would be much too fast after a step (F dt / m): it gets the row for
// itself, as anywhere between the stops.
#include "joint_rows.h"
#include "world.h"

namespace wb {
namespace {

// The margin covers the rounding between our position and ODE's own.
double margin(double stop) { return 1e-9 * (1 + std::fabs(stop)); }

// A stop that does not act is put this far beyond the axis (rad or m).
constexpr double kApart = 1e-6;

bool is_at_low(const JointAxis &axis) { return axis.position <= axis.min_stop + margin(axis.min_stop); }
bool is_at_high(const JointAxis &axis) { return axis.position >= axis.max_stop - margin(axis.max_stop); }

// Direction away from the stop at which the axis is; 0 if it is at none, or the motor pushes against it.
int way_out(const JointAxis &axis, double velocity) {
  if (axis.motor.force_mode != 0) return 0;
  if (velocity >= 0 && is_at_low(axis)) return 1;
  return velocity <= 0 && is_at_high(axis) ? -1 : 0;
}

}  // namespace

void set_stops(const Joint &j, int i, double shift) {
  const JointAxis &axis = j.axes[i];
  double low = axis.min_stop, high = axis.max_stop;
  if (axis.at_stop == AtStop::released) {
    low = std::min(low, axis.position - kApart);
    high = std::max(high, axis.position + kApart);
  }
  set_row_param(j, i, dParamLoStop, low - axis.offset - shift);
  set_row_param(j, i, dParamHiStop, high - axis.offset - shift);
}

// A row reaches its velocity up to CFM times its force. An axis that moves faster into the stop, although the
// motor had the row for itself, has used up the motor's force: the stop has to bear a part of the load.
AtStop World::state_at_stops(const Joint &j, int i, int out) const {
  const JointAxis &axis = j.axes[i];
  if (out == 0) return AtStop::held;
  if (axis.at_stop == AtStop::too_weak) return AtStop::too_weak;
  const bool used_up = -out * axis.velocity > 1.001 * settings_.cfm * axis.limit + 1e-9;
  return used_up && axis.at_stop == AtStop::released ? AtStop::too_weak : AtStop::released;
}

// Velocity of the motor's row. Without a stop, a load could press a slow motor into it, because the row
// yields: the error is corrected as the stop would, but not faster than the row yields.
double World::velocity_at_stops(Joint &j, int i, double velocity) {
  JointAxis &axis = j.axes[i];
  const int out = way_out(axis, velocity);
  axis.at_stop = state_at_stops(j, i, out);
  const bool released = axis.at_stop == AtStop::released;
  if (released || axis.has_other_stops) set_stops(j, i, 0);
  axis.has_other_stops = released;
  if (!released) return velocity;
  const double depth = out > 0 ? axis.min_stop - axis.position : axis.position - axis.max_stop;
  const double erp = j.stop_erp < 0 ? settings_.erp : j.stop_erp;
  const double back = std::min(erp / settings_.dt * std::max(depth, 0.0), settings_.cfm * axis.limit);
  return out * std::max(std::fabs(velocity), back);
}

}  // namespace wb
