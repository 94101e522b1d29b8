/* A board emulated on this computer: pins are variables that the test bench (bench.c) reads and writes. */
#include "board.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>

#include "bench.h"
#include "echo.h"
#include "host.h"
#include "pin_parts.h"
#include "robot.h"

#define WATCHDOG_S 1 /* of processor time */

struct pin pins[BOARD_PINS];

int main(int argc, char **argv);

static volatile sig_atomic_t idled;
static bool hung;

/* The watchdog restarts a program that never idles, with all pins in their initial state. */
static void watchdog_expired(int signal) {
  static char name[] = "board";
  static char *none[] = {name, NULL};
  (void)signal;
  if (idled) {
    idled = false;
    return;
  }
  memset(pins, 0, sizeof pins);
  hung = true;
  main(1, none);
}

static void start_watchdog(void) {
  const struct itimerval time = {{WATCHDOG_S, 0}, {WATCHDOG_S, 0}};
  const struct sigaction action = {.sa_handler = watchdog_expired, .sa_flags = SA_RESTART | SA_NODEFER};
  sigaction(SIGVTALRM, &action, NULL);
  setitimer(ITIMER_VIRTUAL, &time, NULL);
}

uint8_t board_reset_cause(void) { return hung ? CAUSE_WATCHDOG : CAUSE_NONE; }

void board_start(int argc, char **argv) {
  const char *wire = "pty";
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int k = 1; k < argc; k++)
    if (strcmp(argv[k], "--lockstep") == 0)
      bench_lockstep = true;
    else
      wire = argv[k];
  for (int k = PIN_A0; k < BOARD_PINS; k++) pins[k].use = PIN_ANALOG;
  if (hung) return; /* after a restart */
  start_watchdog();
  wire_open(wire);
}

int16_t board_read_byte(void) { return wire_read(); }

void board_write_byte(uint8_t byte) { wire_write(byte); }

void board_disconnect(void) { wire_close(); }

uint32_t board_millis(void) { return (uint32_t)(bench_now() / 1000); }

uint32_t board_micros(void) { return (uint32_t)bench_now(); }

/* The number of a named pin; -1 if there is none. */
int bench_pin(const char *name) {
  const int number = atoi(name + 1);
  if (name[0] == 'D' && isdigit((unsigned char)name[1]) && number <= PIN_D31) return number;
  return name[0] == 'A' && isdigit((unsigned char)name[1]) && number <= PIN_A15 - PIN_A0 ? PIN_A0 + number
                                                                                         : -1;
}

void bench_drive(int pin, double value) {
  struct pin *const one = &pins[pin];
  const uint16_t before = one->value;
  one->driven = true;
  one->value = (uint16_t)(pin < PIN_A0 ? value != 0 : value / 5.0 * BOARD_ADC_TOP + 0.5);
  if (one->watched && one->value != before) robot_pins_changed();
}

void board_input(uint8_t pin, bool pull_up) {
  const bool was_high = pins[pin].use == PIN_OUTPUT && pins[pin].value;
  pins[pin].use = PIN_INPUT;
  if (!pins[pin].driven) pins[pin].value = pull_up;
  if (was_high) parts_released(pin, bench_time());
}

void board_output(uint8_t pin, bool level) {
  if (pins[pin].use == PIN_OUTPUT && pins[pin].value && !level) echo_triggered(pin, bench_time());
  const bool changes = pins[pin].use != PIN_OUTPUT || (pins[pin].value != 0) != level;
  pins[pin].use = PIN_OUTPUT;
  pins[pin].value = level;
  if (changes) parts_output(pin, level);
}

void board_pixel(uint8_t pin, const uint8_t *bytes) {
  pins[pin].use = PIN_OUTPUT;
  parts_pixel(pin, bytes, bench_time());
}

bool board_level(uint8_t pin) { return pins[pin].value != 0; }

void board_watch(uint8_t pin) { pins[pin].watched = true; }

uint16_t board_adc(uint8_t pin) { return pins[pin].value; }

void board_pwm(uint8_t pin, uint8_t duty) {
  pins[pin].use = PIN_PWM;
  pins[pin].value = duty;
}

void board_pwm_frequency(uint8_t pin, uint32_t hertz) { pins[pin].hertz = hertz; }

void board_servo(uint8_t pin, uint16_t pulse) {
  pins[pin].use = PIN_SERVO;
  pins[pin].value = pulse;
}

uint32_t board_random(void) {
  uint32_t number;
  return getrandom(&number, sizeof number, 0) == sizeof number ? number : 0;
}

#ifdef BOARD_TICK_TIMER
void board_ticks_start(void) { bench_every(1000000 / BOARD_TICKS, robot_tick); }
#endif

void board_lock(void) {}

void board_unlock(void) {}

void board_idle(void) {
  idled = true;
  bench_serve(1);
}
