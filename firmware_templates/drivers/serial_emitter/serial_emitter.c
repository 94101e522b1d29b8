/* An emitter on a serial line. A board has one such line; frames wait here until they are sent. */
#include "serial_emitter.h"

#include <string.h>

#include "board.h"
#include "packet.h"

#define QUEUE_BYTES (2 * PACKET_FRAME)

static uint8_t queue[QUEUE_BYTES];
static uint16_t queued;

void serial_emitter_start(uint8_t k) {
  queued = 0;
  board_serial_start(serial_emitter_table[k].baud);
}

void serial_emitter_update(uint8_t k, uint16_t elapsed) {
  (void)k;
  (void)elapsed;
  uint16_t sent = 0;
  while (sent < queued && board_serial_write(queue[sent])) sent++;
  queued -= sent;
  memmove(queue, queue + sent, queued);
}

static void send(int32_t channel, const uint8_t *data, uint32_t size) {
  if (size > MAX_PACKET || queued + PACKET_FRAME > QUEUE_BYTES) return; /* lost, as a radio packet would be */
  queued += packet_frame(queue + queued, channel, data, (uint8_t)size);
}

void serial_emitter_packets(uint8_t k, const uint8_t *content, uint32_t size) {
  while (size >= PACKET_HEAD) {
    const uint32_t bytes = get_u32(content + PACKET_HEAD - 4);
    if (bytes > size - PACKET_HEAD) return;
    send(get_i32(content), content + PACKET_HEAD, bytes);
    serial_emitter_update(k, 0);
    content += PACKET_HEAD + bytes;
    size -= PACKET_HEAD + bytes;
  }
}
