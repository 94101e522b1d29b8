/* An emitter at a serial line. A board has one such line; frames wait here until it takes them. */
#include "serial_emitter.h"

#include <string.h>

#include "board.h"
#include "packet.h"

#define ROOM (2 * PACKET_FRAME)

static uint8_t waiting[ROOM];
static uint16_t filled;

void serial_emitter_start(uint8_t k) {
  filled = 0;
  board_serial_start(serial_emitter_table[k].baud);
}

void serial_emitter_update(uint8_t k, uint16_t elapsed) {
  (void)k;
  (void)elapsed;
  uint16_t sent = 0;
  while (sent < filled && board_serial_write(waiting[sent])) sent++;
  filled -= sent;
  memmove(waiting, waiting + sent, filled);
}

static void send(int32_t channel, const uint8_t *data, uint32_t size) {
  if (size > PACKET_MOST || filled + PACKET_FRAME > ROOM) return; /* as in the air: it is lost */
  filled += packet_frame(waiting + filled, channel, data, (uint8_t)size);
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
