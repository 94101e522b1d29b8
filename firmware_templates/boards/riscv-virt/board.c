/* QEMU's RISC-V machine "virt": a processor, a clock, and a serial port. It has no pins other than those of
 * the test bench; it tests programs for this processor. */
#include "bare_metal.h"
#include "robot.h"

__asm(".option arch, +zicsr"); /* enables CSR instructions; multilib names do not include them */

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define COUNTS_PER_US 10
#define TICK_US 1000
#define BENCH_RETRY_US \
  50 /* until the next attempt, if the program was busy and could not stop for the bench */
#define SOFTWARE REGISTER(0x02000000) /* the software interrupt, triggered by programs and benches */
#define COMPARE_LOW REGISTER(0x02004000)
#define COMPARE_HIGH REGISTER(0x02004004)
#define TIME_LOW REGISTER(0x0200BFF8)
#define TIME_HIGH REGISTER(0x0200BFFC)

#define UART_IRQ 10
#define PLIC_PRIORITY REGISTER(0x0C000000 + 4 * UART_IRQ)
#define PLIC_ENABLE REGISTER(0x0C002000)
#define PLIC_THRESHOLD REGISTER(0x0C200000)
#define PLIC_CLAIM REGISTER(0x0C200004)

#define UART(offset) (*(volatile uint8_t *)(0x10000000 + (offset)))
#define UART_DATA UART(0)
#define UART_INTERRUPTS UART(1)
#define UART_BY_RECEIVED 1u
#define UART_STATUS UART(5)
#define UART_RECEIVED 1u
#define UART_FREE (1u << 5)

#define TEST_DEVICE REGISTER(0x00100000)
#define TEST_RESET 0x7777u

#define BY_INTERRUPT (1u << 31)
#define CAUSE_SOFTWARE 3u
#define CAUSE_TIMER 7u
#define CAUSE_EXTERNAL 11u
#define ENABLE(cause) (1u << (cause))
#define STATUS_INTERRUPTS 8u

static volatile uint32_t millis;
static uint64_t next; /* count at the next tick */
volatile uint32_t
    bench_cut; /* microseconds: requests an interrupt before that time, so that a bench can stop; 0: none */

int main(int argc, char **argv);

__attribute__((used, noreturn)) static void start_main(void) {
  bare_metal_start();
  main(0, 0);
  for (;;) {
  }
}

__attribute__((naked, section(".vectors"))) void board_reset(void) {
  __asm volatile("la sp, stack_top\n la tp, tls_start\n j start_main");
}

/* Time since power-up, in clock counts. */
static uint64_t count(void) {
  uint32_t high, low;
  do {
    high = TIME_HIGH;
    low = TIME_LOW;
  } while (high != TIME_HIGH);
  return (uint64_t)high << 32 | low;
}

static void set_compare(uint64_t then) {
  COMPARE_HIGH = UINT32_MAX; /* prevents a spurious match */
  COMPARE_LOW = (uint32_t)then;
  COMPARE_HIGH = (uint32_t)(then >> 32);
}

static void tick(void) {
  while (count() >= next) {
    next += TICK_US * COUNTS_PER_US;
    millis++;
  }
  uint64_t stop = (uint64_t)bench_cut * COUNTS_PER_US;
  if (stop > 0 && count() >= stop) stop = count() + BENCH_RETRY_US * COUNTS_PER_US;
  set_compare(stop > 0 && stop < next ? stop : next);
  bench_now = board_micros();
}

static void receive(void) {
  const uint32_t claimed = PLIC_CLAIM;
  while (UART_STATUS & UART_RECEIVED) ring_put(&wire_rx, UART_DATA);
  PLIC_CLAIM = claimed;
}

__attribute__((interrupt, aligned(4))) void interrupt_trap(void) {
  uint32_t cause;
  __asm volatile("csrr %0, mcause" : "=r"(cause));
  switch (cause) {
    case BY_INTERRUPT | CAUSE_TIMER: tick(); break;
    case BY_INTERRUPT | CAUSE_EXTERNAL: receive(); break;
    case BY_INTERRUPT | CAUSE_SOFTWARE:
      SOFTWARE = 0;
      robot_pins_changed();
      break;
    default: /* an error of the program */ kept_word[0] = KEPT(CAUSE_FAULT); TEST_DEVICE = TEST_RESET;
  }
}

void board_start(int argc, char **argv) {
  (void)argc;
  (void)argv;
  next = count() / (TICK_US * COUNTS_PER_US) * (TICK_US * COUNTS_PER_US) + TICK_US * COUNTS_PER_US;
  set_compare(next);
  PLIC_PRIORITY = 1;
  PLIC_ENABLE = 1u << UART_IRQ;
  PLIC_THRESHOLD = 0;
  UART_INTERRUPTS = UART_BY_RECEIVED;
  __asm volatile("csrw mtvec, %0" : : "r"(interrupt_trap));
  __asm volatile("csrw mie, %0"
                 :
                 : "r"(ENABLE(CAUSE_SOFTWARE) | ENABLE(CAUSE_TIMER) | ENABLE(CAUSE_EXTERNAL)));
  board_unlock();
}

uint32_t board_millis(void) { return millis; }

uint32_t board_micros(void) { return (uint32_t)(count() / COUNTS_PER_US); }

void board_write_byte(uint8_t byte) {
  while (!(UART_STATUS & UART_FREE)) {
  }
  UART_DATA = byte;
}

void board_input(uint8_t pin, bool pull_up) { bench_show(pin, PIN_INPUT, pull_up); }

void board_output(uint8_t pin, bool level) { bench_show(pin, PIN_OUTPUT, level); }

bool board_level(uint8_t pin) {
  return bench_pins[pin].driven ? bench_pins[pin].level : bench_pins[pin].shown;
}

void board_watch(uint8_t pin) { bench_pins[pin].watched = 1; }

uint16_t board_adc(uint8_t pin) {
  bench_show(pin, PIN_ANALOG, bench_pins[pin].analog);
  return bench_pins[pin].analog;
}

void board_pwm(uint8_t pin, uint8_t duty) { bench_show(pin, PIN_PWM, duty); }

void board_servo(uint8_t pin, uint16_t pulse) { bench_show(pin, PIN_SERVO, pulse); }

void board_lock(void) { __asm volatile("csrc mstatus, %0" : : "r"(STATUS_INTERRUPTS) : "memory"); }

void board_unlock(void) { __asm volatile("csrs mstatus, %0" : : "r"(STATUS_INTERRUPTS) : "memory"); }

void board_idle(void) { bare_metal_sleep(); }
