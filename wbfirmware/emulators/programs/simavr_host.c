/* A computer at the USB port of an AVR board under simavr: it sets the device up as Linux does, with two
 * resets, all descriptors, and the requests of its driver for serial ports (cdc_acm). Chapters are those of
 * the USB 2.0 specification. Time is counted in turns of 1/16 frame; in each, one packet passes. */
#include "simavr_host.h"

#include <sim_cycle_timers.h>
#include <sim_io.h>
#include <stdio.h>
#include <string.h>

#include "simavr_bus.h"
#include "simavr_descriptors.h"
#include "simavr_transfer.h"

#define TURN_CYCLES 1000
#define FRAME_TURNS 16
#define MS(milliseconds) ((milliseconds) * FRAME_TURNS)
#define DEBOUNCE MS(2)         /* after plugging in; a real hub waits for at least 100 ms (7.1.7.3) */
#define RESET MS(10)           /* 7.1.7.5 */
#define RECOVERY MS(10)        /* after a reset */
#define ADDRESS_RECOVERY MS(2) /* 9.2.6.3 */
#define IDLE MS(3)             /* until a bus is suspended (7.1.7.6) */
#define REFILL_CYCLES 16       /* until a computer that floods fills a buffer that is free again */
#define OWN_ADDRESS 5
#define TO_HOST 0x80    /* in addresses of endpoints */
#define BOOT_KEY 0x7777 /* of the boot loader, Caterina: at 0x0800, or at the end of RAM if it is newer */
#define BOOT_KEY_PLACE 0x0800
#define BOOT_VARIABLES 0x0100 /* what it clears and writes before it starts the program */
#define BOOT_VARIABLES_END 0x01BE
#define BOOT_SECTION 0x7000 /* of the flash, where processors with a boot loader begin */
#define STAY 0xCFFF         /* rjmp .-2 */

/* Requests of the set-up, in their order. */
enum step {
  FIRST_DESCRIPTOR, /* after it, another reset */
  SET_ADDRESS,
  DEVICE,
  QUALIFIER, /* of a device that also has a high speed: to be refused (9.6.2) */
  CONFIGURATION_HEAD,
  CONFIGURATION,
  LANGUAGES,
  MAKER,
  PRODUCT,
  SERIAL,
  SET_CONFIGURATION,
  SET_LINE,
  GET_LINE,
  SETUP_STEPS,
};

static avr_t *avr;
static int (*next_byte)(void);
static void (*take_byte)(uint8_t byte);
static const char *complaint;

static struct {
  enum { ABSENT, PLUGGED_IN, IN_RESET, RECOVERING, SETTING_UP, READY } phase;
  enum step step;
  unsigned wait; /* turns until the phase or the step goes on */
  unsigned turn, idle;
  bool is_suspended;
  struct transfer transfer;
  struct device device;
  enum {
    NO_USE,
    FOR_LINE,
    FOR_STATE,
    FOR_HALT,
    FOR_REQUEST
  } use; /* of the transfer, once the device is set up */
} host;

/* What a user wants, and what the device was told. */
static struct line {
  bool cable, power, suspended, open, reads, floods;
  uint32_t baud;
} wanted = {true, true, false, true, true, false, 115200}, told;

static int boot_keys; /* that the last reset has left */

static uint8_t outgoing[BUS_PACKET], outgoing_size;

static void complain(const char *why) {
  if (complaint == NULL) complaint = why;
}

static void unplug(void) {
  host.phase = ABSENT;
  host.transfer.stage = NO_STAGE;
  host.use = NO_USE;
  outgoing_size = 0;
  told.open = false;
  told.baud = 0;
}

static void begin_reset(void) {
  host.phase = IN_RESET;
  host.wait = RESET;
  host.transfer.address = 0;
}

static void ask(uint8_t kind, uint8_t request, uint16_t value, uint16_t index, uint16_t length,
                const uint8_t *data) {
  const uint8_t packet[SETUP_BYTES] = {kind,
                                       request,
                                       (uint8_t)value,
                                       (uint8_t)(value >> 8),
                                       (uint8_t)index,
                                       (uint8_t)(index >> 8),
                                       (uint8_t)length,
                                       (uint8_t)(length >> 8)};
  transfer_begin(&host.transfer, packet, data);
}

static void ask_descriptor(uint8_t type, uint8_t index, uint16_t language, uint16_t length) {
  ask(0x80, 6, (uint16_t)(type << 8 | index), language, length, NULL);
}

static void ask_line(uint32_t baud) {
  const uint8_t line[LINE_BYTES] = {
      (uint8_t)baud, (uint8_t)(baud >> 8), (uint8_t)(baud >> 16), (uint8_t)(baud >> 24), 0, 0, 8};
  ask(0x21, 0x20, 0, host.device.control_interface, LINE_BYTES, line);
  told.baud = baud;
}

#define FIRST_BAUD 9600 /* until a program opens the port */

static void ask_for_step(void) {
  const struct device *device = &host.device;
  switch (host.step) {
    case FIRST_DESCRIPTOR: ask_descriptor(1, 0, 0, 64); break;
    case SET_ADDRESS: ask(0, 5, OWN_ADDRESS, 0, 0, NULL); break;
    case DEVICE: ask_descriptor(1, 0, 0, DEVICE_BYTES); break;
    case QUALIFIER: ask_descriptor(6, 0, 0, 10); break;
    case CONFIGURATION_HEAD: ask_descriptor(2, 0, 0, CONFIGURATION_BYTES); break;
    case CONFIGURATION: ask_descriptor(2, 0, 0, device->configuration_size); break;
    case LANGUAGES: ask_descriptor(3, 0, 0, 255); break;
    case MAKER:
    case PRODUCT:
    case SERIAL: ask_descriptor(3, device->strings[host.step - MAKER], device->language, 255); break;
    case SET_CONFIGURATION: ask(0, 9, device->configuration, 0, 0, NULL); break;
    case SET_LINE: ask_line(FIRST_BAUD); break;
    case GET_LINE: ask(0xA1, 0x21, 0, device->control_interface, LINE_BYTES, NULL); break;
    case SETUP_STEPS: break;
  }
}

/* Returns what is wrong with the reply to a step; NULL: nothing. */
static const char *check_step(void) {
  const struct transfer *reply = &host.transfer;
  if (host.step == QUALIFIER)
    return reply->result == TRANSFER_STALL ? NULL : "it describes a high speed, which it does not have";
  if (reply->result == TRANSFER_STALL) return "it refuses a request that it must know";
  if (reply->result == TRANSFER_TIMEOUT) return "it does not answer";
  if (reply->result == TRANSFER_WRONG) return "it sends more than it was asked for";
  struct device *device = &host.device;
  switch (host.step) {
    case FIRST_DESCRIPTOR: return read_packet_size(device, reply->data, reply->at);
    case DEVICE: return read_device(device, reply->data, reply->at);
    case CONFIGURATION_HEAD: return read_configuration_head(device, reply->data, reply->at);
    case CONFIGURATION: return read_configuration(device, reply->data, reply->at);
    case LANGUAGES: return read_languages(device, reply->data, reply->at);
    case MAKER:
    case PRODUCT:
    case SERIAL: return check_string(reply->data, reply->at);
    case GET_LINE: return check_line(reply->data, reply->at, FIRST_BAUD);
    default: return NULL;
  }
}

/* Goes on to the next request: strings may be missing. */
static void next_step(void) {
  host.step++;
  while (host.step >= MAKER && host.step <= SERIAL && host.device.strings[host.step - MAKER] == 0)
    host.step++;
  if (host.step == SETUP_STEPS) host.phase = READY;
}

static void end_step(void) {
  const char *why = check_step();
  if (why != NULL) {
    complain(why);
    return;
  }
  if (host.step == FIRST_DESCRIPTOR) {
    host.transfer.packet_bytes = host.device.packet_bytes;
    begin_reset();
  }
  if (host.step == SET_ADDRESS) {
    host.transfer.address = OWN_ADDRESS;
    host.wait = ADDRESS_RECOVERY;
  }
  next_step();
}

static void set_up(void) {
  if (host.wait > 0) {
    host.wait--;
  } else if (host.transfer.stage != NO_STAGE) {
    transfer_go_on(&host.transfer);
    if (host.transfer.stage == NO_STAGE) end_step();
  } else {
    ask_for_step();
  }
}

/* Ends the halt of an endpoint, as drivers do (9.4.5). */
static void end_halt(uint8_t endpoint) {
  ask(2, 1, 0, endpoint, 0, NULL);
  host.use = FOR_HALT;
}

/* Fetches a packet, if the device has one. */
static void fetch(void) {
  uint8_t bytes[BUS_PACKET], size = 0;
  const enum bus_answer answer = bus_in(host.transfer.address, host.device.bulk_in, bytes, &size);
  if (answer == BUS_STALL) end_halt(TO_HOST | host.device.bulk_in);
  if (answer != BUS_DONE) return;
  for (uint8_t k = 0; k < size; k++) take_byte(bytes[k]);
}

/* Sends a packet, or the same again if the device had no room. Returns false if there is none. */
static bool send(void) {
  for (int byte; outgoing_size < host.device.out_bytes && (byte = next_byte()) >= 0;)
    outgoing[outgoing_size++] = (uint8_t)byte;
  while (wanted.floods && outgoing_size < host.device.out_bytes) outgoing[outgoing_size++] = 'x';
  if (outgoing_size == 0) return false;
  const enum bus_answer answer =
      bus_out(host.transfer.address, host.device.bulk_out, outgoing, outgoing_size);
  if (answer == BUS_STALL) end_halt(host.device.bulk_out);
  if (answer == BUS_DONE) outgoing_size = 0;
  return true;
}

static void poll_notices(void) {
  uint8_t bytes[BUS_PACKET], size = 0;
  bus_in(host.transfer.address, host.device.notice_in, bytes, &size);
}

/* Tells the device what a user wants. Returns false if there is nothing to tell. */
static bool tell_line(void) {
  if (wanted.open && told.baud != wanted.baud) {
    ask_line(wanted.baud);
    host.use = FOR_LINE;
  } else if (wanted.open != told.open) {
    ask(0x21, 0x22, wanted.open ? 3 : 0, host.device.control_interface, 0, NULL);
    told.open = wanted.open;
    host.use = FOR_STATE;
  } else {
    return false;
  }
  return true;
}

static void end_use(void) {
  const struct transfer *done = &host.transfer;
  if (host.use == FOR_REQUEST) {
    const bool is_whole = done->left == WHOLE && done->result == TRANSFER_DONE;
    if (is_whole && done->packet[0] == 0 && done->packet[1] == 5) host.transfer.address = done->packet[2];
  } else if (done->result != TRANSFER_DONE) {
    complain("it refuses a request of the serial port");
  }
  host.use = NO_USE;
}

static void serve(void) {
  if (host.transfer.stage != NO_STAGE) {
    transfer_go_on(&host.transfer);
    if (host.transfer.stage == NO_STAGE) end_use();
  } else if (!tell_line() && told.open) {
    if (host.turn % FRAME_TURNS == 0)
      poll_notices();
    else if ((host.turn % 2 == 0 || !send()) && wanted.reads)
      fetch();
  }
}

/* The signs of a host on the bus: frames, or their absence. Returns false if the bus rests. */
static bool keep_alive(void) {
  const bool rests = wanted.suspended || !wanted.cable || host.phase < RECOVERING;
  if (rests && host.phase != IN_RESET && bus_attached() && host.idle++ == IDLE) {
    bus_suspend(true);
    host.is_suspended = true;
  }
  if (rests) return false;
  host.idle = 0;
  if (host.is_suspended) bus_suspend(false);
  host.is_suspended = false;
  if (host.turn % FRAME_TURNS == 0) bus_frame((uint16_t)(host.turn / FRAME_TURNS));
  return true;
}

static void end_reset(void) {
  if (host.is_suspended) bus_suspend(false);
  host.is_suspended = false;
  bus_reset();
  host.phase = RECOVERING;
  host.wait = RECOVERY;
}

static void look_at_port(void) {
  bus_power(wanted.cable && wanted.power);
  if (!wanted.cable || !bus_attached()) {
    if (host.phase != ABSENT) unplug();
  } else if (host.phase == ABSENT) {
    host.phase = PLUGGED_IN;
    host.step = FIRST_DESCRIPTOR;
    host.transfer.packet_bytes = BUS_PACKET; /* any size may turn out to be right */
    host.wait = DEBOUNCE;
  }
}

static void take_turn(void) {
  look_at_port();
  const bool is_alive = keep_alive();
  if (host.phase == SETTING_UP && is_alive) {
    set_up();
  } else if (host.phase == READY && is_alive) {
    serve();
  } else if (host.phase != ABSENT && host.phase < SETTING_UP && host.wait-- == 0) {
    if (host.phase == PLUGGED_IN)
      begin_reset();
    else if (host.phase == IN_RESET)
      end_reset();
    else
      host.phase = SETTING_UP;
    if (host.phase == SETTING_UP) host.wait = 0;
  }
  bus_repeat_interrupts();
  host.turn++;
}

/* The chip has a second buffer, which is full by then; the library has one, which is filled at once. */
static avr_cycle_count_t on_refill(avr_t *processor, avr_cycle_count_t when, void *param) {
  (void)processor;
  (void)param;
  if (!wanted.floods || host.phase != READY || host.transfer.stage != NO_STAGE || !told.open) return 0;
  send();
  bus_repeat_interrupts();
  return when + REFILL_CYCLES;
}

static avr_cycle_count_t on_turn(avr_t *processor, avr_cycle_count_t when, void *param) {
  (void)processor;
  (void)param;
  if (complaint == NULL) take_turn();
  if (wanted.floods) avr_cycle_timer_register(avr, REFILL_CYCLES, on_refill, NULL);
  return when + TURN_CYCLES;
}

static uint16_t word_at(unsigned place) {
  return place < avr->ramend ? (uint16_t)(avr->data[place] | avr->data[place + 1] << 8) : 0;
}

/* The boot loader has started the program: what it leaves. */
static avr_cycle_count_t on_start(avr_t *processor, avr_cycle_count_t when, void *param) {
  (void)when;
  (void)param;
  processor->data[processor->reset_flags.wdrf.reg] = 0;
  memset(processor->data + BOOT_VARIABLES, 0, BOOT_VARIABLES_END - BOOT_VARIABLES);
  memset(processor->data + BOOT_KEY_PLACE, 0, sizeof(uint16_t));
  return 0;
}

/* The processor was reset, which has ended all timers. The boot loader itself is not emulated: if a program
 * has asked for it, the processor stays there. */
static void on_reset(avr_io_t *module) {
  (void)module;
  boot_keys = (word_at(BOOT_KEY_PLACE) == BOOT_KEY) + 2 * (word_at(avr->ramend - 1u) == BOOT_KEY);
  if (boot_keys != 0) {
    avr->flash[BOOT_SECTION] = STAY & 0xFF;
    avr->flash[BOOT_SECTION + 1] = STAY >> 8;
    avr->pc = BOOT_SECTION;
  }
  unplug();
  host.idle = 0;
  host.is_suspended = false;
  avr_cycle_timer_register(avr, TURN_CYCLES, on_turn, NULL);
  if (boot_keys == 0) avr_cycle_timer_register(avr, 1, on_start, NULL);
}

bool host_start(avr_t *processor, int (*give)(void), void (*take)(uint8_t byte)) {
  static avr_io_t module = {.kind = "usb host", .reset = on_reset};
  avr = processor;
  next_byte = give;
  take_byte = take;
  if (!bus_start(avr)) return false;
  avr_register_io(avr, &module);
  on_reset(&module);
  return true;
}

const char *host_complaint(void) { return complaint; }

/* What is driven, then what is only shown. */
static const char *const names[] = {"CABLE",  "POWER", "SUSPENDED", "OPEN", "READS",
                                    "FLOODS", "BAUD",  "PORT",      "DRIVE"};
enum { CABLE, POWER, SUSPENDED, OPEN, READS, FLOODS, BAUD, PORT, DRIVE, NAMES };

static int place_of(const char *name) {
  int place = 0;
  if (avr == NULL || strncmp(name, "USB:", 4) != 0) return NAMES;
  while (place < NAMES && strcmp(names[place], name + 4) != 0) place++;
  return place;
}

bool host_is_name(const char *name) { return place_of(name) < NAMES; }

bool host_drive(const char *name, double value) {
  const int place = place_of(name);
  if (place > BAUD || value < 0 || value > (place == BAUD ? UINT32_MAX : 1)) return false;
  switch (place) {
    case CABLE: wanted.cable = value != 0; break;
    case POWER: wanted.power = value != 0; break;
    case SUSPENDED: wanted.suspended = value != 0; break;
    case OPEN: wanted.open = value != 0; break;
    case READS: wanted.reads = value != 0; break;
    case FLOODS: wanted.floods = value != 0; break;
    default: wanted.baud = (uint32_t)value; break;
  }
  return true;
}

/* 0: absent, 1: connected, 2: set up, 3: open. */
static int state_of_port(void) {
  if (host.phase == ABSENT) return 0;
  if (host.phase < READY) return 1;
  return told.open && host.use != FOR_STATE ? 3 : 2;
}

void host_show(const char *name) {
  const double values[NAMES] = {wanted.cable,  wanted.power, wanted.suspended, wanted.open, wanted.reads,
                                wanted.floods, wanted.baud,  state_of_port(),  boot_keys};
  const int place = place_of(name);
  if (place < NAMES) printf("usb %.9g\n", values[place]);
}

bool host_request(const uint8_t *bytes, size_t size, int packets) {
  static uint8_t data[LONGEST_DATA]; /* what is not given is 0 */
  if (host.phase != READY || host.transfer.stage != NO_STAGE || size < SETUP_BYTES) return false;
  size_t given = size - SETUP_BYTES;
  if (given > LONGEST_DATA) given = LONGEST_DATA;
  memset(data, 0, sizeof data);
  memcpy(data, bytes + SETUP_BYTES, given);
  transfer_begin(&host.transfer, bytes, data);
  if (packets >= 0) host.transfer.left = (unsigned)packets;
  host.use = FOR_REQUEST;
  return true;
}

bool host_is_requesting(void) { return host.use == FOR_REQUEST; }

void host_show_reply(void) {
  static const char *const words[] = {"ack", "stall", "timeout", "babble"};
  const struct transfer *reply = &host.transfer;
  printf("control %s ", words[reply->result]);
  for (uint16_t k = 0; reply->result == TRANSFER_DONE && reply->packet[0] & 0x80 && k < reply->at; k++)
    printf("%02x", reply->data[k]);
  printf("\n");
}
