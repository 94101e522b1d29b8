/* Packets of emitters and receivers on a serial line: a zero byte, COBS of (channel, bytes, CRC-16), a zero
   byte. The channel is an i32, the CRC a u16 of the kind that the robot link's frames have; both little
   endian. */
#ifndef PACKET_H
#define PACKET_H

#include <stdint.h>

#include "bytes.h"

#define PACKET_MOST 128 /* bytes of a packet; longer ones are lost */
#define PACKET_EXTRA 6  /* channel and CRC */
#define PACKET_FRAME (PACKET_MOST + PACKET_EXTRA + 3)

/* A packet as the robot link has it: channel, strength, direction, size; then its bytes. */
#define PACKET_HEAD (8 + 4 * LINK_REAL)

/* Write the frame of a packet of at most PACKET_MOST bytes; how long it is, at most PACKET_FRAME. */
uint8_t packet_frame(uint8_t *frame, int32_t channel, const uint8_t *data, uint8_t size);

/* A frame that is on its way in. */
struct packet {
  uint8_t bytes[PACKET_MOST + PACKET_EXTRA]; /* channel, bytes, CRC */
  uint8_t filled;
  uint8_t left; /* bytes of the block that are to come */
  bool zero, damaged;
};

/* Take a byte. True: a right packet is complete; its bytes stand behind its channel, without the CRC in
 * `filled`. */
bool packet_take(struct packet *packet, uint8_t byte);

#endif
