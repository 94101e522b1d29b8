/* Raspberry Pi's SDK: repeating timers. */
#ifndef PICO_TIME_H
#define PICO_TIME_H

#include <stdint.h>

typedef struct repeating_timer {
  int64_t delay_us;
} repeating_timer_t;
typedef bool (*repeating_timer_callback_t)(repeating_timer_t *timer);

bool add_repeating_timer_us(int64_t delay_us, repeating_timer_callback_t callback, void *user_data,
                            repeating_timer_t *out);

#endif
