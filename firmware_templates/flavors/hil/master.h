/* The controller's end of the robot link: creates and decodes messages, without a clock or a wire. */
#ifndef MASTER_H
#define MASTER_H

#include <stdbool.h>
#include <stdint.h>

/* The event that a received message causes. */
enum master_event { MASTER_NONE, MASTER_WELCOME, MASTER_REPLY, MASTER_SESSION_ENDED, MASTER_REFUSED };

/* A message to send; valid until the next one is created. */
struct outgoing {
  const uint8_t *data;
  uint16_t size;
};

/* Sets the client number (0: no random number available) and the last session number. Call this first. */
void master_start(uint32_t number, uint16_t last_session);

/* Creates the first message of a new session. */
struct outgoing master_hello(void);

/* Creates the next message of a step, with pending commands and periods. All messages of a step but the last
 * are parts. */
struct outgoing master_request(uint16_t elapsed);

/* True if that request was a part. */
bool master_has_parts(void);

/* Requests the rest of a reply that was too large. */
struct outgoing master_continue(void);

/* Ends the session. */
struct outgoing master_leave(void);

/* Takes a message; stores the sensor values of an expected reply. */
enum master_event master_take(const uint8_t *message, uint16_t size);

/* True if the reply is incomplete. */
bool master_more(void);

/* From the last reply: the robot's clock in ms, and the delay of the step in ms. */
uint32_t master_time(void);
uint16_t master_delay(void);

/* Called when a sampling period was set. */
void master_period(uint8_t period);

#endif
