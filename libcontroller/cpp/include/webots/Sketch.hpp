/* For controllers in the style of Arduino: one file includes this header and defines setup(), which runs
   once, and loop(), which runs in each basic time step. */
#ifndef WEBOTS_SKETCH_HPP
#define WEBOTS_SKETCH_HPP

#include <webots/robot.h>

void setup();
void loop();

int main() {
  wb_robot_init();
  setup();
  const int step = static_cast<int>(wb_robot_get_basic_time_step());
  while (wb_robot_step(step) != -1) loop();
  wb_robot_cleanup();
  return 0;
}

#endif
