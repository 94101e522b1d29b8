/* Steps of the simulation. */
#include <webots/robot.h>

#include "generated/messages.h"
#include "robot.h"
#include "supervisor/scene.h"
#include "window_plugin.h"

#define END (-1) /* return value of a step when the simulation ends */

static int end(Robot *robot) {
  if (robot->told) report_end(0);
  robot->told = true;
  robot_close(robot);
  return END;
}

/* True, after reporting an error, if a robot window has called. */
static bool is_of_window(const char *function) {
  if (!window_plugin_runs(robot_current())) return false;
  report_error(function, MESSAGE_STEP_OF_WINDOW);
  return true;
}

/* hold: images keep their content until the step has ended. */
static int begin(int duration, bool hold, const char *function) {
  Robot *robot = robot_current();
  if (duration < 0) {
    report_error(function, MESSAGE_NEGATIVE_DURATION, duration);
    return 0;
  }
  if (is_of_window(function)) return 0;
  if (robot->is_left) return 0; /* the step goes on */
  if (robot->stepping) {
    report_error(function, MESSAGE_STEP_NOT_ENDED);
    return 0;
  }
  if (robot->quitting) return end(robot);
  if (robot->closed) {
    report_end(0);
    return END;
  }
  window_plugin_before(robot);
  motions_play(robot, duration);
  scene_send_sets(robot);
  if (hold) devices_hold_images(robot, true);
  robot_send(robot, duration);
  if (robot->closed) return END; /* the host let the program go on */
  robot->stepping = true;
  return 0;
}

int wb_robot_step_begin(int duration) { return begin(duration, true, __func__); }

/* After a signal that the program handles, it returns 0 before the step has ended, so that the program sees
 * what its handler has noted. The next call waits for the end of the same step. */
int wb_robot_step_end(void) {
  Robot *robot = robot_current();
  if (is_of_window(__func__)) return 0;
  if (!robot->stepping) {
    if (robot->quitting) return END;
    report_error(__func__, MESSAGE_STEP_NOT_BEGUN);
    return 0;
  }
  if (!robot->is_left) window_plugin_meanwhile(robot);
  robot->is_left = connection_is_left(robot->connection);
  if (robot->is_left) return 0;
  const int duration = robot->duration, delay = robot_receive(robot);
  robot->stepping = false;
  if (robot->holds_images) devices_hold_images(robot, false);
  if (robot->closed) return END;
  if (!robot->leaving) window_plugin_after(robot, duration);
  return robot->quitting && !robot->leaving ? end(robot) : delay;
}

int wb_robot_step(int duration) {
  if (is_of_window(__func__)) return 0;
  if (begin(duration, false, __func__) == END) return END;
  return robot_current()->stepping ? wb_robot_step_end() : 0;
}
