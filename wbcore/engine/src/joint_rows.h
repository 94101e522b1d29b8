// Rows of the ODE joints behind a joint, as joint_rows.cpp and joint_stops.cpp set them.
#pragma once

#include "joint.h"

namespace wb {

inline bool has_stops(const JointAxis &axis) { return axis.min_stop != axis.max_stop; }

inline bool has_spring(const JointAxis &axis) { return axis.spring > 0 || axis.damper > 0 || axis.brake > 0; }

// Sets a parameter of the row with the motor and the stops of an axis.
void set_row_param(const Joint &joint, int axis, int parameter, double value);

// Sets the stops of an axis as they act in the next step; ODE's measure of the position is `shift` smaller.
void set_stops(const Joint &joint, int axis, double shift);

}  // namespace wb
