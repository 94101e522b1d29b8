/* LED. */
#include "wb_led.h"

#include <math.h>
#include <webots/led.h>

#include "channels.h"
#include "devices.h"

static uint8_t channel_of(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_LED);
  return index == NO_DEVICE ? NO_INDEX : led_table[index].value;
}

void wb_led_set(WbDeviceTag tag, int value) { channel_set_one(channel_of(tag), value); }

int wb_led_get(WbDeviceTag tag) {
  const double value = channel_number(channel_of(tag));
  return isnan(value) ? 0 : (int)value;
}
