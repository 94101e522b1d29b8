/* See wheel_speeds.h. */
#include "wheel_speeds.h"

#include <math.h>
#include <webots/position_sensor.h>

#define MS 1000 /* ms per s */

WbDeviceTag wheel_sensor(const Parts *parts, int wheel, int period) {
  const WbDeviceTag sensor = parts->sensors[wheel];
  if (!wb_position_sensor_get_sampling_period(sensor)) wb_position_sensor_enable(sensor, period);
  return sensor;
}

void wheel_speeds_update(WheelSpeeds *self, const Parts *parts, int period) {
  self->acceleration = 0;
  for (int wheel = 0; wheel < WHEELS; ++wheel) {
    const double position = wb_position_sensor_get_value(wheel_sensor(parts, wheel, period));
    const double speed = MS * (position - self->positions[wheel]) / period;
    const double acceleration = MS * (speed - self->speeds[wheel]) / period;
    if (fabs(acceleration) > fabs(self->acceleration)) self->acceleration = acceleration;
    self->positions[wheel] = position;
    self->speeds[wheel] = speed;
  }
}
