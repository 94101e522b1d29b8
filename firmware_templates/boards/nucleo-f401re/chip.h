/* The STM32F401RE at 84 MHz from the clock of the board's ST-LINK, or from its own oscillator. */
#ifndef CHIP_H
#define CHIP_H

#include "stm32f4.h"
#include "wire_usart2.h"

#define CHIP_CLOCK 84000000
#define CHIP_TIMER_CLOCK 84000000
#define USART1_CLOCK 84000000
#define USART2_CLOCK 42000000
#define CHIP_VECTORS 85

/* `m` makes 2 MHz of the source; half of them enter the PLL, which multiplies by at least 192. At 3.3 V. */
#define CHIP_PLL(m) RCC_PLL(2u * (m), 336u, 4u, 7u)
#define CHIP_BUSES (RCC_BUS1_BY_2)
#define CHIP_FLASH_WAITS 2u
#define CHIP_VOLTAGE_SCALE 2u

#endif
