/* Drives about, looks around with its head, backs off where something is in the way, and reports over its
 * line. */
#include <webots/robot.h>

#include "drive.h"
#include "look.h"
#include "talk.h"

#define STEP_MS 16

int main(void) {
  wb_robot_init();
  drive_init(STEP_MS);
  look_init(STEP_MS);
  talk_init(STEP_MS);
  for (long step = 0; wb_robot_step(STEP_MS) != -1; step++) {
    look_step(step);
    drive_step(step, look_is_blocked(), look_turn());
    talk_step(step, look_is_blocked());
  }
  wb_robot_cleanup();
  return 0;
}
