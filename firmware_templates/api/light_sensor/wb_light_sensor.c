/* The sensor LightSensor: made by scripts/generate_firmware_api.py. */
#include "wb_light_sensor.h"

#include <webots/light_sensor.h>

#include "sensor.h"

SENSOR_FUNCTIONS(light_sensor, DEVICE_LIGHT_SENSOR)

double wb_light_sensor_get_value(WbDeviceTag tag) { return channel_number(channel_of(tag)); }
