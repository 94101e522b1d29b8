/* Framing over TCP: the size as u32, then the message. */
#include <stdbool.h>

#include "board.h"
#include "bytes.h"
#include "frame.h"

#define LENGTH_BYTES 4

uint8_t frame_message[LINK_MESSAGE + 2];

static uint8_t head[LENGTH_BYTES];
static uint8_t head_filled;
static uint16_t filled;

void frame_reset(void) {
  head_filled = 0;
  filled = 0;
}

uint16_t frame_take(uint8_t byte) {
  if (head_filled < LENGTH_BYTES) {
    head[head_filled++] = byte;
    if (head_filled == LENGTH_BYTES && (get_u32(head) == 0 || get_u32(head) > LINK_MESSAGE))
      board_disconnect(); /* the start of the next message is unknown */
    return 0;
  }
  frame_message[filled++] = byte;
  const uint16_t size = (uint16_t)get_u32(head);
  if (filled < size) return 0;
  frame_reset();
  return size;
}

void frame_send(const uint8_t *message, uint16_t size) {
  uint8_t length[LENGTH_BYTES];
  put_u32(length, size);
  for (uint8_t k = 0; k < LENGTH_BYTES; k++) board_write_byte(length[k]);
  for (uint16_t k = 0; k < size; k++) board_write_byte(message[k]);
}
