/* Registers of the RP2040 that this board uses: RP2040 data sheet, sections 2 and 4. */
#ifndef RP2040_H
#define RP2040_H

#include <stdbool.h>
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* Peripherals that are held in reset at first; clearing a bit starts one. */
#define RESETS_SET REGISTER(0x4000E000)
#define RESETS_CLEAR REGISTER(0x4000F000)
#define RESETS_DONE REGISTER(0x4000C008)
#define RESET_ADC (1u << 0)
#define RESET_I2C0 (1u << 3)
#define RESET_IO (1u << 5)
#define RESET_PADS (1u << 8)
#define RESET_PLL_SYS (1u << 12)
#define RESET_PWM (1u << 14)
#define RESET_TIMER (1u << 21)
#define RESET_UART0 (1u << 22)

#define XOSC_CONTROL REGISTER(0x40024000)
#define XOSC_STATUS REGISTER(0x40024004)
#define XOSC_STARTUP REGISTER(0x4002400C)
#define XOSC_ENABLED 0xFABAA0u /* 1 to 15 MHz */
#define XOSC_STABLE (1u << 31)

struct pll {
  volatile uint32_t status, power, feedback, dividers;
};

#define PLL_SYS (*(struct pll *)0x40028000)
#define PLL_USB (*(struct pll *)0x4002C000)
#define PLL_LOCKED (1u << 31)
#define PLL_OFF 0x2Du
#define PLL_WITHOUT_OUTPUT (1u << 3)

#define CLOCK_REFERENCE REGISTER(0x40008030)
#define CLOCK_REFERENCE_SELECTED REGISTER(0x40008038)
#define CLOCK_SYSTEM REGISTER(0x4000803C)
#define CLOCK_SYSTEM_SELECTED REGISTER(0x40008044)
#define CLOCK_PERIPHERALS REGISTER(0x40008048)
#define CLOCK_ADC REGISTER(0x40008060)
#define CLOCK_ENABLED (1u << 11)
#define CLOCK_FROM_XOSC 2u
#define CLOCK_ADC_FROM_XOSC (3u << 5)
#define CLOCK_FROM_REFERENCE 0u
#define CLOCK_FROM_PLL 1u

#define POWER_WATCHDOG REGISTER(0x40010008) /* what the watchdog resets */
#define POWER_ALL_BUT_OSCILLATORS 0x1FFFCu
#define CHIP_RESET_CAUSE REGISTER(0x40064008)
#define RESET_BY_POWER (1u << 8) /* switching on and brown-out */
#define WATCHDOG_CONTROL REGISTER(0x40058000)
#define WATCHDOG_LOAD REGISTER(0x40058004)
#define WATCHDOG_REASON REGISTER(0x40058008)
#define WATCHDOG_MARK REGISTER(0x4005801C) /* SCRATCH4 */
#define WATCHDOG_TICK REGISTER(0x4005802C)
#define WATCHDOG_TRIGGER (1u << 31)
#define WATCHDOG_ENABLED (1u << 30)
#define WATCHDOG_BY_TIMER 1u
#define TICK_ENABLED (1u << 9)

#define TIMER_ALARM REGISTER(0x40054010)
#define TIMER_TICK REGISTER(0x40054014) /* alarm 1 */
#define TIMER_MICROS REGISTER(0x40054028)
#define TIMER_INTERRUPTED REGISTER(0x40054034)
#define TIMER_INTERRUPTS REGISTER(0x40054038)

/* Of each pin. */
#define PIN_FUNCTION(pin) REGISTER(0x40014004 + 8 * (pin))
#define FUNCTION_UART 2u
#define FUNCTION_I2C 3u
#define FUNCTION_PWM 4u
#define FUNCTION_GPIO 5u
#define FUNCTION_NONE 0x1Fu
#define PAD(pin) REGISTER(0x4001C004 + 4 * (pin))
#define PAD_DIGITAL 0x52u /* input enabled, Schmitt trigger, 4 mA */
#define PAD_PULL_UP (1u << 3)
#define PAD_ANALOG 0x80u /* output disabled */
#define GPIO_IN REGISTER(0xD0000004)
#define GPIO_SET REGISTER(0xD0000014)
#define GPIO_CLEAR REGISTER(0xD0000018)
#define GPIO_OUTPUT_SET REGISTER(0xD0000024)
#define GPIO_OUTPUT_CLEAR REGISTER(0xD0000028)

/* Four bits for each of eight pins: low, high, falling, rising. */
#define PINS_INTERRUPTED(group) REGISTER(0x400140F0 + 4 * (group))
#define PINS_INTERRUPTS(group) REGISTER(0x40014100 + 4 * (group))
#define PINS_EDGES 0xCCCCCCCCu
#define PIN_EDGES 0xCu
#define PIN_GROUPS 4

#define ADC_CONTROL REGISTER(0x4004C000)
#define ADC_RESULT REGISTER(0x4004C004)
#define ADC_ENABLED 1u
#define ADC_START (1u << 2)
#define ADC_READY (1u << 8)
#define ADC_INPUT(number) ((uint32_t)(number) << 12)

struct pwm_slice {
  volatile uint32_t control, divider, counter, compare, top;
};

#define PWM ((struct pwm_slice *)0x40050000)
#define PWM_RUN 1u
#define PWM_DIVIDER(number) ((number) << 4) /* with four bits after the point */

#define UART_DATA REGISTER(0x40034000)
#define UART_FLAGS REGISTER(0x40034018)
#define UART_DIVIDER REGISTER(0x40034024)
#define UART_FRACTION REGISTER(0x40034028)
#define UART_FORMAT REGISTER(0x4003402C)
#define UART_CONTROL REGISTER(0x40034030)
#define UART_LEVELS REGISTER(0x40034034)
#define UART_INTERRUPTS REGISTER(0x40034038)
#define UART_RX_EMPTY (1u << 4)
#define UART_TX_FULL (1u << 5)
#define UART_8N1_BUFFERED 0x70u
#define UART_RUN 0x301u
#define UART_RECEIVED 0x50u /* bytes at the level, or fewer for some time */

#define I2C_CONTROL REGISTER(0x40044000)
#define I2C_TARGET REGISTER(0x40044004)
#define I2C_COMMAND REGISTER(0x40044010)
#define I2C_HIGH REGISTER(0x4004401C)
#define I2C_LOW REGISTER(0x40044020)
#define I2C_EVENTS REGISTER(0x40044034)
#define I2C_CLEAR_ABORT REGISTER(0x40044054)
#define I2C_CLEAR_STOP REGISTER(0x40044060)
#define I2C_ENABLE REGISTER(0x4004406C)
#define I2C_STATUS REGISTER(0x40044070)
#define I2C_RECEIVED REGISTER(0x40044078)
#define I2C_HOLD REGISTER(0x4004407C)
#define I2C_FAST_MASTER 0x165u /* 400 kHz, repeated start, no slave, events as the FIFO empties */
#define I2C_READ (1u << 8)
#define I2C_STOP (1u << 9)
#define I2C_RESTART (1u << 10)
#define I2C_ABORTED (1u << 6) /* of the events */
#define I2C_STOPPED (1u << 9)
#define I2C_TX_EMPTY (1u << 2) /* of the status */

/* Resets peripherals, which may run since a reset of the processor alone, and starts them; by their bits. */
void rp2040_start(uint32_t peripherals);

/* Starts a PLL that was reset, from the crystal of 12 MHz. */
void pll_start(struct pll *pll, uint32_t feedback, uint32_t dividers);

/* Starts the crystal (12 MHz) and the system clock (125 MHz). */
void clocks_start(void);

/* Starts the wire: the serial port, or the USB port. */
void wire_start(void);

/* What the wire does before the processor sleeps. */
void wire_idle(void);

#endif
