/* The sensor Gyro: made by scripts/generate_firmware_api.py. */
#include "wb_gyro.h"

#include <webots/gyro.h>

#include "sensor.h"

SENSOR_FUNCTIONS(gyro, DEVICE_GYRO)

const double *wb_gyro_get_values(WbDeviceTag tag) { return channel_numbers(channel_of(tag)); }
