/* The board that is a program: pins are variables. bench.c shows them to whoever has started the program. */
#include "board.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "host.h"

struct pin pins[BOARD_PINS];

void board_start(int argc, char **argv) {
  const char *wire = "pty";
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int k = 1; k < argc; k++)
    if (strcmp(argv[k], "--lockstep") == 0)
      bench_lockstep = true;
    else
      wire = argv[k];
  for (int k = PIN_A0; k < BOARD_PINS; k++)
    pins[k].use = PIN_ANALOG;
  wire_open(wire);
}

uint32_t board_millis(void) {
  return (uint32_t)(bench_now() / 1000);
}

uint32_t board_micros(void) {
  return (uint32_t)bench_now();
}

void board_input(uint8_t pin, bool pull_up) {
  pins[pin].use = PIN_INPUT;
  if (!pins[pin].driven)
    pins[pin].value = pull_up;
}

void board_output(uint8_t pin, bool level) {
  pins[pin].use = PIN_OUTPUT;
  pins[pin].value = level;
}

bool board_level(uint8_t pin) {
  return pins[pin].value != 0;
}

void board_watch(uint8_t pin) {
  pins[pin].watched = true;
}

uint16_t board_adc(uint8_t pin) {
  return pins[pin].value;
}

void board_pwm(uint8_t pin, uint8_t duty) {
  pins[pin].use = PIN_PWM;
  pins[pin].value = duty;
}

void board_servo(uint8_t pin, uint16_t pulse) {
  pins[pin].use = PIN_SERVO;
  pins[pin].value = pulse;
}

void board_lock(void) {
}

void board_unlock(void) {
}

void board_idle(void) {
  bench_serve(1);
}
