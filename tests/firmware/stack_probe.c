/* Runs a firmware for the Uno under simavr while two encoders turn, and measures its stack and its
   interrupts.

   usage: stack_probe FIRMWARE.elf MICROSECONDS MILLISECONDS PIN PIN PIN PIN
   The pins are the tracks A and B of both encoders (0 to 13 are D0 to D13, 14 to 19 A0 to A5). Each encoder
   has an edge every MICROSECONDS, the second one half-way between those of the first. Prints: bytes of stack
   used, resets, cycles of the longest pin-change interrupt, deepest nesting of them, longest run of cycles
   with interrupts locked. */
#include <avr_ioport.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CYCLES_PER_US 16
#define VECTOR_BYTES 4
#define FIRST_CHANGE 3 /* vectors of pin changes */
#define LAST_CHANGE 5
#define MOST_DEPTH 64
#define INTERRUPTS 7 /* the bit of the status register that admits them */

static avr_t *avr;

static void no_sleep(avr_t *sleeper, avr_cycle_count_t cycles) {
  (void)sleeper;
  (void)cycles;
}

static unsigned stack_pointer(void) { return avr->data[R_SPL] | (unsigned)avr->data[R_SPH] << 8; }

static void drive(int pin, bool level) {
  const char port = pin < 8 ? 'D' : pin < 14 ? 'B' : 'C';
  const int bit = pin < 8 ? pin : pin < 14 ? pin - 8 : pin - 14;
  avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit), level);
}

/* The levels of both tracks, for the number of edges so far: 00, 10, 11, 01. */
static void turn(const int *pins, unsigned edges) {
  drive(pins[0], (edges & 3) == 1 || (edges & 3) == 2);
  drive(pins[1], (edges & 3) >= 2);
}

static void load(const char *path) {
  elf_firmware_t firmware;
  memset(&firmware, 0, sizeof firmware);
  if (elf_read_firmware(path, &firmware) != 0) exit(2);
  avr = avr_make_mcu_by_name("atmega328p");
  avr_init(avr);
  avr->log = LOG_ERROR;
  firmware.frequency = CYCLES_PER_US * 1000000;
  avr_load_firmware(avr, &firmware);
  avr->sleep = no_sleep;
  uint32_t flags = 0;
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
}

int main(int argc, char **argv) {
  if (argc != 8) return 2;
  int pins[4];
  for (int k = 0; k < 4; k++) pins[k] = atoi(argv[4 + k]);
  const avr_cycle_count_t half = (avr_cycle_count_t)atoi(argv[2]) * CYCLES_PER_US / 2;
  const avr_cycle_count_t end = (avr_cycle_count_t)atoi(argv[3]) * 1000 * CYCLES_PER_US;
  load(argv[1]);
  unsigned least = 0xFFFF, resets = 0, edges = 0, depth = 0, deepest = 0, begun_at[MOST_DEPTH];
  avr_cycle_count_t entered = 0, longest = 0, locked = 0, unlocked_at = 0, next = half;
  bool started = false;
  while (avr->cycle < end) {
    const avr_flashaddr_t place = avr->pc;
    if (place == 0 && started) resets++;
    started |= avr->sreg[INTERRUPTS];
    const unsigned top = stack_pointer();
    if (started && top < least) least = top;
    if (place % VECTOR_BYTES == 0 && place >= FIRST_CHANGE * VECTOR_BYTES &&
        place <= LAST_CHANGE * VECTOR_BYTES) {
      entered = depth == 0 ? avr->cycle : entered;
      if (depth < MOST_DEPTH) begun_at[depth++] = top;
      deepest = depth > deepest ? depth : deepest;
    }
    while (depth > 0 && top > begun_at[depth - 1])
      if (--depth == 0 && avr->cycle - entered > longest) longest = avr->cycle - entered;
    if (avr->sreg[INTERRUPTS])
      unlocked_at = avr->cycle;
    else if (started && avr->cycle - unlocked_at > locked)
      locked = avr->cycle - unlocked_at;
    if (started && avr->cycle >= next) {
      next += half;
      turn(pins + 2 * (edges & 1), edges / 2);
      edges++;
    }
    const int state = avr_run(avr);
    if (state == cpu_Done || state == cpu_Crashed) {
      resets++;
      break;
    }
  }
  printf("\nstack=%u resets=%u cycles=%llu nested=%u locked=%llu\n", avr->ramend + 1 - least, resets,
         (unsigned long long)longest, deepest, (unsigned long long)locked);
  return 0;
}
