/* A board with an AVR under simavr: runs a firmware and serves its serial lines and its pins.

   usage: simavr FIRMWARE.elf --mcu NAME --wire UART|usb [--pin NAME PLACE]... [--serial UART]
                 [--ring ADDRESS] [--lockstep] [--no-skip] [--trace FILE] [--begin ADDRESS]...
   Standard output first reports the wire. Lines on standard input: drive PIN VALUE (level or volts), show
   PIN; memory ADDRESS SIZE returns bytes of the processor's RAM; devices on the I2C bus are I2C:ADDRESS (1
   connected, 0 disconnected), I2C:ADDRESS:REGISTER (a byte) and I2C:ADDRESS:REGISTER:2 (a signed number,
   high byte first); in lockstep also send HEX and run MICROSECONDS, which returns the bytes sent in that
   time, and edge PIN LEVEL MICROSECONDS, also a fraction, which has no reply. Otherwise the serial line is a
   pseudo terminal, and time is real time. Ends with its input. PLACE is port and bit, ADC channel and timer
   output (simavr_pins.h). give HEX sends bytes to the second serial port, taken returns those that it has
   sent; in lockstep they are written at once to its ring buffer in RAM. With
   --no-skip, every cycle of a sleeping processor is simulated: the result is the same, but later. load
   returns what the processor did since the last call (struct load). With --trace, a file with one byte per
   word of the flash records executed words as 1. With --begin, time starts when the program first reaches
   one of these functions. With --wire usb, a computer is at the USB port (simavr_host.h), with a program that
   has opened it; control SETUP DATA lets a driver send this request while time passes;
   abandon SETUP PACKETS gives it up after some packets from the device. In lockstep, boot MICROSECONDS lets
   some of the set-up pass and returns booting or begun, jump ADDRESS continues at a function that does not
   return; for the names I2C:HELD and others see simavr_i2c.h and simavr_moments.h. untrace ends the trace. */
#include <avr_adc.h>
#include <avr_extint.h>
#include <avr_ioport.h>
#include <avr_uart.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sim_avr.h>
#include <sim_elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "registers.h"
#include "simavr_host.h"
#include "simavr_i2c.h"
#include "simavr_moments.h"
#include "simavr_parts.h"
#include "simavr_pins.h"

#define CLOCK 16000000
#define LONGEST_START (10ull * CLOCK) /* maximum cycles until the program reaches --begin */
#define CYCLES_PER_US (CLOCK / 1000000)
#define SUPPLY_MV 5000
#define LINE 65536
#define SLICE_US 500

static avr_t *avr;
static bool lockstep, skips = true;
static avr_cycle_count_t run_end; /* end of the current run */
static int terminal = -1;

/* A serial port: bytes on their way to the firmware, and from it. */
struct line {
  char uart; /* '0'; 0: none */
  bool ready;
  uint8_t given[LINE], taken[LINE];
  size_t given_size, given_at, taken_size;
};

static struct line wire = {.ready = true}, serial = {.ready = true};
static bool is_usb; /* the wire is the USB port */

/* Ends the emulator; the last line gives the reason. */
static void fail(const char *what) {
  printf("ended %s\n", what);
  fflush(stdout);
  exit(2);
}

#define FLASH_WORDS 131072 /* of the largest processor, an ATmega2560 */

/* Executed words; with --trace a mapped file, which also persists if this program is killed. */
static uint8_t untraced[FLASH_WORDS], *executed = untraced;

static void trace_to(const char *path) {
  const int file = open(path, O_RDWR);
  void *const found = mmap(NULL, FLASH_WORDS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (found == MAP_FAILED) fail("the file of the trace cannot be mapped");
  close(file);
  executed = found;
}

static uint16_t variables_end; /* address after the program's variables */

static uint16_t stack_pointer(void) { return (uint16_t)(avr->data[R_SPL] | avr->data[R_SPH] << 8); }

static void on_byte(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  struct line *line = param;
  if (line->taken_size < sizeof line->taken) line->taken[line->taken_size++] = (uint8_t)value;
}

static void on_ready(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  (void)value;
  ((struct line *)param)->ready = true;
}

static void on_full(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  (void)value;
  ((struct line *)param)->ready = false;
}

/* The library calls this in each round of a sleeping processor, with the cycles until its next timer is
   due, and then advances by these cycles and one more. Stop at the cycle at which the timer is due or the
   run ends, or at the very next cycle with --no-skip or if an interrupt is pending. */
static void sleep_on(avr_t *sleeper, avr_cycle_count_t cycles) {
  const struct avr_cycle_timer_slot_t *timer = sleeper->cycle_timers.timer;
  avr_cycle_count_t next = timer != NULL && timer->when < run_end ? timer->when : run_end;
  if (!skips || sleeper->interrupt_state != 0)
    next = sleeper->cycle + 1;
  else if (next < sleeper->cycle)
    next = sleeper->cycle; /* the sleep instruction has reached the end of the run */
  sleeper->cycle = next - (cycles + 1);
}

static void connect_line(struct line *line) {
  if (line->uart == 0) return;
  uint32_t flags = 0;
  avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS(line->uart), &flags);
  flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS(line->uart), &flags);
  const uint32_t uart = AVR_IOCTL_UART_GETIRQ(line->uart);
  avr_irq_register_notify(avr_io_getirq(avr, uart, UART_IRQ_OUTPUT), on_byte, line);
  avr_irq_register_notify(avr_io_getirq(avr, uart, UART_IRQ_OUT_XON), on_ready, line);
  avr_irq_register_notify(avr_io_getirq(avr, uart, UART_IRQ_OUT_XOFF), on_full, line);
}

/* Returns the next byte for the USB port; -1: none. */
static int give_usb(void) {
  if (wire.given_at == wire.given_size) wire.given_at = wire.given_size = 0;
  return wire.given_size == 0 ? -1 : wire.given[wire.given_at++];
}

static void take_usb(uint8_t byte) { on_byte(NULL, byte, &wire); }

static void start(const char *path, const char *mcu) {
  elf_firmware_t firmware;
  memset(&firmware, 0, sizeof firmware);
  /* The library prints load messages to standard output, which belongs to the bench. */
  const int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
  if (out < 0 || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
    fail("the standard output cannot be changed");
  close(nowhere);
  if (elf_read_firmware(path, &firmware) != 0) fail("the firmware cannot be read");
  avr = avr_make_mcu_by_name(mcu);
  if (avr == NULL) fail("simavr does not know the processor");
  avr_init(avr);
  avr->log = LOG_ERROR;
  firmware.frequency = CLOCK;
  firmware.vcc = firmware.avcc = firmware.aref = SUPPLY_MV;
  avr_load_firmware(avr, &firmware);
  variables_end = (uint16_t)(avr->ioend + 1 + firmware.datasize + firmware.bsssize);
  fflush(stdout);
  dup2(out, STDOUT_FILENO);
  close(out);
  avr->sleep = sleep_on;
  /* Level interrupts, which no board uses, would be checked in each cycle. */
  for (int k = EXTINT_IRQ_OUT_INT0; k <= EXTINT_IRQ_OUT_INT7; k++)
    avr_extint_set_strict_lvl_trig(avr, (uint8_t)k, 0);
  pins_start(avr);
  parts_start(avr);
  connect_line(&wire);
  connect_line(&serial);
  if (is_usb && !host_start(avr, give_usb, take_usb)) fail("the processor has no USB port");
  i2c_start(avr);
  moments_start(avr);
}

/* Passes the next bytes to a serial port, as many as it accepts. */
static void feed(struct line *line) {
  if (line->given_size == 0 || line->uart == 0) return; /* the usual case, checked before every instruction */
  avr_irq_t *input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(line->uart), UART_IRQ_INPUT);
  while (line->ready && line->given_at < line->given_size)
    avr_raise_irq(input, line->given[line->given_at++]);
  if (line->given_at == line->given_size) line->given_at = line->given_size = 0;
}

/* Address of the firmware's ring buffer of the second serial port: 256 bytes, then the indices of the next
 * byte in and out; 0: the program has none. */
static uint16_t ring;

/* Fills the ring buffer of the second serial port as far as possible. */
static void fill_ring(void) {
  for (; serial.given_at < serial.given_size; serial.given_at++) {
    uint8_t *const in = &avr->data[ring + 256], next = (uint8_t)(*in + 1);
    if (next == in[1]) return;
    avr->data[ring + *in] = serial.given[serial.given_at];
    *in = next;
  }
  serial.given_at = serial.given_size = 0;
}

/* Reports a crash of the firmware, with the reason if the processor shows it. */
static void fail_at(avr_flashaddr_t pc) {
  static char why[160];
  if (pc >= avr->flashend)
    snprintf(why, sizeof why,
             "the firmware has crashed: it went on at %#x, where there is no program (stack overflow or bad "
             "pointer)",
             (unsigned)pc);
  else
    snprintf(why, sizeof why,
             "the firmware has crashed: no instruction that the processor knows at %#x (bad opcode)",
             (unsigned)pc);
  fail(why);
}

/* Reports why the computer at the USB port cannot use the device. */
static void fail_at_usb(void) {
  static char why[160];
  snprintf(why, sizeof why, "the computer cannot use the USB device: %s", host_complaint());
  fail(why);
}

/* Addresses at which the program, after its set-up, begins its first step or ends. */
static avr_flashaddr_t begins[2];
static int known_begins;

static bool has_begun(void) {
  for (int k = 0; k < known_begins; k++)
    if (avr->pc == begins[k]) return true;
  return false;
}

/* What the processor did since the last call of `load`, in cycles. */
static struct load {
  uint64_t awake;      /* not asleep */
  uint64_t longest;    /* the longest stretch without sleep that has ended */
  uint64_t in_service; /* in interrupts */
  uint64_t interrupts; /* their number */
  uint64_t locked;     /* the longest time with interrupts disabled */
} load;

static uint64_t stretch, off; /* cycles since the last sleep, and since interrupts were enabled */

/* Counts an instruction that has taken some cycles, with the state of the processor before it. */
static void count_load(uint64_t cycles, bool was_awake, uint8_t level) {
  if (was_awake) {
    load.awake += cycles;
    stretch += cycles;
  } else if (stretch > 0) {
    if (stretch > load.longest) load.longest = stretch;
    stretch = 0;
  }
  if (level > 0) load.in_service += cycles;
  if (avr->interrupts.running_ptr > level) load.interrupts++;
  off = avr->sreg[S_I] ? 0 : off + cycles;
  if (off > load.locked) load.locked = off;
}

static void tell_load(void) {
  const double us = CLOCK / 1e6;
  printf("load %.9g %.9g %.9g %u %.9g\n", (double)load.awake / us, (double)load.longest / us,
         (double)load.in_service / us, (unsigned)load.interrupts, (double)load.locked / us);
  load = (struct load){0};
}

/* Runs until a cycle, or until the program is about to begin. */
static void run_until(avr_cycle_count_t cycle, bool or_begun) {
  run_end = cycle;
  while (avr->cycle < cycle && !(or_begun && has_begun())) {
    feed(&wire);
    if (!lockstep) feed(&serial);
    const bool was_awake = avr->state == cpu_Running;
    if (was_awake) executed[avr->pc / 2 % FLASH_WORDS] = 1;
    const avr_cycle_count_t before = avr->cycle;
    const uint8_t level = avr->interrupts.running_ptr;
    i2c_before();
    const int state = avr_run(avr);
    i2c_after();
    count_load(avr->cycle - before, was_awake, level);
    if (stack_pointer() < variables_end)
      fail("the firmware has crashed: its stack has grown into its variables (stack overflow)");
    if (state == cpu_Done || state == cpu_Crashed) fail_at(avr->pc);
    if (host_complaint() != NULL) fail_at_usb();
  }
}

static void give(struct line *line, const char *hex) {
  for (unsigned byte; line->given_size < sizeof line->given && sscanf(hex, "%2x", &byte) == 1; hex += 2)
    line->given[line->given_size++] = (uint8_t)byte;
}

/* Prints the bytes that a line has sent since the last call. */
static void tell_taken(const char *before, struct line *line) {
  printf("%s ", before);
  for (size_t k = 0; k < line->taken_size; k++) printf("%02x", line->taken[k]);
  printf("\n");
  line->taken_size = 0;
}

/* Reads memory; addresses are those of the program file, in which the RAM begins far above the flash. */
#define RAM_BASE 0x800000

static void tell_memory(const char *words) {
  unsigned long place = 0, size = 0;
  sscanf(words, "%lu %lu", &place, &size);
  if (place < RAM_BASE || place - RAM_BASE + size > avr->ramend + 1ul || size == 0) {
    printf("error memory %s\n", words);
    return;
  }
  printf("memory ");
  for (unsigned long k = 0; k < size; k++) printf("%02x", avr->data[place - RAM_BASE + k]);
  printf("\n");
}

/* The last instruction of a run may exceed it; the next run is shorter. */
static avr_cycle_count_t scheduled;

static bool started; /* time is that of `scheduled` */

/* Lets some of the set-up pass. It ends where the program is about to begin. */
static void boot_for(const char *microseconds) {
  if (!started && !has_begun())
    run_until(avr->cycle + strtoull(microseconds, NULL, 10) * CYCLES_PER_US, true);
  printf(started || known_begins == 0 || has_begun() ? "begun\n" : "booting\n");
}

/* Continues at another function, which does not return: the rest of the program is abandoned. */
static void jump_to(const char *place) {
  while (avr->interrupts.running_ptr > 0) run_until(avr->cycle + 1, false);
  avr->pc = (avr_flashaddr_t)strtoul(place, NULL, 0);
  avr->state = cpu_Running;
  avr->sreg[S_I] = 1;
  printf("jumped\n");
}

static void pass_for(const char *microseconds) {
  if (!started && known_begins > 0) {
    run_until(LONGEST_START, true);
    scheduled =
        avr->cycle - avr->cycle % (1000 * CYCLES_PER_US); /* a whole millisecond, as the program counts */
  }
  started = true;
  scheduled += (avr_cycle_count_t)(strtod(microseconds, NULL) * CYCLES_PER_US);
  if (ring != 0) fill_ring();
  run_until(scheduled, false);
}

static void run_for(const char *microseconds) {
  pass_for(microseconds);
  tell_taken("ran", &wire);
}

/* Drives a pin by a level, and lets time pass without a reply: an encoder makes thousands of edges. */
static void edge(char *words) {
  const struct pin *pin = find_pin(strtok(words, " "));
  const char *const level = strtok(NULL, " "), *const microseconds = strtok(NULL, " ");
  if (pin == NULL || level == NULL || microseconds == NULL) {
    printf("error edge\n");
    return;
  }
  pin_drive(pin, *level == '1');
  pass_for(microseconds);
}

/* Lets a driver send a request to the USB device, for which time passes. */
static void control(const char *hex, int packets) {
  static uint8_t bytes[LINE / 2];
  size_t size = 0;
  for (unsigned byte; size < sizeof bytes && sscanf(hex, " %2x", &byte) == 1; hex += 2) {
    hex += strspn(hex, " ");
    bytes[size++] = (uint8_t)byte;
  }
  if (!host_request(bytes, size, packets)) {
    printf("control lost\n");
    return;
  }
  for (; host_is_requesting(); scheduled = avr->cycle) run_until(avr->cycle + CYCLES_PER_US, false);
  host_show_reply();
}

/* Lets one begin, and gives it up after a number of packets. */
static void abandon(char *words) {
  char *const count = strchr(words, ' ');
  if (count != NULL) *count = 0;
  control(words, count != NULL ? atoi(count + 1) : 0);
}

static void obey(char *words) {
  words[strcspn(words, "\n")] = 0;
  char verb[16] = "", name[24] = "";
  double value = 0;
  int at = 0;
  sscanf(words, "%15s %n", verb, &at);
  sscanf(words + at, "%23s %lf", name, &value);
  const struct pin *pin = find_pin(name);
  if (strcmp(verb, "drive") == 0 && pin != NULL)
    pin_drive(pin, value);
  else if (strcmp(verb, "edge") == 0 && lockstep)
    edge(words + at);
  else if (strcmp(verb, "show") == 0 && pin != NULL)
    pin_show(pin);
  else if (strcmp(verb, "show") == 0 && registers_is_name(name))
    registers_show(name);
  else if (strcmp(verb, "show") == 0 && (i2c_show(name) || moments_show(name)))
    return;
  else if (strcmp(verb, "show") == 0 && host_is_name(name))
    host_show(name);
  else if (strcmp(verb, "drive") == 0 &&
           (registers_drive(name, value) || part_drive(name, value) || host_drive(name, value) ||
            i2c_drive(name, value) || moments_drive(name, value)))
    return;
  else if (strcmp(verb, "show") == 0 && part_is_shown(name))
    part_show(name);
  else if (strcmp(verb, "send") == 0 && lockstep)
    give(&wire, words + at);
  else if (strcmp(verb, "give") == 0 && serial.uart != 0 && (ring != 0 || !lockstep))
    give(&serial, words + at);
  else if (strcmp(verb, "taken") == 0 && serial.uart != 0)
    tell_taken("taken", &serial);
  else if (strcmp(verb, "memory") == 0)
    tell_memory(words + at);
  else if (strcmp(verb, "load") == 0)
    tell_load();
  else if (strcmp(verb, "run") == 0 && lockstep)
    run_for(name);
  else if (strcmp(verb, "boot") == 0 && lockstep)
    boot_for(name);
  else if (strcmp(verb, "jump") == 0 && lockstep)
    jump_to(name);
  else if (strcmp(verb, "untrace") == 0)
    executed = untraced;
  else if (strcmp(verb, "control") == 0 && lockstep && is_usb)
    control(words + at, -1);
  else if (strcmp(verb, "abandon") == 0 && lockstep && is_usb)
    abandon(words + at);
  else
    printf("error %s\n", words);
}

static void open_terminal(void) {
  int other;
  char name[256];
  struct termios mode;
  if (openpty(&terminal, &other, name, NULL, NULL) != 0 || tcgetattr(other, &mode) != 0)
    fail("there is no pseudo terminal");
  cfmakeraw(&mode);
  tcsetattr(other, TCSANOW, &mode);
  fcntl(terminal, F_SETFL, O_NONBLOCK);
  printf("wire serial://%s\n", name);
  fflush(stdout);
}

/* Transfers bytes between terminal and firmware. */
static void carry(void) {
  if (wire.given_size < sizeof wire.given) {
    const ssize_t size = read(terminal, wire.given + wire.given_size, sizeof wire.given - wire.given_size);
    wire.given_size += size > 0 ? (size_t)size : 0;
  }
  if (wire.taken_size > 0 && write(terminal, wire.taken, wire.taken_size) > 0) wire.taken_size = 0;
}

/* Executes whole lines; returns what follows them. All replies are written at once, because each time another
   process wakes up takes longer than most lines. A web page calls it, since it cannot write to an input. */
char *obey_text(char *lines);

char *obey_text(char *lines) {
  for (char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
    *end = 0;
    obey(lines);
  }
  fflush(stdout);
  return lines;
}

/* Executes the lines received, after waiting for some. */
static void obey_lines(void) {
  static char lines[LINE];
  static size_t filled;
  const ssize_t size = read(STDIN_FILENO, lines + filled, sizeof lines - 1 - filled);
  if (size <= 0) exit(0); /* the bench was closed */
  filled += (size_t)size;
  lines[filled] = 0;
  char *const rest = obey_text(lines);
  filled -= (size_t)(rest - lines);
  memmove(lines, rest, filled + 1);
}

/* Executes the lines that have been received. */
static void serve(void) {
  struct pollfd file = {STDIN_FILENO, POLLIN, 0};
  while (poll(&file, 1, 0) > 0) obey_lines();
}

static uint64_t wall_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void run_as_the_wall(void) {
  const uint64_t begin = wall_us();
  for (;;) {
    serve();
    carry();
    run_until((wall_us() - begin) * CYCLES_PER_US, false);
    carry();
    const struct timespec pause = {0, SLICE_US * 1000};
    nanosleep(&pause, NULL);
  }
}

static void run_in_lockstep(void) {
  printf("wire lockstep\n");
  fflush(stdout);
#ifndef __EMSCRIPTEN__
  for (;;) obey_lines();
#endif
}

/* Reads one option and its values; returns how many arguments it has taken. */
static int read_option(int left, char **words, const char **mcu) {
  const char *word = words[0], *value = left > 1 ? words[1] : "";
  if (strcmp(word, "--lockstep") == 0)
    lockstep = true;
  else if (strcmp(word, "--no-skip") == 0)
    skips = false;
  else if (strcmp(word, "--pin") == 0 && left > 2 && add_pin(value, words[2]))
    return 3;
  else if (strcmp(word, "--mcu") == 0 && left > 1)
    return *mcu = value, 2;
  else if (strcmp(word, "--wire") == 0 && left > 1 && strcmp(value, "usb") == 0)
    return is_usb = true, 2;
  else if (strcmp(word, "--wire") == 0 && left > 1)
    return wire.uart = value[0], 2;
  else if (strcmp(word, "--serial") == 0 && left > 1)
    return serial.uart = value[0], 2;
  else if (strcmp(word, "--ring") == 0 && left > 1)
    return ring = (uint16_t)strtoul(value, NULL, 0), 2;
  else if (strcmp(word, "--trace") == 0 && left > 1)
    return trace_to(value), 2;
  else if (strcmp(word, "--begin") == 0 && left > 1 && known_begins < 2)
    return begins[known_begins++] = (avr_flashaddr_t)strtoul(value, NULL, 0), 2;
  else
    fail(word);
  return 1;
}

int main(int argc, char **argv) {
  const char *mcu = NULL;
  for (int k = 2; k < argc;) k += read_option(argc - k, argv + k, &mcu);
  if (argc < 2 || mcu == NULL || (wire.uart == 0 && !is_usb)) fail("usage: see the beginning of simavr.c");
  start(argv[1], mcu);
  if (lockstep) {
    run_in_lockstep();
    return 0;
  }
  open_terminal();
  run_as_the_wall();
}
