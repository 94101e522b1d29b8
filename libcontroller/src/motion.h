/* A motion: positions of several motors over time. */
#ifndef MOTION_H
#define MOTION_H

#include "robot.h"

/* Positions at one time. */
typedef struct {
  int time;          /* in ms from the beginning */
  double *positions; /* of each motor, in rad or m; NaN: this pose does not say */
} Pose;

typedef struct WbMotionInternal {
  struct WbMotionInternal *next;
  int *motors; /* tags; 0: the robot has no such motor */
  int motor_count;
  Pose *poses;
  int pose_count;
  int elapsed;
  bool playing, loop, reverse;
} Motion;

/* Read a file; false, with a message, when it cannot be played. */
bool motion_read(Motion *motion, const Robot *robot, const char *path);

#endif
