/* Host board: load cells with an HX711, capacitors of line sensors, stepper motors and their drivers, H
 * bridges and chains of WS2812 LEDs, in lockstep. */
#include "pin_parts.h"

#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "bridge.h"
#include "coils.h"
#include "echo.h"
#include "host.h"
#include "hx711.h"
#include "pins.h"

#define PARTS 16
#define NEVER UINT64_MAX

static struct cell {
  int data, clock;
  struct hx711 part;
  uint64_t ends;
} cells[PARTS];
static int known_cells;

/* A capacitor that a high output charges, and that discharges while the pin is an input. */
static struct capacitor {
  int pin;
  uint32_t width; /* us */
  uint64_t falls;
} capacitors[PARTS];
static int known_capacitors;

/* The LEDs of a chain; a pause shows their colors and begins with the first LED. */
#define CHAIN 64
#define PAUSE 280 /* us */

static struct chain {
  uint8_t next;
  uint64_t sent;
  uint32_t colors[CHAIN]; /* 0xRRGGBB */
} chains[BOARD_PINS];

/* A stepper driver (data sheet of the A4988): a step for each rising edge of the step input; the level of the
 * direction input gives its sign. */
static struct stepper {
  int step, direction;
  int32_t steps;
} steppers[PARTS];
static int known_steppers;

/* A stepper motor at four pins. */
#define COILS 4

static struct rotor {
  int pins[COILS];
  struct coils coils;
} rotors[PARTS];
static int known_rotors;

/* The direction inputs of H bridges. */
static struct direction {
  int pins[BRIDGE_INPUTS];
  struct bridge bridge;
} directions[PARTS];
static int known_directions;

static struct cell *cell_at(int data, int clock) {
  for (int k = 0; k < known_cells; k++)
    if (cells[k].data == data && cells[k].clock == clock) return &cells[k];
  return NULL;
}

static bool set_cell(int data, int clock, double counts) {
  struct cell *cell = cell_at(data, clock);
  if (cell == NULL && known_cells == PARTS) return false;
  if (cell == NULL) {
    cell = &cells[known_cells++];
    *cell = (struct cell){.data = data, .clock = clock};
    hx711_power_up(&cell->part);
    bench_drive(data, 1);
  }
  cell->part.counts = (int32_t)counts;
  return true;
}

static bool set_capacitor(int pin, double width) {
  int k = 0;
  while (k < known_capacitors && capacitors[k].pin != pin) k++;
  if (k == PARTS) return false;
  if (k == known_capacitors) capacitors[known_capacitors++] = (struct capacitor){pin, 0, NEVER};
  capacitors[k].width = (uint32_t)width;
  return true;
}

/* Returns the part of a name such as HX711:D7:D8; NULL if there is none. */
static struct cell *cell_named(const char *name) {
  char data[8], clock[8];
  int end = 0;
  if (sscanf(name, "HX711:%7[^:]:%7s%n", data, clock, &end) != 2 || name[end] != 0) return NULL;
  return cell_at(bench_pin(data), bench_pin(clock));
}

bool parts_set(const char *name, double value) {
  char pins[2][8];
  int end = 0;
  if (sscanf(name, "RC:%7s%n", pins[0], &end) == 1 && name[end] == 0 && bench_pin(pins[0]) >= 0)
    return set_capacitor(bench_pin(pins[0]), value);
  if (sscanf(name, "HX711:%7[^:]:%7s%n", pins[0], pins[1], &end) != 2 || name[end] != 0) return false;
  const int data = bench_pin(pins[0]), clock = bench_pin(pins[1]);
  return data >= 0 && clock >= 0 && set_cell(data, clock, value);
}

/* Returns the color of an LED such as WS2812:D6:0; NULL if there is none. */
static const uint32_t *light_named(const char *name) {
  char pin[8];
  int place = 0, end = 0;
  if (sscanf(name, "WS2812:%7[^:]:%d%n", pin, &place, &end) != 2 || name[end] != 0) return NULL;
  const int number = bench_pin(pin);
  return number >= 0 && place >= 0 && place < CHAIN ? &chains[number].colors[place] : NULL;
}

/* Returns the driver of a name such as STEPPER:D7:D8, which begins to count if needed; NULL if there is none.
 */
static const struct stepper *stepper_named(const char *name) {
  char pins[2][8];
  int end = 0;
  if (sscanf(name, "STEPPER:%7[^:]:%7s%n", pins[0], pins[1], &end) != 2 || name[end] != 0) return NULL;
  const int step = bench_pin(pins[0]), direction = bench_pin(pins[1]);
  if (step < 0 || direction < 0) return NULL;
  for (int k = 0; k < known_steppers; k++)
    if (steppers[k].step == step && steppers[k].direction == direction) return &steppers[k];
  if (known_steppers == PARTS) return NULL;
  steppers[known_steppers] = (struct stepper){step, direction, 0};
  return &steppers[known_steppers++];
}

/* Returns the motor of a name such as COILS:D2:D4:D7:D8, which counts from 0; NULL if there is none. */
static const struct rotor *rotor_named(const char *name) {
  char words[COILS][8];
  int numbers[COILS], end = 0;
  if (sscanf(name, "COILS:%7[^:]:%7[^:]:%7[^:]:%7s%n", words[0], words[1], words[2], words[3], &end) !=
          COILS ||
      name[end] != 0)
    return NULL;
  for (int k = 0; k < COILS; k++)
    if ((numbers[k] = bench_pin(words[k])) < 0) return NULL;
  for (int k = 0; k < known_rotors; k++)
    if (memcmp(rotors[k].pins, numbers, sizeof numbers) == 0) return &rotors[k];
  if (known_rotors == PARTS) return NULL;
  struct rotor *rotor = &rotors[known_rotors++];
  memcpy(rotor->pins, numbers, sizeof numbers);
  unsigned on = 0;
  for (int k = 0; k < COILS; k++) on |= (unsigned)(pins[numbers[k]].value != 0) << k;
  coils_begin(&rotor->coils, (uint8_t)on);
  return rotor;
}

/* Returns the inputs of a name such as BRIDGE:D2:D4, which are watched from now on; NULL if there are none.
 */
static const struct direction *direction_named(const char *name) {
  char words[BRIDGE_INPUTS][8];
  int end = 0;
  if (sscanf(name, "BRIDGE:%7[^:]:%7s%n", words[0], words[1], &end) != BRIDGE_INPUTS || name[end] != 0)
    return NULL;
  const int first = bench_pin(words[0]), second = bench_pin(words[1]);
  if (first < 0 || second < 0) return NULL;
  for (int k = 0; k < known_directions; k++)
    if (directions[k].pins[0] == first && directions[k].pins[1] == second) return &directions[k];
  if (known_directions == PARTS) return NULL;
  struct direction *direction = &directions[known_directions++];
  *direction = (struct direction){.pins = {first, second}};
  bridge_begin(&direction->bridge, pins[first].value != 0, pins[second].value != 0);
  return direction;
}

bool parts_is_shown(const char *name) {
  return cell_named(name) != NULL || stepper_named(name) != NULL || rotor_named(name) != NULL ||
         direction_named(name) != NULL || light_named(name) != NULL;
}

void parts_show(const char *name) {
  const struct cell *cell = cell_named(name);
  if (cell != NULL)
    printf("pulses %d\n", cell->part.last_pulses);
  else if (stepper_named(name) != NULL)
    printf("steps %d\n", (int)stepper_named(name)->steps);
  else if (rotor_named(name) != NULL)
    printf("steps %d\n", (int)rotor_named(name)->coils.half_steps);
  else if (direction_named(name) != NULL)
    printf("gap %u\n", (unsigned)direction_named(name)->bridge.gap);
  else
    printf("color %u\n", (unsigned)*light_named(name));
}

void parts_pixel(int pin, const uint8_t *bytes, uint64_t now) {
  struct chain *chain = &chains[pin];
  if (now - chain->sent > PAUSE) chain->next = 0;
  if (chain->next < CHAIN)
    chain->colors[chain->next++] = (uint32_t)bytes[1] << 16 | (uint32_t)bytes[0] << 8 | bytes[2];
  chain->sent = now;
}

void parts_output(int pin, bool level) {
  for (int k = 0; k < known_steppers; k++)
    if (steppers[k].step == pin && level) steppers[k].steps += pins[steppers[k].direction].value ? 1 : -1;
  for (int k = 0; k < known_cells; k++) {
    struct cell *cell = &cells[k];
    if (cell->clock == pin && level) bench_drive(cell->data, hx711_clocked(&cell->part));
  }
  for (int k = 0; k < known_rotors; k++)
    for (uint8_t coil = 0; coil < COILS; coil++)
      if (rotors[k].pins[coil] == pin) coils_switch(&rotors[k].coils, coil, level);
  for (int k = 0; k < known_directions; k++)
    for (uint8_t input = 0; input < BRIDGE_INPUTS; input++)
      if (directions[k].pins[input] == pin) bridge_switch(&directions[k].bridge, input, level, bench_time());
}

void parts_released(int pin, uint64_t now) {
  for (int k = 0; k < known_capacitors; k++)
    if (capacitors[k].pin == pin) {
      bench_drive(pin, 1);
      capacitors[k].falls = now + capacitors[k].width;
    }
}

uint64_t parts_next(void) {
  uint64_t next = NEVER;
  for (int k = 0; k < known_cells; k++) next = cells[k].ends < next ? cells[k].ends : next;
  for (int k = 0; k < known_capacitors; k++) next = capacitors[k].falls < next ? capacitors[k].falls : next;
  return next;
}

void parts_serve(uint64_t now) {
  for (int k = 0; k < known_cells; k++)
    if (cells[k].ends <= now) {
      if (hx711_converted(&cells[k].part)) bench_drive(cells[k].data, 0);
      cells[k].ends = now + HX711_CONVERSION;
    }
  for (int k = 0; k < known_capacitors; k++)
    if (capacitors[k].falls <= now) {
      capacitors[k].falls = NEVER;
      bench_drive(capacitors[k].pin, 0);
    }
}
