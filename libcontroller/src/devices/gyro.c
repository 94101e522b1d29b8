/* Measures its angular velocity. */
#include <math.h>
#include <webots/gyro.h>

#include "../device.h"

#define VALUES 53

typedef struct {
  Device base;
  double values[3];
} Gyro;

static void start(Device *device) {
  Gyro *self = (Gyro *)device;
  for (int i = 0; i < 3; ++i) self->values[i] = NAN;
}

static bool take(Device *device, unsigned code, Reader *in) {
  if (code == CONSTANTS)
    device_read_table(device, in);
  else if (code == VALUES)
    read_f64s(in, ((Gyro *)device)->values, 3);
  else
    return false;
  return true;
}

const Kind gyro_kind = {.class_name = "Gyro", .size = sizeof(Gyro), .start = start, .take = take};

#include "../generated/gyro.h"
