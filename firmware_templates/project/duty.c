/* The PWM duty of a motor. */
#include "duty.h"

#include <math.h>

#include "board.h"

uint8_t duty_for(real velocity, real full_speed, real least_duty) {
  real duty = (real)fabs(velocity) / full_speed;
  if (duty > 0) duty = least_duty + duty * (1 - least_duty);
  if (duty > 1) duty = 1;
  return (uint8_t)(duty * BOARD_DUTY_FULL + REAL(0.5));
}
