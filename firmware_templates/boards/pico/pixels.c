/* RP2040 at 125 MHz: bits for WS2812 LEDs. A bit takes 1.25 us; it is high for 0.4 us if it is 0, and for 0.8
 * us if it is 1. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"

#define BITS 24
#define CYCLES 3     /* of a round of the delay */
#define ZERO_HIGH 13 /* rounds; the code around them takes the rest of 50 cycles */
#define ONE_HIGH 14
#define LOW 12

static inline void wait(uint32_t rounds) { __asm volatile("1: sub %0, #1\n bne 1b" : "+l"(rounds) : : "cc"); }

static void send(uint32_t mask, uint32_t bits) {
  for (uint32_t k = 0; k < BITS; k++) {
    const uint32_t ends_early = bits & 1u << (BITS - 1) ? 0 : mask;
    bits <<= 1;
    GPIO_SET = mask;
    wait(ZERO_HIGH);
    GPIO_CLEAR = ends_early;
    wait(ONE_HIGH);
    GPIO_CLEAR = mask;
    wait(LOW);
  }
}

void board_pixel(uint8_t pin, const uint8_t *bytes) {
  const uint32_t bits = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
  send(0, 0); /* changes no pin, and brings this code into the flash's cache */
  const bool locked = cortex_lock();
  send(1u << pin, bits);
  cortex_unlock(locked);
}
