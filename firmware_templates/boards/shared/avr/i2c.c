/* AVR: I2C master at 400 kHz. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/twi.h>

#include "board.h"
#include "chip.h"

#define BITRATE 12    /* 16 MHz / (16 + 2 * 12) */
#define TIMEOUT 500   /* us per byte, which normally takes 23 us; devices may stretch the clock */
#define CLOCK_PULSE 5 /* us */

static volatile bool operation_done; /* the current operation has finished */
static bool stuck;

ISR(TWI_vect) {
  TWCR = _BV(TWEN); /* disables this interrupt; the bus waits */
  operation_done = true;
}

void board_i2c_start(void) {
  TWBR = BITRATE;
  TWSR = 0;
  TWCR = _BV(TWEN);
}

static void wait_us(uint8_t microseconds) {
  for (const uint32_t start = board_micros(); board_micros() - start < microseconds;) {
  }
}

/* A device that was interrupted within a byte holds the data line low. Up to 9 clock pulses release it. */
static void recover_bus(void) {
  TWCR = 0;
  board_input(CHIP_SDA, true);
  for (uint8_t k = 0; k < 9 && !board_level(CHIP_SDA); k++) {
    board_output(CHIP_SCL, false);
    wait_us(CLOCK_PULSE);
    board_input(CHIP_SCL, true);
    wait_us(CLOCK_PULSE);
  }
  board_i2c_start();
}

/* Starts an operation and waits for its end. Returns false on a timeout. */
static bool run_operation(uint8_t flags) {
  operation_done = false;
  TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWIE) | flags;
  for (const uint32_t start = board_micros(); !operation_done && !stuck;)
    stuck = board_micros() - start > TIMEOUT;
  return operation_done;
}

/* Sends a start or repeated start condition and an address. */
static bool address(uint8_t byte) {
  if (!run_operation(_BV(TWSTA)) || (TW_STATUS != TW_START && TW_STATUS != TW_REP_START)) return false;
  TWDR = byte;
  /* simavr reports the address as an acknowledged data byte */
  return run_operation(0) &&
         (TW_STATUS == TW_MT_SLA_ACK || TW_STATUS == TW_MR_SLA_ACK || TW_STATUS == TW_MT_DATA_ACK);
}

static bool put(const uint8_t *out, uint8_t size) {
  for (uint8_t k = 0; k < size; k++) {
    TWDR = out[k];
    if (!run_operation(0) || TW_STATUS != TW_MT_DATA_ACK) return false;
  }
  return true;
}

static bool get(uint8_t *in, uint8_t size) {
  for (uint8_t k = 0; k < size; k++) {
    if (!run_operation(k + 1 < size
                           ? _BV(TWEA)
                           : 0)) /* the last byte is not acknowledged, so that the device stops sending */
      return false;
    in[k] = TWDR;
  }
  return true;
}

/* Sends a stop condition. */
static void stop(void) {
  TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWSTO);
  for (const uint32_t start = board_micros(); (TWCR & _BV(TWSTO)) && !stuck;)
    stuck = board_micros() - start > TIMEOUT;
}

bool board_i2c(uint8_t device, const uint8_t *out, uint8_t out_size, uint8_t *in, uint8_t in_size) {
  const uint8_t byte = (uint8_t)(device << 1);
  stuck = false;
  const bool ok = (out_size == 0 || (address(byte) && put(out, out_size))) &&
                  (in_size == 0 || (address(byte | TW_READ) && get(in, in_size)));
  if (!stuck) stop();
  if (stuck) recover_bus();
  return ok;
}
