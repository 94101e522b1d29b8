/* Queue of emitter packets: for each packet the index of the channel, then the value as the link encodes it.
 */
#include "packets.h"

#include <string.h>

#include "bytes.h"

#if EMITTER_DEVICES

#define QUEUE_BYTES 512

static uint8_t queue[QUEUE_BYTES];
static uint16_t queued, sent; /* bytes */

/* Size of the value at an offset. */
static uint16_t value_bytes(uint16_t at) { return (uint16_t)(4 + get_u32(queue + at)); }

bool packets_send(uint8_t index, int32_t channel, const void *data, uint16_t size) {
  const uint32_t content = (uint32_t)PACKET_BYTES_AT + size;
  if (content + 4 > LINK_MESSAGE || content + 5 > (uint32_t)(QUEUE_BYTES - queued)) return false;
  uint8_t *to = queue + queued;
  *to++ = index;
  to = put_u32(put_u32(to, content), (uint32_t)channel);
  for (uint8_t k = 0; k < 4; k++) to = put_real(to, 0); /* strength and direction: set by the receiver */
  memcpy(put_u32(to, size), data, size);
  queued += (uint16_t)(content + 5);
  return true;
}

struct pending_packet packets_next_pending(void) {
  if (sent == queued) return (struct pending_packet){NO_INDEX, 0, 0};
  return (struct pending_packet){queue[sent], queue + sent + 1, value_bytes(sent + 1)};
}

void packets_mark_sent(void) { sent = (uint16_t)(sent + value_bytes(sent + 1) + 1); }

void packets_acknowledge(void) {
  queued -= sent;
  memmove(queue, queue + sent, queued);
  sent = 0;
}

void packets_resend(void) { sent = 0; }

#endif
