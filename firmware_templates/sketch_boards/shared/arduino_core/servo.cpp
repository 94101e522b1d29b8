/* Servo pulses on any board with an Arduino core: by timer 1 on an Uno or Nano, otherwise by a library.
 * Boards with BOARD_LEDC have their own (ledc.cpp). */
#include "core.h"

extern "C" {
#include "board.h"
#include "config.h"
}

#if defined(SERVO_COUNT) && !defined(BOARD_LEDC)
#if defined(ARDUINO_ARCH_ESP32)
#include <ESP32Servo.h>
#elif !defined(__AVR_ATmega328P__)
#include <Servo.h>
#endif

#ifdef __AVR_ATmega328P__

/* Timer 1 counts every 0.5 us with a period of 20 ms. */
#define TICKS_PER_US 2
#define SERVO_TOP 39999u

extern "C" void board_servo(uint8_t pin, uint16_t pulse) {
  const uint8_t connect = pin == PIN_D9 ? _BV(COM1A1) : _BV(COM1B1);
  if (pulse == 0) {
    TCCR1A &= (uint8_t)~connect;
    board_output(pin, false);
    return;
  }
  TCCR1A = (uint8_t)((TCCR1A & (_BV(COM1A1) | _BV(COM1B1))) | _BV(WGM11));
  TCCR1B = _BV(WGM13) | _BV(WGM12) | _BV(CS11);
  ICR1 = SERVO_TOP;
  if (pin == PIN_D9)
    OCR1A = pulse * TICKS_PER_US;
  else
    OCR1B = pulse * TICKS_PER_US;
  board_output(pin, false);
  TCCR1A |= connect;
}

#else

#define SHORTEST 400 /* us: the limits of hardware maps */
#define LONGEST 2600

static Servo servos[SERVO_COUNT];
static uint8_t pins[SERVO_COUNT], used;

/* The servo at a pin; the first call for a pin takes the next one. */
static Servo &servo_at(uint8_t pin) {
  uint8_t k = 0;
  while (k < used && pins[k] != pin) k++;
  if (k == used) pins[used++] = pin;
  return servos[k];
}

extern "C" void board_servo(uint8_t pin, uint16_t pulse) {
  Servo &servo = servo_at(pin);
  if (pulse == 0) {
    if (servo.attached()) servo.detach();
    board_output(pin, false);
    return;
  }
  if (!servo.attached()) servo.attach(pin, SHORTEST, LONGEST);
  servo.writeMicroseconds(pulse);
}

#endif
#endif
