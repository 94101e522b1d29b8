/* Measures its height above the world's origin. */
#include <math.h>
#include <webots/altimeter.h>

#include "../device.h"

#define VALUE 1

typedef struct {
  Device base;
  double value;
} Altimeter;

static void start(Device *device) { ((Altimeter *)device)->value = NAN; }

static bool take(Device *device, unsigned code, Reader *in) {
  if (code != VALUE) return false;
  ((Altimeter *)device)->value = read_f64(in);
  return true;
}

const Kind altimeter_kind = {
    .class_name = "Altimeter", .size = sizeof(Altimeter), .start = start, .take = take};

#include "../generated/altimeter.h"
