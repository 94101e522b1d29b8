/* Functions of Servo, a node of Webots 8: a motor with the position sensor of its joint. */
#include <math.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/servo.h>

#include "motor.h"

/* The position sensor on the joint of a motor, or 0; the first call queries the simulator. */
static WbDeviceTag sensor(WbDeviceTag tag, const char *function) {
  Motor *motor = device_find(tag, &motor_kind, function);
  if (!motor) return 0;
  if (!motor->asked_sensor) motor->sensor = wb_motor_get_position_sensor(tag);
  motor->asked_sensor = true;
  return motor->sensor;
}

void wb_servo_set_control_p(WbDeviceTag tag, double p) {
  REPORT_AS_OWN(wb_motor_set_control_pid(tag, p, 0, 0));
}

double wb_servo_get_motor_force_feedback(WbDeviceTag tag) {
  return motor_feedback(tag, "enable_force_feedback", __func__);
}

void wb_servo_enable_position(WbDeviceTag tag, int ms) {
  const WbDeviceTag found = sensor(tag, __func__);
  if (found) REPORT_AS_OWN(wb_position_sensor_enable(found, ms));
}

void wb_servo_disable_position(WbDeviceTag tag) {
  const WbDeviceTag found = sensor(tag, __func__);
  if (found) wb_position_sensor_disable(found);
}

int wb_servo_get_position_sampling_period(WbDeviceTag tag) {
  const WbDeviceTag found = sensor(tag, __func__);
  return found ? wb_position_sensor_get_sampling_period(found) : 0;
}

double wb_servo_get_position(WbDeviceTag tag) {
  const WbDeviceTag found = sensor(tag, __func__);
  double value = NAN;
  if (found) REPORT_AS_OWN(value = wb_position_sensor_get_value(found));
  return value;
}
