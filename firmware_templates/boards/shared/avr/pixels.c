/* AVR at 16 MHz: bits for WS2812 LEDs. A bit takes 20 cycles (1.25 us); it is high for 6 of them (0.375 us)
 * if it is 0, and for 13 (0.8125 us) if it is 1. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "avr.h"
#include "board.h"

void board_pixel(uint8_t pin, const uint8_t *bytes) {
  volatile uint8_t *const port = chip_port(pin);
  const uint8_t mask = chip_mask(pin), before = SREG;
  uint8_t first = bytes[0], second = bytes[1], third = bytes[2], level = 0, left = 24;
  cli();
  const uint8_t high = *port | mask, low = *port & (uint8_t)~mask;
  __asm volatile(
      "1: st %a[port], %[high]\n" /* cycle 0 at its end */
      "mov %[level], %[low]\n"
      "sbrc %[first], 7\n"
      "mov %[level], %[high]\n"
      "nop\n"
      "st %a[port], %[level]\n" /* cycle 6 */
      "lsl %[third]\n"
      "rol %[second]\n"
      "rol %[first]\n"
      "nop\n"
      "nop\n"
      "st %a[port], %[low]\n" /* cycle 13 */
      "nop\n"
      "nop\n"
      "dec %[left]\n"
      "brne 1b\n"
      :
      [first] "+r"(first), [second] "+r"(second), [third] "+r"(third), [level] "+r"(level), [left] "+r"(left)
      : [port] "e"(port), [high] "r"(high), [low] "r"(low)
      : "memory");
  SREG = before;
}
