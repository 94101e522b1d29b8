/* Measures the acceleration of its place, gravity included. */
#include <math.h>
#include <webots/accelerometer.h>

#include "../device.h"

#define VALUES 51

typedef struct {
  Device base;
  double values[3];
} Accelerometer;

static void start(Device *device) {
  Accelerometer *self = (Accelerometer *)device;
  for (int i = 0; i < 3; ++i) self->values[i] = NAN;
}

static bool take(Device *device, unsigned code, Reader *in) {
  if (code == CONSTANTS)
    device_read_table(device, in);
  else if (code == VALUES)
    read_f64s(in, ((Accelerometer *)device)->values, 3);
  else
    return false;
  return true;
}

const Kind accelerometer_kind = {
    .class_name = "Accelerometer", .size = sizeof(Accelerometer), .start = start, .take = take};

#include "../generated/accelerometer.h"
