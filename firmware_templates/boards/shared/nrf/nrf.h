/* Registers that the nRF51822 and the nRF52833 have in common. chip.h gives the ports of a chip and the pins
 * of its wire. */
#ifndef NRF_H
#define NRF_H

#include <stdbool.h>
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define REGISTERS(address) ((volatile uint32_t *)(address))

#define CLOCK_START_CRYSTAL REGISTER(0x40000000)
#define CLOCK_CRYSTAL_RUNS REGISTER(0x40000100)

#define RESET_CAUSE REGISTER(0x40000400) /* bits stay set until written */
#define RESET_BY_PIN 1u
#define RESET_BY_WATCHDOG 2u
#define RESET_BY_LOCKUP 8u

/* Ports of 32 pins; chip.h defines PIN_PORT, PIN_NUMBER and PIN_BIT, which split the number of a pin. */
#define GPIO_PORT(port) (0x50000000 + 0x300 * (port))
#define GPIO_SET(port) REGISTER(GPIO_PORT(port) + 0x508)
#define GPIO_CLEAR(port) REGISTER(GPIO_PORT(port) + 0x50C)
#define GPIO_IN(port) REGISTER(GPIO_PORT(port) + 0x510)
#define GPIO_CONFIGS(port) REGISTERS(GPIO_PORT(port) + 0x700)
#define GPIO_CONFIG(pin) GPIO_CONFIGS(PIN_PORT(pin))[PIN_NUMBER(pin)]
#define CONFIG_OUTPUT 1u
#define CONFIG_UNCONNECTED 2u
#define CONFIG_STRONG (3u << 8) /* an output's current */
#define CONFIG_PULL_UP (3u << 2)
#define CONFIG_SENSE (3u << 16)
#define CONFIG_SENSE_HIGH (2u << 16)
#define CONFIG_SENSE_LOW (3u << 16)

#define GPIOTE_PORT REGISTER(0x4000617C)
#define GPIOTE_INTERRUPTS REGISTER(0x40006304)
#define GPIOTE_BY_PORT (1u << 31)

struct timer {
  volatile uint32_t start, stop, count, clear, unused0[12], capture[4], unused1[60], compared[4], unused2[44];
  volatile uint32_t shorts, unused3[64], interrupts, no_interrupts, unused4[126], mode, bits, unused5,
      prescaler, unused6[11];
  volatile uint32_t compare[4];
};

#define TIMER(number) ((struct timer *)(0x40008000 + 0x1000 * (number)))
#define TIMER_16_BITS 0u
#define TIMER_32_BITS 3u
#define TIMER_1_MHZ 4u
#define TIMER_INTERRUPT_BY(compare) (1u << (16 + (compare)))
#define TIMER_CLEAR_BY(compare) (1u << (compare))

#define UART_START_RX REGISTER(0x40002000)
#define UART_START_TX REGISTER(0x40002008)
#define UART_RECEIVED REGISTER(0x40002108)
#define UART_SENT REGISTER(0x4000211C)
#define UART_INTERRUPTS REGISTER(0x40002304)
#define UART_BY_RECEIVED (1u << 2)
#define UART_BY_SENT (1u << 7)
#define UART_ENABLE REGISTER(0x40002500)
#define UART_ENABLED 4u
#define UART_PIN_TX REGISTER(0x4000250C)
#define UART_PIN_RX REGISTER(0x40002514)
#define UART_RX_BYTE REGISTER(0x40002518)
#define UART_TX_BYTE REGISTER(0x4000251C)
#define UART_BAUD REGISTER(0x40002524)

#define RANDOM_START REGISTER(0x4000D000)
#define RANDOM_STOP REGISTER(0x4000D004)
#define RANDOM_READY REGISTER(0x4000D100)
#define RANDOM_CONFIG REGISTER(0x4000D504)
#define RANDOM_BIAS_CORRECTION 1
#define RANDOM_BYTE REGISTER(0x4000D508)

#define WATCHDOG_START REGISTER(0x40010000)
#define WATCHDOG_CYCLES REGISTER(0x40010504) /* of 32768 Hz */
#define WATCHDOG_FEED REGISTER(0x40010600)
#define WATCHDOG_FEED_KEY 0x6E524635u

/* Interrupts of both chips. */
#define IRQ_UART 2
#define IRQ_PINS 6
#define IRQ_CLOCK 8

void wire_start(void);

void interrupt_uart(void);
void interrupt_pins(void);
void interrupt_clock(void);

#endif
