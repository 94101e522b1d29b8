/* The Arduino API of arduino_api, which prints its calls. main() does what a firmware does with pins and bus.
 */
#include <Arduino.h>
#include <Wire.h>
#include <stdio.h>

#include "resets.h"

extern "C" {
#include "board.h"
}

HardwareSerial Serial;
TwoWire Wire;

#ifdef BOARD_SDA
static const int data_line = BOARD_SDA, clock_line = BOARD_SCL;
#else
static const int data_line = SDA, clock_line = SCL;
#endif
static int clocks_needed; /* until a part lets the bus's data line go */
static bool clock_is_low;

/* Lines of the bus are high unless somebody pulls them down: a clock pulse ends as its pin is an input again.
 */
void pinMode(pin_size_t pin, PinMode mode) {
  printf("pinMode %d %d\n", pin, mode);
  if (pin != clock_line) return;
  if (clock_is_low && mode == INPUT_PULLUP && clocks_needed > 0) clocks_needed--;
  clock_is_low = mode == OUTPUT;
}
void digitalWrite(pin_size_t, PinStatus) {}
PinStatus digitalRead(pin_size_t pin) { return pin == data_line && clocks_needed == 0 ? HIGH : LOW; }
int analogRead(pin_size_t) { return 0; }
uint32_t analogReadMilliVolts(uint8_t) { return 0; }
void analogReadResolution(int) {}
void analogWrite(pin_size_t pin, int value) { printf("analogWrite %d %d\n", pin, value); }
void analogWriteRange(uint32_t) {}
void analogWriteFreq(uint32_t) {}
unsigned long millis() { return 0; }
unsigned long micros() { return 0; }
void delayMicroseconds(unsigned int us) { printf("delay %u\n", us); }
void yield() {}
void noInterrupts() {}
void interrupts() {}
int digitalPinToInterrupt(pin_size_t pin) { return pin; }
void attachInterrupt(pin_size_t, voidFuncPtr, PinStatus) {}

#if !defined(ESP_ARDUINO_VERSION_MAJOR) || ESP_ARDUINO_VERSION_MAJOR >= 3
bool ledcAttach(uint8_t pin, uint32_t freq, uint8_t bits) {
  return printf("ledcAttach %d %u %d\n", pin, (unsigned)freq, bits) > 0;
}
bool ledcDetach(uint8_t pin) { return printf("ledcDetach %d\n", pin) > 0; }
bool ledcWrite(uint8_t pin, uint32_t duty) { return printf("ledcWrite %d %u\n", pin, (unsigned)duty) > 0; }
#else
uint32_t ledcSetup(uint8_t channel, uint32_t freq, uint8_t bits) {
  printf("ledcSetup %d %u %d\n", channel, (unsigned)freq, bits);
  return freq;
}
void ledcAttachPin(uint8_t pin, uint8_t channel) { printf("ledcAttachPin %d %d\n", pin, channel); }
void ledcDetachPin(uint8_t pin) { printf("ledcDetachPin %d\n", pin); }
void ledcWrite(uint8_t channel, uint32_t duty) { printf("ledcWrite %d %u\n", channel, (unsigned)duty); }
#endif

void HardwareSerial::begin(unsigned long) { printf("Serial.begin\n"); }
int HardwareSerial::available() { return 0; }
int HardwareSerial::read() { return -1; }
size_t HardwareSerial::write(uint8_t) { return 1; }
#if defined(ARDUINO_USB_CDC_ON_BOOT) && ARDUINO_USB_CDC_ON_BOOT
void HardwareSerial::setTxTimeoutMs(uint32_t timeout) { printf("setTxTimeoutMs %u\n", (unsigned)timeout); }
#endif

void TwoWire::begin() { printf("Wire.begin\n"); }
bool TwoWire::begin(int, int) { return printf("Wire.begin\n") > 0; }
#if !defined(ARDUINO_ARCH_ESP8266)
void TwoWire::end() { printf("Wire.end\n"); }
#endif
void TwoWire::setClock(uint32_t) {}
void TwoWire::beginTransmission(uint8_t) {}
uint8_t TwoWire::endTransmission(bool) { return clocks_needed > 0 ? 4 : 0; }
size_t TwoWire::requestFrom(uint8_t, size_t size) { return size; }
size_t TwoWire::requestFrom(int, int size) { return (size_t)size; }
size_t TwoWire::write(const uint8_t *, size_t size) { return size; }
size_t TwoWire::write(uint8_t) { return 1; }
int TwoWire::available() { return 0; }
int TwoWire::read() { return 0; }
#if defined(ARDUINO_ARCH_ESP32)
void TwoWire::setTimeOut(uint16_t time) { printf("Wire.setTimeOut %d\n", time); }
#elif defined(ARDUINO_ARCH_ESP8266)
void TwoWire::setClockStretchLimit(uint32_t time) {
  printf("Wire.setClockStretchLimit %u\n", (unsigned)time);
}
#elif defined(ARDUINO_ARCH_RP2040)
void TwoWire::setTimeout(uint32_t time, bool reset) {
  printf("Wire.setTimeout %u %d\n", (unsigned)time, reset);
}
#endif

void watchdog_begin() {}
void watchdog_feed() {}

extern "C" void robot_pins_changed(void) {}
extern "C" bool board_has_failed(void) { return false; }

/* Writes to a part while another one holds the bus. */
static void write_to_held_bus(int clocks) {
  const uint8_t out[] = {0x75};
  clocks_needed = clocks;
  printf("held %d\n", clocks);
  printf("answer %d\n", board_i2c(0x68, out, sizeof out, nullptr, 0));
  clocks_needed = 0;
}

int main() {
  board_start(0, nullptr);
  board_i2c_start();
  for (int k = 0; k < 3; k++) board_pwm(OUTPUT_PIN_A, (uint8_t)(100 + k));
  board_pwm(OUTPUT_PIN_A, BOARD_DUTY_FULL);
#ifdef BOARD_LEDC
  for (int k = 0; k < 3; k++) board_servo(OUTPUT_PIN_B, (uint16_t)(1000 + 500 * k));
#endif
  board_output(OUTPUT_PIN_A, true);
  board_output(OUTPUT_PIN_A, false);
  static const int clocks[] = {0, 4, 9, 100};
  for (const int count : clocks) write_to_held_bus(count);
  return 0;
}
