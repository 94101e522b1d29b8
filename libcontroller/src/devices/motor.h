/* A motor, as other modules use it. */
#ifndef MOTOR_H
#define MOTOR_H

#include "../generated/motor_codec.h"
#include "joint_device.h"

typedef struct {
  JointDevice joint;
  double target_position, velocity;
  int coupling_count;
  double min_position, max_position, max_velocity, acceleration, max_force;
  double available_force, multiplier;
  double force_feedback;
  unsigned *couplings; /* tags of coupled motors */
  bool configured;
  WbDeviceTag sensor; /* on the same joint, once requested */
  bool asked_sensor;
} Motor;

void motor_move(Motor *motor, double position);

/* The measured force or torque; `enable` is the method that switches it on, for the warning if it is off. */
double motor_feedback(WbDeviceTag tag, const char *enable, const char *function);

#endif
