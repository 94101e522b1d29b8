/* Any board with an Arduino core, by the public Arduino API: Serial, pins, analogRead, analogWrite,
 * attachInterrupt, Wire, millis. */
#include <Wire.h>

#include "core.h"
#include "resets.h"

extern "C" {
#include "board.h"
#include "bytes.h"
#include "config.h"
#include "robot.h"
}

#ifdef BOARD_LEDC
#include "ledc.h"
#endif

#define BUS_HZ 400000UL
#define BUS_TIMEOUT_US 3000UL
#define BUS_TIMEOUT_MS (BUS_TIMEOUT_US / 1000)
#define BUS_PULSE_US 5 /* half a pulse of 100 kHz, the slowest speed */

/* The core's number of a pin. */
static uint8_t number_of(uint8_t pin) {
#ifdef BOARD_ANALOG_PINS
  static const uint8_t analog[] = {BOARD_ANALOG_PINS};
  return pin < PIN_A0 ? pin : analog[pin - PIN_A0];
#else
  return pin;
#endif
}

extern "C" void board_start(int argc, char **argv) {
  (void)argc;
  (void)argv;
  watchdog_begin();
#if defined(ARDUINO_ARCH_ESP32) || defined(ARDUINO_ARCH_SAMD) || defined(ARDUINO_ARCH_STM32) || \
    defined(ARDUINO_ARCH_RP2040) || defined(ARDUINO_ARCH_MBED) || defined(TEENSYDUINO)
  analogReadResolution(10); /* BOARD_ADC_TOP */
#endif
#if defined(ARDUINO_ARCH_ESP8266)
  analogWriteRange(BOARD_DUTY_FULL);
#endif
#if defined(ARDUINO_USB_MODE) && defined(ARDUINO_USB_CDC_ON_BOOT) && ARDUINO_USB_MODE && \
    ARDUINO_USB_CDC_ON_BOOT
  Serial.setTxTimeoutMs(
      0); /* the chip's USB port: without a reader, each byte would wait for 0.1 s or more */
#endif
  Serial.begin(LINK_BAUD);
}

extern "C" uint32_t board_millis(void) { return millis(); }

extern "C" uint32_t board_micros(void) { return micros(); }

#ifndef LINK_CONNECTIONS
extern "C" int16_t board_read_byte(void) {
  return Serial.available() > 0 ? (int16_t)Serial.read() : (int16_t)BOARD_NO_BYTE;
}

extern "C" void board_write_byte(uint8_t byte) { Serial.write(byte); }

extern "C" void board_disconnect(void) {}
#endif

#ifndef BOARD_LEDC
static void ledc_release(uint8_t pin) { (void)pin; }
#endif

/* What pinMode() has made a pin. The core may interrupt a PWM output at each call, even to make it one again.
 */
enum mode : uint8_t { UNKNOWN, INPUT_PIN, OUTPUT_PIN };
static enum mode modes[BOARD_PINS];

static void make_output(uint8_t pin) {
  if (modes[pin] == OUTPUT_PIN) return;
  pinMode(number_of(pin), OUTPUT);
  modes[pin] = OUTPUT_PIN;
}

extern "C" void board_input(uint8_t pin, bool pull_up) {
  ledc_release(pin);
  modes[pin] = INPUT_PIN;
  pinMode(number_of(pin), pull_up ? INPUT_PULLUP : INPUT);
}

extern "C" void board_output(uint8_t pin, bool level) {
  ledc_release(pin);
  digitalWrite(number_of(pin), level ? HIGH : LOW);
  make_output(pin);
}

extern "C" bool board_level(uint8_t pin) { return digitalRead(number_of(pin)) == HIGH; }

extern "C" void board_watch(uint8_t pin) {
  attachInterrupt(digitalPinToInterrupt(number_of(pin)), robot_pins_changed, CHANGE);
}

extern "C" uint16_t board_adc(uint8_t pin) {
#if defined(ARDUINO_ARCH_ESP32) && defined(BOARD_ADC_IN_MILLIVOLTS)
  const uint32_t full = (uint32_t)(1000 * BOARD_SUPPLY);
  const uint32_t code = BOARD_ADC_TOP * analogReadMilliVolts(number_of(pin)) / full;
  return (uint16_t)(code < BOARD_ADC_TOP ? code : BOARD_ADC_TOP);
#else
  return (uint16_t)analogRead(number_of(pin));
#endif
}

#ifndef BOARD_LEDC
/* These cores have one frequency for all pins; boards with others refuse to set one. */
extern "C" void board_pwm_frequency(uint8_t, uint32_t hertz) {
#if defined(ARDUINO_ARCH_ESP8266) || (defined(ARDUINO_ARCH_RP2040) && !defined(ARDUINO_ARCH_MBED))
  analogWriteFreq(hertz);
#else
  (void)hertz;
#endif
}

extern "C" void board_pwm(uint8_t pin, uint8_t duty) {
  make_output(pin);
  analogWrite(number_of(pin), duty);
}
#endif

extern "C" void board_i2c_start(void) {
#ifdef BOARD_SDA
  Wire.begin(BOARD_SDA, BOARD_SCL);
#else
  Wire.begin();
#endif
  Wire.setClock(BUS_HZ);
#if defined(WIRE_HAS_TIMEOUT) || defined(__AVR__)
  Wire.setWireTimeout(BUS_TIMEOUT_US, true);
#elif defined(ARDUINO_ARCH_ESP32)
  Wire.setTimeOut(BUS_TIMEOUT_MS); /* otherwise 50 ms */
#elif defined(ARDUINO_ARCH_ESP8266)
  Wire.setClockStretchLimit(BUS_TIMEOUT_US);
#elif defined(ARDUINO_ARCH_RP2040) && !defined(ARDUINO_ARCH_MBED)
  Wire.setTimeout(BUS_TIMEOUT_MS, true);
#endif
}

/* A device that was interrupted within a byte holds the data line low. Up to 9 clock pulses release it; the
   libraries of most cores give none. */
static void free_bus(void) {
#ifdef BOARD_SDA
  const uint8_t data = BOARD_SDA, clock = BOARD_SCL;
#else
  const uint8_t data = SDA, clock = SCL;
#endif
  if (digitalRead(data) == HIGH) return; /* nothing holds it: an absent part gives no answer */
#ifndef ARDUINO_ARCH_ESP8266             /* its library has no end, and gives pulses itself */
  Wire.end();
#endif
  pinMode(data, INPUT_PULLUP);
  for (uint8_t k = 0; k < 9 && digitalRead(data) == LOW; k++) {
    digitalWrite(clock, LOW);
    pinMode(clock, OUTPUT);
    delayMicroseconds(BUS_PULSE_US);
    pinMode(clock, INPUT_PULLUP);
    delayMicroseconds(BUS_PULSE_US);
  }
  board_i2c_start();
}

static bool transfer(uint8_t address, const uint8_t *out, uint8_t out_size, uint8_t *in, uint8_t in_size) {
  if (out_size > 0) {
    Wire.beginTransmission(address);
    Wire.write(out, out_size);
    if (Wire.endTransmission(in_size == 0) != 0) return false;
  }
  if (in_size > 0) {
    if (Wire.requestFrom((int)address, (int)in_size) != (size_t)in_size) return false;
    for (uint8_t k = 0; k < in_size; k++) in[k] = (uint8_t)Wire.read();
  }
  return true;
}

extern "C" bool board_i2c(uint8_t address, const uint8_t *out, uint8_t out_size, uint8_t *in,
                          uint8_t in_size) {
  const bool ok = transfer(address, out, out_size, in, in_size);
  if (!ok) free_bus();
  return ok;
}

extern "C" void board_lock(void) { noInterrupts(); }

extern "C" void board_unlock(void) { interrupts(); }

extern "C" void board_idle(void) {
  watchdog_feed();
#ifndef __AVR__
  yield();
#endif
}
