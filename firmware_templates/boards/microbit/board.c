/* BBC micro:bit (nRF51822): clock (timer 0), digital and analog pins, watchdog. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"
#include "robot.h"

#define CRYSTAL_ROUNDS 10000
#define ADC_ROUNDS 500      /* of at least 4 cycles; a conversion takes 70 us, or 1120 cycles */
#define RANDOM_ROUNDS 20000 /* of at least 4 cycles: 5 ms */
#define TICK_US 1000
#define LEAST_US 3 /* minimum distance to a compare value, so that it is not missed */
#define WATCHDOG_HALF_SECOND 16384

#define TICK 0    /* compare register of the next tick */
#define CAPTURE 1 /* capture register for reading the time */
#define BENCH                                                                                            \
  3 /* compare register of the test bench: shortly after the time at which it stops; register 2 is free, \
       also for a bench */
#define SOON_US 100

static volatile uint32_t millis;
static uint32_t watched;
static bool hung;

void board_start(int argc, char **argv) {
  (void)argc;
  (void)argv;
  hung = RESET_CAUSE & RESET_BY_WATCHDOG;
  RESET_CAUSE = UINT32_MAX;
  CLOCK_START_CRYSTAL = 1;
  for (uint32_t k = 0; k < CRYSTAL_ROUNDS && !CLOCK_CRYSTAL_RUNS; k++) {
  }
  struct timer *timer = TIMER(0);
  timer->bits = TIMER_32_BITS;
  timer->prescaler = TIMER_1_MHZ;
  timer->compare[TICK] = TICK_US;
  timer->interrupts = TIMER_INTERRUPT_BY(TICK);
  timer->start = 1;
  nvic_enable(IRQ_CLOCK);
  wire_start();
  WATCHDOG_CYCLES = WATCHDOG_HALF_SECOND;
  WATCHDOG_START = 1;
}

bool board_hung(void) { return hung; }

/* nRF51 Series Reference Manual, chapter "Random Number Generator": a byte with bias correction takes about
 * 677 us. */
uint32_t board_random(void) {
  uint32_t number = 0;
  RANDOM_CONFIG = RANDOM_BIAS_CORRECTION;
  RANDOM_START = 1;
  for (uint8_t k = 0; k < sizeof number; k++) {
    RANDOM_READY = 0;
    for (uint16_t round = 0; !RANDOM_READY; round++)
      if (round == RANDOM_ROUNDS) return 0;
    number = number << 8 | (uint8_t)RANDOM_BYTE;
  }
  RANDOM_STOP = 1;
  return number;
}

void interrupt_clock(void) {
  struct timer *timer = TIMER(0);
  /* If the program was busy and could not stop in time, interrupt again soon, so that the emulator does not
   * skip time. */
  if (timer->compared[BENCH]) timer->compare[BENCH] = board_micros() + SOON_US;
  for (uint8_t k = 0; k < 4; k++) timer->compared[k] = 0;
  while ((int32_t)(board_micros() + LEAST_US - timer->compare[TICK]) >= 0) {
    timer->compare[TICK] += TICK_US;
    millis++;
  }
  bench_now = board_micros();
}

uint32_t board_millis(void) { return millis; }

uint32_t board_micros(void) {
  TIMER(0)->capture[CAPTURE] = 1;
  return TIMER(0)->compare[CAPTURE];
}

void board_input(uint8_t pin, bool pull_up) {
  GPIO_CONFIG[pin] = pull_up ? CONFIG_PULL_UP : 0;
  bench_show(pin, PIN_INPUT, pull_up);
}

void board_output(uint8_t pin, bool level) {
  if (level)
    GPIO_SET = 1u << pin;
  else
    GPIO_CLEAR = 1u << pin;
  GPIO_CONFIG[pin] = CONFIG_OUTPUT;
  bench_show(pin, PIN_OUTPUT, level);
}

bool board_level(uint8_t pin) {
  if (bench_pins[pin].driven) return bench_pins[pin].level;
  return GPIO_IN >> pin & 1;
}

/* Arms the interrupt of each watched pin for the opposite of its level. */
static void arm_pin_interrupts(void) {
  for (uint8_t pin = 0; pin < BOARD_PINS; pin++)
    if (watched >> pin & 1) {
      const uint32_t pull = GPIO_CONFIG[pin] & CONFIG_PULL_UP;
      GPIO_CONFIG[pin] = pull | (GPIO_IN >> pin & 1 ? CONFIG_SENSE_LOW : CONFIG_SENSE_HIGH);
    }
}

void board_watch(uint8_t pin) {
  bench_pins[pin].watched = 1;
  watched |= 1u << pin;
  arm_pin_interrupts();
  GPIOTE_PORT = 0;
  GPIOTE_INTERRUPTS = GPIOTE_BY_PORT;
  nvic_enable(IRQ_PINS);
}

void interrupt_pins(void) {
  GPIOTE_PORT = 0;
  arm_pin_interrupts();
  robot_pins_changed();
}

/* The ADC's input number: inputs 2 to 7 are pins 1 to 6. */
static uint8_t adc_input_of(uint8_t pin) { return pin + 1; }

uint16_t board_adc(uint8_t pin) {
  GPIO_CONFIG[pin] = CONFIG_UNCONNECTED;
  ADC_CONFIG = ADC_10_BITS_OF_SUPPLY | ADC_INPUT(adc_input_of(pin));
  ADC_ENABLE = 1;
  ADC_DONE = 0;
  ADC_START = 1;
  for (uint32_t k = 0; k < ADC_ROUNDS && !ADC_DONE; k++) {
  }
  const uint16_t measured = (uint16_t)ADC_RESULT;
  ADC_STOP = 1;
  ADC_ENABLE = 0; /* saves power */
  const uint16_t value = bench_pins[pin].driven ? bench_pins[pin].analog : measured;
  bench_show(pin, PIN_ANALOG, value);
  return value;
}

void board_idle(void) {
  WATCHDOG_FEED = WATCHDOG_FEED_KEY;
  board_lock(); /* no byte can arrive between checking and sleeping; pending interrupts end the sleep even
                   while disabled */
  if (!wire_has_byte()) {
    bench_idle();
    __asm volatile("dsb\n wfi" : : : "memory");
  }
  board_unlock();
}
