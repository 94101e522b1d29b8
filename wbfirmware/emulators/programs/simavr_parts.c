/* Parts at the pins of an AVR board under simavr. They watch and drive pins as real ones do, in cycles. */
#include "simavr_parts.h"

#include <avr_ioport.h>
#include <sim_time.h>
#include <stdio.h>
#include <string.h>

#include "bridge.h"
#include "coils.h"
#include "hx711.h"
#include "simavr_pins.h"

#define PARTS 16
#define SENDING_US 450 /* time until an ultrasonic sensor has sent its sound */

static avr_t *avr;

void parts_start(avr_t *processor) { avr = processor; }

static bool is_digital(const struct pin *pin) { return pin != NULL && pin->port != 0; }

/* Calls a function at each level of a pin, as the processor and parts set it. */
static void watch_pin(const struct pin *pin, avr_irq_notify_t changed, void *part) {
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pin->port), pin->bit), changed, part);
}

/* Ultrasonic sensors: a pulse at the trigger pin is answered by a pulse at the echo pin. */

static struct sensor {
  const struct pin *trigger, *echo;
  uint32_t width_us; /* 0: no echo */
  bool was_high;
} sensors[PARTS];
static int known_sensors;

static avr_cycle_count_t on_echo_end(avr_t *board, avr_cycle_count_t when, void *sensor) {
  (void)board;
  (void)when;
  pin_drive(((struct sensor *)sensor)->echo, 0);
  return 0;
}

static avr_cycle_count_t on_echo(avr_t *board, avr_cycle_count_t when, void *sensor) {
  (void)when;
  pin_drive(((struct sensor *)sensor)->echo, 1);
  avr_cycle_timer_register_usec(board, ((struct sensor *)sensor)->width_us, on_echo_end, sensor);
  return 0;
}

static void on_trigger(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  struct sensor *sensor = param;
  if (sensor->was_high && !value && sensor->width_us > 0)
    avr_cycle_timer_register_usec(avr, SENDING_US, on_echo, sensor);
  sensor->was_high = value;
}

static bool set_echo(const struct pin *trigger, const struct pin *echo, double width_us) {
  int k = 0;
  while (k < known_sensors && (sensors[k].trigger != trigger || sensors[k].echo != echo)) k++;
  if (k == PARTS) return false;
  if (k == known_sensors) {
    sensors[known_sensors++] = (struct sensor){trigger, echo, 0, false};
    watch_pin(trigger, on_trigger, &sensors[k]);
  }
  sensors[k].width_us = (uint32_t)width_us;
  return true;
}

/* Load cells with an HX711. */

static struct cell {
  const struct pin *data, *clock;
  struct hx711 part;
  avr_cycle_count_t rose;
  bool was_high;
} cells[PARTS];
static int known_cells;

/* A measurement that ends while the last one is clocked out, up to the pulses that select the gain, is lost.
 */
static avr_cycle_count_t on_conversion_end(avr_t *board, avr_cycle_count_t when, void *param) {
  struct cell *cell = param;
  const bool is_clocked =
      cell->part.pulses > 0 && board->cycle - cell->rose < avr_usec_to_cycles(board, HX711_OFF);
  if (!is_clocked && hx711_converted(&cell->part)) pin_drive(cell->data, 0);
  return when + avr_usec_to_cycles(board, HX711_CONVERSION);
}

static void on_clock(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  struct cell *cell = param;
  const bool is_high = value;
  if (is_high && !cell->was_high) {
    cell->rose = avr->cycle;
    pin_drive(cell->data, hx711_clocked(&cell->part));
  } else if (!is_high && cell->was_high && avr->cycle - cell->rose > avr_usec_to_cycles(avr, HX711_OFF)) {
    hx711_power_up(&cell->part);
    pin_drive(cell->data, 1);
  }
  cell->was_high = is_high;
}

static struct cell *cell_at(const struct pin *data, const struct pin *clock) {
  for (int k = 0; k < known_cells; k++)
    if (cells[k].data == data && cells[k].clock == clock) return &cells[k];
  return NULL;
}

static bool set_cell(const struct pin *data, const struct pin *clock, double counts) {
  struct cell *cell = cell_at(data, clock);
  if (cell == NULL && known_cells == PARTS) return false;
  if (cell == NULL) {
    cell = &cells[known_cells++];
    *cell = (struct cell){.data = data, .clock = clock};
    hx711_power_up(&cell->part);
    pin_drive(data, 1);
    watch_pin(clock, on_clock, cell);
    avr_cycle_timer_register_usec(avr, HX711_CONVERSION, on_conversion_end, cell);
  }
  cell->part.counts = (int32_t)counts;
  return true;
}

/* Capacitors of line sensors: a high output charges one; once the pin is an input, it stays high for some
 * time. */

static struct capacitor {
  const struct pin *pin;
  uint32_t width_us;
  bool charging;
} capacitors[PARTS];
static int known_capacitors;

static avr_cycle_count_t on_discharged(avr_t *board, avr_cycle_count_t when, void *capacitor) {
  (void)board;
  (void)when;
  pin_drive(((struct capacitor *)capacitor)->pin, 0);
  return 0;
}

static void on_direction(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  struct capacitor *capacitor = param;
  const bool is_output = value >> capacitor->pin->bit & 1;
  avr_ioport_state_t state;
  avr_ioctl(avr, AVR_IOCTL_IOPORT_GETSTATE(capacitor->pin->port), &state);
  if (is_output && (state.port >> capacitor->pin->bit & 1)) {
    capacitor->charging = true;
    avr_cycle_timer_cancel(avr, on_discharged, capacitor);
  } else if (!is_output && capacitor->charging) {
    capacitor->charging = false;
    pin_drive(capacitor->pin, 1);
    avr_cycle_timer_register_usec(avr, capacitor->width_us, on_discharged, capacitor);
  }
}

static bool set_capacitor(const struct pin *pin, double width_us) {
  int k = 0;
  while (k < known_capacitors && capacitors[k].pin != pin) k++;
  if (k == PARTS) return false;
  if (k == known_capacitors) {
    capacitors[known_capacitors++] = (struct capacitor){.pin = pin};
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pin->port), IOPORT_IRQ_DIRECTION_ALL),
                            on_direction, &capacitors[k]);
  }
  capacitors[k].width_us = (uint32_t)(width_us < 1 ? 1 : width_us);
  return true;
}

/* Chains of WS2812 LEDs (data sheet of the WS2812B): a bit is a pulse of 0.4 us (0) or 0.8 us (1); it
 * ends 1.25 us after it has begun; each may differ by 0.15 us. A pause of 280 us shows the colors; within a
 * color, or for more than 50 us, a pause is an error for one kind of part or another. */
#define CHAIN 64
#define NS(cycles) ((double)(cycles) * 1e9 / avr->frequency)
#define ZERO_NS 400.0
#define ONE_NS 800.0
#define PERIOD_NS 1250.0
#define OFF_NS 150
#define LONGEST_PAUSE_NS 50000
#define SHOWING_NS 280000
#define COLOR_BITS 24

static struct chain {
  const struct pin *pin;
  bool was_high, is_one;
  avr_cycle_count_t rose, fell;
  int bits, faults;
  uint32_t colors[CHAIN]; /* 0xGGRRBB */
} chains[PARTS];
static int known_chains;

static bool is_near(double ns, double wanted) { return ns >= wanted - OFF_NS && ns <= wanted + OFF_NS; }

/* Checks the pause before a bit. */
static void end_pause(struct chain *chain) {
  const double pause = NS(avr->cycle - chain->fell);
  const bool is_within = chain->bits % COLOR_BITS != 0;
  if (pause >= SHOWING_NS)
    chain->bits = 0;
  else if (is_within ? !is_near(pause, PERIOD_NS - (chain->is_one ? ONE_NS : ZERO_NS))
                     : pause > LONGEST_PAUSE_NS)
    chain->faults++;
}

static void end_bit(struct chain *chain) {
  const double width = NS(avr->cycle - chain->rose);
  chain->is_one = width > (ZERO_NS + ONE_NS) / 2;
  if (!is_near(width, chain->is_one ? ONE_NS : ZERO_NS)) chain->faults++;
  const int place = chain->bits++ / COLOR_BITS;
  if (place < CHAIN) chain->colors[place] = (chain->colors[place] << 1 | chain->is_one) & 0xFFFFFF;
}

static void on_data(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  struct chain *chain = param;
  const bool is_high = value;
  if (is_high == chain->was_high) return;
  chain->was_high = is_high;
  if (is_high) {
    end_pause(chain);
    chain->rose = avr->cycle;
  } else {
    end_bit(chain);
    chain->fell = avr->cycle;
  }
}

/* Returns the chain at a pin; begins to decode it if needed. NULL: there are too many. */
static struct chain *chain_at(const struct pin *pin) {
  for (int k = 0; k < known_chains; k++)
    if (chains[k].pin == pin) return &chains[k];
  if (known_chains == PARTS) return NULL;
  struct chain *chain = &chains[known_chains++];
  chain->pin = pin;
  watch_pin(pin, on_data, chain);
  return chain;
}

/* Returns the chain of an LED such as WS2812:D6:0, and its place; NULL if there is none. */
static struct chain *chain_named(const char *name, int *place) {
  char pin[PIN_NAME];
  int end = 0;
  if (sscanf(name, "WS2812:%7[^:]:%d%n", pin, place, &end) != 2 || name[end] != 0) return NULL;
  const struct pin *found = find_pin(pin);
  return is_digital(found) && *place >= 0 && *place < CHAIN ? chain_at(found) : NULL;
}

static void show_light(const struct chain *chain, int place) {
  const uint32_t color = chain->colors[place];
  if (chain->faults > 0)
    printf("faults %d\n", chain->faults);
  else
    printf("color %u\n", (unsigned)((color & 0xFF) | (color >> 8 & 0xFF) << 16 | (color >> 16 & 0xFF) << 8));
}

/* Stepper drivers (data sheet of the A4988): a step for each rising edge of the step input; the level of the
 * direction input gives its sign. */

static struct stepper {
  const struct pin *step, *direction;
  bool was_high;
  int32_t steps;
} steppers[PARTS];
static int known_steppers;

static bool is_high(const struct pin *pin) {
  return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pin->port), pin->bit)->value & 1;
}

static void on_step(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  struct stepper *stepper = param;
  if (value && !stepper->was_high) stepper->steps += is_high(stepper->direction) ? 1 : -1;
  stepper->was_high = value;
}

/* Returns the driver at two pins; begins to count if needed. NULL: there are too many. */
static struct stepper *stepper_at(const struct pin *step, const struct pin *direction) {
  for (int k = 0; k < known_steppers; k++)
    if (steppers[k].step == step && steppers[k].direction == direction) return &steppers[k];
  if (known_steppers == PARTS) return NULL;
  struct stepper *stepper = &steppers[known_steppers++];
  *stepper = (struct stepper){step, direction, is_high(step), 0};
  watch_pin(step, on_step, stepper);
  return stepper;
}

/* Stepper motors at four pins. */
#define COILS 4

static struct rotor {
  struct input {
    struct rotor *rotor;
    const struct pin *pin;
    uint8_t coil;
  } inputs[COILS];
  struct coils coils;
} rotors[PARTS];
static int known_rotors;

static void on_coil(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  const struct input *input = param;
  coils_switch(&input->rotor->coils, input->coil, value);
}

/* Returns the motor at four pins, which counts from 0. NULL: there are too many. */
static struct rotor *rotor_at(const struct pin *const *pins) {
  for (int k = 0; k < known_rotors; k++) {
    uint8_t same = 0;
    for (uint8_t coil = 0; coil < COILS; coil++) same += rotors[k].inputs[coil].pin == pins[coil];
    if (same == COILS) return &rotors[k];
  }
  if (known_rotors == PARTS) return NULL;
  struct rotor *rotor = &rotors[known_rotors++];
  unsigned on = 0;
  for (uint8_t coil = 0; coil < COILS; coil++) {
    rotor->inputs[coil] = (struct input){rotor, pins[coil], coil};
    watch_pin(pins[coil], on_coil, &rotor->inputs[coil]);
    on |= (unsigned)is_high(pins[coil]) << coil;
  }
  coils_begin(&rotor->coils, (uint8_t)on);
  return rotor;
}

/* Returns the motor of a name such as COILS:D2:D4:D7:D8; NULL if there is none. */
static const struct rotor *rotor_named(const char *name) {
  char words[COILS][PIN_NAME];
  const struct pin *pins[COILS];
  int end = 0;
  if (sscanf(name, "COILS:%7[^:]:%7[^:]:%7[^:]:%7s%n", words[0], words[1], words[2], words[3], &end) !=
          COILS ||
      name[end] != 0)
    return NULL;
  for (int k = 0; k < COILS; k++)
    if (!is_digital(pins[k] = find_pin(words[k]))) return NULL;
  return rotor_at(pins);
}

/* The direction inputs of H bridges. */

static struct direction {
  struct way {
    struct direction *direction;
    const struct pin *pin;
    uint8_t input;
  } ways[BRIDGE_INPUTS];
  struct bridge bridge;
} directions[PARTS];
static int known_directions;

static void on_way(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  const struct way *way = param;
  bridge_switch(&way->direction->bridge, way->input, value, avr_cycles_to_usec(avr, avr->cycle));
}

/* Returns the bridge at two pins; begins to watch it if needed. NULL: there are too many. */
static struct direction *direction_at(const struct pin *const *pins) {
  for (int k = 0; k < known_directions; k++)
    if (directions[k].ways[0].pin == pins[0] && directions[k].ways[1].pin == pins[1]) return &directions[k];
  if (known_directions == PARTS) return NULL;
  struct direction *direction = &directions[known_directions++];
  bridge_begin(&direction->bridge, is_high(pins[0]), is_high(pins[1]));
  for (uint8_t input = 0; input < BRIDGE_INPUTS; input++) {
    direction->ways[input] = (struct way){direction, pins[input], input};
    watch_pin(pins[input], on_way, &direction->ways[input]);
  }
  return direction;
}

/* Splits a name such as ECHO:D7:D8 into its kind and pins; returns the number of pins, -1 for other names. */
static int read_name(const char *name, char *kind, const struct pin **found) {
  char pins[2][PIN_NAME];
  int end = 0, second = 0;
  const int words = sscanf(name, "%7[^:]:%7[^:]%n:%7s%n", kind, pins[0], &end, pins[1], &second);
  if (words < 2 || name[words == 3 ? second : end] != 0) return -1;
  for (int k = 0; k < words - 1; k++)
    if (!is_digital(found[k] = find_pin(pins[k]))) return -1;
  return words - 1;
}

bool part_drive(const char *name, double value) {
  char kind[8];
  const struct pin *found[2];
  const int pins = read_name(name, kind, found);
  if (pins == 2 && strcmp(kind, "ECHO") == 0) return set_echo(found[0], found[1], value);
  if (pins == 2 && strcmp(kind, "HX711") == 0) return set_cell(found[0], found[1], value);
  if (pins == 1 && strcmp(kind, "RC") == 0) return set_capacitor(found[0], value);
  return false;
}

static const struct cell *cell_named(const char *name) {
  char kind[8];
  const struct pin *found[2];
  return read_name(name, kind, found) == 2 && strcmp(kind, "HX711") == 0 ? cell_at(found[0], found[1]) : NULL;
}

static const struct stepper *stepper_named(const char *name) {
  char kind[8];
  const struct pin *found[2];
  return read_name(name, kind, found) == 2 && strcmp(kind, "STEPPER") == 0 ? stepper_at(found[0], found[1])
                                                                           : NULL;
}

static const struct direction *direction_named(const char *name) {
  char kind[8];
  const struct pin *found[2];
  return read_name(name, kind, found) == 2 && strcmp(kind, "BRIDGE") == 0 ? direction_at(found) : NULL;
}

bool part_is_shown(const char *name) {
  int place;
  return cell_named(name) != NULL || stepper_named(name) != NULL || rotor_named(name) != NULL ||
         direction_named(name) != NULL || chain_named(name, &place) != NULL;
}

void part_show(const char *name) {
  const struct cell *cell = cell_named(name);
  if (cell != NULL) {
    printf("pulses %d\n", cell->part.last_pulses);
    return;
  }
  const struct stepper *stepper = stepper_named(name);
  if (stepper != NULL) {
    printf("steps %d\n", (int)stepper->steps);
    return;
  }
  const struct rotor *rotor = rotor_named(name);
  if (rotor != NULL) {
    printf("steps %d\n", (int)rotor->coils.half_steps);
    return;
  }
  const struct direction *direction = direction_named(name);
  if (direction != NULL) {
    printf("gap %u\n", (unsigned)direction->bridge.gap);
    return;
  }
  int place;
  const struct chain *chain = chain_named(name, &place);
  show_light(chain, place);
}
