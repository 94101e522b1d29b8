/* Shared by boards without an operating system: initialization of variables, the word that resets keep,
 * reading from the wire, and the test bench's data. */
#include "bare_metal.h"

extern uint32_t data_source[], data_start[], data_end[], bss_start[], bss_end[];

volatile uint32_t *board_kept(void) { return kept_word; }

volatile struct bench_pin bench_pins[BOARD_PINS];

volatile uint32_t bench_now, bench_until, bench_stop;

struct ring wire_rx;

void bare_metal_start(void) {
  const uint32_t *from = data_source;
  for (uint32_t *to = data_start; (uintptr_t)to < (uintptr_t)data_end; to++) *to = *from++;
  for (uint32_t *to = bss_start; (uintptr_t)to < (uintptr_t)bss_end; to++) *to = 0;
}

/* The next three are for a wire whose interrupt fills this buffer. */
__attribute__((weak)) bool wire_has_byte(void) { return !ring_empty(&wire_rx); }

__attribute__((weak)) int16_t board_read_byte(void) {
  return ring_empty(&wire_rx) ? BOARD_NO_BYTE : ring_take(&wire_rx);
}

__attribute__((weak)) void board_disconnect(void) {}

/* A bench watches for the write, which stops the program before it, and continues behind it. */
static void bench_idle(void) {
  if ((int32_t)(bench_now - bench_until) < 0) return;
  bench_stop = 1;
  __asm volatile(".global bench_continue\nbench_continue:" : : : "memory");
}

void bare_metal_sleep(void) {
  board_lock(); /* no byte can arrive between checking and sleeping; pending interrupts end the sleep even
                   while disabled */
  if (!wire_has_byte()) {
    bench_idle();
#ifdef __arm__
    __asm volatile("dsb" : : : "memory");
#endif
    __asm volatile("wfi" : : : "memory");
  }
  board_unlock();
}
