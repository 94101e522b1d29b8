/* See wipers.h. */
#include "wipers.h"

#include <math.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>

#include "../devices/joint_device.h"

#define SPEED 2.0 /* in rad/s */
#define FAST_SPEED 4.0
#define PAUSE 4 /* period of slow wipers, in s; they move up in its first second */

static bool has_wipers(const Wipers *self) { return self->motors[RIGHT_SIDE] && self->motors[LEFT_SIDE]; }

void wipers_start(Wipers *self, const Robot *robot, int period) {
  *self = (Wipers){.motors = {part_find(robot, &motor_kind, "right_wiper_motor"),
                              part_find(robot, &motor_kind, "left_wiper_motor")},
                   .sensor = part_find(robot, &position_sensor_kind, "wiper_sensor")};
  if (self->sensor) wb_position_sensor_enable(self->sensor, period);
}

static void go(const Wipers *self, bool up) {
  for (int side = 0; side < SIDES; ++side) {
    const WbDeviceTag motor = self->motors[side];
    wb_motor_set_position(motor, up ? wb_motor_get_max_position(motor) : wb_motor_get_min_position(motor));
  }
}

void wipers_choose(Wipers *self, int mode) {
  if (!has_wipers(self)) return;
  self->mode = mode;
  for (int side = 0; side < SIDES; ++side)
    wb_motor_set_velocity(self->motors[side], mode == WIPERS_FAST ? FAST_SPEED : SPEED);
  if (mode == WIPERS_DOWN) go(self, false);
}

void wipers_update(const Wipers *self, double time) {
  if (!has_wipers(self) || !self->sensor || self->mode == WIPERS_DOWN) return;
  const Device *sensor = device_find(self->sensor, &position_sensor_kind, __func__);
  const double place = sensor ? position_sensor_value(sensor) : NAN;
  if (place == wb_motor_get_min_position(self->motors[0])) go(self, true);
  if (place == wb_motor_get_max_position(self->motors[0]) ||
      (self->mode == WIPERS_SLOW && fmod(trunc(time), PAUSE) != 0))
    go(self, false);
}
