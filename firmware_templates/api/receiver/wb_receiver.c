/* Receiver: packets wait in a queue; a packet that does not fit is lost. */
#include "wb_receiver.h"

#include <math.h>
#include <string.h>
#include <webots/receiver.h>

#include "bytes.h"
#include "packets.h"
#include "sensor.h"

#define QUEUE_BYTES 512

static uint8_t queues[RECEIVER_DEVICES][QUEUE_BYTES];
static uint16_t queued[RECEIVER_DEVICES];

SENSOR_FUNCTIONS(receiver, DEVICE_RECEIVER)

/* Size of a packet in the queue. */
static uint16_t packet_bytes(const uint8_t *packet) {
  return (uint16_t)(PACKET_BYTES_AT + get_u32(packet + PACKET_SIZE_AT));
}

static void queue_packet(uint8_t k, const uint8_t *packet) {
  const uint16_t bytes = packet_bytes(packet);
  if (bytes > QUEUE_BYTES - queued[k]) return;
  memcpy(queues[k] + queued[k], packet, bytes);
  queued[k] += bytes;
}

void receiver_take(uint8_t index, const uint8_t *value) {
  const uint8_t *end = value + 4 + get_u32(value);
  for (uint8_t k = 0; k < RECEIVER_DEVICES; k++) {
    if (receiver_table[k].value != index) continue;
    for (const uint8_t *packet = value + 4; end - packet >= PACKET_BYTES_AT; packet += packet_bytes(packet)) {
      if (get_u32(packet + PACKET_SIZE_AT) > (uint32_t)(end - packet - PACKET_BYTES_AT))
        return; /* truncated */
      queue_packet(k, packet);
    }
  }
}

/* The first packet; NULL if the queue is empty. */
static const uint8_t *first(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_RECEIVER);
  return index == NO_DEVICE || queued[index] == 0 ? NULL : queues[index];
}

int wb_receiver_get_queue_length(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_RECEIVER);
  int count = 0;
  if (index != NO_DEVICE)
    for (uint16_t at = 0; at < queued[index]; at += packet_bytes(queues[index] + at)) count++;
  return count;
}

void wb_receiver_next_packet(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_RECEIVER);
  if (index == NO_DEVICE || queued[index] == 0) return;
  const uint16_t bytes = packet_bytes(queues[index]);
  queued[index] -= bytes;
  memmove(queues[index], queues[index] + bytes, queued[index]);
}

const void *wb_receiver_get_data(WbDeviceTag tag) {
  const uint8_t *packet = first(tag);
  return packet == NULL ? NULL : packet + PACKET_BYTES_AT;
}

int wb_receiver_get_data_size(WbDeviceTag tag) {
  const uint8_t *packet = first(tag);
  return packet == NULL ? -1 : (int)get_u32(packet + PACKET_SIZE_AT);
}

double wb_receiver_get_signal_strength(WbDeviceTag tag) {
  const uint8_t *packet = first(tag);
  return packet == NULL ? NAN : (double)get_real(packet + 4);
}

const double *wb_receiver_get_emitter_direction(WbDeviceTag tag) {
  static double direction[3];
  const uint8_t *packet = first(tag);
  for (uint8_t k = 0; k < 3; k++)
    direction[k] = packet == NULL ? NAN : (double)get_real(packet + 4 + (k + 1) * LINK_REAL);
  return direction;
}

void wb_receiver_set_channel(WbDeviceTag tag, int channel) {
  const uint8_t index = device_index(tag, DEVICE_RECEIVER);
  if (index != NO_DEVICE) channel_set_one(receiver_table[index].channel, channel);
}

int wb_receiver_get_channel(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_RECEIVER);
  if (index == NO_DEVICE) return 0;
  const double set = channel_number(receiver_table[index].channel);
  return isnan(set) ? (int)receiver_table[index].start_channel : (int)set;
}
