/* Arduino Uno: master of the I2C bus, 400 kHz, at A4 (SDA) and A5 (SCL). */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/twi.h>

#include "board.h"

#define BITRATE 12   /* 16 MHz / (16 + 2 * 12) */
#define PATIENCE 500 /* us for one byte, which takes 23: parts may hold the clock for a while */
#define PULSE 5      /* us */

static volatile bool done; /* the bus has done what it was told */
static bool stuck;

ISR(TWI_vect) {
  TWCR = _BV(TWEN); /* no more of these interrupts; the bus waits */
  done = true;
}

void board_i2c_start(void) {
  TWBR = BITRATE;
  TWSR = 0;
  TWCR = _BV(TWEN);
}

static void pause(uint8_t microseconds) {
  for (const uint32_t start = board_micros(); board_micros() - start < microseconds;) {
  }
}

/* A part that was interrupted in the middle of a byte holds the data line: let it see clocks until it lets
 * go. */
static void free_bus(void) {
  TWCR = 0;
  board_input(PIN_A4, true);
  for (uint8_t k = 0; k < 9 && !board_level(PIN_A4); k++) {
    board_output(PIN_A5, false);
    pause(PULSE);
    board_input(PIN_A5, true);
    pause(PULSE);
  }
  board_i2c_start();
}

/* Do one thing on the bus. False: it does not come to an end. */
static bool act(uint8_t what) {
  done = false;
  TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWIE) | what;
  for (const uint32_t start = board_micros(); !done && !stuck;) stuck = board_micros() - start > PATIENCE;
  return done;
}

/* Begin, also anew, with the address of a device. */
static bool address(uint8_t byte) {
  if (!act(_BV(TWSTA)) || (TW_STATUS != TW_START && TW_STATUS != TW_REP_START)) return false;
  TWDR = byte;
  /* An emulated bus reports an acknowledged byte for the address, too. */
  return act(0) && (TW_STATUS == TW_MT_SLA_ACK || TW_STATUS == TW_MR_SLA_ACK || TW_STATUS == TW_MT_DATA_ACK);
}

static bool put(const uint8_t *out, uint8_t size) {
  for (uint8_t k = 0; k < size; k++) {
    TWDR = out[k];
    if (!act(0) || TW_STATUS != TW_MT_DATA_ACK) return false;
  }
  return true;
}

static bool get(uint8_t *in, uint8_t size) {
  for (uint8_t k = 0; k < size; k++) {
    if (!act(k + 1 < size ? _BV(TWEA) : 0)) /* the last byte is not acknowledged: the device stops sending */
      return false;
    in[k] = TWDR;
  }
  return true;
}

/* Let go of the bus. */
static void stop(void) {
  TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWSTO);
  for (const uint32_t start = board_micros(); (TWCR & _BV(TWSTO)) && !stuck;)
    stuck = board_micros() - start > PATIENCE;
}

bool board_i2c(uint8_t device, const uint8_t *out, uint8_t out_size, uint8_t *in, uint8_t in_size) {
  const uint8_t byte = (uint8_t)(device << 1);
  stuck = false;
  const bool right = (out_size == 0 || (address(byte) && put(out, out_size))) &&
                     (in_size == 0 || (address(byte | TW_READ) && get(in, in_size)));
  if (!stuck) stop();
  if (stuck) free_bus();
  return right;
}
