/* The pins of an AVR board under simavr. What they do is read from the processor's registers. */
#include "simavr_pins.h"

#include <avr_adc.h>
#include <avr_ioport.h>
#include <avr_timer.h>
#include <stdio.h>
#include <string.h>

#define PINS 96
#define PORTS 12 /* A to L */

static avr_t *avr;
static struct pin pins[PINS];
static int known_pins;

bool add_pin(const char *name, const char *place) {
  if (known_pins == PINS || strlen(name) >= PIN_NAME) return false;
  struct pin *pin = &pins[known_pins++];
  *pin = (struct pin){.channel = -1, .timer = -1};
  snprintf(pin->name, sizeof pin->name, "%s", name);
  char word[8], output;
  for (int length; sscanf(place, "%7s%n", word, &length) == 1; place += length) {
    if (sscanf(word, "ADC%d", &pin->channel) == 1) continue;
    if (sscanf(word, "OC%d%c", &pin->timer, &output) == 2 && output >= 'A' && output <= 'C')
      pin->output = output - 'A';
    else if (sscanf(word, "%c%d", &pin->port, &pin->bit) != 2 || pin->port < 'A' ||
             pin->port >= 'A' + PORTS || pin->bit > 7)
      return false;
  }
  return true;
}

const struct pin *find_pin(const char *name) {
  for (int k = 0; k < known_pins; k++)
    if (strcmp(pins[k].name, name) == 0) return &pins[k];
  return NULL;
}

/* The library has voltages of eight channels only. At the start of a conversion, they are those of channels 0
 * to 7 or, with the highest bit of the multiplexer, of channels 8 to 15. */
#define CHANNELS 16
#define HIGHEST_MUX 5

static avr_adc_t *adc;
static uint16_t millivolts[CHANNELS];

static void on_conversion(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  (void)value;
  (void)param;
  const int first = avr_regbit_get(avr, adc->mux[HIGHEST_MUX]) ? 8 : 0;
  for (int k = 0; k < 8; k++)
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + k), millivolts[first + k]);
}

/* The library computes a result whenever it is read; before a conversion has ended, the former one is there.
 */
static avr_io_read_t read_result;

static uint8_t read_when_ended(struct avr_t *processor, avr_io_addr_t address, void *module) {
  return avr_regbit_get(processor, adc->adsc) ? processor->data[address]
                                              : read_result(processor, address, module);
}

static void guard_result(void) {
  if (adc == NULL) return;
  read_result = avr->io[AVR_DATA_TO_IO(adc->r_adcl)].r.c;
  avr->io[AVR_DATA_TO_IO(adc->r_adcl)].r.c = read_when_ended;
}

void pins_start(avr_t *processor) {
  avr = processor;
  for (avr_io_t *module = avr->io_port; module != NULL; module = module->next)
    if (strcmp(module->kind, "adc") == 0) adc = (avr_adc_t *)module;
  guard_result();
  for (int k = 0; k < 8; k++) {
    avr_adc_mux_t *mux = &adc->muxmode[(1 << HIGHEST_MUX) + k];
    if (mux->kind == ADC_MUX_SINGLE) mux->src = (unsigned)k & 7;
  }
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), on_conversion, NULL);
}

static void drive_level(const struct pin *pin, bool level) {
  static avr_ioport_external_t all[PORTS]; /* what drives the ports from outside: it outdoes pull-ups */
  avr_irq_t *irq = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pin->port), pin->bit);
  avr_ioport_external_t outside = all[pin->port - 'A'];
  outside.name = (unsigned)pin->port & 0x7F;
  outside.mask = (outside.mask | 1u << pin->bit) & 0xFF;
  outside.value = ((outside.value & ~(1u << pin->bit)) | (unsigned)level << pin->bit) & 0xFF;
  all[pin->port - 'A'] = outside;
  avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(pin->port), &outside);
  if (irq->value == level)
    avr_raise_irq(irq, !level); /* else the library drops it: it forgets what a pull-up has done */
  avr_raise_irq(irq, level);
}

void pin_drive(const struct pin *pin, double value) {
  if (pin->channel >= 0 && pin->channel < CHANNELS)
    millivolts[pin->channel] = (uint16_t)(value > 0 ? value * 1000 + 0.5 : 0);
  if (pin->port != 0 && (value == 0 || value == 1)) drive_level(pin, value != 0);
}

/* Registers of a timer: all of them are in this order, with 8 bits and with 16 bits (data sheets of the
 * ATmega328P, ATmega2560 and ATmega32U4, register summaries). */
static const struct timer {
  uint16_t control_a; /* TCCRnA */
  bool is_wide;
} timers[] = {{0x44, false}, {0x80, true}, {0xB0, false}, {0x90, true}, {0xA0, true}, {0x120, true}};

enum { CONTROL_B = 1, COMPARE_8 = 3, TOP = 6, COMPARE_16 = 8 };

#define PHASE_PWM_8 1         /* mode of all timers: 8 bits, up and down (tables 15-8, 16-4 and 18-8) */
#define FAST_PWM_8 3          /* mode of 8-bit timers: 8 bits (ATmega328P, tables 15-8 and 18-8) */
#define FAST_PWM_8_OF_16 5    /* mode of 16-bit timers: 8 bits (table 16-4) */
#define FAST_PWM_TOP_OF_16 14 /* periods of ICRn + 1 ticks */
#define SERVO_LEAST_US 15000
#define SERVO_MOST_US 25000

static uint16_t word_at(int address) { return (uint16_t)(avr->data[address] | avr->data[address + 1] << 8); }

/* Timer 2 counts other multiples of the clock than the others (tables 16-5 and 18-9). */
#define OWN_PRESCALER 2

/* Returns the microseconds of a timer's tick; 0 while it is stopped. */
static double tick_us(int timer, uint8_t control_b) {
  static const double cycles[][8] = {{0, 1, 8, 64, 256, 1024, 0, 0}, {0, 1, 8, 32, 64, 128, 256, 1024}};
  return cycles[timer == OWN_PRESCALER][control_b & 7] * 1e6 / avr->frequency;
}

/* Prints the duty cycle and the frequency (Hz) of an output; `round` is the ticks of a period. */
static void show_pwm(double duty, double tick, int round) {
  printf("pwm %.9g %.9g\n", duty, 1e6 / (tick * round));
}

#define UP_AND_DOWN 510 /* ticks of a period that counts to 255 and back */
#define UP 256

static void show_wide(const struct pin *pin, int base, int mode, double tick) {
  const double round = tick * (word_at(base + TOP) + 1);
  const int compare = word_at(base + COMPARE_16 + 2 * pin->output);
  if (mode == FAST_PWM_TOP_OF_16 && round >= SERVO_LEAST_US && round <= SERVO_MOST_US)
    printf("servo %g\n", tick * compare);
  else if (mode == PHASE_PWM_8 && tick > 0)
    show_pwm((compare & 0xFF) / 255.0, tick, UP_AND_DOWN);
  else if (mode == FAST_PWM_8_OF_16 && tick > 0)
    show_pwm(((compare & 0xFF) + 1) / 256.0, tick, UP);
  else if (mode == FAST_PWM_TOP_OF_16 && tick > 0)
    show_pwm((compare + 1) / (word_at(base + TOP) + 1.0), tick, word_at(base + TOP) + 1);
  else
    printf("timer %d\n", mode);
}

/* Prints the output of a timer: PWM, servo pulses, or another mode. Returns false if the timer is not
 * connected to the pin. */
static bool show_timer(const struct pin *pin) {
  if (pin->timer < 0) return false;
  const struct timer *timer = &timers[pin->timer];
  const int base = timer->control_a;
  const uint8_t control_a = avr->data[base], control_b = avr->data[base + CONTROL_B];
  if (!(control_a & 0x80 >> 2 * pin->output)) return false;
  const int mode = (control_a & 3) | (control_b >> 1 & 12);
  const double tick = tick_us(pin->timer, control_b);
  const uint8_t compare = avr->data[base + COMPARE_8 + pin->output];
  if (timer->is_wide)
    show_wide(pin, base, mode, tick);
  else if (mode == PHASE_PWM_8 && tick > 0)
    show_pwm(compare / 255.0, tick, UP_AND_DOWN);
  else if (mode == FAST_PWM_8 && tick > 0)
    show_pwm((compare + 1) / 256.0, tick, UP);
  else
    printf("timer %d\n", mode);
  return true;
}

void pin_show(const struct pin *pin) {
  if (pin->port == 0) {
    printf("analog 0\n");
    return;
  }
  avr_ioport_state_t state;
  avr_ioctl(avr, AVR_IOCTL_IOPORT_GETSTATE(pin->port), &state);
  const bool is_output = state.ddr >> pin->bit & 1;
  if (is_output && show_timer(pin)) return;
  printf("%s %d\n", is_output ? "output" : "input",
         (int)((is_output ? state.port : state.pin) >> pin->bit & 1));
}
