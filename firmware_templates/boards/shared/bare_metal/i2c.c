/* Master of the I2C bus at any two pins, which pins.h calls BOARD_SDA and BOARD_SCL: some 100 kHz by program.
   Two devices may be played by a bench, which plugs them in here; they are tables of registers. */
#include "bare_metal.h"

#define HALF 5       /* us: half a clock */
#define PATIENCE 500 /* us for a device that holds the clock */
#define READ 1u

#define BENCH_DEVICES 2
#define BENCH_REGISTERS 128
#define BENCH_PLUGGED 0x80u /* and the address */

struct bench_device {
  uint8_t address;
  uint8_t at; /* the register that comes next */
  uint8_t registers[BENCH_REGISTERS];
};

volatile struct bench_device bench_i2c[BENCH_DEVICES];

static void pause(void) {
  for (const uint32_t start = board_micros(); board_micros() - start < HALF;) {
  }
}

/* Lines are pulled low or let go; a resistor then pulls them high. */
static void set_data(bool level) {
  if (level)
    board_input(BOARD_SDA, true);
  else
    board_output(BOARD_SDA, false);
  pause();
}

static void clock_low(void) {
  board_output(BOARD_SCL, false);
  pause();
}

/* False: somebody holds the clock for too long. */
static bool clock_high(void) {
  board_input(BOARD_SCL, true);
  for (const uint32_t start = board_micros(); !board_level(BOARD_SCL);)
    if (board_micros() - start > PATIENCE) return false;
  pause();
  return true;
}

/* Send a bit and see what the line then is; 1 lets others send. */
static bool bit(bool level, bool *seen) {
  set_data(level);
  if (!clock_high()) return false;
  *seen = board_level(BOARD_SDA);
  clock_low();
  return true;
}

/* Send a byte, or receive one (0xFF is sent), and the bit behind it. False: the bus is stuck. */
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

static bool start(uint8_t address) {
  set_data(true);
  if (!clock_high()) return false;
  set_data(false);
  clock_low();
  return put(address);
}

static void stop(void) {
  set_data(false);
  clock_high();
  set_data(true);
}

/* A device that was interrupted in the middle of a byte holds the data line: let it see clocks until it lets
 * go. */
static void free_bus(void) {
  set_data(true);
  for (uint8_t k = 0; k < 9 && !board_level(BOARD_SDA); k++) {
    clock_low();
    clock_high();
  }
  stop();
}

void board_i2c_start(void) { free_bus(); }

static bool on_the_bus(uint8_t address, const uint8_t *out, uint8_t out_size, uint8_t *in, uint8_t in_size) {
  bool right = true, acknowledged;
  if (out_size > 0) right = start((uint8_t)(address << 1));
  for (uint8_t k = 0; right && k < out_size; k++) right = put(out[k]);
  if (right && in_size > 0) right = start((uint8_t)(address << 1 | READ));
  for (uint8_t k = 0; right && k < in_size; k++) right = byte(0xFF, in + k, k + 1 < in_size, &acknowledged);
  if (right)
    stop();
  else
    free_bus();
  return right;
}

/* The first byte that is written is the number of a register; then it counts on. */
static void on_the_bench(volatile struct bench_device *device, const uint8_t *out, uint8_t out_size,
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
    if (bench_i2c[k].address == (address | BENCH_PLUGGED)) {
      on_the_bench(&bench_i2c[k], out, out_size, in, in_size);
      return true;
    }
  return on_the_bus(address, out, out_size, in, in_size);
}
