/* Framing of messages: frame_cobs.c for serial lines, frame_length.c for TCP, and the wires of boards with
 * Wi-Fi. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

/* The received message; may be overwritten, up to LINK_MESSAGE bytes. */
extern uint8_t frame_message[LINK_MESSAGE + 2];

/* Takes a byte from the wire. Returns the size of the message that it completes, or 0. */
uint16_t frame_take(uint8_t byte);

/* Discards a partly received message, after a new controller has connected. */
void frame_reset(void);

#ifdef LINK_CONNECTIONS
/* On wires with several connections: true if the message came by another one than the last Welcome was sent
 * to. */
bool frame_is_foreign(void);
#endif

/* Sends a message. */
void frame_send(const uint8_t *message, uint16_t size);

#endif
