/* The sensor Accelerometer: made by scripts/generate_firmware_api.py. */
#include "wb_accelerometer.h"

#include <webots/accelerometer.h>

#include "sensor.h"

SENSOR_FUNCTIONS(accelerometer, DEVICE_ACCELEROMETER)

const double *wb_accelerometer_get_values(WbDeviceTag tag) { return channel_numbers(channel_of(tag)); }
