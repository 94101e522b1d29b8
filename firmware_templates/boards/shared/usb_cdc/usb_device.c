/* The USB device: requests of endpoint 0 (USB 2.0 specification, chapter 9; class requests: USB CDC 1.2, PSTN
 * subclass 1.2). All functions but those of usb_device.h run in the chip's interrupt. A request that is
 * unknown, or does not fit the state, stalls endpoint 0 until the next setup packet (9.2.7). */
#include "usb_device.h"

#include "memory.h"
#include "usb_descriptors.h"
#include "usb_port.h"

/* Kinds of requests: direction, type and recipient, the first byte of a setup packet (table 9-2). */
#define TO_DEVICE 0x00
#define TO_INTERFACE 0x01
#define TO_ENDPOINT 0x02
#define FROM_DEVICE 0x80
#define FROM_INTERFACE 0x81
#define FROM_ENDPOINT 0x82
#define CLASS_TO_INTERFACE 0x21
#define CLASS_FROM_INTERFACE 0xA1

/* Requests (table 9-4; PSTN, table 13). */
#define GET_STATUS 0
#define CLEAR_FEATURE 1
#define SET_FEATURE 3
#define SET_ADDRESS 5
#define GET_DESCRIPTOR 6
#define GET_CONFIGURATION 8
#define SET_CONFIGURATION 9
#define GET_INTERFACE 10
#define SET_INTERFACE 11
#define SET_LINE_CODING 0x20
#define GET_LINE_CODING 0x21
#define SET_CONTROL_LINE_STATE 0x22
#define REQUEST(kind, number) ((uint16_t)((kind) << 8 | (number)))

#define ENDPOINT_HALT 0
#define ENDPOINT_NUMBER 0x0F
#define MOST_ADDRESS 127
#define LINE_CODING_BYTES 7
#define TERMINAL_READY 1 /* DTR */
#define TOUCH_BAUD 1200
#define STRING_HEAD 2 /* bytes before the characters */

struct request {
  uint16_t what; /* REQUEST() */
  uint16_t value, index, length;
};

/* What endpoint 0 waits for. */
static enum { NOTHING, DATA_SENT, DATA_RECEIVED, STATUS_SENT, STATUS_RECEIVED } waiting;

/* The data of a reply: bytes in the flash or in RAM, or the characters of a string. */
static enum { FLASH_BYTES, RAM_BYTES, FLASH_STRING, SERIAL_STRING } source;
static const FLASH uint8_t *flash_data;
static const uint8_t *ram_data;
static uint8_t string_size;
static uint16_t next, end;      /* of the bytes to send */
static bool is_short, was_full; /* the reply is shorter than the host asked for; the last packet was full */

static uint8_t new_address, configuration;
static bool address_waits; /* for the end of its request (9.4.6) */
static uint8_t halted;     /* a bit for each endpoint */
static uint8_t answer[2];
static uint8_t line_coding[LINE_CODING_BYTES] = {0x00, 0xC2, 0x01, 0x00, 0, 0, 8}; /* 115200 baud, 8N1 */
static bool ready, suspended;
static volatile bool is_open, closed, touched;

bool usb_is_open(void) { return is_open; }

bool usb_was_closed(void) { return closed; }

void usb_forget_closing(void) { closed = false; }

bool usb_was_touched(void) { return touched; }

/* To be called when something changes on which it depends whether the port is open. */
static void update_open(void) {
  const bool now = configuration != 0 && ready && !suspended;
  if (is_open && !now) closed = true;
  is_open = now;
}

static uint32_t baud(void) {
  return line_coding[0] | (uint32_t)line_coding[1] << 8 | (uint32_t)line_coding[2] << 16 |
         (uint32_t)line_coding[3] << 24;
}

static void set_ready(bool on) {
  if (ready && !on && baud() == TOUCH_BAUD) touched = true;
  ready = on;
  update_open();
}

static void set_configuration(uint8_t number) {
  configuration = number;
  halted = 0;
  ready = false; /* before the host says otherwise */
  usb_port_configure(number != 0);
  update_open();
}

static uint8_t byte_of_string(uint16_t place) {
  if (place == 0) return string_size;
  if (place == 1) return USB_STRING;
  if (place % 2) return 0; /* the upper half of a character */
  const uint8_t index = (uint8_t)(place / 2 - 1);
#if USB_SERIAL_DIGITS
  if (source == SERIAL_STRING) return usb_port_serial(index);
#endif
  return flash_data[index];
}

static uint8_t byte_of_reply(uint16_t place) {
  if (source == RAM_BYTES) return ram_data[place];
  return source == FLASH_BYTES ? flash_data[place] : byte_of_string(place);
}

static void send_packet(void) {
  uint8_t count = 0;
  for (; count < USB_CONTROL_BYTES && next < end; count++) usb_port_give(byte_of_reply(next++));
  was_full = count == USB_CONTROL_BYTES;
  usb_port_reply();
}

/* Ends a request without a reply. This and the following functions return true: the request is accepted. */
static bool acknowledge(void) {
  waiting = STATUS_SENT;
  usb_port_reply();
  return true;
}

/* Sends the reply of `size` bytes that `source` describes, as far as the host asks for it. */
static bool reply(uint16_t size, uint16_t length) {
  if (length == 0) return acknowledge(); /* there is no data stage (9.3.1) */
  next = 0;
  end = size < length ? size : length;
  is_short = size < length; /* then a packet that is not full ends it (8.5.3.2) */
  waiting = DATA_SENT;
  usb_port_listen(); /* the host may end the request early */
  send_packet();
  return true;
}

static bool reply_flash(const FLASH uint8_t *bytes, uint16_t size, uint16_t length) {
  source = FLASH_BYTES;
  flash_data = bytes;
  return reply(size, length);
}

static bool reply_ram(const uint8_t *bytes, uint8_t size, uint16_t length) {
  source = RAM_BYTES;
  ram_data = bytes;
  return reply(size, length);
}

static bool reply_byte(uint8_t byte, uint16_t length) {
  answer[0] = byte;
  return reply_ram(answer, 1, length);
}

static bool reply_status(bool bit, uint16_t length) {
  answer[0] = bit;
  answer[1] = 0;
  return reply_ram(answer, 2, length);
}

static bool reply_string(uint8_t index, uint16_t length) {
  uint8_t count = 0;
  source = FLASH_STRING;
#if USB_SERIAL_DIGITS
  if (index == USB_STRING_SERIAL) {
    source = SERIAL_STRING;
    count = USB_SERIAL_DIGITS;
  }
#endif
  if (source == FLASH_STRING) flash_data = usb_string(index, &count);
  if (count == 0) return false;
  string_size = (uint8_t)(STRING_HEAD + 2 * count);
  return reply(string_size, length);
}

static bool get_descriptor(const struct request *request) {
  const uint8_t index = (uint8_t)request->value;
  const uint16_t length = request->length;
  switch (request->value >> 8) {
    case USB_DEVICE: return index == 0 && reply_flash(usb_device, usb_device[0], length);
    case USB_CONFIGURATION: return index == 0 && reply_flash(usb_configuration, usb_configuration[2], length);
    case USB_STRING:
      return index == 0 ? reply_flash(usb_languages, usb_languages[0], length) : reply_string(index, length);
    default: return false; /* also of devices with a high speed (9.6.2) */
  }
}

static bool set_address(const struct request *request) {
  if (request->value > MOST_ADDRESS) return false;
  new_address = (uint8_t)request->value;
  address_waits = true;
  return acknowledge();
}

static bool choose_configuration(const struct request *request) {
  if (request->value > 1) return false;
  set_configuration((uint8_t)request->value);
  return acknowledge();
}

/* The number of an endpoint that exists with this direction; 0 for endpoint 0, USB_ENDPOINTS for none. */
static uint8_t endpoint_of(uint16_t index) {
  const uint8_t number = index & ENDPOINT_NUMBER;
  if ((index & ~USB_IN) == 0) return 0;
  if (configuration == 0) return USB_ENDPOINTS;
  const bool exists =
      index == USB_BULK_OUT || index == (USB_IN | USB_BULK_IN) || index == (USB_IN | USB_NOTICE_IN);
  return exists ? number : USB_ENDPOINTS;
}

/* Endpoint 0 is never halted. */
static bool halt(const struct request *request, bool on) {
  const uint8_t endpoint = endpoint_of(request->index);
  if (request->value != ENDPOINT_HALT || endpoint == USB_ENDPOINTS) return false;
  if (endpoint != 0) {
    const uint8_t bit = (uint8_t)(1u << endpoint);
    halted = on ? halted | bit : halted & (uint8_t)~bit;
    usb_port_halt(endpoint, on);
  }
  return acknowledge();
}

static bool endpoint_status(const struct request *request) {
  const uint8_t endpoint = endpoint_of(request->index);
  return endpoint != USB_ENDPOINTS && reply_status(halted >> endpoint & 1, request->length);
}

static bool has_interface(const struct request *request) {
  return configuration != 0 && request->index < USB_INTERFACES;
}

/* Interfaces have one setting; choosing it resets their endpoints (9.1.1.5). */
static bool set_interface(const struct request *request) {
  if (!has_interface(request) || request->value != 0) return false;
  halted = 0;
  if (request->index == USB_DATA_INTERFACE) {
    usb_port_halt(USB_BULK_OUT, false);
    usb_port_halt(USB_BULK_IN, false);
  } else {
    usb_port_halt(USB_NOTICE_IN, false);
  }
  return acknowledge();
}

static bool receive_line_coding(const struct request *request) {
  if (request->length != LINE_CODING_BYTES) return false;
  waiting = DATA_RECEIVED;
  usb_port_listen();
  return true;
}

static bool set_line_state(const struct request *request) {
  if (configuration == 0) return false;
  set_ready(request->value & TERMINAL_READY);
  return acknowledge();
}

static bool for_serial_line(const struct request *request) { return request->index == USB_CONTROL_INTERFACE; }

/* Requests without data to the device. */
static bool execute_without_data(const struct request *request) {
  switch (request->what) {
    case REQUEST(TO_DEVICE, SET_ADDRESS): return set_address(request);
    case REQUEST(TO_DEVICE, SET_CONFIGURATION): return choose_configuration(request);
    case REQUEST(TO_INTERFACE, SET_INTERFACE): return set_interface(request);
    case REQUEST(TO_ENDPOINT, CLEAR_FEATURE): return halt(request, false);
    case REQUEST(TO_ENDPOINT, SET_FEATURE): return halt(request, true);
    case REQUEST(CLASS_TO_INTERFACE, SET_CONTROL_LINE_STATE):
      return for_serial_line(request) && set_line_state(request);
    default: return false;
  }
}

static bool execute(const struct request *request) {
  const uint16_t length = request->length;
  switch (request->what) {
    case REQUEST(FROM_DEVICE, GET_STATUS): return reply_status(false, length); /* powered by the bus */
    case REQUEST(FROM_DEVICE, GET_DESCRIPTOR): return get_descriptor(request);
    case REQUEST(FROM_DEVICE, GET_CONFIGURATION): return reply_byte(configuration, length);
    case REQUEST(FROM_INTERFACE, GET_STATUS): return has_interface(request) && reply_status(false, length);
    case REQUEST(FROM_INTERFACE, GET_INTERFACE): return has_interface(request) && reply_byte(0, length);
    case REQUEST(FROM_ENDPOINT, GET_STATUS): return endpoint_status(request);
    case REQUEST(CLASS_TO_INTERFACE, SET_LINE_CODING):
      return for_serial_line(request) && receive_line_coding(request);
    case REQUEST(CLASS_FROM_INTERFACE, GET_LINE_CODING):
      return for_serial_line(request) && reply_ram(line_coding, LINE_CODING_BYTES, length);
    default: return length == 0 && execute_without_data(request);
  }
}

static uint16_t take_u16(void) {
  const uint8_t low = usb_port_take();
  return (uint16_t)(low | usb_port_take() << 8);
}

void usb_setup(void) {
  struct request request;
  const uint8_t kind = usb_port_take();
  request.what = REQUEST(kind, usb_port_take());
  request.value = take_u16();
  request.index = take_u16();
  request.length = take_u16();
  waiting = NOTHING;
  address_waits = false;
  if (!execute(&request)) usb_port_stall();
}

void usb_sent(void) {
  if (waiting == DATA_SENT) {
    if (next < end || (is_short && was_full))
      send_packet();
    else
      waiting = STATUS_RECEIVED;
  } else if (waiting == STATUS_SENT) {
    if (address_waits) usb_port_address(new_address);
    address_waits = false;
    waiting = NOTHING;
  }
}

void usb_received(uint8_t size) {
  if (waiting != DATA_RECEIVED) {
    waiting = NOTHING; /* the end of a reply */
  } else if (size == LINE_CODING_BYTES) {
    for (uint8_t k = 0; k < LINE_CODING_BYTES; k++) line_coding[k] = usb_port_take();
    acknowledge();
  } else {
    waiting = NOTHING;
    usb_port_stall();
  }
}

void usb_reset(void) {
  waiting = NOTHING;
  address_waits = suspended = false;
  set_configuration(0);
}

void usb_suspend(bool now) {
  suspended = now;
  update_open();
}
