/* A VL53L0X time-of-flight sensor, which measures continuously. Its set-up takes long, so each reading
 * executes a few entries of it. */
#include "vl53l0x_distance.h"

#include "board.h"
#include "i2c_registers.h"

#define START 0x00
#define SEQUENCE 0x01 /* the parts of a measurement */
#define INTERRUPT_CLEAR 0x0B
#define INTERRUPT_STATUS 0x13
#define RESULT 0x14 /* the status in bits 3 to 6; 10 registers later the distance in mm */
#define RESULT_SIZE 12
#define PADS 0x89       /* bit 0: the bus is at 2.8 V or more */
#define STOP 0x91       /* of page 1 */
#define REFERENCES 0x92 /* of page 7: number and kind of reference diodes */
#define DIODES 0xB0     /* map of good reference diodes */
#define MODEL 0xC0
#define ITS_MODEL 0xEE
#define MEMORY 0x83 /* of pages 6 and 7: access to the chip's calibration */
#define PAGE 0xFF

#define MEASURED 0x07 /* of the interrupt status */
#define VALID 11      /* status of a measurement */
#define MAP_SIZE 6
#define FIRST_LARGE 12  /* the diodes from here on have an aperture */
#define MOST_ENTRIES 12 /* of the set-up per reading: at most 5 ms on the slowest bus */
#define TIMEOUT 500     /* ms without a measurement, after which the set-up begins again */
#define METERS_PER_MM REAL(0.001)

/* In place of a register: what else to do. */
#define ACTION 0xFE
enum action { IDENTIFY, SET_PADS, SAVE_STOP, RESTORE_STOP, OPEN, CLOSE, AWAIT_MEMORY, COUNT, SELECT, AWAIT };

/* Pairs of a register and its value, from the manufacturer's API: data initialization, reference diodes,
 * default tuning, calibration of voltage and phase, start. */
static const FLASH uint8_t set_up[] = {
    PAGE, 0, ACTION, IDENTIFY, ACTION, SET_PADS, 0x88, 0x00, 0x80, 1, PAGE, 1, START, 0, ACTION, SAVE_STOP,
    START, 1, PAGE, 0, 0x80, 0, SEQUENCE, 0xFF,
    /* reference diodes */
    0x80, 1, PAGE, 1, START, 0, PAGE, 6, ACTION, OPEN, PAGE, 7, 0x81, 1, 0x80, 1, 0x94, 0x6B, MEMORY, 0,
    ACTION, AWAIT_MEMORY, MEMORY, 1, ACTION, COUNT, 0x81, 0, PAGE, 6, ACTION, CLOSE, PAGE, 1, START, 1, PAGE,
    0, 0x80, 0, PAGE, 1, 0x4F, 0x00, 0x4E, 0x2C, PAGE, 0, 0xB6, 0xB4, ACTION, SELECT,
    /* tuning */
    PAGE, 1, START, 0, PAGE, 0, 0x09, 0x00, 0x10, 0x00, 0x11, 0x00, 0x24, 0x01, 0x25, 0xFF, 0x75, 0x00, PAGE,
    1, 0x4E, 0x2C, 0x48, 0x00, 0x30, 0x20, PAGE, 0, 0x30, 0x09, 0x54, 0x00, 0x31, 0x04, 0x32, 0x03, 0x40,
    0x83, 0x46, 0x25, 0x60, 0x00, 0x27, 0x00, 0x50, 0x06, 0x51, 0x00, 0x52, 0x96, 0x56, 0x08, 0x57, 0x30,
    0x61, 0x00, 0x62, 0x00, 0x64, 0x00, 0x65, 0x00, 0x66, 0xA0, PAGE, 1, 0x22, 0x32, 0x47, 0x14, 0x49, 0xFF,
    0x4A, 0x00, PAGE, 0, 0x7A, 0x0A, 0x7B, 0x00, 0x78, 0x21, PAGE, 1, 0x23, 0x34, 0x42, 0x00, 0x44, 0xFF,
    0x45, 0x26, 0x46, 0x05, 0x40, 0x40, 0x0E, 0x06, 0x20, 0x1A, 0x43, 0x40, PAGE, 0, 0x34, 0x03, 0x35, 0x44,
    PAGE, 1, 0x31, 0x04, 0x4B, 0x09, 0x4C, 0x05, 0x4D, 0x04, PAGE, 0, 0x44, 0x00, 0x45, 0x20, 0x47, 0x08,
    0x48, 0x28, 0x67, 0x00, 0x70, 0x04, 0x71, 0x01, 0x72, 0xFE, 0x76, 0x00, 0x77, 0x00, PAGE, 1, 0x0D, 0x01,
    PAGE, 0, 0x80, 1, SEQUENCE, 0xF8, PAGE, 1, 0x8E, 0x01, START, 1, PAGE, 0, 0x80, 0,
    /* calibration */
    0x0A, 0x04, INTERRUPT_CLEAR, 1, SEQUENCE, 0x01, START, 0x41, ACTION, AWAIT, INTERRUPT_CLEAR, 1, START, 0,
    SEQUENCE, 0x02, START, 0x01, ACTION, AWAIT, INTERRUPT_CLEAR, 1, START, 0, SEQUENCE, 0xE8,
    /* start */
    0x80, 1, PAGE, 1, START, 0, ACTION, RESTORE_STOP, START, 1, PAGE, 0, 0x80, 0, START, 2};

#define ENTRIES (sizeof set_up / 2)

static struct state {
  uint8_t at;     /* the next entry of the set-up */
  uint8_t stop;   /* a value of the chip that starts measurements */
  uint8_t diodes; /* number of reference diodes; bit 7: with an aperture */
  bool measured;
  uint16_t mm;
  uint32_t since; /* ms: time of the last progress */
} states[VL53L0X_DISTANCE_COUNT];

enum result { DONE, WAITING, FAILED };

/* Sets and clears bits of a register. */
static bool change_register(uint8_t address, uint8_t reg, uint8_t set, uint8_t clear) {
  uint8_t value;
  return i2c_read(address, reg, &value, 1) && i2c_write(address, reg, (uint8_t)((value | set) & ~clear));
}

/* Keeps as many good reference diodes as the chip's calibration says; its lowest bit is the first diode. */
static bool select_diodes(uint8_t address, uint8_t diodes) {
  uint8_t out[1 + MAP_SIZE] = {DIODES}, left = diodes & 0x7F;
  if (!i2c_read(address, DIODES, out + 1, MAP_SIZE)) return false;
  for (uint8_t k = 0; k < 8 * MAP_SIZE; k++) {
    uint8_t *const byte = &out[1 + k / 8];
    const uint8_t bit = (uint8_t)(1 << k % 8);
    if ((k < FIRST_LARGE && diodes & 0x80) || left == 0)
      *byte &= (uint8_t)~bit;
    else if (*byte & bit)
      left--;
  }
  return board_i2c(address, out, sizeof out, 0, 0);
}

/* Reads a register of which some bits become 1. */
static enum result await(uint8_t address, uint8_t reg, uint8_t bits) {
  uint8_t value;
  if (!i2c_read(address, reg, &value, 1)) return FAILED;
  return value & bits ? DONE : WAITING;
}

static bool identify(uint8_t address) { return i2c_holds(address, MODEL, ITS_MODEL); }

static enum result act(uint8_t address, struct state *state, uint8_t action) {
  bool done = false;
  switch (action) {
    case IDENTIFY: done = identify(address); break;
    case SET_PADS: done = change_register(address, PADS, 0x01, 0); break;
    case SAVE_STOP: done = i2c_read(address, STOP, &state->stop, 1); break;
    case RESTORE_STOP: done = i2c_write(address, STOP, state->stop); break;
    case OPEN: done = change_register(address, MEMORY, 0x04, 0); break;
    case CLOSE: done = change_register(address, MEMORY, 0, 0x04); break;
    case COUNT: done = i2c_read(address, REFERENCES, &state->diodes, 1); break;
    case SELECT: done = select_diodes(address, state->diodes); break;
    case AWAIT_MEMORY: return await(address, MEMORY, 0xFF);
    case AWAIT: return await(address, INTERRUPT_STATUS, MEASURED);
  }
  return done ? DONE : FAILED;
}

/* Executes the next entries of the set-up. */
static enum result go_on(uint8_t address, struct state *state) {
  for (uint8_t k = 0; k < MOST_ENTRIES && state->at < ENTRIES; k++) {
    const uint8_t reg = set_up[2 * state->at], value = set_up[2 * state->at + 1];
    enum result result = FAILED;
    if (reg == ACTION)
      result = act(address, state, value);
    else if (i2c_write(address, reg, value))
      result = DONE;
    if (result != DONE) return result;
    state->at++;
  }
  return DONE;
}

/* Takes a new distance, if there is one. */
static enum result measure(uint8_t address, struct state *state) {
  const enum result result = await(address, INTERRUPT_STATUS, MEASURED);
  if (result != DONE) return result;
  uint8_t bytes[RESULT_SIZE];
  if (!i2c_read(address, RESULT, bytes, sizeof bytes) || !i2c_write(address, INTERRUPT_CLEAR, 1))
    return FAILED;
  const bool valid = (bytes[0] >> 3 & 0x0F) == VALID;
  state->mm = valid ? (uint16_t)((uint16_t)bytes[10] << 8 | bytes[11]) : UINT16_MAX; /* nothing in range */
  state->measured = true;
  return DONE;
}

bool vl53l0x_distance_value(uint8_t k, real *value) {
  const FLASH struct vl53l0x_distance *sensor = &vl53l0x_distance_table[k];
  struct state *state = &states[k];
  const uint32_t now = board_millis();
  const enum result result =
      state->at < ENTRIES ? go_on(sensor->address, state) : measure(sensor->address, state);
  if (result == DONE) {
    state->since = now;
  } else if (result == FAILED || now - state->since > TIMEOUT) {
    *state = (struct state){.since = now};
  }
  const real meters = (real)state->mm * METERS_PER_MM;
  *value = curve_at(&sensor->lookup, meters < sensor->range ? meters : sensor->range);
  return state->measured;
}
