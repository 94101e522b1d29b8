/* The motion of a stepper motor. Its velocity rises and falls by the same amount in each tick, so that the
 * way it takes to stand is known at any time. */
#include "steps.h"

#include <math.h>

#include "board.h"

#define FULL_TURN REAL(6.283185307179586)
#define WHOLE REAL(4294967296.0) /* the rate of one step per tick, and the parts of a step */
#define MOST_RATE REAL(0.5)      /* steps per tick: a pulse needs two */
#define MOST_STEPS REAL(1e9)

enum { STANDING, FREE, TARGET };
enum { AT_WORK, BEGINNING, RELEASING, SEEKING, LOST };

static real per_unit(const FLASH struct steps_setup *setup) {
  return setup->linear ? setup->steps : setup->steps / FULL_TURN;
}

static int32_t whole_steps(real steps) {
  if (steps > MOST_STEPS) steps = MOST_STEPS;
  if (steps < -MOST_STEPS) steps = -MOST_STEPS;
  return (int32_t)(steps < 0 ? steps - REAL(0.5) : steps + REAL(0.5));
}

/* A number of steps per tick, or per tick and tick, as a rate. */
static uint32_t rate_of(real steps) { return (uint32_t)((steps < MOST_RATE ? steps : MOST_RATE) * WHOLE); }

/* The acceleration in steps per tick and tick. */
static real acceleration_of(const struct steps *motor, const FLASH struct steps_setup *setup) {
  return motor->acceleration * per_unit(setup) / BOARD_TICKS / BOARD_TICKS;
}

/* Passes the commands on to the ticks. */
static void apply(struct steps *motor, const FLASH struct steps_setup *setup) {
  const bool is_free = !motor->stays && isinf(motor->position);
  const int32_t target = is_free ? 0 : whole_steps(motor->position * per_unit(setup));
  const int8_t sign = (motor->position > 0) == (motor->velocity > 0) ? 1 : -1;
  const uint32_t cruise = rate_of((real)fabs(motor->velocity) * per_unit(setup) / BOARD_TICKS);
  const real acceleration = acceleration_of(motor, setup);
  uint32_t gain = 0, least = cruise;
  if (acceleration >= 0) {
    gain = rate_of(acceleration);
    if (gain == 0) gain = 1;
    least = rate_of((real)sqrt(acceleration / 2)); /* the mean on the way of one step from standing */
    if (least > cruise) least = cruise;
  }
  board_lock();
  if (gain != motor->gain) { /* the way it takes to stand is another one */
    const real rate = (real)motor->rate / WHOLE, way = gain > 0 ? rate * rate / (2 * (real)gain / WHOLE) : 0;
    motor->braking = (uint32_t)(way < MOST_STEPS ? way : MOST_STEPS);
    motor->braking_part = 0;
  }
  motor->target = motor->stays ? motor->count : target;
  motor->way = sign;
  motor->cruise = cruise;
  motor->gain = gain;
  motor->least = least;
  motor->mode = is_free ? FREE : TARGET;
  board_unlock();
}

static void halt(struct steps *motor) {
  motor->heading = 0;
  motor->rate = motor->part = motor->braking = motor->braking_part = 0;
}

void steps_stop(struct steps *motor, const FLASH struct steps_setup *setup) {
  motor->mode = STANDING; /* one byte: also between two halves of a tick */
#ifdef STEPS_HOMING
  if (motor->heading != 0 || motor->stage != AT_WORK) motor->is_homed = false;
  motor->stage = AT_WORK;
#endif
  motor->position = 0;
  motor->velocity = setup->max_velocity;
  motor->acceleration = setup->acceleration > 0 ? setup->acceleration : setup->own_acceleration;
  motor->active = motor->stays = false;
}

#ifdef STEPS_HOMING
static bool is_at_switch(const FLASH struct steps_setup *setup) {
  return board_level(setup->home) == setup->home_opens; /* a closed switch connects the pin to ground */
}

/* Lets the ticks look for the switch. */
static void seek(struct steps *motor, const FLASH struct steps_setup *setup) {
  if (setup->home_velocity == 0 || motor->is_homed || motor->stage != AT_WORK) return;
  const real rate = (real)fabs(setup->home_velocity) * per_unit(setup) / BOARD_TICKS;
  board_lock();
  motor->home_rate = rate_of(rate);
  motor->home_way = setup->home_velocity > 0 ? 1 : -1;
  motor->home_count = whole_steps(setup->home_position * per_unit(setup));
  motor->left = whole_steps(setup->home_travel * per_unit(setup));
  motor->stage = BEGINNING;
  board_unlock();
}
#endif

void steps_start(struct steps *motor, const FLASH struct steps_setup *setup) {
#ifdef STEPS_HOMING
  if (setup->home_velocity != 0) board_input(setup->home, true);
#endif
  steps_stop(motor, setup);
}

/* Begins to follow commands. */
static void begin(struct steps *motor, const FLASH struct steps_setup *setup) {
  motor->active = true;
#ifdef STEPS_HOMING
  seek(motor, setup);
#endif
  apply(motor, setup);
}

void steps_position(struct steps *motor, const FLASH struct steps_setup *setup, real position) {
  motor->position = position;
  motor->stays = false;
  begin(motor, setup);
}

void steps_velocity(struct steps *motor, const FLASH struct steps_setup *setup, real velocity) {
  if (!motor->active) motor->stays = true;
  motor->velocity = velocity;
  begin(motor, setup);
}

/* The limit of the map stands; a controller may only set a lower one. */
void steps_acceleration(struct steps *motor, const FLASH struct steps_setup *setup, real acceleration) {
  const real most = setup->acceleration;
  motor->acceleration = most > 0 && (acceleration < 0 || acceleration > most) ? most : acceleration;
  if (motor->active) apply(motor, setup);
}

/* The direction of the command: 1, -1, or 0 if the motor is at its position or stands. */
static int8_t wanted_way(const struct steps *motor) {
  if (motor->mode == STANDING || motor->cruise == 0) return 0;
  if (motor->mode == FREE) return motor->way;
  return motor->count < motor->target ? 1 : motor->count > motor->target ? -1 : 0;
}

/* True if the motor must brake now to stand at its target. */
static bool must_brake(const struct steps *motor) {
  if (motor->mode != TARGET) return false;
  const int32_t ahead = motor->heading > 0 ? motor->target - motor->count : motor->count - motor->target;
  if (motor->braking >= (uint32_t)ahead) return true;
  return motor->braking + 1 == (uint32_t)ahead && motor->part + motor->braking_part < motor->part;
}

static void accelerate(struct steps *motor, uint32_t most) {
  motor->rate = most - motor->rate > motor->gain ? motor->rate + motor->gain : most;
  motor->braking_part += motor->rate;
  if (motor->braking_part < motor->rate) motor->braking++;
}

static void brake(struct steps *motor, uint32_t least) {
  if (motor->braking_part < motor->rate) {
    if (motor->braking > 0)
      motor->braking--;
    else
      motor->braking_part = motor->rate;
  }
  motor->braking_part -= motor->rate;
  motor->rate = motor->rate - least > motor->gain ? motor->rate - motor->gain : least;
}

/* Changes rate and heading for one tick; `brakes`: to stand at a target. A motor that brakes keeps the least
 * rate until it is there. */
static void lead(struct steps *motor, int8_t way, uint32_t cruise, bool brakes) {
  const bool turns = way != motor->heading;
  if (turns && (motor->gain == 0 || motor->rate <= motor->least)) {
    halt(motor);
    motor->heading = way;
  }
  if (motor->heading == 0) return;
  if (motor->gain == 0) {
    motor->rate = cruise;
  } else if (turns || brakes) {
    if (motor->rate > motor->least) brake(motor, motor->least);
  } else if (motor->rate < cruise) {
    accelerate(motor, cruise);
  } else if (motor->rate > cruise) {
    brake(motor, cruise);
  }
}

/* Advances by one tick; returns the step. */
static int8_t advance(struct steps *motor) {
  motor->part += motor->rate;
  if (motor->heading == 0 || motor->part >= motor->rate) return 0;
  motor->count = (int32_t)((uint32_t)motor->count + (uint32_t)(int32_t)motor->heading);
  return motor->heading;
}

#ifdef STEPS_HOMING
/* The motor is at its switch. */
static void arrive(struct steps *motor) {
  motor->stage = AT_WORK;
  motor->is_homed = true;
  motor->count = motor->home_count;
  if (motor->stays) motor->target = motor->count;
}

/* A tick on the way to the switch. From a closed one the motor moves away first: where a switch closes is
 * known better than where it is closed. */
static int8_t search(struct steps *motor, const FLASH struct steps_setup *setup) {
  const bool is_there = is_at_switch(setup);
  if (motor->stage == BEGINNING) motor->stage = is_there ? RELEASING : SEEKING;
  const bool leaves = motor->stage == RELEASING;
  if (motor->stage == LOST || is_there != leaves) {
    halt(motor);
    if (motor->stage == SEEKING) arrive(motor);
    if (motor->stage == RELEASING) motor->stage = SEEKING;
    return 0;
  }
  lead(motor, leaves ? (int8_t)-motor->home_way : motor->home_way, motor->home_rate, false);
  const int8_t step = advance(motor);
  if (step != 0 && --motor->left <= 0) motor->stage = LOST;
  return step;
}
#endif

int8_t steps_tick(struct steps *motor, const FLASH struct steps_setup *setup) {
  if (motor->mode == STANDING) {
    halt(motor);
    return 0;
  }
#ifdef STEPS_HOMING
  if (motor->stage != AT_WORK) return search(motor, setup);
#else
  (void)setup;
#endif
  lead(motor, wanted_way(motor), motor->cruise, must_brake(motor));
  return advance(motor);
}
