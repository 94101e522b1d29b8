/* A PID controller of a motor's speed. It adds a correction to the target velocity, which alone would be
 * right without a load:
 *
 *   correction = P error + I (sum of error times interval) - D (change of speed) / interval
 *
 * The error is the target minus the speed, measured by an encoder since the last control time. The sum
 * cannot exceed what the motor can make of it (anti-windup), and is 0 while the target is 0. Control times
 * are 10 ms apart, from the command that starts the motor; one that comes late does not shift the others. */
#include "speed_control.h"

#include "quadrature_encoder.h"

#define CONTROL_PERIOD 10 /* ms */

void speed_control_reset(struct speed_control *control) { *control = (struct speed_control){0}; }

static bool is_open_loop(const FLASH struct speed_gains *gains) {
  return gains->p == 0 && gains->i == 0 && gains->d == 0;
}

real speed_control_velocity(struct speed_control *control, const FLASH struct speed_gains *gains,
                            real target) {
  if (is_open_loop(gains)) return target;
  if (target == 0) {
    speed_control_reset(control);
    return 0;
  }
  control->running = true;
  return target + control->correction;
}

static real within(real number, real low, real high) {
  return number < low ? low : number > high ? high : number;
}

bool speed_control_update(struct speed_control *control, const FLASH struct speed_gains *gains,
                          uint8_t encoder, real target, real full, uint16_t elapsed) {
  if (!control->running) return false;
  control->phase = (uint16_t)(control->phase + elapsed);
  if (!control->begun) {
    control->begun = true;
    quadrature_encoder_moved(encoder, &control->count);
    return false;
  }
  control->passed = (uint16_t)(control->passed + elapsed);
  if (control->phase < CONTROL_PERIOD) return false;
  control->phase %= CONTROL_PERIOD;
  const real interval = control->passed / REAL(1000.0);
  control->passed = 0;
  const real speed = quadrature_encoder_moved(encoder, &control->count) / interval;
  const real error = target - speed;
  const real change = control->measured ? (speed - control->speed) / interval : 0;
  control->integral = within(control->integral + gains->i * error * interval, -full - target, full - target);
  control->correction = gains->p * error + control->integral - gains->d * change;
  control->speed = speed;
  control->measured = true;
  return true;
}
