/* STM32: the outputs of timers 2 to 4. */
#ifndef TIMER_OUTPUTS_H
#define TIMER_OUTPUTS_H

/* Each: pin, timer, channel counted from 0. */
#define TIMER_OUTPUTS                                                                                   \
  {PIN_PA0, 2, 0}, {PIN_PA1, 2, 1}, {PIN_PA2, 2, 2}, {PIN_PA3, 2, 3}, {PIN_PA6, 3, 0}, {PIN_PA7, 3, 1}, \
      {PIN_PB0, 3, 2}, {PIN_PB1, 3, 3}, {PIN_PB6, 4, 0}, {PIN_PB7, 4, 1}, {PIN_PB8, 4, 2}, {PIN_PB9, 4, 3}

#endif
