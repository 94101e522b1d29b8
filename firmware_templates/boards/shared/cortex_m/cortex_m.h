/* Registers common to Cortex-M processors. */
#ifndef CORTEX_M_H
#define CORTEX_M_H

#include <stdbool.h>
#include <stdint.h>

struct systick {
  volatile uint32_t control, reload, value;
};

#define SYSTICK ((struct systick *)0xE000E010)
#define SYSTICK_RUN 7u /* processor clock, interrupts enabled */

#define NVIC_ENABLE ((volatile uint32_t *)0xE000E100)
#define SCB_PENDING (*(volatile uint32_t *)0xE000ED04)
#define SCB_PENDING_SYSTICK (1u << 26)
#define SCB_VECTORS (*(volatile uint32_t *)0xE000ED08)
#define SCB_RESET (*(volatile uint32_t *)0xE000ED0C)
#define SCB_RESET_KEY 0x05FA0004u
#define SCB_COPROCESSORS (*(volatile uint32_t *)0xE000ED88)
#define SCB_FPU (0xFu << 20)

/* Enables an interrupt of the chip. */
static inline void nvic_enable(uint8_t number) { NVIC_ENABLE[number / 32] = 1u << (number % 32); }

/* Disables interrupts; returns true if they were enabled. */
static inline bool cortex_lock(void) {
  uint32_t before;
  __asm volatile("mrs %0, primask\n cpsid i" : "=r"(before) : : "memory");
  return before == 0;
}

static inline void cortex_unlock(bool locked_here) {
  if (locked_here) __asm volatile("cpsie i" : : : "memory");
}

/* Starts SysTick with a tick per millisecond, or BOARD_TICKS (config.h) per second, on chips that have it.
 *
 * clock: Hz of the processor. An emulator with another frequency writes it to `bench_clock` before. */
void systick_start(uint32_t clock);
extern volatile uint32_t bench_clock;

void interrupt_systick(void);
#define CORTEX_SYSTICK (-1) /* index relative to the chip's interrupts */

#endif
