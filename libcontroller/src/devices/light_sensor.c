/* Measures the light that falls on it. */
#include <math.h>
#include <webots/light_sensor.h>

#include "../device.h"

#define VALUE 55

typedef struct {
  Device base;
  double value;
} LightSensor;

static void start(Device *device) { ((LightSensor *)device)->value = NAN; }

static bool take(Device *device, unsigned code, Reader *in) {
  if (code == CONSTANTS)
    device_read_table(device, in);
  else if (code == VALUE)
    ((LightSensor *)device)->value = read_f64(in);
  else
    return false;
  return true;
}

const Kind light_sensor_kind = {
    .class_name = "LightSensor", .size = sizeof(LightSensor), .start = start, .take = take};

#include "../generated/light_sensor.h"
