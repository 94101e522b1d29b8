/* Steps of the simulation. */
#include <stdlib.h>
#include <webots/robot.h>

#include "robot.h"
#include "supervisor/scene.h"

#define END (-1) /* return value of a step when the simulation ends */

static int end(Robot *robot) {
  if (robot->told) exit(0);
  robot->told = true;
  robot_close(robot);
  return END;
}

int wb_robot_step_begin(int duration) {
  Robot *robot = robot_current();
  if (duration < 0) {
    report_error("wb_robot_step", "called with a duration of %d ms; allowed: 0 or more.", duration);
    return 0;
  }
  if (robot->stepping) {
    report_error("wb_robot_step", "called between step_begin and step_end; call step_end first.");
    return 0;
  }
  if (robot->quitting) return end(robot);
  if (robot->closed) exit(0);
  motions_play(robot, duration);
  scene_send_sets(robot);
  robot_send(robot, duration);
  robot->stepping = true;
  return 0;
}

int wb_robot_step_end(void) {
  Robot *robot = robot_current();
  if (!robot->stepping) {
    if (robot->quitting) return END;
    report_error("wb_robot_step_end", "called without step_begin.");
    return 0;
  }
  const int delay = robot_receive(robot);
  robot->stepping = false;
  return robot->quitting && !robot->leaving ? end(robot) : delay;
}

int wb_robot_step(int duration) {
  if (wb_robot_step_begin(duration) == END) return END;
  return robot_current()->stepping ? wb_robot_step_end() : 0;
}
