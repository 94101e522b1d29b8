/* Emitter: each packet is sent with the next step, on the channel that was set when it was queued. */
#include "wb_emitter.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <webots/emitter.h>

#include "channels.h"
#include "devices.h"
#include "messages.h"
#include "packets.h"
#include "text.h"

static int32_t chosen[EMITTER_DEVICES];
static bool is_chosen[EMITTER_DEVICES];

static int32_t channel_of(uint8_t index) {
  return is_chosen[index] ? chosen[index] : emitter_table[index].start_channel;
}

int wb_emitter_send(WbDeviceTag tag, const void *data, int size) {
  const uint8_t index = device_index(tag, DEVICE_EMITTER);
  if (index == NO_DEVICE) return 0;
  if (data == NULL && size > 0) {
    REPORT_NULL("wb_emitter_send");
    return 0;
  }
  if (size > 0 && packets_send(emitter_table[index].packets, channel_of(index), data, (uint16_t)size))
    return 1;
  PRINT(MESSAGE_PACKET_NOT_SENT "\n");
  return 0;
}

void wb_emitter_set_channel(WbDeviceTag tag, int channel) {
  const uint8_t index = device_index(tag, DEVICE_EMITTER);
  if (index == NO_DEVICE) return;
  chosen[index] = channel;
  is_chosen[index] = true;
}

int wb_emitter_get_channel(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_EMITTER);
  return index == NO_DEVICE ? 0 : (int)channel_of(index);
}

void wb_emitter_set_range(WbDeviceTag tag, double range) {
  const uint8_t index = device_index(tag, DEVICE_EMITTER);
  if (index != NO_DEVICE && !isnan(range)) channel_set_one(emitter_table[index].range, range);
}

double wb_emitter_get_range(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_EMITTER);
  if (index == NO_DEVICE) return NAN;
  const double set = channel_number(emitter_table[index].range);
  return isnan(set) ? emitter_table[index].start_range : set;
}

int wb_emitter_get_buffer_size(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_EMITTER);
  return index == NO_DEVICE ? 0 : (int)emitter_table[index].buffer_size;
}
