/* Host board: ultrasonic sensors in lockstep. After a trigger pulse, the echo pin is high for a time set by
 * the bench. */
#include "echo.h"

#include <stdio.h>
#include <string.h>

#define SENSORS 16
#define DELAY 450 /* us from the trigger to the echo's rising edge */
#define NEVER UINT64_MAX

static struct sensor {
  int trigger, echo;
  uint32_t width; /* us; 0: no echo */
  uint64_t rises, falls;
} sensors[SENSORS];
static int known;

static struct sensor *sensor_at(int trigger, int echo) {
  for (int k = 0; k < known; k++)
    if (sensors[k].trigger == trigger && sensors[k].echo == echo) return &sensors[k];
  if (known == SENSORS) return NULL;
  sensors[known] = (struct sensor){trigger, echo, 0, NEVER, NEVER};
  return &sensors[known++];
}

bool echo_set(const char *name, double width) {
  char trigger[8], echo[8];
  int end = 0;
  if (sscanf(name, "ECHO:%7[^:]:%7s%n", trigger, echo, &end) != 2 || name[end] != 0) return false;
  const int pins[] = {bench_pin(trigger), bench_pin(echo)};
  struct sensor *sensor = pins[0] < 0 || pins[1] < 0 ? NULL : sensor_at(pins[0], pins[1]);
  if (sensor != NULL) sensor->width = (uint32_t)width;
  return sensor != NULL;
}

void echo_triggered(int pin, uint64_t now) {
  for (int k = 0; k < known; k++)
    if (sensors[k].trigger == pin && sensors[k].width > 0) sensors[k].rises = now + DELAY;
}

uint64_t echo_next(void) {
  uint64_t next = NEVER;
  for (int k = 0; k < known; k++) {
    next = sensors[k].rises < next ? sensors[k].rises : next;
    next = sensors[k].falls < next ? sensors[k].falls : next;
  }
  return next;
}

void echo_serve(uint64_t now) {
  for (int k = 0; k < known; k++) {
    struct sensor *sensor = &sensors[k];
    if (sensor->rises <= now) {
      sensor->falls = sensor->rises + sensor->width;
      sensor->rises = NEVER;
      bench_drive(sensor->echo, 1);
    } else if (sensor->falls <= now) {
      sensor->falls = NEVER;
      bench_drive(sensor->echo, 0);
    }
  }
}
