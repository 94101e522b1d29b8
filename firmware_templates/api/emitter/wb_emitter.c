/* Emitters: each packet leaves with the next step, on the channel that was chosen when it was sent. */
#include "wb_emitter.h"

#include <math.h>
#include <stdbool.h>
#include <webots/emitter.h>

#include "channels.h"
#include "devices.h"
#include "packets.h"
#include "text.h"

static int32_t chosen[EMITTER_DEVICES];
static bool is_chosen[EMITTER_DEVICES];

static int32_t channel_of(uint8_t place) {
  return is_chosen[place] ? chosen[place] : emitter_table[place].start_channel;
}

int wb_emitter_send(WbDeviceTag tag, const void *data, int size) {
  const uint8_t place = device_place(tag, DEVICE_EMITTER);
  if (place == NO_DEVICE) return 0;
  if (size > 0 && packets_send(emitter_table[place].packets, channel_of(place), data, (uint16_t)size))
    return 1;
  SAY("wbridge: a packet has no room\n");
  return 0;
}

void wb_emitter_set_channel(WbDeviceTag tag, int channel) {
  const uint8_t place = device_place(tag, DEVICE_EMITTER);
  if (place == NO_DEVICE) return;
  chosen[place] = channel;
  is_chosen[place] = true;
}

int wb_emitter_get_channel(WbDeviceTag tag) {
  const uint8_t place = device_place(tag, DEVICE_EMITTER);
  return place == NO_DEVICE ? 0 : (int)channel_of(place);
}

void wb_emitter_set_range(WbDeviceTag tag, double range) {
  const uint8_t place = device_place(tag, DEVICE_EMITTER);
  if (place != NO_DEVICE && !isnan(range)) channel_set_one(emitter_table[place].range, range);
}

double wb_emitter_get_range(WbDeviceTag tag) {
  const uint8_t place = device_place(tag, DEVICE_EMITTER);
  if (place == NO_DEVICE) return NAN;
  const double set = channel_number(emitter_table[place].range);
  return isnan(set) ? emitter_table[place].start_range : set;
}

int wb_emitter_get_buffer_size(WbDeviceTag tag) {
  const uint8_t place = device_place(tag, DEVICE_EMITTER);
  return place == NO_DEVICE ? 0 : (int)emitter_table[place].buffer_size;
}
