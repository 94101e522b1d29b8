/* The main loop: receives messages, answers them, checks the watchdog and updates the drivers. */
#include "board.h"
#include "frame.h"
#include "latch.h"
#include "link.h"
#include "robot.h"

/* Processes received bytes. */
static void poll_wire(void) {
  for (int16_t byte = board_read_byte(); byte != BOARD_NO_BYTE; byte = board_read_byte()) {
    if (byte == BOARD_DISCONNECTED) {
      link_end();
      frame_reset();
      continue;
    }
    const uint16_t size = frame_take((uint8_t)byte);
    if (size == 0) continue;
    const struct answer answer = link_receive(frame_message, size, board_millis());
    if (answer.size > 0) frame_send(answer.data, answer.size);
  }
}

int main(int argc, char **argv) {
  board_start(argc, argv);
  latch_start(true);
  robot_start();
  uint32_t last_update = board_millis();
  for (;;) {
    poll_wire();
    const uint32_t now = board_millis();
    link_tick(now);
    if (now != last_update) {
      robot_update((uint16_t)(now - last_update));
      last_update = now;
    }
    board_idle();
  }
}
