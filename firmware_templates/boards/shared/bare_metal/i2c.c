/* Software I2C master at about 100 kHz, on the pins BOARD_SDA and BOARD_SCL (pins.h), and those of a second
 * bus (config.h). A test bench can emulate four devices as register tables. */
#include "bare_metal.h"
#include "config.h"

#define HALF_CLOCK 5 /* us */
#define TIMEOUT 500  /* us of clock stretching */
#define READ 1u

#define BENCH_DEVICES 4
#define BENCH_REGISTERS 128
#define BENCH_CONNECTED 0x80u /* or'ed to the address */

struct bench_device {
  uint8_t address;
  uint8_t at; /* the next register */
  uint8_t registers[BENCH_REGISTERS];
};

volatile struct bench_device bench_i2c[BENCH_DEVICES];

#ifdef SECOND_SDA
static uint8_t sda = BOARD_SDA, scl = BOARD_SCL; /* of the bus in use */

static void select_bus(bool is_second) {
  sda = is_second ? SECOND_SDA : BOARD_SDA;
  scl = is_second ? SECOND_SCL : BOARD_SCL;
}
#else
#define sda BOARD_SDA
#define scl BOARD_SCL
#endif

static void wait_half_clock(void) {
  for (const uint32_t start = board_micros(); board_micros() - start < HALF_CLOCK;) {
  }
}

/* Lines are pulled low or released; a resistor pulls released lines high. */
static void set_data(bool level) {
  if (level)
    board_input(sda, true);
  else
    board_output(sda, false);
  wait_half_clock();
}

static void clock_low(void) {
  board_output(scl, false);
  wait_half_clock();
}

/* Returns false if a device stretches the clock for too long. */
static bool clock_high(void) {
  board_input(scl, true);
  for (const uint32_t start = board_micros(); !board_level(scl);)
    if (board_micros() - start > TIMEOUT) return false;
  wait_half_clock();
  return true;
}

/* Sends a bit and reads the line's level; 1 lets devices send. */
static bool bit(bool level, bool *seen) {
  set_data(level);
  if (!clock_high()) return false;
  *seen = board_level(sda);
  clock_low();
  return true;
}

/* Sends a byte, or receives one (sending 0xFF), and the acknowledge bit. Returns false if the bus is stuck.
 */
static bool byte(uint8_t out, uint8_t *in, bool acknowledge, bool *acknowledged) {
  bool seen;
  *in = 0;
  for (uint8_t k = 0; k < 8; k++) {
    if (!bit(out >> (7 - k) & 1, &seen)) return false;
    *in = (uint8_t)(*in << 1 | seen);
  }
  if (!bit(!acknowledge, &seen)) return false;
  *acknowledged = !seen;
  return true;
}

static bool put(uint8_t out) {
  uint8_t in;
  bool acknowledged;
  return byte(out, &in, false, &acknowledged) && acknowledged;
}

/* A data line that a device holds would acknowledge the address, and each bit read would be 0. */
static bool start(uint8_t address) {
  set_data(true);
  if (!clock_high() || !board_level(sda)) return false;
  set_data(false);
  clock_low();
  return put(address);
}

static void stop(void) {
  set_data(false);
  clock_high();
  set_data(true);
}

/* A device that was interrupted within a byte holds the data line low. Up to 9 clock pulses release it. */
static void recover_bus(void) {
  set_data(true);
  for (uint8_t k = 0; k < 9 && !board_level(sda); k++) {
    clock_low();
    clock_high();
  }
  stop();
}

void board_i2c_start(void) {
#ifdef SECOND_SDA
  select_bus(true);
  recover_bus();
  select_bus(false);
#endif
  recover_bus();
}

static bool transfer_on_bus(uint8_t address, const uint8_t *out, uint8_t out_size, uint8_t *in,
                            uint8_t in_size) {
  bool ok = true, acknowledged;
  if (out_size > 0) ok = start((uint8_t)(address << 1));
  for (uint8_t k = 0; ok && k < out_size; k++) ok = put(out[k]);
  if (ok && in_size > 0) ok = start((uint8_t)(address << 1 | READ));
  for (uint8_t k = 0; ok && k < in_size; k++) ok = byte(0xFF, in + k, k + 1 < in_size, &acknowledged);
  if (ok)
    stop();
  else
    recover_bus();
  return ok;
}

/* The first byte written selects a register; each further access advances to the next one. */
static void transfer_on_bench(volatile struct bench_device *device, const uint8_t *out, uint8_t out_size,
                              uint8_t *in, uint8_t in_size) {
  for (uint8_t k = 0; k < out_size; k++)
    if (k == 0)
      device->at = out[k];
    else
      device->registers[device->at++ % BENCH_REGISTERS] = out[k];
  for (uint8_t k = 0; k < in_size; k++) in[k] = device->registers[device->at++ % BENCH_REGISTERS];
}

bool board_i2c(uint8_t address, const uint8_t *out, uint8_t out_size, uint8_t *in, uint8_t in_size) {
  for (uint8_t k = 0; k < BENCH_DEVICES; k++)
    if (bench_i2c[k].address == (address | BENCH_CONNECTED)) {
      transfer_on_bench(&bench_i2c[k], out, out_size, in, in_size);
      return true;
    }
#ifdef SECOND_SDA
  select_bus(IS_ON_SECOND_BUS(address));
#endif
  return transfer_on_bus(address, out, out_size, in, in_size);
}
