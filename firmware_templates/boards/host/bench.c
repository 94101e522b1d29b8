/* The bench around a board that is a program: lines on standard input drive pins and time, lines on standard
   output answer. See docs/firmware.md. */
#include "bench.h"

#include <ctype.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "board.h"
#include "echo.h"
#include "host.h"
#include "registers.h"
#include "robot.h"
#include "serial.h"

#define LINE 8192
#define SLICE 1000             /* us that pass at once in lockstep */
#define LONGEST_START 10000000 /* us before the first step; what is beyond counts as time of the steps */

bool bench_lockstep;

static char line[LINE];
static size_t filled;
static uint64_t now, until;
static uint64_t
    scheduled; /* end of all time that was given: what a run takes too long, the next one has less */

/* A flavor that keeps time has its own (flavor.h). */
__attribute__((weak)) bool flavor_begun = true;

/* Is the program still setting up its parts? When it has done so, time begins for the bench: at the last
   whole millisecond, as the program counts those. */
static bool is_starting(void) {
  static bool begun;
  if (!begun && (flavor_begun || now >= LONGEST_START)) {
    begun = true;
    scheduled += now - now % 1000;
    if (until > 0) until = scheduled;
  }
  return !begun;
}

uint64_t bench_now(void) {
  if (bench_lockstep)
    return now++; /* to look takes time: who waits for a time to come must not wait for ever */
  static uint64_t start;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  const uint64_t us = (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
  if (start == 0) start = us;
  return us - start;
}

/* The number of a pin's name; -1: there is none. */
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

static void show(int pin) {
  static const char *const uses[] = {"free", "input", "output", "pwm", "servo", "analog"};
  const struct pin *one = &pins[pin];
  const double value = one->use == PIN_PWM ? one->value / (double)BOARD_DUTY_FULL : one->value;
  printf("%s %.9g\n", uses[one->use], value);
}

/* Bytes from their digits; how many. */
static size_t read_hex(const char *hex, uint8_t *bytes) {
  size_t size = 0;
  for (unsigned int byte; sscanf(hex, "%2x", &byte) == 1; hex += 2) bytes[size++] = (uint8_t)byte;
  return size;
}

static void send_bytes(const char *hex) {
  uint8_t bytes[LINE / 2];
  wire_put(bytes, read_hex(hex, bytes));
}

static void give_bytes(const char *hex) {
  uint8_t bytes[LINE / 2];
  serial_give(bytes, read_hex(hex, bytes));
}

extern const char __executable_start; /* the linker's name for where the program begins */

/* Bytes of the program's own memory; the place counts from where it begins. */
static void tell_memory(const char *words) {
  unsigned long place = 0, size = 0;
  sscanf(words, "%lu %lu", &place, &size);
  const uint8_t *bytes = (const uint8_t *)((uintptr_t)&__executable_start + place);
  printf("memory ");
  for (unsigned long k = 0; k < size; k++) printf("%02x", bytes[k]);
  printf("\n");
}

/* Do what a line says: drive NAME VALUE, show NAME (of a pin, a register or an echo), send HEX, run US; of
   the second serial port: give HEX, taken; memory PLACE SIZE. */
static void obey(char *words) {
  char verb[16] = "", name[24] = "";
  double value = 0;
  int at = 0;
  sscanf(words, "%15s %n", verb, &at);
  sscanf(words + at, "%23s %lf", name, &value);
  const int pin = bench_pin(name);
  if (strcmp(verb, "drive") == 0 && pin >= 0)
    bench_drive(pin, value);
  else if (strcmp(verb, "show") == 0 && pin >= 0)
    show(pin);
  else if (strcmp(verb, "drive") == 0 && registers_is_name(name))
    registers_drive(name, value);
  else if (strcmp(verb, "show") == 0 && registers_is_name(name))
    registers_show(name);
  else if (strcmp(verb, "drive") == 0 && echo_set(name, value))
    return;
  else if (strcmp(verb, "give") == 0)
    give_bytes(words + at);
  else if (strcmp(verb, "taken") == 0)
    serial_taken();
  else if (strcmp(verb, "send") == 0 && bench_lockstep)
    send_bytes(words + at);
  else if (strcmp(verb, "memory") == 0)
    tell_memory(words + at);
  else if (strcmp(verb, "run") == 0 && bench_lockstep)
    until = scheduled += strtoull(name, NULL, 10);
  else
    printf("error %s\n", words);
}

/* Read what is there; false: there is nothing. */
static bool read_some(int wait) {
  struct pollfd files[2] = {{STDIN_FILENO, POLLIN, 0}, {wire_descriptor(), POLLIN, 0}};
  if (poll(files, 2, wait) <= 0 || !files[0].revents) return false;
  const ssize_t size = read(STDIN_FILENO, line + filled, sizeof line - 1 - filled);
  if (size <= 0) exit(0); /* nobody holds the bench any more */
  filled += (size_t)size;
  return true;
}

/* Take one line from what was read; false: there is none. */
static bool take_line(void) {
  line[filled] = 0;
  char *end = memchr(line, '\n', filled);
  if (end == NULL) return false;
  *end = 0;
  char words[LINE];
  memcpy(words, line, (size_t)(end - line) + 1);
  filled -= (size_t)(end - line) + 1;
  memmove(line, end + 1, filled);
  obey(words);
  return true;
}

void bench_serve(int wait) {
  if (!bench_lockstep) {
    if (read_some(wait))
      while (take_line()) {
      }
    return;
  }
  const bool starts = is_starting();
  while (starts ? until == 0 : now >= until) {
    if (until > 0) wire_tell();
    until = 0;
    if (!take_line()) read_some(-1);
  }
  echo_serve(now);
  const uint64_t end = starts || until > now + SLICE ? now + SLICE : until;
  const uint64_t next = echo_next() < end ? echo_next() : end;
  if (next > now) now = next;
}
