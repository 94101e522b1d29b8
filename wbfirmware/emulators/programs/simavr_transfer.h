/* Control transfers of a USB host (USB 2.0 specification, 8.5.3 and 5.5). */
#ifndef SIMAVR_TRANSFER_H
#define SIMAVR_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#define SETUP_BYTES 8
#define LONGEST_DATA 1024

enum transfer_result { TRANSFER_DONE, TRANSFER_STALL, TRANSFER_TIMEOUT, TRANSFER_WRONG };

struct transfer {
  enum { NO_STAGE, SETUP_STAGE, IN_STAGE, OUT_STAGE, STATUS_IN_STAGE, STATUS_OUT_STAGE } stage;
  enum transfer_result result; /* of the last one that has ended */
  uint8_t packet[SETUP_BYTES];
  uint8_t data[LONGEST_DATA]; /* from the device, or to it */
  uint16_t size, at;          /* bytes that the host asks for or sends; those that have passed */
  uint8_t address, packet_bytes;
  unsigned turns; /* since it began */
  unsigned left;  /* packets of data, after which the host gives it up */
};

#define WHOLE ~0u /* `left` of a transfer that is not given up */

/* Begins a transfer; `data`, which may be NULL, are those to the device. */
void transfer_begin(struct transfer *transfer, const uint8_t *packet, const uint8_t *data);

/* Transfers the next packet, if the device lets it pass. */
void transfer_go_on(struct transfer *transfer);

#endif
