/* The STM32F446RE at 168 MHz from the clock of the board's ST-LINK, or from its own oscillator. */
#ifndef CHIP_H
#define CHIP_H

#include "stm32f4.h"
#include "wire_usart2.h"

#define CHIP_CLOCK 168000000
#define CHIP_TIMER_CLOCK 84000000
#define USART1_CLOCK 84000000
#define USART2_CLOCK 42000000
#define CHIP_VECTORS 97

/* Up to 168 MHz, the chip needs no over-drive mode. For 2 MHz at the input of the PLL; at 3.3 V. */
#define CHIP_PLL(m) RCC_PLL(m, 168u, 2u, 7u)
#define CHIP_BUSES (RCC_BUS1_BY_4 | RCC_BUS2_BY_2)
#define CHIP_FLASH_WAITS 5u
#define CHIP_VOLTAGE_SCALE 3u

#endif
