/* Framing on a serial line: a zero byte, COBS of (message, CRC-16), a zero byte. */
#include <stdbool.h>

#include "board.h"
#include "bytes.h"
#include "crc.h"
#include "frame.h"

#define BLOCK_FULL 0xFF /* code byte of a block of 254 bytes that no zero follows */

uint8_t frame_message[LINK_MESSAGE + 2];

static uint16_t filled;
static uint8_t block_left = 0; /* bytes missing from the block */
static bool zero, damaged;     /* `zero`: a zero follows the block */

static void push(uint8_t byte) {
  if (filled < sizeof frame_message)
    frame_message[filled++] = byte;
  else
    damaged = true;
}

/* At the end of a frame: the size of its message, 0 if it is damaged or empty. */
static uint16_t complete(void) {
  if (damaged || block_left > 0 || filled < 3) return 0;
  uint16_t crc = CRC16_START;
  for (uint16_t k = 0; k < filled - 2u; k++) crc = crc16(crc, frame_message[k]);
  return crc == get_u16(frame_message + filled - 2) ? (uint16_t)(filled - 2) : 0;
}

void frame_reset(void) {
  filled = 0;
  block_left = 0;
  zero = damaged = false;
}

uint16_t frame_take(uint8_t byte) {
  if (byte == 0) {
    const uint16_t size = complete();
    frame_reset();
    return size;
  }
  if (block_left > 0) {
    push(byte);
    block_left--;
    return 0;
  }
  if (zero) push(0);
  block_left = (uint8_t)(byte - 1);
  zero = byte != BLOCK_FULL;
  return 0;
}

/* A byte of the frame's content: the message, then its CRC. */
static uint8_t byte_at(const uint8_t *message, uint16_t size, uint16_t crc, uint16_t at) {
  return (uint8_t)(at < size ? message[at] : at == size ? crc : crc >> 8);
}

void frame_send(const uint8_t *message, uint16_t size) {
  uint16_t crc = CRC16_START;
  for (uint16_t k = 0; k < size; k++) crc = crc16(crc, message[k]);
  const uint16_t total = (uint16_t)(size + 2);
  board_write_byte(0);
  for (uint16_t at = 0; at <= total;) {
    uint16_t run = 0;
    while (run < BLOCK_FULL - 1u && at + run < total && byte_at(message, size, crc, at + run) != 0) run++;
    board_write_byte((uint8_t)(run + 1));
    for (uint16_t k = 0; k < run; k++) board_write_byte(byte_at(message, size, crc, at + k));
    at = (uint16_t)(at + run + (run < BLOCK_FULL - 1u));
  }
  board_write_byte(0);
}
