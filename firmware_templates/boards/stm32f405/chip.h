/* The STM32F405 at 168 MHz from its internal oscillator, independent of the board's crystal. */
#ifndef CHIP_H
#define CHIP_H

#include "stm32f4.h"
#include "wire_usart1.h"

#define CHIP_CLOCK 168000000
#define CHIP_TIMER_CLOCK 84000000
#define USART1_CLOCK 84000000
#define USART2_CLOCK 42000000
#define CHIP_VECTORS 82

#endif
