/* Starts the board, then the user's controller; when that ends, the robot stops. */
#include "controller.h"

#include <stddef.h>

#include "board.h"
#include "channels.h"
#include "flavor.h"

int main(int argc, char **argv) {
  static char name[] = "controller";
  static char *arguments[] = {name, NULL};
  board_start(argc, argv);
  channels_start();
  flavor_start();
  controller_exit(controller_main(1, arguments));
}

void controller_exit(int status) {
  (void)status;
  flavor_end();
}

void controller_abort(void) {
  flavor_end();
}
