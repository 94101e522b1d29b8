/* Starts the board, then the user's controller; stops the robot when the controller ends. */
#include "controller.h"

#include <stddef.h>

#include "board.h"
#include "channels.h"
#include "flavor.h"
#include "latch.h"
#include "messages.h"
#include "text.h"

int main(int argc, char **argv) {
  static char name[] = "controller";
  static char *arguments[] = {name, NULL};
  board_start(argc, argv);
  channels_reset();
  latch_start(false);
  flavor_start();
  if (latch_cause() != CAUSE_NONE) flavor_fault();
  controller_exit(controller_main(1, arguments));
}

void controller_exit(int status) {
  (void)status;
  PRINT(MESSAGE_CONTROLLER_ENDED "\n");
  flavor_end();
}

void controller_abort(void) { controller_exit(1); }
