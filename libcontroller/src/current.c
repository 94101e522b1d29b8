/* The robot on which the API functions act. */
#include <stdio.h>
#include <stdlib.h>

#include "robot.h"

static Robot *current;

Robot *robot_current(void) {
  if (!current) {
    fputs("Error: there is no robot yet: call wb_robot_init() first\n", stderr);
    exit(1);
  }
  return current;
}

bool robot_is_there(void) { return current != NULL; }

void robot_make_current(Robot *robot) { current = robot; }
