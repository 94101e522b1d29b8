/* The motion of a stepper motor: a timer's ticks make its steps, also while the controller computes. */
#ifndef STEPS_H
#define STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"

#if defined(STEPPER_HOMING) || defined(STEP_DIRECTION_HOMING)
#define STEPS_HOMING
#endif

/* A motor in the hardware map. */
struct steps_setup {
  real steps; /* per turn or meter */
  bool inverted, linear;
  real max_velocity;
  real acceleration, own_acceleration; /* of the map; of the world, where that is 0 (-1: any) */
#ifdef STEPS_HOMING
  uint8_t home;       /* the pin of the switch */
  bool home_opens;    /* at home; it is closed elsewhere */
  real home_velocity; /* toward the switch; 0: there is none */
  real home_position; /* at the switch */
  real home_travel;   /* the longest way to it */
#endif
};

/* Rates are in 2^-32 steps per tick. Ticks compute with whole numbers only: some processors must not use
 * their unit for reals in an interrupt. */
struct steps {
  real position, velocity, acceleration; /* the commands, in the motor's unit */
  bool active;                           /* a command was set since the last stop */
  bool stays;                            /* there is no target yet: it stays where it is */
  volatile uint8_t mode;
  int8_t way;                   /* without a target: 1, -1 or 0 */
  int32_t target;               /* steps */
  uint32_t cruise, gain, least; /* highest rate, its change per tick (0: any), and the last one */

  int32_t count;                  /* steps since the start, or from position 0 */
  int8_t heading;                 /* 1 or -1 while it moves, else 0 */
  uint32_t rate, part;            /* part of the next step */
  uint32_t braking, braking_part; /* steps that it takes to stand, and the part of a step */
#ifdef STEPS_HOMING
  uint8_t stage;
  bool is_homed;
  int8_t home_way;
  uint32_t home_rate;
  int32_t home_count, left; /* steps at the switch, and until the search ends without success */
#endif
};

/* Forgets all commands and stands still at once, at the start and at stops. */
void steps_stop(struct steps *motor, const FLASH struct steps_setup *setup);

/* Prepares the switch. */
void steps_start(struct steps *motor, const FLASH struct steps_setup *setup);

/* Set commands. A motor with a switch first moves to it. One without a target position stays where it is. */
void steps_position(struct steps *motor, const FLASH struct steps_setup *setup, real position);
void steps_velocity(struct steps *motor, const FLASH struct steps_setup *setup, real velocity);
void steps_acceleration(struct steps *motor, const FLASH struct steps_setup *setup, real acceleration);

/* A tick. Returns the next step: 1 forward, -1 backward, 0 none yet; between two steps is at least one tick
 * without. */
int8_t steps_tick(struct steps *motor, const FLASH struct steps_setup *setup);

#endif
