/* The STM32F100RB at 24 MHz from its internal oscillator. */
#ifndef CHIP_H
#define CHIP_H

#include "stm32f1.h"
#include "wire_usart1.h"

#define CHIP_CLOCK 24000000
#define CHIP_TIMER_CLOCK CHIP_CLOCK
#define USART1_CLOCK CHIP_CLOCK
#define USART2_CLOCK CHIP_CLOCK
#define CHIP_VECTORS 56

#endif
