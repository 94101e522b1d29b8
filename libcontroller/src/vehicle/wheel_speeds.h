/* How fast the wheels of a car turn: differences of their positions from one step to the next. */
#ifndef WHEEL_SPEEDS_H
#define WHEEL_SPEEDS_H

#include "parts.h"

typedef struct {
  double speeds[WHEELS]; /* in rad/s; NaN until their sensors were sampled twice */
  double positions[WHEELS];
  double acceleration; /* the greatest of the wheels by size, in rad/s^2 */
} WheelSpeeds;

/* The sensor of a wheel; it is enabled when it was off. period: between two samples, in ms. */
WbDeviceTag wheel_sensor(const Parts *parts, int wheel, int period);

/* Take the positions after a step of so many ms. */
void wheel_speeds_update(WheelSpeeds *self, const Parts *parts, int period);

#endif
