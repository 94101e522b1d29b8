/* RP2040: I2C master at 400 kHz on GP4 (SDA) and GP5 (SCL). */
#include "board.h"
#include "rp2040.h"

#define SDA PIN_GP4
#define SCL PIN_GP5
/* Cycles of 125 MHz in a clock pulse: 2.5 us. */
#define LOW_CYCLES 187
#define HIGH_CYCLES 125
#define HOLD_CYCLES 38 /* 0.3 us: how long data stays after the clock falls */
#define TIMEOUT 500    /* us per byte, which normally takes 23 us; devices may stretch the clock */
#define CLOCK_PULSE 5  /* us */

static void connect(uint8_t pin) {
  PAD(pin) = PAD_DIGITAL | PAD_PULL_UP;
  PIN_FUNCTION(pin) = FUNCTION_I2C;
}

void board_i2c_start(void) {
  rp2040_start(RESET_I2C0);
  I2C_ENABLE = 0;
  I2C_CONTROL = I2C_FAST_MASTER;
  I2C_HIGH = HIGH_CYCLES;
  I2C_LOW = LOW_CYCLES;
  I2C_HOLD = HOLD_CYCLES;
  connect(SDA);
  connect(SCL);
}

static void wait_us(uint8_t microseconds) {
  for (const uint32_t start = board_micros(); board_micros() - start < microseconds;) {
  }
}

/* A device that was interrupted within a byte holds the data line low. Up to 9 clock pulses release it. */
static void recover_bus(void) {
  board_input(SDA, true);
  for (uint8_t k = 0; k < 9 && !board_level(SDA); k++) {
    board_output(SCL, false);
    wait_us(CLOCK_PULSE);
    board_input(SCL, true);
    wait_us(CLOCK_PULSE);
  }
  board_i2c_start();
}

/* Waits for bits of a register; false if a device does not answer or on a timeout. */
static bool wait_for(volatile uint32_t *status, uint32_t bits, bool *stuck) {
  for (const uint32_t start = board_micros(); !(*status & bits);) {
    if (I2C_EVENTS & I2C_ABORTED) return false;
    if (board_micros() - start > TIMEOUT) {
      *stuck = true;
      return false;
    }
  }
  return !(I2C_EVENTS & I2C_ABORTED);
}

static bool put(const uint8_t *out, uint8_t size, bool last, bool *stuck) {
  for (uint8_t k = 0; k < size; k++) {
    I2C_COMMAND = out[k] | (last && k + 1 == size ? I2C_STOP : 0);
    if (!wait_for(&I2C_STATUS, I2C_TX_EMPTY, stuck)) return false;
  }
  return true;
}

static bool get(uint8_t *in, uint8_t size, bool first, bool *stuck) {
  for (uint8_t k = 0; k < size; k++) {
    I2C_COMMAND = I2C_READ | (!first && k == 0 ? I2C_RESTART : 0) | (k + 1 == size ? I2C_STOP : 0);
    if (!wait_for(&I2C_RECEIVED, UINT8_MAX, stuck)) return false;
    in[k] = (uint8_t)I2C_COMMAND;
  }
  return true;
}

bool board_i2c(uint8_t device, const uint8_t *out, uint8_t out_size, uint8_t *in, uint8_t in_size) {
  bool stuck = false;
  if (out_size + in_size == 0) return true;
  I2C_ENABLE = 0;
  I2C_TARGET = device;
  I2C_ENABLE = 1;
  (void)I2C_CLEAR_STOP;
  (void)I2C_CLEAR_ABORT;
  const bool ok = put(out, out_size, in_size == 0, &stuck) && get(in, in_size, out_size == 0, &stuck) &&
                  wait_for(&I2C_EVENTS, I2C_STOPPED, &stuck);
  (void)I2C_CLEAR_ABORT;
  if (stuck) recover_bus();
  return ok;
}
