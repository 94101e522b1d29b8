/* Packets of emitters and receivers on a serial line: a zero byte, COBS of (channel, data, CRC-16), a zero
 * byte. The channel is an i32, the CRC a u16 as in the robot link's frames; both are little endian. */
#ifndef PACKET_H
#define PACKET_H

#include <stdint.h>

#include "bytes.h"

#define MAX_PACKET 128 /* maximum size of a packet's data in bytes; longer packets are discarded */
#define PACKET_EXTRA 6 /* channel and CRC */
#define PACKET_FRAME (MAX_PACKET + PACKET_EXTRA + 3)

/* Size of a packet's header in the robot link: channel, strength, direction, data size. */
#define PACKET_HEAD (8 + 4 * LINK_REAL)

/* Writes the frame of a packet with at most MAX_PACKET bytes. Returns its size, at most PACKET_FRAME. */
uint8_t packet_frame(uint8_t *frame, int32_t channel, const uint8_t *data, uint8_t size);

/* A partly received frame. */
struct packet {
  uint8_t bytes[MAX_PACKET + PACKET_EXTRA]; /* channel, data, CRC */
  uint8_t filled;
  uint8_t block_left; /* bytes missing from the block */
  bool zero, damaged;
};

/* Takes a byte. Returns true if it completes a valid packet: the data is after the channel, and `filled`
 * excludes the CRC. */
bool packet_take(struct packet *packet, uint8_t byte);

#endif
