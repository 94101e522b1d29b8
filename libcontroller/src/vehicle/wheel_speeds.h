/* The speeds of a car's wheels: differences of their positions between steps. */
#ifndef WHEEL_SPEEDS_H
#define WHEEL_SPEEDS_H

#include "parts.h"

typedef struct {
  double speeds[WHEELS]; /* in rad/s; NaN until their sensors have two samples */
  double positions[WHEELS];
  double acceleration; /* acceleration with the maximum absolute value, in rad/s^2 */
} WheelSpeeds;

/* The sensor of a wheel, enabled if necessary. period: sampling period, in ms. */
WbDeviceTag wheel_sensor(const Parts *parts, int wheel, int period);

/* Update speeds and acceleration after a step of a duration in ms. */
void wheel_speeds_update(WheelSpeeds *self, const Parts *parts, int period);

#endif
