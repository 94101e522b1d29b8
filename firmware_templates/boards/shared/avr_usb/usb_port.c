/* ATmega32U4: the USB controller. Chapters are those of its data sheet. Registers of endpoints are those of
 * the endpoint selected in UENUM; interrupts restore the selection, and the program disables them meanwhile.
 */
#include "usb_port.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <util/delay.h>

#include "board.h"
#include "config.h"
#include "usb_device.h"

#define LOCK_PATIENCE 50000u /* rounds of 10 cycles; the PLL needs some ms at most */
#define FREE_PATIENCE 100u   /* rounds, for a buffer that the controller frees at once */
#define DETACHED_MS 2        /* for the host to notice that another program is there */

/* Types in UECFG0X (22.18.2). */
#define CONTROL 0
#define BULK_OUT (_BV(EPTYPE1))
#define BULK_IN (_BV(EPTYPE1) | _BV(EPDIR))
#define INTERRUPT_IN (_BV(EPTYPE1) | _BV(EPTYPE0) | _BV(EPDIR))

/* Sizes in UECFG1X. Two buffers let one be filled while the other is sent. */
#define ONE_OF_8 (_BV(ALLOC))
#define ONE_OF_16 (_BV(EPSIZE0) | _BV(ALLOC))
#define TWO_OF_64 (_BV(EPSIZE1) | _BV(EPSIZE0) | _BV(EPBK0) | _BV(ALLOC))

/* Interrupts of the bus while it is in use, and while it sleeps. The flag of waking is also set while it is
 * in use. */
#define AWAKE (_BV(EORSTE) | _BV(SUSPE))
#define ASLEEP (_BV(EORSTE) | _BV(WAKEUPE))

#define CONTROL_INTERRUPTS (_BV(RXSTPE) | _BV(RXOUTE))

/* Written to UEINTX. A bit 0 clears its flag; but a bit 1 at the place of RXOUTI would discard a packet to
 * the host. */
#define TAKEN ((uint8_t)~(_BV(RXOUTI) | _BV(FIFOCON)))
#define FILLED ((uint8_t)~(_BV(TXINI) | _BV(FIFOCON) | _BV(RXOUTI)))

/* The boot loader Caterina looks for a number at one of two addresses, depending on its version. */
#define BOOT_KEY 0x7777
#define BOOT_KEY_PLACE (*(volatile uint16_t *)0x0800)
#define BOOT_KEY_PLACE_AT_END (*(volatile uint16_t *)(RAMEND - 1))

/* Of the packet in endpoint 0: bytes that were not taken yet, and its flags. */
static uint8_t left, packet_flags;

static volatile bool on; /* endpoints besides 0 */

static void enable(uint8_t endpoint, uint8_t type, uint8_t size) {
  UENUM = endpoint;
  UECONX = _BV(EPEN);
  UECFG0X = type;
  UECFG1X = size;
}

void usb_port_start(void) {
  USBCON = 0; /* a boot loader may have used it */
  _delay_ms(DETACHED_MS);
  UHWCON = _BV(UVREGE);
  PLLCSR = _BV(PINDIV) | _BV(PLLE); /* from 16 MHz */
  for (uint16_t k = LOCK_PATIENCE; !(PLLCSR & _BV(PLOCK)) && k > 0; k--) {
  }
  USBCON = _BV(USBE) | _BV(FRZCLK) | _BV(OTGPADE);
  USBCON = _BV(USBE) | _BV(OTGPADE) | _BV(VBUSTE);
  UDIEN = AWAKE;
  UDCON = 0; /* attached, at full speed */
}

/* Frees the buffer of endpoint 0. Its other flags may be those of a new packet. */
static void free_buffer(void) {
  UEINTX = (uint8_t)~packet_flags;
  for (uint8_t k = FREE_PATIENCE; !(UEINTX & _BV(TXINI)) && k > 0; k--) {
  }
}

uint8_t usb_port_take(void) {
  const uint8_t byte = UEDATX;
  if (--left == 0) free_buffer();
  return byte;
}

void usb_port_give(uint8_t byte) { UEDATX = byte; }

void usb_port_reply(void) {
  UEINTX = (uint8_t)~_BV(TXINI);
  UEIENX = CONTROL_INTERRUPTS | _BV(TXINE);
}

void usb_port_listen(void) { /* the controller always does */ }

void usb_port_stall(void) { UECONX = _BV(STALLRQ) | _BV(EPEN); } /* until the next setup packet (22.11.1) */

void usb_port_address(uint8_t address) { UDADDR = _BV(ADDEN) | address; }

void usb_port_configure(bool now) {
  on = now;
  for (uint8_t endpoint = USB_ENDPOINTS - 1; endpoint > 0; endpoint--) { /* frees their memory (22.7) */
    UENUM = endpoint;
    UECONX = 0;
    UECFG1X = 0;
  }
  if (now) {
    enable(USB_NOTICE_IN, INTERRUPT_IN, ONE_OF_8);
    enable(USB_BULK_OUT, BULK_OUT, TWO_OF_64);
    UEIENX = _BV(RXOUTE);
    enable(USB_BULK_IN, BULK_IN, TWO_OF_64);
    UERST = _BV(USB_NOTICE_IN) | _BV(USB_BULK_OUT) | _BV(USB_BULK_IN);
    UERST = 0;
  }
  UENUM = 0;
}

void usb_port_halt(uint8_t endpoint, bool halted) {
  UENUM = endpoint;
  UECONX = halted ? _BV(STALLRQ) | _BV(EPEN) : _BV(STALLRQC) | _BV(RSTDT) | _BV(EPEN);
  UENUM = 0;
}

/* Disables interrupts and selects an endpoint. Returns what restores them. */
static uint8_t select(uint8_t endpoint) {
  const uint8_t before = SREG;
  cli();
  UENUM = endpoint;
  return before;
}

/* Frees the buffer of a packet from the host that was used up. */
static void accept_next(void) {
  UEINTX = TAKEN;
  UEIENX = _BV(RXOUTE);
}

/* True if the selected endpoint has a byte from the host. */
static bool is_waiting(void) {
  if (!on || !(UEINTX & _BV(RXOUTI))) return false;
  if (UEBCLX > 0) return true;
  accept_next(); /* a packet without bytes */
  return false;
}

uint8_t usb_port_read(void) {
  const uint8_t before = select(USB_BULK_OUT);
  uint8_t byte = 0; /* if the bus was reset meanwhile */
  if (is_waiting()) {
    byte = UEDATX;
    if (UEBCLX == 0) accept_next();
  }
  SREG = before;
  return byte;
}

/* True if the selected endpoint has room for a byte to the host. */
static bool has_buffer(void) {
  const uint8_t flags = _BV(TXINI) | _BV(RWAL);
  return on && (UEINTX & flags) == flags;
}

#ifdef WIRE_TEXT
#define PART 16 /* bytes of a packet with text: interrupts are disabled while it is copied */

/* What was printed and is not in the endpoint yet, as before a computer has set it up. Indices of 8 bits wrap
 * around by themselves. */
static uint8_t kept[256], kept_in, kept_out;

/* Moves what is kept to the selected endpoint, as far as it has buffers; not before a program reads it, as a
 * reset of the bus empties them. */
static void send_kept(void) {
  while (kept_in != kept_out && usb_is_open() && has_buffer()) {
    for (uint8_t k = 0; k < PART && kept_in != kept_out; k++) UEDATX = kept[kept_out++];
    UEINTX = FILLED;
  }
}

bool usb_port_has_room(void) {
  if ((uint8_t)(kept_in + 1) != kept_out) return true;
  usb_port_send();
  return (uint8_t)(kept_in + 1) != kept_out;
}

void usb_port_write(uint8_t byte) { kept[kept_in++] = byte; }

void usb_port_send(void) {
  const uint8_t before = select(USB_BULK_IN);
  send_kept();
  SREG = before;
}

#else
bool usb_port_has_room(void) {
  const uint8_t before = select(USB_BULK_IN);
  const bool has = has_buffer();
  SREG = before;
  return has;
}

void usb_port_write(uint8_t byte) {
  const uint8_t before = select(USB_BULK_IN);
  if (has_buffer()) UEDATX = byte; /* not if the bus was reset meanwhile */
  SREG = before;
}

void usb_port_send(void) {
  const uint8_t before = select(USB_BULK_IN);
  if (on) UEINTX = FILLED;
  SREG = before;
}
#endif

/* This is called in each round of the program, so text that has waited for a buffer is sent here. */
bool usb_port_has_byte(void) {
#ifdef WIRE_TEXT
  usb_port_send();
#endif
  const uint8_t before = select(USB_BULK_OUT);
  const bool has = is_waiting();
  SREG = before;
  return has;
}

void usb_port_boot(void) {
  cli();
  BOOT_KEY_PLACE = BOOT_KEY;
  BOOT_KEY_PLACE_AT_END = BOOT_KEY;
  *board_kept() = KEPT(CAUSE_NONE);
  wdt_enable(WDTO_30MS); /* the host gets the end of its request before */
  wdt_reset();           /* simavr counts the new time from here */
  for (;;) {
  }
}

/* A setup packet makes all before it void, also a packet to the host that was not fetched. */
static void take_setup(void) {
  packet_flags = _BV(RXSTPI) | _BV(RXOUTI);
  left = 8;
  UEIENX = CONTROL_INTERRUPTS;
  usb_setup();
}

static void take_data(void) {
  packet_flags = _BV(RXOUTI);
  left = UEBCLX;
  const bool is_empty = left == 0;
  usb_received(left);
  if (is_empty || left > 0) free_buffer(); /* bytes that nobody expects */
}

ISR(USB_COM_vect) {
  const uint8_t selected = UENUM;
  UENUM = USB_BULK_OUT;
  if (UEINTX & _BV(RXOUTI)) UEIENX = 0; /* it has woken the program, which takes the packet */
  UENUM = 0;
  const uint8_t flags = UEINTX;
  if (flags & _BV(RXSTPI)) {
    take_setup();
  } else if (flags & _BV(RXOUTI)) {
    take_data();
  } else if (flags & UEIENX & _BV(TXINI)) {
    UEIENX = CONTROL_INTERRUPTS;
    usb_sent();
  }
  UENUM = selected;
}

static void reset(void) {
  enable(0, CONTROL, ONE_OF_16);
  UEIENX = CONTROL_INTERRUPTS;
  UDADDR = 0;
  UDIEN = AWAKE;
  usb_reset();
}

static void suspend(bool now) {
  UDIEN = now ? ASLEEP : AWAKE;
  usb_suspend(now);
}

ISR(USB_GEN_vect) {
  const uint8_t selected = UENUM, flags = UDINT & UDIEN;
  UDINT = (uint8_t)~(flags | _BV(WAKEUPI));
  if (flags & _BV(SUSPI)) suspend(true);
  if (flags & _BV(WAKEUPI)) suspend(false);
  if (flags & _BV(EORSTI)) reset();
  if (USBINT & _BV(VBUSTI)) {
    USBINT = 0;
    if (!(USBSTA & _BV(VBUS))) suspend(true); /* the cable was pulled; or a sag, after which frames go on */
  }
  UENUM = selected;
}
