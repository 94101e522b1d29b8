/* RC servos at a PCA9685. Their pulses move to the target positions at the target velocities; a stop holds
 * the current position. The chip is looked at now and then: after a loss of power it sleeps, and is set up
 * again. */
#include "pca9685_servo.h"

#include <math.h>

#include "board.h"
#include "i2c_registers.h"

#define MODE1 0x00
#define ASLEEP 0x31 /* addresses advance, the common address is on; the prescaler can be set */
#define AWAKE 0x21
#define SLEEPS 0x10
#define PRESCALER 0xFE
#define PRESCALE 121                            /* 25 MHz / 4096 / 50 Hz - 1 */
#define COUNTS_PER_US REAL(0.20491803278688525) /* 25 MHz / (PRESCALE + 1) */
#define FIRST_OUTPUT 0x06                       /* counts at which it turns on and off */
#define OUTPUT_BYTES 4
#define FRAME_MS 20 /* of a pulse: sending more often has no use */
#define LOOK_MS 100

static struct state {
  real target, velocity, position;
  bool active;   /* pulses are being sent */
  bool ready;    /* of the first servo of a chip: the chip is set up */
  bool is_sent;  /* the chip has the newest position */
  uint8_t since; /* ms since the last transfer */
} states[PCA9685_SERVO_COUNT];

static uint16_t since_look;

static real limited(uint8_t k, real position) {
  const real low = pca9685_servo_table[k].low, high = pca9685_servo_table[k].high;
  return position < low ? low : position > high ? high : position;
}

/* The first servo of the same chip. */
static uint8_t first_of_chip(uint8_t k) {
  uint8_t first = 0;
  while (pca9685_servo_table[first].address != pca9685_servo_table[k].address) first++;
  return first;
}

/* Sets the chip of a servo up. */
static bool set_up(uint8_t first) {
  const uint8_t address = pca9685_servo_table[first].address;
  return i2c_write(address, MODE1, ASLEEP) && i2c_write(address, PRESCALER, PRESCALE) &&
         i2c_write(address, MODE1, AWAKE);
}

static uint16_t counts_of(uint8_t k) {
  const FLASH struct pca9685_servo *servo = &pca9685_servo_table[k];
  const real fraction = (states[k].position - servo->low) / (servo->high - servo->low);
  const real pulse = servo->low_pulse + fraction * ((real)servo->high_pulse - servo->low_pulse);
  return (uint16_t)(pulse * COUNTS_PER_US + REAL(0.5));
}

static bool send(uint8_t k) {
  const FLASH struct pca9685_servo *servo = &pca9685_servo_table[k];
  const uint16_t counts = counts_of(k);
  const uint8_t first = (uint8_t)(FIRST_OUTPUT + OUTPUT_BYTES * servo->channel);
  const uint8_t out[] = {first, 0, 0, (uint8_t)counts, (uint8_t)(counts >> 8)};
  return board_i2c(servo->address, out, sizeof out, 0, 0);
}

void pca9685_servo_start(uint8_t k) {
  states[k] = (struct state){.velocity = pca9685_servo_table[k].max_velocity};
  states[k].position = states[k].target = limited(k, 0);
}

void pca9685_servo_position(uint8_t k, real position) {
  states[k].target = limited(k, position);
  if (states[k].active) return;
  states[k].active = true; /* the position is unknown; assume 0 */
  states[k].is_sent = false;
  states[k].since = FRAME_MS;
}

void pca9685_servo_velocity(uint8_t k, real velocity) { states[k].velocity = (real)fabs(velocity); }

void pca9685_servo_stop(uint8_t k) { states[k].target = states[k].position; }

static void move(struct state *state, uint16_t elapsed) {
  const real distance = state->target - state->position;
  if (!state->active || distance == 0) return;
  const real most = state->velocity * elapsed / 1000;
  state->position += distance > most ? most : distance < -most ? -most : distance;
  state->is_sent = false;
}

/* Notes that a chip has lost its settings: it is set up with the next transfer, which follows soon. */
static void lose(uint8_t first) {
  states[first].ready = false;
  for (uint8_t k = first; k < PCA9685_SERVO_COUNT; k++)
    if (first_of_chip(k) == first) states[k].is_sent = false;
}

/* Looks whether the chips are awake. */
static void look(uint16_t elapsed) {
  since_look = (uint16_t)(since_look + elapsed);
  if (since_look < LOOK_MS) return;
  since_look = 0;
  for (uint8_t k = 0; k < PCA9685_SERVO_COUNT; k++) {
    if (!states[k].ready) continue;
    uint8_t mode;
    if (!i2c_read(pca9685_servo_table[k].address, MODE1, &mode, 1) || mode & SLEEPS) lose(k);
  }
}

void pca9685_servo_update(uint8_t k, uint16_t elapsed) {
  struct state *state = &states[k];
  if (k == 0) look(elapsed);
  move(state, elapsed);
  if (state->since < FRAME_MS)
    state->since = (uint8_t)(elapsed > FRAME_MS ? FRAME_MS : state->since + elapsed);
  if (!state->active || state->is_sent || state->since < FRAME_MS) return;
  state->since = 0;
  struct state *first = &states[first_of_chip(k)];
  if (!first->ready) first->ready = set_up(first_of_chip(k));
  if (!first->ready) return;
  state->is_sent = send(k);
  if (!state->is_sent) lose(first_of_chip(k));
}
