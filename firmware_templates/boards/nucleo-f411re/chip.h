/* The STM32F411RE at 100 MHz from the clock of the board's ST-LINK, or from its own oscillator. */
#ifndef CHIP_H
#define CHIP_H

#include "stm32f4.h"
#include "wire_usart2.h"

#define CHIP_CLOCK 100000000
#define CHIP_TIMER_CLOCK 100000000
#define USART1_CLOCK 100000000
#define USART2_CLOCK 50000000
#define CHIP_VECTORS 86

/* For 2 MHz at the input of the PLL; at 3.3 V. */
#define CHIP_PLL(m) RCC_PLL(m, 200u, 4u, 9u)
#define CHIP_BUSES (RCC_BUS1_BY_2)
#define CHIP_FLASH_WAITS 3u
#define CHIP_VOLTAGE_SCALE 3u

#endif
