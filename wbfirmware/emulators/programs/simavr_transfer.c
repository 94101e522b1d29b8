/* Control transfers of a USB host (USB 2.0 specification, 8.5.3 and 5.5). */
#include "simavr_transfer.h"

#include <string.h>

#include "simavr_bus.h"

#define IS_TO_HOST(packet) ((packet)[0] & 0x80)
#define LONGEST_TURNS 8000 /* 500 ms (9.2.6.4) */
#define SILENT_TURNS 3     /* a setup packet is sent three times */

void transfer_begin(struct transfer *transfer, const uint8_t *packet, const uint8_t *data) {
  transfer->stage = SETUP_STAGE;
  memcpy(transfer->packet, packet, SETUP_BYTES);
  transfer->size = (uint16_t)(packet[6] | packet[7] << 8);
  if (transfer->size > LONGEST_DATA) transfer->size = LONGEST_DATA;
  if (data != NULL) memcpy(transfer->data, data, transfer->size);
  transfer->at = 0;
  transfer->turns = 0;
  transfer->left = WHOLE;
}

static void end(struct transfer *transfer, enum transfer_result result) {
  transfer->stage = NO_STAGE;
  transfer->result = result;
}

static void take(struct transfer *transfer) {
  uint8_t bytes[BUS_PACKET], size = 0;
  const enum bus_answer answer = bus_in(transfer->address, 0, bytes, &size);
  if (answer == BUS_STALL) end(transfer, TRANSFER_STALL);
  if (answer != BUS_DONE) return;
  if (transfer->stage == STATUS_IN_STAGE) {
    end(transfer, size == 0 ? TRANSFER_DONE : TRANSFER_WRONG);
    return;
  }
  if (size > transfer->packet_bytes || size > transfer->size - transfer->at) {
    end(transfer, TRANSFER_WRONG);
    return;
  }
  memcpy(transfer->data + transfer->at, bytes, size);
  transfer->at = (uint16_t)(transfer->at + size);
  if (transfer->left != WHOLE) transfer->left--;
  if (size < transfer->packet_bytes || transfer->at == transfer->size) transfer->stage = STATUS_OUT_STAGE;
}

static void give(struct transfer *transfer) {
  const bool is_data = transfer->stage == OUT_STAGE;
  uint16_t size = is_data ? (uint16_t)(transfer->size - transfer->at) : 0;
  if (size > transfer->packet_bytes) size = transfer->packet_bytes;
  const enum bus_answer answer = bus_out(transfer->address, 0, transfer->data + transfer->at, (uint8_t)size);
  if (answer == BUS_STALL) end(transfer, TRANSFER_STALL);
  if (answer != BUS_DONE) return;
  if (!is_data) {
    end(transfer, TRANSFER_DONE);
    return;
  }
  transfer->at = (uint16_t)(transfer->at + size);
  if (transfer->at == transfer->size) transfer->stage = STATUS_IN_STAGE;
}

static void set_up(struct transfer *transfer) {
  if (bus_setup(transfer->address, transfer->packet) == BUS_DONE)
    transfer->stage = transfer->size == 0            ? STATUS_IN_STAGE
                      : IS_TO_HOST(transfer->packet) ? IN_STAGE
                                                     : OUT_STAGE;
  else if (transfer->turns >= SILENT_TURNS)
    end(transfer, TRANSFER_TIMEOUT);
}

void transfer_go_on(struct transfer *transfer) {
  transfer->turns++;
  if (transfer->left == 0 && transfer->stage != SETUP_STAGE) end(transfer, TRANSFER_DONE);
  switch (transfer->stage) {
    case NO_STAGE: return;
    case SETUP_STAGE: set_up(transfer); break;
    case IN_STAGE:
    case STATUS_IN_STAGE: take(transfer); break;
    case OUT_STAGE:
    case STATUS_OUT_STAGE: give(transfer); break;
  }
  if (transfer->stage != NO_STAGE && transfer->turns > LONGEST_TURNS) end(transfer, TRANSFER_TIMEOUT);
}
