/* PWM of AVR timers with 16 bits at any frequency. */
#ifndef AVR_PWM_H
#define AVR_PWM_H

#include <stdint.h>

/* Returns the bits of TCCRnB that divide the clock for a frequency (Hz), and the number to which the timer
 * counts: as large as possible, as it is the resolution of the duty. */
static inline uint8_t pwm_wide_divider(uint32_t hertz, uint16_t *top) {
  const uint32_t counts = F_CPU / hertz;
  uint8_t select = 1, shift = 0; /* the clock by 1, 8, 64 */
  for (; counts >> shift > 65536ul && select < 3; select++) shift = (uint8_t)(shift + 3);
  *top = (uint16_t)((counts >> shift) - 1);
  return select;
}

/* Returns the bits of TCCR2B for the nearest frequency that timer 2 makes with 8 bits. */
static inline uint8_t pwm_narrow_divider(uint32_t hertz) {
  const uint32_t wanted = F_CPU / 256 / hertz;
  if (wanted < 4) return 1; /* the clock by 1, 8, 32, 64, 128, 256, 1024 */
  if (wanted < 20) return 2;
  if (wanted < 48) return 3;
  if (wanted < 96) return 4;
  if (wanted < 192) return 5;
  return wanted < 640 ? 6 : 7;
}

/* Returns the compare value for a duty; a top of 0 is that of 8 bits. */
static inline uint16_t pwm_wide_compare(uint8_t duty, uint16_t top) {
  if (top == 0) return duty;
  const uint32_t counts = ((uint32_t)(duty + 1u) * (top + 1ul) + 128) >> 8;
  return (uint16_t)(counts > 0 ? counts - 1 : 0);
}

#endif
