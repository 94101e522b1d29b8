/* See steering.h. Straight ahead the center is at infinity, the result of the division by zero. */
#include "steering.h"

#include <math.h>

#define EVEN 0.5

void wheel_angles(double steering, double wheelbase, double track, double angles[SIDES]) {
  const double cotangent = 1 / tan(steering), half = track / (2 * wheelbase);
  angles[RIGHT_SIDE] = atan(1 / (cotangent - half));
  angles[LEFT_SIDE] = atan(1 / (cotangent + half));
}

static double share(double steering, double right, double left) {
  const double found = right / (left + right);
  return steering == 0 || isnan(found) ? EVEN : found;
}

double front_ratio(double steering, const double angles[SIDES], double wheelbase) {
  return share(steering, wheelbase / sin(angles[RIGHT_SIDE]), wheelbase / sin(angles[LEFT_SIDE]));
}

double rear_ratio(double steering, double wheelbase, double track) {
  const double radius = wheelbase / tan(steering);
  return share(steering, radius - track / 2, radius + track / 2);
}

double center_ratio(double steering, double wheelbase, double radii) {
  if (steering == 0) return EVEN;
  const double front = wheelbase / sin(steering), rear = wheelbase / tan(steering);
  return radii * front / (front + rear);
}
