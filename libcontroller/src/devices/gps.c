/* A GPS, which measures its position and speed. */
#include <math.h>
#include <stdio.h>
#include <webots/gps.h>

#include "../device.h"

#define VALUES 2

typedef struct {
  Device base;
  int coordinate_system;
  double values[3], speed, speed_vector[3];
} GPS;

static void start(Device *device) {
  GPS *self = (GPS *)device;
  self->speed = NAN;
  for (int i = 0; i < 3; ++i) self->values[i] = self->speed_vector[i] = NAN;
}

static bool take(Device *device, unsigned code, Reader *in) {
  GPS *self = (GPS *)device;
  if (code == CONSTANTS)
    self->coordinate_system = read_i32(in);
  else if (code == VALUES) {
    read_f64s(in, self->values, 3);
    self->speed = read_f64(in);
    read_f64s(in, self->speed_vector, 3);
  } else
    return false;
  return true;
}

const Kind gps_kind = {.class_name = "GPS", .size = sizeof(GPS), .start = start, .take = take};

const char *wb_gps_convert_to_degrees_minutes_seconds(double decimal_degrees) {
  static char text[64];
  if (!(fabs(decimal_degrees) < 1e6)) return "";
  const int degrees = (int)decimal_degrees, minutes = (int)((decimal_degrees - degrees) * 60);
  const int seconds = (int)(((decimal_degrees - degrees) * 60 - minutes) * 60);
  snprintf(text, sizeof text, "%d° %d′ %d″", degrees, minutes, seconds);
  return text;
}

#include "../generated/gps.h"
