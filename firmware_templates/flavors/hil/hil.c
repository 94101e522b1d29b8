/* The controller on the board, and a simulation at the wire that answers it. When the link is lost, the
   simulation stops the robot, and the controller waits in its step until there is a simulation again. */
#include <limits.h>
#include <stdbool.h>

#include "board.h"
#include "channels.h"
#include "flavor.h"
#include "frame.h"
#include "master.h"
#include "robot.h"

#define RETRY 200     /* ms until a message is sent again */
#define SILENCE 2000  /* ms without an answer after which a session is over */
#define PATIENCE 1000 /* ms between attempts when a simulation has refused */

static bool connected;

__attribute__((weak)) uint32_t board_random(void) { return 0; }

void flavor_start(void) {
  const uint32_t client = board_random();
  master_start(client, (uint16_t)board_random());
}

void robot_pins_changed(void) { /* nothing is watched */ }

void flavor_period(uint8_t period) { master_period(period); }

uint32_t flavor_time(void) { return master_time(); }

void flavor_text(char one) { (void)one; /* the wire belongs to the link */ }

/* What has come from the wire, up to the first message that means something. */
static enum master_news listen(void) {
  for (int16_t byte = board_read_byte(); byte != BOARD_NOTHING; byte = board_read_byte()) {
    if (byte == BOARD_GONE) {
      frame_reset();
      return MASTER_SESSION_ENDED;
    }
    const uint16_t size = frame_take((uint8_t)byte);
    const enum master_news news = size > 0 ? master_take(frame_message, size) : MASTER_NOTHING;
    if (news != MASTER_NOTHING) return news;
  }
  return MASTER_NOTHING;
}

/* Wait for news, at most some ms. */
static enum master_news await(uint32_t patience) {
  const uint32_t start = board_millis();
  do {
    const enum master_news news = listen();
    if (news != MASTER_NOTHING) return news;
    board_idle();
  } while (board_millis() - start < patience);
  return MASTER_NOTHING;
}

/* Send a message until it is answered; false: the session is over. */
static bool exchange(struct outgoing message, enum master_news wanted, uint16_t silence) {
  const uint32_t start = board_millis();
  do {
    frame_send(message.data, message.size);
    const enum master_news news = await(RETRY);
    if (news == wanted) return true;
    if (news == MASTER_REFUSED) await(PATIENCE);
    if (news != MASTER_NOTHING) return false;
  } while (board_millis() - start < silence);
  return false;
}

/* Send the requests of a step and take the replies; false: the session is over. */
static bool step_once(uint16_t duration) {
  do
    if (!exchange(master_request(duration), MASTER_REPLY, SILENCE)) return false;
  while (master_has_parts());
  while (master_more())
    if (!exchange(master_continue(), MASTER_REPLY, SILENCE)) return false;
  return true;
}

int flavor_step(uint16_t duration) {
  bool done = false;
  while (!done) {
    if (!connected)
      connected = exchange(master_hello(), MASTER_WELCOME, SILENCE);
    else
      connected = done = step_once(duration);
  }
  const uint32_t delay = master_delay(); /* an int has 16 bits on some boards */
  return delay < INT_MAX ? (int)delay : INT_MAX;
}

void flavor_end(void) {
  if (connected) exchange(master_leave(), MASTER_REPLY, SILENCE);
  for (;;) board_idle();
}
