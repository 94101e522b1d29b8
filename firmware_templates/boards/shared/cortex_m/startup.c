/* Cortex-M: vector table, startup and locks. chip.h lists the chip's interrupts. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"

#define CORE 16 /* vectors of the processor */

extern uint32_t stack_top[];

int main(int argc, char **argv);
void board_reset(void);

#ifndef CHIP_RESET
#define CHIP_RESET() (SCB_RESET = SCB_RESET_KEY) /* with its peripherals */
#endif

/* A fault resets the chip; all pins become inputs. There may be no stack for a call. */
static void board_fault(void) {
  kept_word[0] = KEPT(CAUSE_FAULT);
  CHIP_RESET();
  for (;;) {
  }
}

union vector {
  uint32_t *stack;
  void (*call)(void);
};

__attribute__((section(".vectors"), used)) static const union vector vectors[CORE + CHIP_VECTORS] = {
    {.stack = stack_top},   {.call = board_reset}, {.call = board_fault}, /* NMI */
    {.call = board_fault},                                                /* HardFault */
    {.call = board_fault},                                                /* MemManage */
    {.call = board_fault},                                                /* BusFault */
    {.call = board_fault},                                                /* UsageFault */
#define VECTOR(number, function) [CORE + (number)] = {.call = function},
    CHIP_INTERRUPTS(VECTOR)};

void board_reset(void) {
#if __ARM_ARCH >= 7
  SCB_VECTORS = (uint32_t)(uintptr_t)vectors; /* a boot loader jumps here with its own vector table set */
#endif
#ifdef __ARM_FP
  SCB_COPROCESSORS |= SCB_FPU; /* before any floating-point instruction */
  __asm volatile("dsb\n isb");
#endif
  bare_metal_start();
  main(0, 0);
  board_fault();
}

void board_lock(void) { __asm volatile("cpsid i" : : : "memory"); }

void board_unlock(void) { __asm volatile("cpsie i" : : : "memory"); }
