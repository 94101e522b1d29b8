/* Packets of emitters and receivers on a serial line. */
#include "packet.h"

#include "crc.h"

/* A byte of the frame's content: channel, data, CRC. */
static uint8_t byte_at(const uint8_t *head, const uint8_t *data, uint8_t size, uint16_t crc, uint8_t at) {
  if (at < 4) return head[at];
  if (at < size + 4) return data[at - 4];
  return (uint8_t)(at == size + 4 ? crc : crc >> 8);
}

uint8_t packet_frame(uint8_t *frame, int32_t channel, const uint8_t *data, uint8_t size) {
  const uint8_t total = size + PACKET_EXTRA;
  uint8_t head[4], *to = frame;
  put_u32(head, (uint32_t)channel);
  uint16_t crc = CRC16_START;
  for (uint8_t k = 0; k < size + 4; k++) crc = crc16(crc, byte_at(head, data, size, 0, k));
  *to++ = 0;
  for (uint8_t at = 0; at <= total;) { /* each block ends with a zero or with the frame; no block is full */
    uint8_t *code = to++;
    while (at < total && byte_at(head, data, size, crc, at) != 0)
      *to++ = byte_at(head, data, size, crc, at++);
    *code = (uint8_t)(to - code);
    at++;
  }
  *to++ = 0;
  return (uint8_t)(to - frame);
}

static void push(struct packet *packet, uint8_t byte) {
  if (packet->filled < sizeof packet->bytes)
    packet->bytes[packet->filled++] = byte;
  else
    packet->damaged = true;
}

/* True if the received frame is a valid packet. */
static bool is_valid(const struct packet *packet) {
  if (packet->damaged || packet->block_left > 0 || packet->filled < PACKET_EXTRA) return false;
  uint16_t crc = CRC16_START;
  for (uint8_t k = 0; k < packet->filled - 2; k++) crc = crc16(crc, packet->bytes[k]);
  return crc == get_u16(packet->bytes + packet->filled - 2);
}

bool packet_take(struct packet *packet, uint8_t byte) {
  if (byte == 0) {
    const bool valid = is_valid(packet);
    packet->filled = valid ? packet->filled - 2 : 0;
    packet->block_left = 0;
    packet->zero = packet->damaged = false;
    return valid;
  }
  if (packet->block_left > 0) {
    push(packet, byte);
    packet->block_left--;
    return false;
  }
  if (packet->zero) push(packet, 0);
  packet->block_left = byte - 1;
  packet->zero = true;
  return false;
}
