/* The logic of an HX711, a converter for load cells, for test benches (data sheet): data is low while a value
 * waits; 24 rising edges of the clock shift it out, the highest bit first; one, two or three more select the
 * next gain. */
#ifndef HX711_H
#define HX711_H

#include <stdbool.h>
#include <stdint.h>

#define HX711_CONVERSION 12500 /* us between conversions: 80 a second */
#define HX711_OFF 60           /* us: a clock that is high for longer switches the part off */

struct hx711 {
  int32_t counts; /* at a gain of 128 */
  uint32_t shifted;
  int pulses, last_pulses, gain;
};

/* The part after power-up: the gain is 128. It keeps what it measures and the pulses of the last reading. */
void hx711_power_up(struct hx711 *part);

/* The clock rises; returns the level of data. */
bool hx711_clocked(struct hx711 *part);

/* A conversion has ended. Returns true if data falls, false while a value is being read. */
bool hx711_converted(struct hx711 *part);

#endif
