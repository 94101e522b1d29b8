/* Packets of emitters, queued until the flavor has sent them to the robot. */
#ifndef PACKETS_H
#define PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "channels.h"
#include "config.h"

/* Offsets in a packet as the link encodes it: channel, strength, direction, size, data. */
#define PACKET_SIZE_AT (4 + 4 * LINK_REAL)
#define PACKET_BYTES_AT (8 + 4 * LINK_REAL)

struct pending_packet {
  uint8_t index;        /* of the emitter's channel; NO_INDEX: no packet */
  const uint8_t *value; /* as the link encodes it, starting with its size */
  uint16_t bytes;       /* of the value */
};

#if EMITTER_DEVICES

/* Queues a packet; returns false if the queue is full. */
bool packets_send(uint8_t index, int32_t channel, const void *data, uint16_t size);

/* The oldest packet that was not sent. */
struct pending_packet packets_next_pending(void);

/* Marks it as sent. */
void packets_mark_sent(void);

/* Removes sent packets from the queue after their arrival. */
void packets_acknowledge(void);

/* Marks all queued packets for sending again. */
void packets_resend(void);

#else

static inline struct pending_packet packets_next_pending(void) {
  return (struct pending_packet){NO_INDEX, 0, 0};
}

static inline void packets_mark_sent(void) {}

static inline void packets_acknowledge(void) {}

static inline void packets_resend(void) {}

#endif

#endif
