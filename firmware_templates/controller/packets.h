/* Packets of emitters: they wait here until the flavor has told them to the robot. */
#ifndef PACKETS_H
#define PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "channels.h"
#include "config.h"

/* In a packet as the link writes it: channel, strength, direction, size; then its bytes. */
#define PACKET_SIZE_AT (4 + 4 * LINK_REAL)
#define PACKET_BYTES_AT (8 + 4 * LINK_REAL)

struct waiting_packet {
  uint8_t place;        /* of the emitter's channel; NO_PLACE: there is no packet */
  const uint8_t *value; /* as the link writes it, with the number of bytes in front */
  uint16_t bytes;       /* of the value */
};

#if EMITTER_DEVICES

/* Let a packet wait; false: there is no room. */
bool packets_send(uint8_t place, int32_t channel, const void *data, uint16_t size);

/* The packet that has not been told for longest. */
struct waiting_packet packets_untold(void);

/* It has been told. */
void packets_told(void);

/* What has been told has arrived. */
void packets_arrived(void);

/* What has not arrived has to be told again. */
void packets_renew(void);

#else

static inline struct waiting_packet packets_untold(void) { return (struct waiting_packet){NO_PLACE, 0, 0}; }

static inline void packets_told(void) {}

static inline void packets_arrived(void) {}

static inline void packets_renew(void) {}

#endif

#endif
