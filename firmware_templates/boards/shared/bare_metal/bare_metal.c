/* What boards without an operating system share: the start, bytes from the wire, and what a bench looks at.
 */
#include "bare_metal.h"

extern uint32_t data_source[], data_start[], data_end[], bss_start[], bss_end[];

volatile struct bench_pin bench_pins[BOARD_PINS];

volatile uint32_t bench_now, bench_until;

struct ring wire_taken;

void bare_metal_start(void) {
  const uint32_t *from = data_source;
  for (uint32_t *to = data_start; (uintptr_t)to < (uintptr_t)data_end; to++) *to = *from++;
  for (uint32_t *to = bss_start; (uintptr_t)to < (uintptr_t)bss_end; to++) *to = 0;
}

bool wire_waits(void) { return !ring_empty(&wire_taken); }

int16_t board_read_byte(void) { return ring_empty(&wire_taken) ? BOARD_NOTHING : ring_take(&wire_taken); }

void board_hang_up(void) {}

/* Nothing; a bench has a breakpoint at its first instruction, and goes on at the second one. */
__attribute__((noinline)) static void bench_stop(void) { __asm volatile("nop\n nop"); }

void bench_idle(void) {
  if ((int32_t)(bench_now - bench_until) >= 0) bench_stop();
}
