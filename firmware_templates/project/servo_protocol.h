/* The packets of servos at a line: each kind of servo has its own (sts_servo.c, dynamixel_servo.c). */
#ifndef SERVO_PROTOCOL_H
#define SERVO_PROTOCOL_H

#include "bus_servo.h"

/* A line has servos of one kind. */
#ifdef STS_SERVO_COUNT
#define BUS_SERVO_COUNT STS_SERVO_COUNT
#define bus_servo_table sts_servo_table
#else
#define BUS_SERVO_COUNT DYNAMIXEL_SERVO_COUNT
#define bus_servo_table dynamixel_servo_table
#endif
#define SERVO_PACKET_BYTES 56

extern const FLASH struct bus_servo bus_servo_table[BUS_SERVO_COUNT];

struct servo_goal {
  uint8_t id;
  int32_t position; /* counts */
  int32_t speed;    /* counts per second; of wheels with a sign */
};

/* Write packets; return their size. Torque and goals go to several servos, which do not answer. */
uint8_t servo_protocol_torque(uint8_t *packet, const uint8_t *ids, uint8_t count);
uint8_t servo_protocol_goals(uint8_t *packet, const struct servo_goal *goals, uint8_t count, bool wheels);
uint8_t servo_protocol_ask(uint8_t *packet, uint8_t id);

/* Forgets the bytes of an unfinished answer. */
void servo_protocol_reset(void);

/* Takes a byte; true if it completes the answer of a servo, which is then in `state`. */
bool servo_protocol_take(uint8_t byte, uint8_t id, struct servo_state *state);

#endif
