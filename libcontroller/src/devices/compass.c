/* Shows where north is. */
#include <math.h>
#include <webots/compass.h>

#include "../device.h"

#define VALUES 52

typedef struct {
  Device base;
  double values[3];
} Compass;

static void start(Device *device) {
  Compass *self = (Compass *)device;
  for (int i = 0; i < 3; ++i) self->values[i] = NAN;
}

static bool take(Device *device, unsigned code, Reader *in) {
  if (code == CONSTANTS)
    device_read_table(device, in);
  else if (code == VALUES)
    read_f64s(in, ((Compass *)device)->values, 3);
  else
    return false;
  return true;
}

const Kind compass_kind = {.class_name = "Compass", .size = sizeof(Compass), .start = start, .take = take};

#include "../generated/compass.h"
