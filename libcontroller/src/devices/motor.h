/* A motor for those who move it otherwise than by its own functions. */
#ifndef MOTOR_H
#define MOTOR_H

#include "joint_device.h"

typedef struct {
  JointDevice joint;
  double min_position, max_position, max_velocity, acceleration, max_force;
  double target_position, velocity, available_force, multiplier;
  double force_feedback;
  unsigned *couplings; /* tags of the motors that go along */
  int coupling_count;
  bool configured;
  WbDeviceTag sensor; /* on the same joint, once somebody has asked */
  bool asked_sensor;
} Motor;

extern const Kind motor_kind;

void motor_move(Motor *motor, double position);

#endif
