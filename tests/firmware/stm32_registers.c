/* The start of a board with an STM32 and its pins' functions, compiled for this computer. Its registers are
 * memory at their addresses; what they hold in the end is printed: an address and a value per line. The tests
 * decode them by the reference manuals.
 *
 * usage: stm32_registers CONTROL, the content of RCC_CR at the start, which says what oscillators are ready.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "bare_metal.h"
#include "board.h"
#include "chip.h"
#include "cortex_m.h"
#include "timer_outputs.h"

#define PERIPHERALS 0x40000000
#define PERIPHERALS_SIZE 0x30000
#define CORE 0xE000E000
#define CORE_SIZE 0x1000
#define DUTY 128
#define PULSE 1500      /* us */
#define FREQUENCY 20000 /* Hz */

volatile struct bench_pin bench_pins[BOARD_PINS];
volatile uint32_t bench_now;
struct ring wire_rx;
static uint32_t now;

bool wire_has_byte(void) { return false; }
void robot_pins_changed(void) {}
void robot_tick(void) {}
void board_lock(void) {}
void board_unlock(void) {}
uint32_t board_micros(void) { return now++; }

static const struct {
  uint8_t pin, timer, channel;
} outputs[] = {TIMER_OUTPUTS};

static void map(uintptr_t place, size_t size) {
  if (mmap((void *)place, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
           0) == MAP_FAILED)
    exit(2);
}

static void print(uintptr_t place, size_t size) {
  for (const volatile uint32_t *one = (uint32_t *)place; (uintptr_t)one < place + size; one++)
    if (*one) printf("%x %x\n", (unsigned)(uintptr_t)one, (unsigned)*one);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  map(PERIPHERALS, PERIPHERALS_SIZE);
  map(CORE, CORE_SIZE);
  RCC->control = (uint32_t)strtoul(argv[1], NULL, 0);
  board_start(0, NULL);
  board_serial_start(9600);
  board_input(PIN_PA5, true);
  board_output(PIN_PC13, true);
  board_adc(PIN_PC1);
  board_watch(PIN_PA6);
  board_watch(PIN_PB12);
  for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
    if (outputs[k].timer == 3) board_pwm_frequency(outputs[k].pin, FREQUENCY);
  for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
    if (outputs[k].timer == 4)
      board_servo(outputs[k].pin, PULSE);
    else
      board_pwm(outputs[k].pin, DUTY);
  print(PERIPHERALS, PERIPHERALS_SIZE);
  print(CORE, CORE_SIZE);
  return 0;
}
