/* A touch sensor of the type "bumper", "force" or "force-3d". */
#include <math.h>
#include <webots/touch_sensor.h>

#include "../device.h"
#include "../generated/messages.h"
#include "../generated/touch_sensor_codec.h"

typedef struct {
  Device base;
  TOUCH_SENSOR_MEMBERS;
} TouchSensor;

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
