/* A receiver at a serial line. A board has one such line; packets wait here until they are asked for. */
#include "serial_receiver.h"

#include <string.h>

#include "board.h"
#include "packet.h"

#define ROOM 256
#define ALL (-1) /* channels */

static struct packet incoming;
static uint8_t waiting[ROOM]; /* of each packet: its size with the channel, the channel, its bytes */
static uint16_t filled;
static int32_t own_channel;

void serial_receiver_start(uint8_t k) {
  filled = 0;
  own_channel = serial_receiver_table[k].channel;
  board_serial_start(serial_receiver_table[k].baud);
}

void serial_receiver_channel(uint8_t k, int32_t channel) {
  (void)k;
  own_channel = channel;
}

/* Keep a packet that is for this channel, if there is room here and in a message. */
static void keep(void) {
  const int32_t channel = get_i32(incoming.bytes);
  const uint8_t size = incoming.filled;
  incoming.filled = 0;
  if ((own_channel != ALL && channel != ALL && channel != own_channel) || filled + size + 1u > ROOM ||
      size + PACKET_HEAD > ROBOT_VALUE_BYTES)
    return;
  waiting[filled++] = size;
  memcpy(waiting + filled, incoming.bytes, size);
  filled += size;
}

void serial_receiver_update(uint8_t k, uint16_t elapsed) {
  (void)k;
  (void)elapsed;
  for (int16_t byte = board_serial_read(); byte != BOARD_NOTHING; byte = board_serial_read())
    if (packet_take(&incoming, (uint8_t)byte)) keep();
}

uint8_t serial_receiver_packets(uint8_t k, uint8_t *value, uint8_t room) {
  (void)k;
  uint8_t *to = value + 4;
  uint16_t given = 0;
  while (given < filled) {
    const uint8_t size = (uint8_t)(waiting[given] - 4);
    if ((uint16_t)(to - value) + PACKET_HEAD + size > room) break;
    memcpy(to, waiting + given + 1, 4);
    to = put_real(to + 4, 1); /* a line says nothing of strength and direction */
    for (uint8_t axis = 0; axis < 3; axis++) to = put_real(to, 0);
    to = put_u32(to, size);
    memcpy(to, waiting + given + 5, size);
    to += size;
    given = (uint16_t)(given + size + 5);
  }
  if (given == 0) return 0;
  filled -= given;
  memmove(waiting, waiting + given, filled);
  put_u32(value, (uint32_t)(to - value) - 4);
  return (uint8_t)(to - value);
}
