/* Measures the distance to what is in front of it. */
#include <math.h>
#include <webots/distance_sensor.h>

#include "../device.h"

#define VALUE 50

typedef struct {
  Device base;
  int type;
  double min_value, max_value, aperture;
  double value;
} DistanceSensor;

static void start(Device *device) { ((DistanceSensor *)device)->value = NAN; }

static void take_constants(DistanceSensor *self, Reader *in) {
  self->type = read_i32(in);
  self->min_value = read_f64(in);
  self->max_value = read_f64(in);
  self->aperture = read_f64(in);
  device_read_table(&self->base, in);
}

static bool take(Device *device, unsigned code, Reader *in) {
  DistanceSensor *self = (DistanceSensor *)device;
  if (code == CONSTANTS)
    take_constants(self, in);
  else if (code == VALUE)
    self->value = read_f64(in);
  else
    return false;
  return true;
}

const Kind distance_sensor_kind = {
    .class_name = "DistanceSensor", .size = sizeof(DistanceSensor), .start = start, .take = take};

#include "../generated/distance_sensor.h"
