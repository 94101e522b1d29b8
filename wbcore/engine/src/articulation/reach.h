// Inverse kinematics: positions of joints that bring a point of a link to a place.
#pragma once

#include <optional>
#include <vector>

#include "chain.h"

namespace wb {

struct Goal {
  int link = 0;
  Vec3 point = kZero;  // in the link's frame
  Vec3 position = kZero;
  std::optional<Mat3> orientation;  // of the link's frame in the world
};

struct ReachLimits {
  double distance = 1e-6, angle = 1e-6;  // errors that are small enough (m, rad)
  int iterations = 100;                  // of an attempt
  int attempts = 10;                     // the first from the start, the others from random positions
};

struct Reached {
  std::vector<double> positions;
  double distance = 0, angle = 0;  // errors
  int iterations = 0;              // of all attempts
  bool is_reached = false;
};

// Damped least squares: each iteration moves by J^T (J J^T + d I)^-1 e, where d grows with the error e, so
// that singular positions do no harm (T. Sugihara, Solvability-unconcerned inverse kinematics by the
// Levenberg-Marquardt method, 2011). Joints stay within their limits. Without success, the best positions.
Reached reach(Chain &chain, const Pose &base, const std::vector<double> &start, const Goal &goal,
              const ReachLimits &limits);

}  // namespace wb
