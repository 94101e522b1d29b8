/* Starts the board, then the user's controller; stops the robot when the controller ends. */
#include "controller.h"

#include <stddef.h>

#include "board.h"
#include "channels.h"
#include "flavor.h"
#include "text.h"

/* Default for boards that cannot detect it. */
__attribute__((weak)) bool board_hung(void) { return false; }

int main(int argc, char **argv) {
  static char name[] = "controller";
  static char *arguments[] = {name, NULL};
  board_start(argc, argv);
  channels_reset();
  flavor_start();
  if (board_hung()) {
    PRINT(
        "wbridge: the controller hung and the watchdog reset the board; reset it again to restart the "
        "controller\n");
    flavor_end();
  }
  controller_exit(controller_main(1, arguments));
}

void controller_exit(int status) {
  (void)status;
  PRINT("wbridge: the controller has ended; the robot is stopped\n");
  flavor_end();
}

void controller_abort(void) { controller_exit(1); }
