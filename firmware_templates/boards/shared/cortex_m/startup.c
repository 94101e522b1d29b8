/* Cortex-M: the vector table, the start, locks, and sleep. The chip's own interrupts are listed in chip.h. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"

#define CORE 16 /* vectors of the processor itself */

extern uint32_t stack_top[];

int main(int argc, char **argv);
void board_reset(void);

/* A program that has lost its way starts anew, with all pins as inputs. */
static void board_fault(void) {
  SCB_RESET = SCB_RESET_KEY;
  for (;;) {
  }
}

union vector {
  uint32_t *stack;
  void (*call)(void);
};

__attribute__((section(".vectors"), used)) static const union vector vectors[CORE + CHIP_VECTORS] = {
    {.stack = stack_top},   {.call = board_reset}, {.call = board_fault}, /* not maskable */
    {.call = board_fault},                                                /* hard fault */
    {.call = board_fault},                                                /* memory */
    {.call = board_fault},                                                /* bus */
    {.call = board_fault},                                                /* usage */
#define VECTOR(number, function) [CORE + (number)] = {.call = function},
    CHIP_INTERRUPTS(VECTOR)};

void board_reset(void) {
#if __ARM_ARCH >= 7
  SCB_VECTORS =
      (uint32_t)(uintptr_t)vectors; /* a boot loader leaves its own there, and ends by jumping here */
#endif
#ifdef __ARM_FP
  SCB_COPROCESSORS |= SCB_FPU; /* before the first number */
  __asm volatile("dsb\n isb");
#endif
  bare_metal_start();
  main(0, 0);
  board_fault();
}

void board_lock(void) { __asm volatile("cpsid i" : : : "memory"); }

void board_unlock(void) { __asm volatile("cpsie i" : : : "memory"); }
