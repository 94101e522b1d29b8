/* A touch sensor of the type "bumper", "force" or "force-3d". */
#include <math.h>
#include <webots/touch_sensor.h>

#include "../device.h"
#include "../generated/messages.h"

#define VALUE 40
#define VALUES 41

typedef struct {
  Device base;
  int type;
  double value, values[3];
} TouchSensor;

static void start(Device *device) {
  TouchSensor *self = (TouchSensor *)device;
  self->value = NAN;
  for (int i = 0; i < 3; ++i) self->values[i] = NAN;
}

static bool take(Device *device, unsigned code, Reader *in) {
  TouchSensor *self = (TouchSensor *)device;
  if (code == CONSTANTS) {
    self->type = read_i32(in);
    device_read_table(device, in);
  } else if (code == VALUE)
    self->value = read_f64(in);
  else if (code == VALUES)
    read_f64s(in, self->values, 3);
  else
    return false;
  return true;
}

const Kind touch_sensor_kind = {
    .class_name = "TouchSensor", .size = sizeof(TouchSensor), .start = start, .take = take};

double wb_touch_sensor_get_value(WbDeviceTag tag) {
  const TouchSensor *self = device_find(tag, &touch_sensor_kind, __func__);
  if (!self) return NAN;
  device_check_enabled(&self->base, __func__);
  if (self->type == WB_TOUCH_SENSOR_FORCE3D) report_error(__func__, MESSAGE_NOT_FOR_VECTORS);
  return self->value;
}

const double *wb_touch_sensor_get_values(WbDeviceTag tag) {
  const TouchSensor *self = device_find(tag, &touch_sensor_kind, __func__);
  if (!self) return NULL;
  device_check_enabled(&self->base, __func__);
  if (self->type != WB_TOUCH_SENSOR_FORCE3D) report_error(__func__, MESSAGE_ONLY_FOR_VECTORS);
  return self->values;
}

#include "../generated/touch_sensor.h"
