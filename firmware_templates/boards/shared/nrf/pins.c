/* nRF51 and nRF52: digital pins. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"
#include "robot.h"

static volatile uint8_t watched[BOARD_PINS], watching;

/* Arms the interrupt of a pin for the opposite of its level. */
static void arm(uint8_t pin) {
  const bool level = GPIO_IN(PIN_PORT(pin)) >> PIN_NUMBER(pin) & 1;
  GPIO_CONFIG(pin) = (GPIO_CONFIG(pin) & ~CONFIG_SENSE) | (level ? CONFIG_SENSE_LOW : CONFIG_SENSE_HIGH);
}

void board_input(uint8_t pin, bool pull_up) {
  GPIO_CONFIG(pin) = pull_up ? CONFIG_PULL_UP : 0;
  if (bench_pins[pin].watched) arm(pin);
  bench_show(pin, PIN_INPUT, pull_up);
}

void board_output(uint8_t pin, bool level) {
  if (level)
    GPIO_SET(PIN_PORT(pin)) = PIN_BIT(pin);
  else
    GPIO_CLEAR(PIN_PORT(pin)) = PIN_BIT(pin);
  GPIO_CONFIG(pin) = CHIP_OUTPUT;
  bench_show(pin, PIN_OUTPUT, level);
}

bool board_level(uint8_t pin) {
  if (bench_pins[pin].driven) return bench_pins[pin].level;
  return GPIO_IN(PIN_PORT(pin)) >> PIN_NUMBER(pin) & 1;
}

void board_watch(uint8_t pin) {
  if (!bench_pins[pin].watched) {
    watched[watching] = pin;
    watching++;
  }
  bench_pins[pin].watched = 1;
  arm(pin);
  GPIOTE_INTERRUPTS = GPIOTE_BY_PORT;
  nvic_enable(IRQ_PINS);
}

/* The PORT event comes when DETECT rises, which is high while any pin has the level that it is armed for. So
 * all pins are disarmed first, which makes DETECT low: then a pin that changes after its level was read, even
 * before it is armed, causes the next interrupt. */
void interrupt_pins(void) {
  for (uint8_t k = 0; k < watching; k++) GPIO_CONFIG(watched[k]) &= ~CONFIG_SENSE;
  GPIOTE_PORT = 0;
  (void)GPIOTE_PORT; /* after this, the event is clear */
  for (uint8_t k = 0; k < watching; k++) arm(watched[k]);
  robot_pins_changed();
}
