/* See engine.h. */
#include "engine.h"

#include <math.h>

#include "extremes.h"

/* Wheel acceleration, in rad/s^2, above which the torque is reduced, so that a lifted wheel does not race. */
#define MOST_ACCELERATION 50.0

double mean_speed(const double speeds[WHEELS]) {
  return (speeds[0] + speeds[1] + speeds[2] + speeds[3]) / WHEELS;
}

double gear_ratio(const Parameters *parameters, int gear) {
  return gear ? parameters->gear_ratios[gear > 0 ? gear : 0] : 0;
}

double engine_rpm(const Parameters *parameters, int gear, const double speeds[WHEELS]) {
  const double average = mean_speed(speeds) * (60 / (2 * M_PI));
  const double found = fabs(average * gear_ratio(parameters, gear));
  return isnan(found) ? 0 : lesser(found, parameters->max_rpm);
}

static double combustion(const Parameters *parameters, double rpm) {
  const double *coefficients = parameters->coefficients;
  return coefficients[0] + rpm * coefficients[1] + rpm * rpm * coefficients[2];
}

double engine_torque(const Parameters *parameters, double rpm) {
  const int engine = parameters->engine;
  double torque = 0;
  if (rpm == parameters->max_rpm) return 0;
  if (engine == COMBUSTION || (engine == PARALLEL && rpm >= parameters->min_rpm))
    torque += combustion(parameters, greater(rpm, parameters->min_rpm));
  if (engine == SPLIT && rpm >= parameters->min_rpm)
    torque += (1 - parameters->split_ratio) * combustion(parameters, parameters->split_rpm);
  if (engine != COMBUSTION)
    torque += lesser(parameters->max_torque, parameters->max_power * 60 / (2 * M_PI * rpm));
  return torque;
}

double limit_torque(double torque, double acceleration) {
  const double fast = fabs(acceleration);
  return fast > MOST_ACCELERATION ? torque * (MOST_ACCELERATION / fast) : torque;
}
