/* The test bench of programs on this computer: commands on standard input set pins and advance time; replies
 * go to standard output. See docs/firmware.md. */
#include "bench.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "board.h"
#include "echo.h"
#include "host.h"
#include "pin_parts.h"
#include "registers.h"
#include "serial.h"

#define LINE 8192
#define SLICE 1000         /* us of time advanced at once in lockstep */
#define MAX_START 10000000 /* us allowed before the first step; further time counts as time of steps */

bool bench_lockstep;

static char line[LINE];
static size_t filled;
static uint64_t now, until;
static uint64_t
    scheduled; /* end of all time granted so far; if a run takes longer, the next one is shorter */

/* Flavors with a clock define it (flavor.h). */
__attribute__((weak)) bool flavor_started = true;

/* True during the program's setup. After setup, the bench's time starts at the program's last whole
 * millisecond. */
static bool is_starting(void) {
  static bool started;
  if (!started && (flavor_started || now >= MAX_START)) {
    started = true;
    scheduled += now - now % 1000;
    if (until > 0) until = scheduled;
  }
  return !started;
}

uint64_t bench_now(void) {
  if (bench_lockstep) return now++; /* reading the clock takes time, so that busy-waiting loops end */
  static uint64_t start;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  const uint64_t us = (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
  if (start == 0) start = us;
  return us - start;
}

uint64_t bench_time(void) { return bench_lockstep ? now : bench_now(); }

static void show(int pin) {
  static const char *const uses[] = {"free", "input", "output", "pwm", "servo", "analog"};
  const struct pin *one = &pins[pin];
  const double value = one->use == PIN_PWM ? one->value / (double)BOARD_DUTY_FULL : one->value;
  printf("%s %.9g %u\n", uses[one->use], value, one->use == PIN_PWM ? (unsigned)one->hertz : 0u);
}

/* Decodes hexadecimal digits; returns the number of bytes. */
static size_t read_hex(const char *hex, uint8_t *bytes) {
  size_t size = 0;
  for (unsigned int byte; sscanf(hex, "%2x", &byte) == 1; hex += 2) bytes[size++] = (uint8_t)byte;
  return size;
}

static void send_bytes(const char *hex) {
  uint8_t bytes[LINE / 2];
  wire_put(bytes, read_hex(hex, bytes));
}

static void serial_bytes(const char *hex) {
  uint8_t bytes[LINE / 2];
  serial_put(bytes, read_hex(hex, bytes));
}

extern const char __executable_start; /* start of the program, defined by the linker */

/* Prints bytes of the program's memory; the offset is relative to the start of the program. */
static void print_memory(const char *command) {
  unsigned long offset = 0, size = 0;
  sscanf(command, "%lu %lu", &offset, &size);
  const uint8_t *bytes = (const uint8_t *)((uintptr_t)&__executable_start + offset);
  printf("memory ");
  for (unsigned long k = 0; k < size; k++) printf("%02x", bytes[k]);
  printf("\n");
}

/* Executes a command: drive NAME VALUE, show NAME (a pin, register or echo), send HEX, run US, memory OFFSET
 * SIZE; for the second serial port: give HEX, taken. */
static void run_command(char *command) {
  char verb[16] = "", name[24] = "";
  double value = 0;
  int at = 0;
  sscanf(command, "%15s %n", verb, &at);
  sscanf(command + at, "%23s %lf", name, &value);
  const int pin = bench_pin(name);
  if (strcmp(verb, "drive") == 0 && pin >= 0)
    bench_drive(pin, value);
  else if (strcmp(verb, "show") == 0 && pin >= 0)
    show(pin);
  else if (strcmp(verb, "show") == 0 && registers_is_name(name))
    registers_show(name);
  else if (strcmp(verb, "drive") == 0 &&
           (registers_drive(name, value) || echo_set(name, value) || parts_set(name, value)))
    return;
  else if (strcmp(verb, "show") == 0 && parts_is_shown(name))
    parts_show(name);
  else if (strcmp(verb, "give") == 0)
    serial_bytes(command + at);
  else if (strcmp(verb, "taken") == 0)
    serial_print();
  else if (strcmp(verb, "send") == 0 && bench_lockstep)
    send_bytes(command + at);
  else if (strcmp(verb, "memory") == 0)
    print_memory(command + at);
  else if (strcmp(verb, "run") == 0 && bench_lockstep)
    until = scheduled += strtoull(name, NULL, 10);
  else
    printf("error %s\n", command);
}

/* Reads available input; returns false if there is none. */
static bool read_some(int wait) {
  struct pollfd files[2] = {{STDIN_FILENO, POLLIN, 0}, {wire_descriptor(), POLLIN, 0}};
  if (poll(files, 2, wait) <= 0 || !files[0].revents) return false;
  const ssize_t size = read(STDIN_FILENO, line + filled, sizeof line - 1 - filled);
  if (size <= 0) exit(0); /* standard input was closed */
  filled += (size_t)size;
  return true;
}

/* Executes one input line; returns false if there is none. */
static bool take_line(void) {
  line[filled] = 0;
  char *end = memchr(line, '\n', filled);
  if (end == NULL) return false;
  *end = 0;
  char command[LINE];
  memcpy(command, line, (size_t)(end - line) + 1);
  filled -= (size_t)(end - line) + 1;
  memmove(line, end + 1, filled);
  run_command(command);
  return true;
}

/* The timer of a program: its period in us, 0 while it does not run, and the time of the next call. */
static struct {
  uint32_t period;
  uint64_t due;
  void (*call)(void);
} timer;

void bench_every(uint32_t period, void (*call)(void)) {
  timer.period = period;
  timer.due = bench_time() + period;
  timer.call = call;
}

static void serve_timer(void) {
  for (const uint64_t time = bench_time(); timer.period > 0 && timer.due <= time; timer.due += timer.period)
    timer.call();
}

static uint64_t timer_next(void) { return timer.period > 0 ? timer.due : UINT64_MAX; }

void bench_serve(int wait) {
  serve_timer();
  if (!bench_lockstep) {
    if (read_some(wait))
      while (take_line()) {
      }
    return;
  }
  const bool starts = is_starting();
  while (starts ? until == 0 : now >= until) {
    if (until > 0) wire_print();
    until = 0;
    if (!take_line()) read_some(-1);
  }
  echo_serve(now);
  parts_serve(now);
  const uint64_t end = starts || until > now + SLICE ? now + SLICE : until;
  const uint64_t parts = echo_next() < parts_next() ? echo_next() : parts_next();
  const uint64_t due = timer_next() < parts ? timer_next() : parts;
  const uint64_t next = due < end ? due : end;
  if (next > now) now = next;
}
