/* Runs a firmware for an AVR under simavr while two encoders turn, and measures its stack and its
   interrupts.

   usage: stack_probe FIRMWARE.elf MCU VECTORS MICROSECONDS MILLISECONDS PIN PIN PIN PIN
   VECTORS are the numbers of the pin-change interrupts, such as 3-5. The pins are the tracks A and B of both
   encoders by port and bit, such as B0. Each encoder has an edge every MICROSECONDS, the second one half-way
   between those of the first. Prints: bytes of stack used, resets, cycles of the longest pin-change
   interrupt, deepest nesting of them, longest run of cycles with interrupts locked. */
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
#define MOST_DEPTH 64
#define INTERRUPTS 7 /* the bit of the status register that admits them */

static avr_t *avr;

static void no_sleep(avr_t *sleeper, avr_cycle_count_t cycles) {
  (void)sleeper;
  (void)cycles;
}

static unsigned stack_pointer(void) { return avr->data[R_SPL] | (unsigned)avr->data[R_SPH] << 8; }

static void drive(const char *pin, bool level) {
  avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pin[0]), pin[1] - '0'), level);
}

/* The levels of both tracks, for the number of edges so far: 00, 10, 11, 01. */
static void turn(char **pins, unsigned edges) {
  drive(pins[0], (edges & 3) == 1 || (edges & 3) == 2);
  drive(pins[1], (edges & 3) >= 2);
}

static void load(const char *path, const char *mcu) {
  elf_firmware_t firmware;
  memset(&firmware, 0, sizeof firmware);
  if (elf_read_firmware(path, &firmware) != 0) exit(2);
  avr = avr_make_mcu_by_name(mcu);
  avr_init(avr);
  avr->log = LOG_ERROR;
  firmware.frequency = CYCLES_PER_US * 1000000;
  avr_load_firmware(avr, &firmware);
  avr->sleep = no_sleep;
  uint32_t flags = 0;
  for (char uart = '0'; uart <= '1'; uart++) avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS(uart), &flags);
}

int main(int argc, char **argv) {
  unsigned first_change, last_change;
  if (argc != 10 || sscanf(argv[3], "%u-%u", &first_change, &last_change) != 2) return 2;
  char **const pins = argv + 6;
  const avr_cycle_count_t half = (avr_cycle_count_t)atoi(argv[4]) * CYCLES_PER_US / 2;
  const avr_cycle_count_t end = (avr_cycle_count_t)atoi(argv[5]) * 1000 * CYCLES_PER_US;
  load(argv[1], argv[2]);
  unsigned least = 0xFFFF, resets = 0, edges = 0, depth = 0, deepest = 0, begun_at[MOST_DEPTH];
  avr_cycle_count_t entered = 0, longest = 0, locked = 0, unlocked_at = 0, next = half;
  bool started = false;
  while (avr->cycle < end) {
    const avr_flashaddr_t place = avr->pc;
    if (place == 0 && started) resets++;
    started |= avr->sreg[INTERRUPTS];
    const unsigned top = stack_pointer();
    if (started && top < least) least = top;
    if (place % VECTOR_BYTES == 0 && place >= first_change * VECTOR_BYTES &&
        place <= last_change * VECTOR_BYTES) {
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
