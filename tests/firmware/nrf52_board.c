/* The pins, PWM units and converter of the micro:bit V2's board code, compiled for this computer. Its
 * registers are memory at their addresses, and models of the peripherals do there what Nordic's nRF52833
 * Product Specification says of them (chapters 6.9 GPIO, 6.10 GPIOTE, 6.16 PWM, 6.23 SAADC, 4.3 NVMC, 4.5
 * UICR). Addresses and bits are written here again, so an error in the board's own is found. Each access of
 * the board's code goes through register_at().
 *
 * Lines of standard input, with pins as numbers of the chip:
 *   hertz PIN HZ      board_pwm_frequency
 *   pwm PIN DUTY      board_pwm; then each pin of a unit is printed: PIN PERIOD_US HIGH_US
 *   servo PIN US      board_servo; the same
 *   adc PIN           board_adc, with the voltages given by volt; prints the result
 *   volt INPUT VALUE  a voltage at analog input 0 to 7, as a part of the supply
 *   watch PIN         board_watch
 *   flip PIN READS    flips an input as soon as the board has read inputs so many times from now on
 *   level PIN LEVEL   an input; interrupts by GPIOTE's event and prints how often it did so far; fails
 *                     if the program has not seen the levels that it watches
 *   output PIN LEVEL  board_output; prints the pin's level, direction and strength
 *   input PIN PULL    board_input
 *   start PAGE WORD   chip_start on a chip with this page size and this word for NFC pins; prints the
 *                     word, whether the flash can still be written, whether a reset was requested, and
 *                     DISABLE of the protection
 *   worn PAGE WORD    the same where the word cannot be written */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bare_metal.h"
#include "chip.h"

#define PINS 48
#define AT(address) (*(volatile uint32_t *)(uintptr_t)(address))

volatile struct bench_pin bench_pins[BOARD_PINS];
struct ring wire_rx;
static double volts[8];
static int interrupts;

static void fail(const char *what) {
  printf("wrong %s\n", what);
  exit(1);
}

void interrupt_pins(void);

/* GPIO. */

static uint32_t port(int pin) { return pin < 32 ? 0x50000000u : 0x50000300u; }

static volatile uint32_t *config(int pin) { return &AT(port(pin) + 0x700 + 4 * (pin % 32)); }

static bool drives(int pin) { return *config(pin) & 1; } /* DIR */

/* OUTSET and OUTCLR take effect at once. */
static bool out(int pin) {
  const uint32_t base = port(pin);
  AT(base + 0x504) = (AT(base + 0x504) | AT(base + 0x508)) & ~AT(base + 0x50C);
  AT(base + 0x508) = AT(base + 0x50C) = 0;
  return AT(base + 0x504) >> (pin % 32) & 1;
}

static void set_level(int pin, bool level) {
  const uint32_t bit = 1u << (pin % 32);
  AT(port(pin) + 0x510) = level ? AT(port(pin) + 0x510) | bit : AT(port(pin) + 0x510) & ~bit;
}

/* DETECT is high while a pin has the level of its SENSE field (bits 16 and 17; 2: high, 3: low). */
static bool detected(void) {
  for (int pin = 0; pin < PINS; pin++) {
    const uint32_t sense = *config(pin) >> 16 & 3;
    const bool level = AT(port(pin) + 0x510) >> (pin % 32) & 1;
    if ((sense == 2 && level) || (sense == 3 && !level)) return true;
  }
  return false;
}

/* GPIOTE: the event PORT when DETECT rises. */

static bool was_detected;

static void sense(void) {
  const bool now = detected();
  if (now && !was_detected) AT(0x4000617C) = 1;
  was_detected = now;
}

static int flipped = -1, reads_to_flip;
static bool is_worn;

/* What was written before takes effect; then a register can be read or written. Inputs and a word of flash
 * that is worn are read as copies. */
volatile uint32_t *register_at(uint32_t address) {
  static volatile uint32_t copy;
  sense();
  copy = AT(address);
  const bool is_input = address == 0x50000510 || address == 0x50000810;
  if (is_input && flipped >= 0 && --reads_to_flip == 0) {
    AT(port(flipped) + 0x510) ^= 1u << (flipped % 32);
    flipped = -1;
    sense();
  }
  return is_input || (is_worn && address == 0x1000120C) ? &copy : &AT(address);
}

static uint32_t known[2]; /* the inputs at the program's last look */
static bool watches[PINS];

void robot_pins_changed(void) {
  interrupts++;
  for (int k = 0; k < 2; k++) known[k] = AT(0x50000510 + 0x300 * k);
}

/* Runs the interrupt while its event is set and enabled. */
static void interrupt(void) {
  sense();
  for (int k = 0; AT(0x4000617C) && AT(0x40006304) >> 31; k++) {
    if (k == 8) fail("end of interrupts");
    interrupt_pins();
    sense();
  }
  for (int pin = 0; pin < PINS; pin++)
    if (watches[pin] && (known[pin / 32] ^ AT(port(pin) + 0x510)) >> (pin % 32) & 1) fail("level: not seen");
}

/* PWM. */

static const uint32_t units[] = {0x4001C000, 0x40021000, 0x40022000, 0x4002D000};

static uint16_t value_at(uint32_t address, int k) { return ((volatile uint16_t *)(uintptr_t)address)[k]; }

/* One channel of a unit that was started. */
static void show_channel(uint32_t unit, int channel) {
  const uint32_t selected = AT(unit + 0x560 + 4 * channel);
  if (selected >> 31) return; /* not connected */
  const int pin = (int)(selected & 0x3F);
  const uint32_t top = AT(unit + 0x508) & 0x7FFF, value = value_at(AT(unit + 0x520), channel);
  const double us = (1 << (AT(unit + 0x50C) & 7)) / 16.0;
  /* The counter runs from 0 to the top and begins again; a compare value above it gives no edge. */
  const uint32_t compare = value & 0x7FFF, first = compare > top ? top : compare;
  const double high = us * (value >> 15 ? first : top - first);
  if (!drives(pin) || out(pin)) fail("pin of a PWM unit: it must be a low output");
  printf("%d %g %g ", pin, us * top, high);
}

static void show_pwm(void) {
  for (int k = 0; k < 4; k++) {
    const uint32_t unit = units[k];
    if (AT(unit + 0x008) != 1) continue; /* TASKS_SEQSTART[0] */
    if (AT(unit + 0x500) != 1) fail("ENABLE");
    if (AT(unit + 0x504) != 0) fail("MODE: up");
    if ((AT(unit + 0x510) & 0x103) != 2) fail("DECODER: individual, by refresh count");
    if (AT(unit + 0x514) != 0) fail("LOOP");
    if (AT(unit + 0x524) != 4) fail("SEQ[0].CNT: a value for each channel");
    for (int channel = 0; channel < 4; channel++) show_channel(unit, channel);
  }
  printf("\n");
}

/* SAADC: what its registers do while the program waits for an event. */

static void convert(void) {
  if (AT(0x40007500) != 1) fail("SAADC ENABLE");
  const uint32_t input = AT(0x40007510), settings = AT(0x40007518);
  if (input < 1 || input > 8) fail("CH[0].PSELP");
  if (AT(0x40007514) != 0) fail("CH[0].PSELN");
  if (settings >> 20 & 1) fail("CH[0].CONFIG.MODE: single-ended");
  if (AT(0x40007630) != 1) fail("RESULT.MAXCNT");
  static const double gains[] = {1 / 6.0, 1 / 5.0, 1 / 4.0, 1 / 3.0, 1 / 2.0, 1, 2, 4};
  if (!(settings >> 12 & 1)) fail("REFSEL: a quarter of the supply");
  /* RESULT = V * GAIN / REFERENCE * 2^RESOLUTION */
  double result = volts[input - 1] * gains[settings >> 8 & 7] / 0.25 * (1 << (8 + 2 * (AT(0x400075F0) & 7)));
  const double most = (1 << (8 + 2 * (AT(0x400075F0) & 7))) - 1;
  if (result > most) result = most;
  *(volatile int16_t *)(uintptr_t)AT(0x4000762C) = (int16_t)result;
  AT(0x40007104) = 1; /* EVENTS_END */
}

bool chip_await(const volatile uint32_t *event, uint32_t rounds) {
  if (rounds < 100) fail("patience");
  if (AT(0x40007000)) AT(0x40007000) = 0, AT(0x40007100) = 1; /* TASKS_START, EVENTS_STARTED */
  if (AT(0x40007004)) {                                       /* TASKS_SAMPLE */
    if (!AT(0x40007100)) fail("sample before the start");
    AT(0x40007004) = 0;
    convert();
  }
  if (event == &AT(0x4001E400)) AT(0x4001E400) = AT(0x4001E504) == 1; /* NVMC: ready, and in mode Wen */
  return *event;
}

static void reset(void) {
  static const uint32_t regions[] = {0x40000000, 0x50000000, 0x10000000, 0xE000E000};
  static const uint32_t sizes[] = {0x30000, 0x1000, 0x2000, 0x1000};
  for (int k = 0; k < 4; k++) memset((void *)(uintptr_t)regions[k], 0, sizes[k]);
  for (int k = 0; k < 4; k++)
    for (int channel = 0; channel < 4; channel++) AT(units[k] + 0x560 + 4 * channel) = 0xFFFFFFFF;
  for (int pin = 0; pin < PINS; pin++) *config(pin) = 2;
}

static bool map(uint32_t place, size_t size) {
  return mmap((void *)(uintptr_t)place, size, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != MAP_FAILED;
}

int main(void) {
  if (!map(0x40000000, 0x30000) || !map(0x50000000, 0x1000) || !map(0x10000000, 0x2000) ||
      !map(0xE000E000, 0x1000))
    return 2;
  reset();
  char verb[16];
  while (scanf("%15s", verb) == 1) {
    double first = 0, second = 0;
    if (scanf("%lf", &first) != 1 ||
        (strcmp(verb, "adc") && strcmp(verb, "watch") && strcmp(verb, "wire") && scanf("%lf", &second) != 1))
      return 1;
    const int pin = (int)first, number = (int)second;
    if (!strcmp(verb, "hertz")) {
      board_pwm_frequency((uint8_t)pin, (uint32_t)number);
    } else if (!strcmp(verb, "pwm")) {
      board_pwm((uint8_t)pin, (uint8_t)number);
      show_pwm();
    } else if (!strcmp(verb, "servo")) {
      board_servo((uint8_t)pin, (uint16_t)number);
      show_pwm();
    } else if (!strcmp(verb, "adc")) {
      printf("%d\n", board_adc((uint8_t)pin));
    } else if (!strcmp(verb, "volt")) {
      volts[pin] = second;
    } else if (!strcmp(verb, "watch")) {
      board_watch((uint8_t)pin);
      watches[pin] = true;
      if (AT(0x40006304) != 1u << 31) fail("GPIOTE INTENSET");
      if (AT(0xE000E100) != 1u << 6) fail("interrupt 6");
    } else if (!strcmp(verb, "level")) {
      set_level(pin, number);
      interrupt();
      printf("%d\n", interrupts);
    } else if (!strcmp(verb, "flip")) {
      flipped = pin;
      reads_to_flip = number;
    } else if (!strcmp(verb, "input")) {
      board_input((uint8_t)pin, number);
    } else if (!strcmp(verb, "output")) {
      board_output((uint8_t)pin, number);
      printf("%d %d %d\n", out(pin), drives(pin), (int)(*config(pin) >> 8 & 7));
    } else if (!strcmp(verb, "wire")) {
      wire_start();
      if (AT(0xE000E100) != 1u << 2) fail("interrupt 2");
      printf("%u %u %u ", AT(0x4000250C), AT(0x40002514), AT(0x40002524)); /* PSEL, BAUDRATE */
      printf("%u %u %u %u ", AT(0x40002500), AT(0x40002000), AT(0x40002008),
             AT(0x40002304)); /* ENABLE, tasks */
      printf("%d %d\n", out(6), drives(6));
    } else if (!strcmp(verb, "start") || !strcmp(verb, "worn")) {
      reset();
      is_worn = !strcmp(verb, "worn");
      AT(0x10000010) = (uint32_t)first;
      AT(0x1000120C) = (uint32_t)second;
      chip_start();
      printf("%u %u %d %d\n", AT(0x1000120C), AT(0x4001E504), AT(0xE000ED0C) == 0x05FA0004,
             (int)AT(0x40000558));
    }
  }
  return 0;
}
