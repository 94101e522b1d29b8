/* Runs the controller on the board while a simulation answers over the wire. If the link is lost, the
 * simulation stops the robot, and the controller waits in its step until a simulation connects. */
#include <limits.h>
#include <stdbool.h>

#include "board.h"
#include "channels.h"
#include "flavor.h"
#include "frame.h"
#include "latch.h"
#include "master.h"
#include "robot.h"

#define RESEND_INTERVAL 200   /* ms until a message is sent again */
#define SESSION_TIMEOUT 2000  /* ms without an answer after which the session ends */
#define REFUSED_INTERVAL 1000 /* ms between attempts after a refusal */

static bool connected;

__attribute__((weak)) uint32_t board_random(void) { return 0; }

void flavor_start(void) {
  const uint32_t client = board_random();
  master_start(client, (uint16_t)board_random());
}

void robot_pins_changed(void) { /* no pins are watched */ }

void flavor_period(uint8_t period) { master_period(period); }

double flavor_time(void) { return (double)master_time() / 1000; }

void flavor_text(char character) { (void)character; /* the wire carries the link */ }

/* Processes received bytes up to the first message that causes an event. */
static enum master_event poll_wire(void) {
  for (int16_t byte = board_read_byte(); byte != BOARD_NO_BYTE; byte = board_read_byte()) {
    if (byte == BOARD_DISCONNECTED) {
      frame_reset();
      return MASTER_SESSION_ENDED;
    }
    const uint16_t size = frame_take((uint8_t)byte);
    const enum master_event event = size > 0 ? master_take(frame_message, size) : MASTER_NONE;
    if (event != MASTER_NONE) return event;
  }
  return MASTER_NONE;
}

/* Waits for an event for at most `timeout` ms. */
static enum master_event wait_for_event(uint32_t timeout) {
  const uint32_t start = board_millis();
  do {
    const enum master_event event = poll_wire();
    if (event != MASTER_NONE) return event;
    board_idle();
  } while (board_millis() - start < timeout);
  return MASTER_NONE;
}

/* Sends a message until it is answered. Returns false if the session has ended. */
static bool exchange(struct outgoing message, enum master_event expected, uint16_t timeout) {
  const uint32_t start = board_millis();
  do {
    frame_send(message.data, message.size);
    const enum master_event event = wait_for_event(RESEND_INTERVAL);
    if (event == expected) return true;
    if (event == MASTER_REFUSED) wait_for_event(REFUSED_INTERVAL);
    if (event != MASTER_NONE) return false;
  } while (board_millis() - start < timeout);
  return false;
}

/* Sends the requests of a step and receives the replies. Returns false if the session has ended. */
static bool try_step(uint16_t duration) {
  do
    if (!exchange(master_request(duration), MASTER_REPLY, SESSION_TIMEOUT)) return false;
  while (master_has_parts());
  while (master_more())
    if (!exchange(master_continue(), MASTER_REPLY, SESSION_TIMEOUT)) return false;
  return true;
}

int flavor_step(uint16_t duration) {
  bool done = false;
  while (!done) {
    if (!connected)
      connected = exchange(master_hello(), MASTER_WELCOME, SESSION_TIMEOUT);
    else
      connected = done = try_step(duration);
  }
  const uint32_t delay = master_delay(); /* an int has 16 bits on some boards */
  return delay < INT_MAX ? (int)delay : INT_MAX;
}

/* The wire carries no text, and the motors are those of the simulation. */
void flavor_fault(void) {
  if (latch_is_closed()) flavor_end();
}

void flavor_end(void) {
  if (connected) exchange(master_leave(), MASTER_REPLY, SESSION_TIMEOUT);
  for (;;) board_idle();
}
