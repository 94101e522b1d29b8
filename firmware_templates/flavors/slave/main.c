/* The firmware's loop: bytes to messages, messages to answers, time to the watchdog and the drivers. */
#include "board.h"
#include "frame.h"
#include "link.h"
#include "robot.h"

/* Take what has come from the wire. */
static void listen(void) {
  for (int16_t byte = board_read_byte(); byte != BOARD_NOTHING; byte = board_read_byte()) {
    if (byte == BOARD_GONE) {
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
  robot_start();
  uint32_t before = board_millis();
  for (;;) {
    listen();
    const uint32_t now = board_millis();
    link_tick(now);
    if (now != before) {
      robot_update((uint16_t)(now - before));
      before = now;
    }
    board_idle();
  }
}
