/* For programs in Python that load remote-control plugins in C (hal/native_remote.py).

   The plugin asks this library for the robot's devices, as in a controller in C, and gives it the values of
   sensors; hooks pass them on. */
#include <string.h>
#include <webots/remote_control.h>

#include "robot.h"

typedef struct {
  const char *name;
  void (**hook)(void);
} Hook;

#include "generated/remote_functions.h"

void wbh_robot(const unsigned char *data, int size);
int wbh_hook(const char *name, void (*function)(void));

/* The robot that its first packet describes; it is not connected. */
void wbh_robot(const unsigned char *data, int size) {
  Robot *robot = robot_new(NULL);
  robot->closed = robot->leaving = true;
  robot_make_current(robot);
  robot_take(robot, data, (size_t)size);
}

/* Set the function behind wbr_...; 0 if there is no such function. */
int wbh_hook(const char *name, void (*function)(void)) {
  for (size_t i = 0; i < sizeof HOOKS / sizeof *HOOKS; ++i) {
    if (strcmp(HOOKS[i].name, name)) continue;
    *HOOKS[i].hook = function;
    return 1;
  }
  return 0;
}
