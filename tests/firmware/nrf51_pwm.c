/* The PWM outputs of the micro:bit V1's board code, compiled for this computer: its registers are memory at
 * their addresses. Arguments: the duty of P8, then the compare registers that have matched before the
 * interrupt, as digits in any order (0: the end of the pulse of P8; 3: the end of the period). Prints the
 * level that P8 then has, and the period in us. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "bare_metal.h"
#include "chip.h"

#define AT(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define TIMER_1 0x40009000u
#define PORT 0x50000000u
#define NVIC 0xE000E000u
#define P8 18 /* schematic of the micro:bit V1 */

volatile struct bench_pin bench_pins[BOARD_PINS];

void interrupt_pwm_1(void);
void board_output(uint8_t pin, bool level) { (void)pin, (void)level; }

static void map(uint32_t address) {
  void *const place = (void *)(uintptr_t)address;
  if (mmap(place, 0x1000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != place)
    exit(2);
}

int main(int argc, char **argv) {
  map(TIMER_1);
  map(PORT);
  map(NVIC);
  if (argc > 3) board_pwm_frequency(PIN_P8, (uint32_t)atoi(argv[3]));
  board_pwm(PIN_P8, (uint8_t)atoi(argv[1]));
  for (const char *one = argc > 2 ? argv[2] : ""; *one; one++) AT(TIMER_1 + 0x140 + 4 * (*one - '0')) = 1;
  interrupt_pwm_1();
  const uint32_t set = AT(PORT + 0x508), cleared = AT(PORT + 0x50C);
  printf("%d %u %u\n", (set & ~cleared) >> P8 & 1, AT(TIMER_1 + 0x540 + 4 * 3), AT(TIMER_1 + 0x540));
  return 0;
}
