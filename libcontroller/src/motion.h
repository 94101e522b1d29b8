/* A motion: positions of several motors over time. */
#ifndef MOTION_H
#define MOTION_H

#include "robot.h"

/* Motor positions at one time. */
typedef struct {
  int time;          /* in ms from the start */
  double *positions; /* of each motor, in rad or m; NaN: unchanged */
} Pose;

typedef struct WbMotionInternal {
  struct WbMotionInternal *next;
  int *motors; /* tags; 0: the motor does not exist */
  int motor_count;
  Pose *poses;
  int pose_count;
  int elapsed;
  bool playing, loop, reverse;
} Motion;

/* Read a file; false, with an error message, on failure. */
bool motion_read(Motion *motion, const Robot *robot, const char *path);

#endif
