/* Two I2C buses with a part each, which follows the levels of its wires bit by bit (NXP's UM10204). Built by
   tests/firmware/test_microbit_parts.py together with the i2c.c of a micro:bit V2. Prints for each address
   which part answers, with its identity register; for `held CLOCKS`, whether one answers while the data line
   of the first bus is held low until so many clocks, and the next time. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bare_metal.h"
#include "board.h"

enum state { IDLE, ADDRESSED, REGISTER, SENDING, DEAF };

struct bus {
  uint8_t sda, scl, address, at, identity;
  bool board_pulls[2], part_pulls; /* sda and scl; the part pulls sda only */
  enum state state;
  int bits;
  int held; /* clocks until a part lets the data line go */
  uint8_t byte, next;
};

static struct bus buses[2] = {
    {.sda = 32, .scl = 26, .address = 0x1D, .at = 0x0D, .identity = 0x5A},
    {.sda = 16, .scl = 8, .address = 0x1E, .at = 0x4F, .identity = 0x40},
};
static uint32_t now;

uint32_t board_micros(void) { return now += 5; }

static bool level(const struct bus *bus, bool clock) {
  return clock ? !bus->board_pulls[1] : !bus->board_pulls[0] && !bus->part_pulls && bus->held == 0;
}

/* A whole byte has arrived, and is acknowledged or not. */
static void take(struct bus *bus) {
  bool taken = true;
  if (bus->state == ADDRESSED) {
    taken = bus->byte >> 1 == bus->address;
    bus->state = !taken ? DEAF : bus->byte & 1 ? SENDING : REGISTER;
  } else {
    bus->next = bus->byte;
  }
  bus->part_pulls = taken;
}

static void clock_falls(struct bus *bus) {
  if (bus->state == IDLE || bus->state == DEAF) return;
  bus->part_pulls = false;
  if (bus->bits == 8 && bus->state != SENDING) take(bus);
  if (bus->bits == 9) bus->bits = 0;
  if (bus->state == SENDING && bus->bits < 8) {
    const uint8_t sent = bus->next == bus->at ? bus->identity : 0;
    bus->part_pulls = !(sent >> (7 - bus->bits) & 1);
  }
}

static void clock_rises(struct bus *bus) {
  if (bus->held > 0) bus->held--;
  if (bus->bits < 8) bus->byte = (uint8_t)(bus->byte << 1 | level(bus, false));
  bus->bits++;
  if (bus->state == SENDING && bus->bits == 9 && level(bus, false)) bus->state = DEAF; /* no acknowledge */
}

static void set(uint8_t pin, bool pulls) {
  for (struct bus *bus = buses; bus < buses + 2; bus++) {
    if (pin != bus->sda && pin != bus->scl) continue;
    const bool data = level(bus, false), clock = level(bus, true);
    bus->board_pulls[pin == bus->scl] = pulls;
    const bool new_data = level(bus, false), new_clock = level(bus, true);
    if (clock && new_clock && data && !new_data) {
      bus->state = ADDRESSED;
      bus->bits = -1; /* the next falling edge ends the start */
    } else if (clock && new_clock && !data && new_data) {
      bus->state = IDLE;
    } else if (clock && !new_clock) {
      if (bus->bits == -1)
        bus->bits = 0;
      else
        clock_falls(bus);
    } else if (!clock && new_clock) {
      clock_rises(bus);
    }
    return;
  }
  exit(3); /* another pin */
}

void board_input(uint8_t pin, bool pull_up) {
  (void)pull_up;
  set(pin, false);
}

void board_output(uint8_t pin, bool high) { set(pin, !high); }

bool board_level(uint8_t pin) {
  for (struct bus *bus = buses; bus < buses + 2; bus++)
    if (pin == bus->sda || pin == bus->scl) return level(bus, pin == bus->scl);
  exit(3);
}

static bool answers(const struct bus *bus, uint8_t *identity) {
  return board_i2c(bus->address, &bus->at, 1, identity, 1);
}

static void hold(int clocks) {
  uint8_t identity;
  buses[0].held = clocks;
  const bool first = answers(&buses[0], &identity);
  const int left = buses[0].held;
  const bool second = answers(&buses[0], &identity) && identity == buses[0].identity;
  printf("held: %d, %d clocks left, %d\n", first, left, second);
}

int main(int argc, char **argv) {
  board_i2c_start();
  if (argc == 3 && strcmp(argv[1], "held") == 0) {
    hold(atoi(argv[2]));
    return 0;
  }
  for (int k = 1; k < argc; k++) {
    const uint8_t address = (uint8_t)strtoul(argv[k], 0, 0);
    printf("%s:", argv[k]);
    for (struct bus *bus = buses; bus < buses + 2; bus++) {
      const uint8_t at = bus->at;
      uint8_t identity = 0;
      const bool is_it = board_i2c(address, &at, 1, &identity, 1) && identity == bus->identity;
      printf(bus == buses ? " first " : ", second ");
      is_it ? printf("%02X", identity) : printf("--");
    }
    printf("\n");
  }
  return 0;
}
