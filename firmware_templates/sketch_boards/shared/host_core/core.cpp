/* Pins, time, serial line and bus of the Arduino API on this computer. */
#include "core.h"

#include <Arduino.h>
#include <Servo.h>
#include <Wire.h>
#include <stdio.h>
#include <string.h>

extern "C" {
#include "bench.h"
#include "board.h"
#include "bytes.h"
#include "config.h"
#include "echo.h"
#include "host.h"
#include "registers.h"
}
#include "pin_names.h"

extern void setup();
extern void loop();

struct pin pins[BOARD_PINS];
void (*pins_changed)(uint8_t pin);
HardwareSerial Serial;
TwoWire Wire;

static uint16_t converted[BOARD_PINS]; /* readings of the analog inputs */
static void (*handlers[BOARD_PINS])();
static bool is_wire;           /* the serial line carries the link */
static int16_t next_byte = -1; /* received; -1: none */

extern "C" int bench_pin(const char *name) {
  for (const auto &one : pin_names)
    if (strcmp(one.name, name) == 0) return one.number;
  return -1;
}

extern "C" void bench_drive(int pin, double value) {
  struct pin &one = pins[pin];
  const uint16_t before = one.value;
  const double share = value / BOARD_SUPPLY;
  converted[pin] = (uint16_t)(share >= 1 ? BOARD_ADC_TOP : share * BOARD_ADC_TOP + 0.5);
  one.driven = true;
  one.value = one.use == PIN_ANALOG ? converted[pin] : value != 0;
  if (one.value == before) return;
  if (one.watched) handlers[pin]();
  if (pins_changed != nullptr) pins_changed((uint8_t)pin);
}

void pinMode(uint8_t pin, uint8_t mode) {
  struct pin &one = pins[pin];
  one.use = mode == OUTPUT ? PIN_OUTPUT : PIN_INPUT;
  if (mode != OUTPUT && !one.driven) one.value = mode == INPUT_PULLUP;
}

void digitalWrite(uint8_t pin, uint8_t level) {
  struct pin &one = pins[pin];
  if (one.use == PIN_OUTPUT && one.value && !level) echo_triggered(pin, bench_time());
  one.value = level;
}

int digitalRead(uint8_t pin) { return pins[pin].value != 0 ? HIGH : LOW; }

int analogRead(uint8_t pin) {
  pins[pin].use = PIN_ANALOG;
  return pins[pin].value = converted[pin];
}

void analogWrite(uint8_t pin, int duty) {
  pins[pin].use = PIN_PWM;
  pins[pin].value = (uint16_t)duty;
}

#define SERVO_HZ 50 /* at this frequency, pulses are those of servos */

static struct {
  uint32_t hertz;
  uint8_t bits;
} ledc[BOARD_PINS];

bool ledcAttach(uint8_t pin, uint32_t hertz, uint8_t bits) {
  ledc[pin] = {hertz, bits};
  return true;
}

bool ledcDetach(uint8_t pin) {
  ledc[pin] = {0, 0};
  pins[pin].use = PIN_FREE;
  return true;
}

bool ledcWrite(uint8_t pin, uint32_t duty) {
  const auto &one = ledc[pin];
  if (one.hertz == 0) return false;
  const bool is_servo = one.hertz == SERVO_HZ;
  const double full = is_servo ? 1e6 / SERVO_HZ : BOARD_DUTY_FULL + 1;
  const double value = duty / (double)(1ul << one.bits) * full + 0.5;
  pins[pin].use = is_servo ? PIN_SERVO : PIN_PWM;
  pins[pin].value = (uint16_t)(is_servo || value < BOARD_DUTY_FULL ? value : BOARD_DUTY_FULL);
  return true;
}

void Servo::writeMicroseconds(int pulse) {
  pins[number].use = PIN_SERVO;
  pins[number].value = (uint16_t)pulse;
}

void Servo::detach() {
  pins[number].use = PIN_FREE;
  number = -1;
}

/* One timer, which counts microseconds. */
struct hw_timer_t {
  void (*handler)();
};

static hw_timer_t timer;

hw_timer_t *timerBegin(uint32_t) { return &timer; }

void timerAttachInterrupt(hw_timer_t *, void (*handler)()) { timer.handler = handler; }

void timerAlarm(hw_timer_t *, uint64_t counts, bool, uint64_t) {
  bench_every((uint32_t)counts, timer.handler);
}

unsigned long millis() { return (uint32_t)(bench_now() / 1000); }

unsigned long micros() { return (uint32_t)bench_now(); }

void delayMicroseconds(unsigned int) {}

void yield() { bench_serve(1); }

void noInterrupts() {}

void interrupts() {}

int digitalPinToInterrupt(uint8_t pin) { return pin; }

void attachInterrupt(uint8_t interrupt, void (*handler)(), int) {
  handlers[interrupt] = handler;
  pins[interrupt].watched = true;
}

void HardwareSerial::begin(unsigned long) {}

int HardwareSerial::available() {
  if (is_wire && next_byte < 0) next_byte = wire_read();
  return next_byte >= 0;
}

int HardwareSerial::read() {
  const int byte = available() ? next_byte : -1;
  next_byte = -1;
  return byte;
}

size_t HardwareSerial::write(uint8_t byte) {
  if (is_wire)
    wire_write(byte);
  else
    fputc(byte, stderr);
  return 1;
}

size_t HardwareSerial::print(const char *text) {
  size_t size = 0;
  while (*text != 0) size += write((uint8_t)*text++);
  return size;
}

size_t HardwareSerial::println(const char *text) { return print(text) + print("\r\n"); }

/* Nothing holds a line of the bus: parts are tables of registers. */
void TwoWire::begin(int sda, int scl) {
  pinMode((uint8_t)sda, INPUT_PULLUP);
  pinMode((uint8_t)scl, INPUT_PULLUP);
}

void TwoWire::beginTransmission(uint8_t address) {
  device = address;
  is_first = true;
}

size_t TwoWire::write(const uint8_t *data, size_t size) {
  for (size_t k = 0; k < size && registers_connected(device); k++) {
    registers_write(device, is_first, data[k]);
    is_first = false;
  }
  return size;
}

uint8_t TwoWire::endTransmission(bool) { return registers_connected(device) ? 0 : 2; }

size_t TwoWire::requestFrom(int address, int size) {
  device = (uint8_t)address;
  left = registers_connected(device) ? size : 0;
  return (size_t)left;
}

int TwoWire::read() {
  if (left == 0) return -1;
  left--;
  return registers_read(device);
}

int main(int argc, char **argv) {
  const char *wire = "pty";
  setvbuf(stdout, nullptr, _IOLBF, 0);
  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--lockstep") == 0)
      bench_lockstep = true;
    else
      wire = argv[k];
  }
  is_wire = bench_lockstep || strcmp(wire, "pty") == 0;
  if (is_wire)
    wire_open(wire);
  else
    network_open(wire);
  setup();
  for (;;) loop();
}
