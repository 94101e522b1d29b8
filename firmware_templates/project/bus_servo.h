/* Servos that share a serial line with two directions: each has a number, and answers only when it is asked.
 */
#ifndef BUS_SERVO_H
#define BUS_SERVO_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"

struct bus_servo {
  uint8_t rx, tx; /* set by the board */
  uint32_t baud;
  uint8_t id;
  bool wheel;    /* the servo is in its mode for wheels: velocity only */
  bool inverted; /* positive is the other way */
  real zero;     /* count at the position 0 */
  real max_velocity, max_torque;
};

#if defined(STS_SERVO_HEALTH_COUNT) || defined(DYNAMIXEL_SERVO_HEALTH_COUNT)
#define BUS_SERVO_HEALTH
#endif

/* What a servo says of itself, in its own units. */
struct servo_state {
  int32_t position; /* counts */
  int32_t load;     /* 0.1 % of its largest torque */
#ifdef BUS_SERVO_HEALTH
  uint16_t volts;  /* 0.1 V */
  uint8_t celsius; /* degrees */
#endif
};

/* The functions of the drivers of such servos (served_by in their driver.toml). */
void bus_servo_start(uint8_t k);
void bus_servo_stop(uint8_t k);
void bus_servo_update(uint8_t k, uint16_t elapsed);
void bus_servo_position(uint8_t k, real position);
void bus_servo_velocity(uint8_t k, real velocity);

/* The position in rad and the torque in Nm; false if the servo does not answer. */
bool bus_servo_present(uint8_t k, real *position);
bool bus_servo_torque_feedback(uint8_t k, real *torque);
#ifdef BUS_SERVO_HEALTH
/* Its supply voltage (V) or its temperature (degrees Celsius). */
bool bus_servo_health(uint8_t k, bool voltage, real *value);
#endif

#endif
