/* BBC micro:bit V2: waiting for peripherals. */
#include "chip.h"

bool chip_await(const volatile uint32_t *event, uint32_t rounds) {
  while (!*event)
    if (rounds-- == 0) return false;
  return true;
}
