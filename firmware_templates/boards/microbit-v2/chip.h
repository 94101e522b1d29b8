/* The nRF52833: its ports, registers and interrupts that this board uses (Nordic's Product Specification). */
#ifndef CHIP_H
#define CHIP_H

#include "nrf.h"

#define PIN_PORT(pin) ((pin) / 32)
#define PIN_NUMBER(pin) ((pin) % 32)
#define PIN_BIT(pin) (1u << PIN_NUMBER(pin))

#define CHIP_OUTPUT (CONFIG_OUTPUT | CONFIG_STRONG)

/* Numbers of pins as in registers that select a pin: bit 5 is the port. */
#define CHIP_WIRE_TX 6  /* P0.06 */
#define CHIP_WIRE_RX 40 /* P1.08 */

/* After a reset by the pin, the other bits have no meaning (anomaly 136). */
#define CHIP_RESET_BY_WATCHDOG(cause) (((cause) & (RESET_BY_PIN | RESET_BY_WATCHDOG)) == RESET_BY_WATCHDOG)

#define CHIP_VECTORS 48
#define CHIP_INTERRUPTS(VECTOR)    \
  VECTOR(IRQ_UART, interrupt_uart) \
  VECTOR(IRQ_PINS, interrupt_pins) \
  VECTOR(IRQ_CLOCK, interrupt_clock)

/* The bytes of a page of the flash tell an nRF52833 from the nRF51822 that emulators have. */
#define FICR_PAGE_SIZE REGISTER(0x10000010)
#define FICR_PAGE_OF_NRF52 4096

#define UICR_NFC_PINS REGISTER(0x1000120C)
#define UICR_NFC_PINS_ARE_NFC 1u

#define FLASH_READY REGISTER(0x4001E400)
#define FLASH_MODE REGISTER(0x4001E504)
#define FLASH_MODE_READ 0
#define FLASH_MODE_WRITE 1

#define DEBUG_PROTECTION REGISTER(0x40000558)
#define DEBUG_PROTECTION_OFF 0x5Au

struct pwm {
  volatile uint32_t unused0, stop, start[2], unused1[316];
  volatile uint32_t enable, mode, top, prescaler, decoder, loop, unused2[2];
  struct {
    volatile uint32_t values, count, refresh, delay, unused[4];
  } sequence[2];
  volatile uint32_t pins[4];
};

#define PWM_UNITS 4
#define PWM_CHANNELS 4
#define PWM_16_MHZ 0u
#define PWM_1_MHZ 4u /* 16 MHz / 2^4 */
#define PWM_VALUE_PER_CHANNEL 2u
/* A value: when the output changes in a period, or later than any period ends; bit 15: from high to low. */
#define PWM_FROM_HIGH 0x8000u
#define PWM_NEVER 0x7FFFu

struct adc {
  volatile uint32_t start, sample, stop, unused0[61], started, ended, unused1[254], enable, unused2[3];
  volatile uint32_t input, negative, config, limit, unused3[52], bits, oversample, rate, unused4[12];
  volatile uint32_t result, count;
};

#define ADC ((struct adc *)0x40007000)
#define ADC_12_BITS 2u
/* A quarter of the input voltage, compared with a quarter of the supply; the input is connected for 40 us. */
#define ADC_OF_SUPPLY (2u << 8 | 1u << 12 | 5u << 16)

/* Makes P8 and P9 ordinary pins, which is stored in the chip. */
void chip_start(void);

/* Waits for an event, or until a register is not 0, for at most some rounds of at least 4 cycles, in case the
 * peripheral is broken. Returns false if it did not come. */
bool chip_await(const volatile uint32_t *event, uint32_t rounds);

#endif
