/* Reports a fault after which the motors stay off, and waits for a person. */
#include "board.h"
#include "config.h"
#include "flavor.h"
#include "latch.h"
#include "text.h"

#define FAULT_INTERVAL 5000 /* ms between two reports */

static void print_fault(void) {
  switch (latch_cause()) {
#define CASE(cause, text) \
  case cause: PRINT(text); break;
    FAULT_TEXTS(CASE)
  }
}

/* Waits for the byte that acknowledges the fault, which is printed again and again: a program may open the
 * wire at any time. */
static void wait_for_person(void) {
  flavor_started = true;
  for (uint32_t next = board_millis(); latch_is_closed();) {
    if ((int32_t)(board_millis() - next) >= 0) {
      PRINT(FAULT_LINE);
      print_fault();
      PRINT("; the motors stay off until you press reset or send Ctrl+F\n");
      next += FAULT_INTERVAL;
    }
    board_idle();
    for (int16_t byte = board_read_byte(); byte != BOARD_NO_BYTE; byte = board_read_byte())
      if (byte == FAULT_ACKNOWLEDGE) latch_open();
  }
  flavor_started = false;
}

void flavor_fault(void) {
  if (latch_is_closed()) {
    wait_for_person();
    return;
  }
  PRINT("wbridge: before this reset: ");
  print_fault();
  PRINT("\n");
  latch_open();
}
