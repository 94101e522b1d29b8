/* Functions that all sampled devices have. The structure of each kind has a member `value`: the index of its
 * channel. */
#ifndef SENSOR_H
#define SENSOR_H

#include "channels.h"
#include "devices.h"

#define SENSOR_FUNCTIONS(key, number)                                                              \
  static uint8_t channel_of(WbDeviceTag tag) {                                                     \
    const uint8_t index = device_index(tag, number);                                               \
    return index == NO_DEVICE ? NO_INDEX : key##_table[index].value;                               \
  }                                                                                                \
  void wb_##key##_enable(WbDeviceTag tag, int period) { channel_enable(channel_of(tag), period); } \
  void wb_##key##_disable(WbDeviceTag tag) { channel_enable(channel_of(tag), 0); }                 \
  int wb_##key##_get_sampling_period(WbDeviceTag tag) { return channel_period(channel_of(tag)); }

#endif
