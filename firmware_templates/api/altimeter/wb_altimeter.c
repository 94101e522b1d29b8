/* The sensor Altimeter: made by scripts/generate_firmware_api.py. */
#include "wb_altimeter.h"

#include <webots/altimeter.h>

#include "sensor.h"

SENSOR_FUNCTIONS(altimeter, DEVICE_ALTIMETER)

double wb_altimeter_get_value(WbDeviceTag tag) { return channel_number(channel_of(tag)); }
