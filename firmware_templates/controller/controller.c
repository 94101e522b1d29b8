/* Starts the board, then the user's controller; when that ends, the robot stops. */
#include "controller.h"

#include <stddef.h>

#include "board.h"
#include "channels.h"
#include "flavor.h"
#include "text.h"

/* For boards that cannot tell. */
__attribute__((weak)) bool board_hung(void) { return false; }

int main(int argc, char **argv) {
  static char name[] = "controller";
  static char *arguments[] = {name, NULL};
  board_start(argc, argv);
  channels_start();
  flavor_start();
  if (board_hung()) {
    SAY("wbridge: the controller hung, and the watchdog has reset the board; reset it to begin anew\n");
    flavor_end();
  }
  controller_exit(controller_main(1, arguments));
}

void controller_exit(int status) {
  (void)status;
  SAY("wbridge: the controller has ended, and the robot has stopped\n");
  flavor_end();
}

void controller_abort(void) { controller_exit(1); }
