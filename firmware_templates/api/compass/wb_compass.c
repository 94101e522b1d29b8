/* The sensor Compass: made by scripts/generate_firmware_api.py. */
#include "wb_compass.h"

#include <webots/compass.h>

#include "sensor.h"

SENSOR_FUNCTIONS(compass, DEVICE_COMPASS)

const double *wb_compass_get_values(WbDeviceTag tag) { return channel_numbers(channel_of(tag)); }
