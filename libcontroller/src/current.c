/* The robot on which the API functions act. */
#include "robot.h"

static Robot *current;
static bool had_robot;

Robot *robot_current(void) {
  if (!current) {
    report_line(had_robot ? "Error: the robot is gone: wb_robot_cleanup() must be the last call"
                          : "Error: there is no robot yet: call wb_robot_init() first");
    report_stop(1);
  }
  return current;
}

bool robot_is_there(void) { return current != NULL; }

void robot_make_current(Robot *robot) {
  had_robot = had_robot || current;
  current = robot;
}
