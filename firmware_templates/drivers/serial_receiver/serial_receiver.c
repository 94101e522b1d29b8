/* A receiver on a serial line. A board has one such line; packets wait here until they are read. */
#include "serial_receiver.h"

#include <string.h>

#include "board.h"
#include "packet.h"

#define QUEUE_BYTES 256
#define ALL_CHANNELS (-1) /* receive all channels */

static struct packet incoming;
static uint8_t queue[QUEUE_BYTES]; /* for each packet: size of channel and data, channel, data */
static uint16_t queued;
static int32_t own_channel;

void serial_receiver_stop(uint8_t k) {
  queued = 0;
  own_channel = serial_receiver_table[k].channel;
}

void serial_receiver_start(uint8_t k) {
  serial_receiver_stop(k);
  board_serial_start(serial_receiver_table[k].baud);
}

void serial_receiver_channel(uint8_t k, int32_t channel) {
  (void)k;
  own_channel = channel;
}

/* Queues a packet on this receiver's channel if it fits into the queue and into a message. */
static void queue_packet(void) {
  const int32_t channel = get_i32(incoming.bytes);
  const uint8_t size = incoming.filled;
  incoming.filled = 0;
  if ((own_channel != ALL_CHANNELS && channel != ALL_CHANNELS && channel != own_channel) ||
      queued + size + 1u > QUEUE_BYTES || size + PACKET_HEAD > ROBOT_VALUE_BYTES)
    return;
  queue[queued++] = size;
  memcpy(queue + queued, incoming.bytes, size);
  queued += size;
}

void serial_receiver_update(uint8_t k, uint16_t elapsed) {
  (void)k;
  (void)elapsed;
  for (int16_t byte = board_serial_read(); byte != BOARD_NO_BYTE; byte = board_serial_read())
    if (packet_take(&incoming, (uint8_t)byte)) queue_packet();
}

uint8_t serial_receiver_packets(uint8_t k, uint8_t *value, uint8_t space) {
  (void)k;
  uint8_t *to = value + 4;
  uint16_t copied = 0;
  while (copied < queued) {
    const uint8_t size = (uint8_t)(queue[copied] - 4);
    if ((uint16_t)(to - value) + PACKET_HEAD + size > space) break;
    memcpy(to, queue + copied + 1, 4);
    to = put_real(to + 4, 1); /* a serial line has no signal strength and direction */
    for (uint8_t axis = 0; axis < 3; axis++) to = put_real(to, 0);
    to = put_u32(to, size);
    memcpy(to, queue + copied + 5, size);
    to += size;
    copied = (uint16_t)(copied + size + 5);
  }
  if (copied == 0) return 0;
  queued -= copied;
  memmove(queue, queue + copied, queued);
  put_u32(value, (uint32_t)(to - value) - 4);
  return (uint8_t)(to - value);
}
