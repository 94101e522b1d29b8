/* For programs in Python that load plugins in C (hal/native_remote.py, hal/native_window.py).

   The plugin asks this library for the robot's devices, as in a controller in C. A remote control gives it
   the values of sensors; hooks pass them on. A window gets the simulator's answers, and what it commands is
   added to the controller's requests. */
#include <string.h>
#include <webots/remote_control.h>

#include "robot.h"
#include "window_plugin.h"

#define REQUEST_HEAD 8

typedef struct {
  const char *name;
  void (**hook)(void);
} Hook;

#include "generated/remote_functions.h"

void wbh_robot(const unsigned char *data, int size);
int wbh_hook(const char *name, void (*function)(void));
int wbh_take(const unsigned char *data, int size);
const unsigned char *wbh_commands(int *size);
void wbh_window_load(void);
void wbh_window_before(void);
void wbh_window_meanwhile(void);
void wbh_window_after(int duration);
void wbh_window_cleanup(void);

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

/* Take the messages of an answer; 0 if they are damaged. */
int wbh_take(const unsigned char *data, int size) { return !robot_take(robot_current(), data, (size_t)size); }

/* The blocks of a request with all commands since the last call. */
const unsigned char *wbh_commands(int *size) {
  Robot *robot = robot_current();
  robot_pack(robot, 0);
  *size = (int)robot->request.size - REQUEST_HEAD;
  return robot->request.data + REQUEST_HEAD;
}

void wbh_window_load(void) { window_plugin_load(robot_current()); }
void wbh_window_before(void) { window_plugin_before(robot_current()); }
void wbh_window_meanwhile(void) { window_plugin_meanwhile(robot_current()); }
void wbh_window_after(int duration) { window_plugin_after(robot_current(), duration); }
void wbh_window_cleanup(void) { window_plugin_cleanup(robot_current()); }
