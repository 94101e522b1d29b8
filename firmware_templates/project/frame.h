/* Messages on a wire of bytes. frame_cobs.c is for serial lines, frame_length.c for TCP. */
#ifndef FRAME_H
#define FRAME_H

#include <stdint.h>

#include "config.h"

/* The message that has come; it may be written to, up to LINK_MESSAGE bytes. */
extern uint8_t frame_message[LINK_MESSAGE + 2];

/* Take a byte from the wire; return the size of the message that it completes, 0: there is none yet. */
uint16_t frame_take(uint8_t byte);

/* Forget what has come of the next message: a new controller is at the wire. */
void frame_reset(void);

/* Send a message. */
void frame_send(const uint8_t *message, uint16_t size);

#endif
