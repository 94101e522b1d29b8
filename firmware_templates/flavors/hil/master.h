/* The controller's end of the robot link: messages without a clock or a wire. */
#ifndef MASTER_H
#define MASTER_H

#include <stdbool.h>
#include <stdint.h>

/* What a message that has come means. */
enum master_news { MASTER_NOTHING, MASTER_WELCOME, MASTER_REPLY, MASTER_SESSION_ENDED, MASTER_REFUSED };

/* A message to be sent; it stays until the next one is made. */
struct outgoing {
  const uint8_t *data;
  uint16_t size;
};

/* Take random numbers: who this is (0: no number can be drawn), and how far sessions are counted. Before all
 * else. */
void master_start(uint32_t number, uint16_t last_session);

/* Begin a new session: the first message of it. */
struct outgoing master_hello(void);

/* The next message of a step, with what the robot does not know yet. All but the last one are parts. */
struct outgoing master_request(uint16_t elapsed);

/* Was that a part? */
bool master_has_parts(void);

/* Ask for the rest of a reply that was too large. */
struct outgoing master_continue(void);

/* Say goodbye. */
struct outgoing master_leave(void);

/* Take a message. What sensors say in a reply that was waited for is noted. */
enum master_news master_take(const uint8_t *message, uint16_t size);

/* The robot has not said all yet. */
bool master_more(void);

/* Of the last reply: the robot's clock in ms, and by how many ms it was late. */
uint32_t master_time(void);
uint16_t master_delay(void);

/* A sampling period was set. */
void master_period(uint8_t period);

#endif
