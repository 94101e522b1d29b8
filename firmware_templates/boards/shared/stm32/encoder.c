/* STM32: quadrature encoders at channels 1 and 2 of timers 2 to 4, counted by their encoder interface
 * (RM0090, 18.3.12; RM0041, 13.3.12). */
#include "encoder.h"

#include "bare_metal.h"
#include "chip.h"
#include "stm32.h"

#define SLAVE_ENCODER 3u /* SMS: count the edges of both inputs */
/* Each channel is an input from its own pin that must have 8 equal samples at the timer's clock. */
#define OWN_INPUTS (0x31u | 0x31u << 8)

volatile struct bench_encoder bench_encoders[ENCODER_TIMERS];

void board_encoder_start(uint8_t timer, uint8_t first, uint8_t second) {
  struct timer *one = TIMER(timer);
  board_input(first, true);
  board_input(second, true);
  chip_timer_input(first, timer);
  chip_timer_input(second, timer);
  one->enable = 0; /* inputs are not inverted */
  one->mode[0] = OWN_INPUTS;
  one->slave = SLAVE_ENCODER;
  one->prescaler = 0;
  one->top = 0xFFFF;
  one->event = TIMER_LOAD;
  one->count = 0;
  one->control1 = TIMER_RUN;
  bench_encoders[timer - FIRST_TIMER].started = 1;
}

uint16_t board_encoder_count(uint8_t timer) {
  const volatile struct bench_encoder *bench = &bench_encoders[timer - FIRST_TIMER];
  return bench->driven ? bench->count : (uint16_t)TIMER(timer)->count;
}
