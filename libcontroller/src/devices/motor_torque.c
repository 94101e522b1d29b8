/* The torque functions are aliases of the force functions. */
#include <math.h>
#include <webots/motor.h>

#include "motor.h"

void wb_motor_set_torque(WbDeviceTag tag, double torque) {
  if (device_find(tag, &motor_kind, __func__)) wb_motor_set_force(tag, torque);
}

void wb_motor_set_available_torque(WbDeviceTag tag, double torque) {
  if (device_find(tag, &motor_kind, __func__)) wb_motor_set_available_force(tag, torque);
}

double wb_motor_get_available_torque(WbDeviceTag tag) {
  return device_find(tag, &motor_kind, __func__) ? wb_motor_get_available_force(tag) : NAN;
}

double wb_motor_get_max_torque(WbDeviceTag tag) {
  return device_find(tag, &motor_kind, __func__) ? wb_motor_get_max_force(tag) : NAN;
}

void wb_motor_enable_torque_feedback(WbDeviceTag tag, int sampling_period) {
  if (device_find(tag, &motor_kind, __func__)) wb_motor_enable_force_feedback(tag, sampling_period);
}

void wb_motor_disable_torque_feedback(WbDeviceTag tag) {
  if (device_find(tag, &motor_kind, __func__)) wb_motor_disable_force_feedback(tag);
}

int wb_motor_get_torque_feedback_sampling_period(WbDeviceTag tag) {
  return device_find(tag, &motor_kind, __func__) ? wb_motor_get_force_feedback_sampling_period(tag) : 0;
}

double wb_motor_get_torque_feedback(WbDeviceTag tag) {
  return motor_feedback(tag, "enable_torque_feedback", __func__);
}
