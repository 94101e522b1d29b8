/* See differential.h. */
#include "differential.h"

#include <math.h>

#include "extremes.h"

Ratios differential_ratios(const Parameters *parameters, double angle, const double angles[SIDES]) {
  const double radii = parameters->rear_wheel_radius / parameters->front_wheel_radius;
  return (Ratios){front_ratio(angle, angles, parameters->wheelbase),
                  rear_ratio(angle, parameters->wheelbase, parameters->track_rear),
                  center_ratio(angle, parameters->wheelbase, radii)};
}

/* The slip after a step; positive if the first wheel turns faster than its partner. */
static void slip(double *slip, double one, double other) {
  const double found = *slip + (one / (one + other) * 2 - 1);
  *slip = isnan(found) ? 0 : greater(-1, lesser(1, found));
}

void differential_update(Differential *self, int driven, const double speeds[WHEELS]) {
  if (driven != PROPULSION) slip(&self->front, speeds[0], speeds[1]);
  if (driven != TRACTION) slip(&self->rear, speeds[2], speeds[3]);
  if (driven == FOUR_BY_FOUR) slip(&self->center, speeds[0] + speeds[1], speeds[2] + speeds[3]);
}

static double limit(const Differential *self, double ratio, double found) {
  return self->limited ? ratio * (2 * (1 - (found + 1) / 2)) : ratio;
}

void differential_torques(const Differential *self, int driven, double torque, Ratios ratios,
                          double torques[WHEELS]) {
  const double front = limit(self, ratios.front, self->front), rear = limit(self, ratios.rear, self->rear);
  const double center = limit(self, ratios.center, self->center);
  const double shares[WHEELS] = {front, 1 - front, rear, 1 - rear};
  for (int wheel = 0; wheel < WHEELS; ++wheel) {
    if (!is_driven(driven, wheel)) continue;
    torques[wheel] = torque * shares[wheel];
    if (driven == FOUR_BY_FOUR) torques[wheel] *= wheel < 2 ? center : 1 - center;
  }
}

void differential_speeds(int driven, double speed, Ratios ratios, double speeds[WHEELS]) {
  const double shares[WHEELS] = {ratios.front, 1 - ratios.front, ratios.rear, 1 - ratios.rear};
  for (int wheel = 0; wheel < WHEELS; ++wheel) {
    if (!is_driven(driven, wheel)) continue;
    const double axle = wheel < 2 ? ratios.center : 1 - ratios.center;
    speeds[wheel] = 2 * speed * shares[wheel] * (driven == FOUR_BY_FOUR ? 2 * axle : 1);
  }
}
