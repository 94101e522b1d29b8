/* Motions: positions of several motors over time, played back step by step. See motion_file.c for the
 * files. */
#include "motion.h"

#include <math.h>
#include <stdlib.h>
#include <webots/utils/motion.h>

#include "devices/motor.h"
#include "generated/messages.h"
#include "robot.h"

static int duration_of(const Motion *motion) { return motion->poses[motion->pose_count - 1].time; }

/* The current position of a motor, linearly interpolated between two poses; NaN: unchanged. */
static double position(const Motion *motion, int motor) {
  if (motion->elapsed >= duration_of(motion)) return motion->poses[motion->pose_count - 1].positions[motor];
  const Pose *next = motion->poses;
  while (next->time < motion->elapsed) ++next;
  const double b = next->positions[motor];
  if (next == motion->poses) return b;
  const double a = next[-1].positions[motor];
  return a + (motion->elapsed - next[-1].time) * (b - a) / (next->time - next[-1].time);
}

static void move(const Robot *robot, const Motion *motion) {
  for (int i = 0; i < motion->motor_count; ++i) {
    const int tag = motion->motors[i];
    Device *device = tag < robot->device_count ? robot->devices[tag] : NULL;
    const double wanted = position(motion, i);
    if (device && device->kind == &motor_kind && !isnan(wanted)) motor_move((Motor *)device, wanted);
  }
}

static void play(const Robot *robot, Motion *motion, int duration) {
  const int first = motion->reverse ? duration_of(motion) : 0,
            last = motion->reverse ? 0 : duration_of(motion);
  move(robot, motion);
  if (motion->reverse ? motion->elapsed > last : motion->elapsed < last)
    motion->elapsed += motion->reverse ? -duration : duration;
  else if (motion->loop)
    motion->elapsed = first;
  else {
    motion->elapsed = last;
    motion->playing = false;
  }
}

void motions_play(Robot *robot, int duration) {
  for (Motion *one = robot->motions; one; one = one->next) {
    if (one->playing && duration > 0) play(robot, one, duration);
  }
}

static void motion_free(Motion *motion) {
  for (int i = 0; i < motion->pose_count; ++i) free(motion->poses[i].positions);
  free(motion->poses);
  free(motion->motors);
  free(motion);
}

void motions_end(Robot *robot) {
  while (robot->motions) {
    Motion *next = robot->motions->next;
    motion_free(robot->motions);
    robot->motions = next;
  }
}

WbMotionRef wbu_motion_new(const char *filename) {
  if (is_null(__func__, "filename", filename)) return NULL;
  Robot *robot = robot_current();
  Motion *made = allocate(sizeof *made);
  if (!motion_read(made, robot, filename)) {
    motion_free(made);
    return NULL;
  }
  made->next = robot->motions;
  robot->motions = made;
  return made;
}

/* False, with an error message, for a motion that does not exist. */
static bool is_here(WbMotionRef motion, const char *function) {
  if (is_null(function, "motion", motion)) return false;
  for (const Motion *one = robot_current()->motions; one; one = one->next) {
    if (one == motion) return true;
  }
  report_error(function, MESSAGE_LOST_MOTION);
  return false;
}

void wbu_motion_delete(WbMotionRef motion) {
  if (!robot_is_there()) return; /* the robot's cleanup has deleted the motion already */
  if (!is_here(motion, __func__)) return;
  Motion **place = &robot_current()->motions;
  while (*place != motion) place = &(*place)->next;
  *place = motion->next;
  motion_free(motion);
}

void wbu_motion_play(WbMotionRef motion) {
  if (is_here(motion, __func__)) motion->playing = true;
}

void wbu_motion_stop(WbMotionRef motion) {
  if (is_here(motion, __func__)) motion->playing = false;
}

void wbu_motion_set_loop(WbMotionRef motion, bool loop) {
  if (is_here(motion, __func__)) motion->loop = loop;
}

void wbu_motion_set_reverse(WbMotionRef motion, bool reverse) {
  if (is_here(motion, __func__)) motion->reverse = reverse;
}

bool wbu_motion_is_over(WbMotionRef motion) {
  if (!is_here(motion, __func__) || motion->loop) return false;
  return motion->reverse ? motion->elapsed <= 0 : motion->elapsed >= duration_of(motion);
}

int wbu_motion_get_duration(WbMotionRef motion) {
  return is_here(motion, __func__) ? duration_of(motion) : 0;
}

int wbu_motion_get_time(WbMotionRef motion) { return is_here(motion, __func__) ? motion->elapsed : 0; }

void wbu_motion_set_time(WbMotionRef motion, int ms) {
  if (!is_here(motion, __func__)) return;
  const int most = duration_of(motion);
  motion->elapsed = ms < 0 ? 0 : ms > most ? most : ms;
}
