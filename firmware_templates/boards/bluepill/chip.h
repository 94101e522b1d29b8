/* The STM32F103C8 at 72 MHz from the board's crystal of 8 MHz, or at 64 MHz if the crystal does not start. */
#ifndef CHIP_H
#define CHIP_H

#include "stm32f1.h"
#include "wire_usart1.h"

extern uint32_t chip_clock; /* Hz; set by chip_start() */

#define CHIP_CLOCK chip_clock
#define CHIP_TIMER_CLOCK CHIP_CLOCK /* twice that of bus 1, which is divided */
#define USART1_CLOCK CHIP_CLOCK
#define USART2_CLOCK (CHIP_CLOCK / 2)
#define CHIP_VECTORS 43

#endif
