/* The encoder driver of a board with an STM32, compiled for this computer. Its registers are memory at their
 * addresses, and a model of the timers' encoder interface (RM0090, 18.3.12, 18.4.3, 18.4.7 and table 99)
 * counts there what the registers say. Without QUADRATURE_ENCODER_TIMER, each edge is an interrupt.
 *
 * Lines of standard input: the encoder (0 or 1) and the number of edges that it turns; 0 is a bounce of track
 * A. After each, its count is printed. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "bare_metal.h"
#include "chip.h"
#include "quadrature_encoder.h"

#define PERIPHERALS 0x40000000
#define SIZE 0x30000
#define BETWEEN_UPDATES 1000 /* edges; at 1000 updates per second these are 1 MHz */

volatile struct bench_pin bench_pins[BOARD_PINS];
static const uint8_t phases[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
static bool levels[BOARD_PINS];
static int turned[QUADRATURE_ENCODER_COUNT];

bool board_level(uint8_t pin) { return levels[pin]; }
void board_lock(void) {}
void board_unlock(void) {}

#ifdef QUADRATURE_ENCODER_TIMER
struct input {
  uint8_t pin, timer, channel;
};

static const struct input inputs[] = {{PIN_PA0, 2, 1}, {PIN_PA1, 2, 2}, {PIN_PA6, 3, 1},
                                      {PIN_PA7, 3, 2}, {PIN_PB6, 4, 1}, {PIN_PB7, 4, 2}};

static void fail(const char *what) {
  printf("wrong %s\n", what);
  exit(1);
}

void board_watch(uint8_t pin) {
  (void)pin;
  fail("interrupt at a pin of the timer");
}

/* The level of a channel behind its polarity. */
static bool input_of(uint8_t timer, uint8_t channel) {
  const uint32_t polarity = TIMER(timer)->enable >> (4 * (channel - 1)) & 0xA; /* CCxP, CCxNP */
  if (polarity == 0x8) fail("polarity");
  for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++)
    if (inputs[k].timer == timer && inputs[k].channel == channel)
      return levels[inputs[k].pin] != (polarity == 0x2);
  fail("channel");
  return false;
}

static void count_edge(uint8_t pin) {
  for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
    const uint8_t number = inputs[k].timer, channel = inputs[k].channel;
    struct timer *timer = TIMER(number);
    if (inputs[k].pin != pin || !(timer->control1 & 1)) continue; /* CEN */
    if ((timer->slave & 7) != 3) fail("slave mode");              /* SMS: both inputs */
    if ((timer->mode[0] & 3) != 1 || (timer->mode[0] >> 8 & 3) != 1) fail("channel selection");
    if (timer->prescaler != 0 || timer->top == 0) fail("prescaler or top");
    const bool rises = input_of(number, channel), other = input_of(number, 3 - channel);
    const bool up = (rises != other) == (channel == 1);
    timer->count = up ? (timer->count == timer->top ? 0 : timer->count + 1)
                      : (timer->count == 0 ? timer->top : timer->count - 1);
  }
}

static void after_edge(int k, uint8_t pin) {
  (void)k;
  count_edge(pin);
}

static void update(int k) { quadrature_encoder_update((uint8_t)k, 1); }
#else
void board_watch(uint8_t pin) { (void)pin; }

static void after_edge(int k, uint8_t pin) {
  (void)pin;
  quadrature_encoder_changed((uint8_t)k);
}

static void update(int k) { (void)k; }
#endif

static void set(int k, uint8_t pin, bool level) {
  if (levels[pin] == level) return;
  levels[pin] = level;
  after_edge(k, pin);
}

static void turn(int k, int way) {
  turned[k] += way;
  const uint8_t *phase = phases[turned[k] & 3];
  set(k, quadrature_encoder_table[k].a, phase[0]);
  set(k, quadrature_encoder_table[k].b, phase[1]);
}

int main(void) {
  int32_t counts[QUADRATURE_ENCODER_COUNT] = {0};
  int k, edges;
  if (mmap((void *)PERIPHERALS, SIZE, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
    return 2;
  for (k = 0; k < QUADRATURE_ENCODER_COUNT; k++) quadrature_encoder_start((uint8_t)k);
  while (scanf("%d %d", &k, &edges) == 2) {
    if (edges == 0)
      for (int bounce = 0; bounce < 2; bounce++)
        set(k, quadrature_encoder_table[k].a, !levels[quadrature_encoder_table[k].a]);
    for (int done = 0; done < abs(edges); done++) {
      turn(k, edges > 0 ? 1 : -1);
      if (done % BETWEEN_UPDATES == 0) update(k);
    }
    quadrature_encoder_moved((uint8_t)k, &counts[k]);
    printf("%d\n", (int)counts[k]);
  }
  return 0;
}
