/* Nucleo boards: outputs of timers 2 to 4 at D3, D5, D6, D9 and D10, as of Arduino boards, and at others. */
#ifndef TIMER_OUTPUTS_H
#define TIMER_OUTPUTS_H

/* Each: pin, timer, channel counted from 0. */
#define TIMER_OUTPUTS                                                                                    \
  {PIN_PA0, 2, 0}, {PIN_PB3, 2, 1}, {PIN_PB10, 2, 2}, {PIN_PB4, 3, 0}, {PIN_PC7, 3, 1}, {PIN_PB0, 3, 2}, \
      {PIN_PB1, 3, 3}, {PIN_PB6, 4, 0}, {PIN_PB7, 4, 1}, {PIN_PB8, 4, 2}, {PIN_PB9, 4, 3}

#endif
