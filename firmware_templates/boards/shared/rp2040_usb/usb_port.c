/* RP2040: the USB controller behind usb_port.h. Bytes to the host wait in the controller's own memory, in a
 * ring of packets, so that none is copied. */
#include "usb_port.h"

#include "chip.h"
#include "cortex_m.h"
#include "rp2040_usb.h"

#define NOTICE_PLACE USB_FREE_PLACE
#define RECEIVE_PLACE (NOTICE_PLACE + USB_BULK_BYTES)
#define SEND_PLACE (RECEIVE_PLACE + USB_BULK_BYTES)
#define SLOTS 32u /* packets to the host; one of them stays free */
#define SLOT_PLACE(slot) (SEND_PLACE + (uint32_t)(slot) * USB_BULK_BYTES)

_Static_assert(SLOT_PLACE(SLOTS) <= USB_MEMORY_BYTES, "the packets fit into the memory");

/* Erratum RP2040-E15: errors on the bus while a packet is sent late in a frame can hang the controller. None
 * is handed over from this time on, until the next frame begins. After SILENT_US there is no frame. */
#define LATE_US 790u
#define SILENT_US 1010u

/* 12 MHz * 100 / 5 / 5 = 48 MHz */
#define FEEDBACK 100u
#define DIVIDERS (5u << 16 | 5u << 12)

/* Endpoint 0. */
static uint8_t given; /* bytes of the next packet */
static const volatile uint8_t *taken;
static bool reply_toggle, listen_toggle;

/* The stream to the host: the slot that the program fills, the one that is next to send, and their sizes. */
static volatile uint8_t fill_slot, send_slot;
static uint8_t filled, sizes[SLOTS];
static bool send_toggle, sending, send_halted;
static uint32_t frame_begun; /* us */

/* The stream from the host: a packet that the program reads. */
static volatile bool has_packet;
static uint8_t packet_size, packet_next;
static bool receive_toggle, receive_halted;

static bool on; /* endpoints besides 0 */

/* Hands a buffer to the controller. The bit must follow the others, after as many cycles as 48 MHz take to
 * see them (4.1.2.5.1). */
static void hand_over(volatile uint32_t *buffer, uint32_t control, bool toggle) {
  control |= toggle ? USB_DATA_1 : 0;
  *buffer = control;
  __asm volatile("b 1f\n 1: b 1f\n 1: b 1f\n 1: b 1f\n 1: b 1f\n 1: b 1f\n 1:" : : : "memory");
  *buffer = control | USB_AVAILABLE;
}

uint8_t usb_port_take(void) { return *taken++; }

void usb_port_give(uint8_t byte) { USB_BYTES(USB_CONTROL_PLACE)[given++] = byte; }

void usb_port_reply(void) {
  hand_over(&USB_BUFFER_IN(0), USB_FULL | given, reply_toggle);
  reply_toggle = !reply_toggle;
  given = 0;
}

void usb_port_listen(void) {
  hand_over(&USB_BUFFER_OUT(0), USB_CONTROL_BYTES, listen_toggle);
  listen_toggle = !listen_toggle;
}

void usb_port_stall(void) {
  USB_STALL_CONTROL = USB_STALL_BOTH; /* the controller clears it at the next setup packet */
  USB_BUFFER_IN(0) = USB_STALL;
  USB_BUFFER_OUT(0) = USB_STALL;
}

void usb_port_address(uint8_t address) { USB_ADDRESS = address; }

static bool is_late_in_frame(void) {
  const uint32_t passed = TIMER_MICROS - frame_begun;
  return passed >= LATE_US && passed < SILENT_US;
}

/* Sends the next packet, if there is one; late in a frame, the next frame does this. */
static void send_next(void) {
  if (!on || send_halted || sending || send_slot == fill_slot || is_late_in_frame()) return;
  sending = true;
  USB_ENDPOINT_IN(USB_BULK_IN) =
      USB_ENDPOINT_ON | USB_INTERRUPT_PER_BUFFER | USB_TYPE(USB_TYPE_BULK) | SLOT_PLACE(send_slot);
  hand_over(&USB_BUFFER_IN(USB_BULK_IN), USB_FULL | sizes[send_slot], send_toggle);
}

static void receive_next(void) {
  if (on && !receive_halted && !has_packet)
    hand_over(&USB_BUFFER_OUT(USB_BULK_OUT), USB_BULK_BYTES, receive_toggle);
}

void usb_port_configure(bool now) {
  on = now;
  send_toggle = receive_toggle = sending = send_halted = receive_halted = has_packet = false;
  USB_BUFFER_IN(USB_NOTICE_IN) = USB_BUFFER_IN(USB_BULK_IN) = USB_BUFFER_OUT(USB_BULK_OUT) = 0;
  const uint32_t common = now ? USB_ENDPOINT_ON | USB_INTERRUPT_PER_BUFFER : 0;
  USB_ENDPOINT_IN(USB_NOTICE_IN) = common | USB_TYPE(USB_TYPE_INTERRUPT) | NOTICE_PLACE;
  USB_ENDPOINT_IN(USB_BULK_IN) = common | USB_TYPE(USB_TYPE_BULK) | SEND_PLACE;
  USB_ENDPOINT_OUT(USB_BULK_OUT) = common | USB_TYPE(USB_TYPE_BULK) | RECEIVE_PLACE;
  send_next();
  receive_next();
}

void usb_port_halt(uint8_t endpoint, bool halted) {
  const uint32_t control = halted ? USB_STALL : 0;
  if (endpoint == USB_NOTICE_IN) {
    USB_BUFFER_IN(USB_NOTICE_IN) = control;
  } else if (endpoint == USB_BULK_IN) {
    send_halted = halted;
    send_toggle = sending = false; /* a packet that waited is sent afterwards */
    USB_BUFFER_IN(USB_BULK_IN) = control;
    send_next();
  } else {
    receive_halted = halted;
    receive_toggle = false;
    USB_BUFFER_OUT(USB_BULK_OUT) = control;
    receive_next();
  }
}

bool usb_port_has_byte(void) { return has_packet; }

uint8_t usb_port_read(void) {
  const bool locked = cortex_lock();
  uint8_t byte = 0; /* if the bus was reset meanwhile */
  if (has_packet) {
    byte = USB_BYTES(RECEIVE_PLACE)[packet_next++];
    has_packet = packet_next < packet_size;
    if (!has_packet) receive_next();
  }
  cortex_unlock(locked);
  return byte;
}

static uint8_t after(uint8_t slot) { return (slot + 1) % SLOTS; }

bool usb_port_has_room(void) { return filled > 0 || after(fill_slot) != send_slot; }

void usb_port_write(uint8_t byte) { USB_BYTES(SLOT_PLACE(fill_slot))[filled++] = byte; }

void usb_port_send(void) {
  const bool locked = cortex_lock();
  sizes[fill_slot] = filled;
  filled = 0;
  fill_slot = after(fill_slot);
  send_next();
  cortex_unlock(locked);
}

static void packet_received(void) {
  packet_size = (uint8_t)(USB_BUFFER_OUT(USB_BULK_OUT) & USB_LENGTH);
  packet_next = 0;
  has_packet = packet_size > 0;
  receive_toggle = !receive_toggle;
  receive_next();
}

static void packet_sent(void) {
  if (!sending) return; /* it was withdrawn */
  sending = false;
  send_toggle = !send_toggle;
  send_slot = after(send_slot);
  send_next();
}

/* Handles buffers that the controller has given back. */
static void take_back(uint32_t done) {
  USB_DONE = done;
  if (done & USB_DONE_IN(0)) usb_sent();
  if (done & USB_DONE_OUT(0)) {
    taken = USB_BYTES(USB_CONTROL_PLACE);
    usb_received((uint8_t)(USB_BUFFER_OUT(0) & USB_LENGTH));
  }
  if (done & USB_DONE_OUT(USB_BULK_OUT)) packet_received();
  if (done & USB_DONE_IN(USB_BULK_IN)) packet_sent();
}

static void take_setup(void) {
  USB_STATUS = USB_STATUS_SETUP;
  USB_BUFFER_IN(0) = USB_BUFFER_OUT(0) = 0;
  given = 0;
  reply_toggle = listen_toggle = true;
  taken = USB_BYTES(USB_SETUP_PLACE);
  usb_setup();
}

static void begin_frame(void) {
  (void)USB_FRAME;
  frame_begun = TIMER_MICROS;
  usb_suspend(false); /* some hosts go on without resuming */
  send_next();
}

void interrupt_usb(void) {
  const uint32_t events = USB_INTERRUPTED;
  if (events & USB_ON_SUSPEND) {
    USB_STATUS = USB_STATUS_SUSPENDED;
    usb_suspend(true);
  }
  if (events & USB_ON_RESET) {
    USB_STATUS = USB_STATUS_RESET;
    USB_ADDRESS = 0;
    USB_BUFFER_IN(0) = USB_BUFFER_OUT(0) = 0;
    usb_reset();
  }
  if (events & USB_ON_DONE) take_back(USB_DONE);
  if (events & USB_ON_SETUP) take_setup();
  if (events & USB_ON_FRAME) begin_frame();
  if (events & USB_ON_RESUME) {
    USB_STATUS = USB_STATUS_RESUMED;
    usb_suspend(false);
  }
}

static void start_clock(void) {
  rp2040_start(RESET_PLL_USB);
  pll_start(&PLL_USB, FEEDBACK, DIVIDERS);
  CLOCK_USB = CLOCK_ENABLED;
}

void usb_port_start(void) {
  start_clock();
  rp2040_start(RESET_USB);
  for (uint32_t place = 0; place < USB_MEMORY_BYTES; place += 4) REGISTER(USB_MEMORY + place) = 0;
  USB_CONNECTION = USB_TO_TRANSCEIVER;
  USB_POWER = USB_POWERED;
  USB_CONTROL = USB_ENABLED;
  USB_INTERRUPTS = USB_ON_FRAME | USB_ON_SETUP | USB_ON_RESUME | USB_ON_SUSPEND | USB_ON_RESET | USB_ON_DONE;
  nvic_enable(IRQ_USB);
  USB_SERIAL_ENGINE = USB_INTERRUPT_PER_CONTROL_BUFFER | USB_PULL_UP;
}

void wire_start(void) { usb_port_start(); }
