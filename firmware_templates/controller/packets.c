/* Packets of emitters, one behind the other: place of the channel, then the value as the link writes it. */
#include "packets.h"

#include <string.h>

#include "bytes.h"

#if EMITTER_DEVICES

#define ROOM 512

static uint8_t waiting[ROOM];
static uint16_t filled, told; /* bytes */

/* Bytes of the value that begins at a place. */
static uint16_t value_bytes(uint16_t at) { return (uint16_t)(4 + get_u32(waiting + at)); }

bool packets_send(uint8_t place, int32_t channel, const void *data, uint16_t size) {
  const uint32_t content = (uint32_t)PACKET_BYTES_AT + size;
  if (content + 4 > LINK_MESSAGE || content + 5 > (uint32_t)(ROOM - filled)) return false;
  uint8_t *to = waiting + filled;
  *to++ = place;
  to = put_u32(put_u32(to, content), (uint32_t)channel);
  for (uint8_t k = 0; k < 4; k++) to = put_real(to, 0); /* strength and direction: the receiver knows them */
  memcpy(put_u32(to, size), data, size);
  filled += (uint16_t)(content + 5);
  return true;
}

struct waiting_packet packets_untold(void) {
  if (told == filled) return (struct waiting_packet){NO_PLACE, 0, 0};
  return (struct waiting_packet){waiting[told], waiting + told + 1, value_bytes(told + 1)};
}

void packets_told(void) { told = (uint16_t)(told + value_bytes(told + 1) + 1); }

void packets_arrived(void) {
  filled -= told;
  memmove(waiting, waiting + told, filled);
  told = 0;
}

void packets_renew(void) { told = 0; }

#endif
