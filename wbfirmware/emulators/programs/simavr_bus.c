/* The bus of an AVR's USB controller under simavr. Its registers are those of the data sheet of the
 * ATmega32U4, chapters 21 and 22. The library has endpoints with one buffer each, without data toggles. What
 * it lacks is added here: frames, suspending, power, flags that writing 1 does not set, endpoint 0 after a
 * reset, and interrupts that repeat until their flag is cleared. */
#include "simavr_bus.h"

#include <avr_usb.h>
#include <sim_interrupts.h>
#include <sim_io.h>
#include <string.h>

/* Registers, counted from USBCON. */
enum {
  UHWCON = -1,
  USBCON = 0,
  USBSTA = 1,
  USBINT = 2,
  UDCON = 8,
  UDINT = 9,
  UDIEN = 10,
  UDADDR = 11,
  UDFNUML = 12,
  UDFNUMH = 13,
  UEINTX = 16,
  UENUM = 17,
  UERST = 18,
  UECONX = 19,
  UECFG0X = 20,
  UECFG1X = 21,
  UEIENX = 24,
  UEDATX = 25,
  UEBCLX = 26,
};

#define BIT(number) (1u << (number))
#define REGULATOR_ON BIT(0)    /* UHWCON: UVREGE */
#define CONTROLLER_ON BIT(7)   /* USBCON: USBE */
#define CLOCK_STOPPED BIT(5)   /* USBCON: FRZCLK */
#define PAD_ON BIT(4)          /* USBCON: OTGPADE */
#define POWER_INTERRUPT BIT(0) /* USBCON: VBUSTE; USBINT: VBUSTI */
#define POWERED BIT(0)         /* USBSTA: VBUS */
#define DETACHED BIT(0)        /* UDCON: DETACH */
#define LOCKED BIT(0)          /* PLLCSR: PLOCK */
#define SUSPENDED BIT(0)       /* UDINT: SUSPI */
#define FRAME_STARTED BIT(2)   /* SOFI */
#define RESET_ENDED BIT(3)     /* EORSTI */
#define WOKEN BIT(4)           /* WAKEUPI */
#define ADDRESS_ENABLED BIT(7) /* UDADDR: ADDEN */
#define ENABLED BIT(0)         /* UECONX: EPEN */
#define STALL_REQUESTED BIT(5) /* UECONX: STALLRQ */
#define STALL_ENDED BIT(4)     /* UECONX: STALLRQC */
#define SENDABLE BIT(0)        /* UEINTX: TXINI */
#define RECEIVED BIT(2)        /* RXOUTI */
#define SETUP_RECEIVED BIT(3)  /* RXSTPI */
#define HELD BIT(7)            /* FIFOCON: the processor has the buffer */
#define INTERRUPT_FLAGS 0x5F   /* all but HELD and RWAL */
#define TO_HOST BIT(0)         /* UECFG0X: EPDIR */
#define ENDPOINTS 5

static avr_t *avr;
static avr_usb_t *usb;
static avr_int_vector_t *general, *of_endpoints;

static uint8_t *at(int offset) { return &avr->data[usb->r_usbcon + offset]; }

static uint8_t get(int offset) {
  const avr_io_addr_t place = (avr_io_addr_t)(usb->r_usbcon + offset), number = AVR_DATA_TO_IO(place);
  return avr->io[number].r.c ? avr->io[number].r.c(avr, place, avr->io[number].r.param) : avr->data[place];
}

static void set(int offset, uint8_t value) {
  const avr_io_addr_t place = (avr_io_addr_t)(usb->r_usbcon + offset), number = AVR_DATA_TO_IO(place);
  if (avr->io[number].w.c)
    avr->io[number].w.c(avr, place, value, avr->io[number].w.param);
  else
    avr->data[place] = value;
}

/* A register of an endpoint, whichever the program has selected. */
static uint8_t get_of(uint8_t endpoint, int offset) {
  const uint8_t selected = *at(UENUM);
  *at(UENUM) = endpoint;
  const uint8_t value = get(offset);
  *at(UENUM) = selected;
  return value;
}

static void set_of(uint8_t endpoint, int offset, uint8_t value) {
  const uint8_t selected = *at(UENUM);
  *at(UENUM) = endpoint;
  set(offset, value);
  *at(UENUM) = selected;
}

/* Flags that only the hardware sets: writing 1 keeps them. */
static void on_flags(avr_t *processor, avr_io_addr_t place, uint8_t value, void *param) {
  (void)param;
  processor->data[place] &= value;
}

/* Empties the buffer of an endpoint. */
static void empty(uint8_t endpoint) {
  while (get_of(endpoint, UEBCLX) > 0) get_of(endpoint, UEDATX);
  set_of(endpoint, UEINTX, 0);
  set_of(endpoint, UECFG1X, get_of(endpoint, UECFG1X)); /* sets the flags of an empty buffer */
}

static void on_endpoint_reset(avr_t *processor, avr_io_addr_t place, uint8_t value, void *param) {
  (void)param;
  processor->data[place] = value;
  for (uint8_t endpoint = 1; endpoint < ENDPOINTS; endpoint++)
    if (value & BIT(endpoint) && get_of(endpoint, UECONX) & ENABLED) empty(endpoint);
}

static avr_int_vector_t *vector_of(uint8_t number) {
  for (int k = 0; k < avr->interrupts.vector_count; k++)
    if (avr->interrupts.vector[k]->vector == number) return avr->interrupts.vector[k];
  return NULL;
}

bool bus_start(avr_t *processor) {
  avr = processor;
  for (avr_io_t *module = avr->io_port; module != NULL; module = module->next)
    if (strcmp(module->kind, "usb") == 0) usb = (avr_usb_t *)module;
  if (usb == NULL) return false;
  general = vector_of(usb->usb_gen_vect);
  of_endpoints = vector_of(usb->usb_com_vect);
  avr_register_io_write(avr, (avr_io_addr_t)(usb->r_usbcon + UDINT), on_flags, NULL);
  avr_register_io_write(avr, (avr_io_addr_t)(usb->r_usbcon + USBINT), on_flags, NULL);
  avr_register_io_write(avr, (avr_io_addr_t)(usb->r_usbcon + UERST), on_endpoint_reset, NULL);
  return true;
}

static bool has_clock(void) {
  return (*at(USBCON) & (CONTROLLER_ON | CLOCK_STOPPED)) == CONTROLLER_ON &&
         avr->data[usb->r_pllcsr] & LOCKED;
}

bool bus_attached(void) {
  return has_clock() && *at(USBCON) & PAD_ON && *at(UHWCON) & REGULATOR_ON && !(*at(UDCON) & DETACHED);
}

static void tell(uint8_t flag) {
  *at(UDINT) |= flag;
  if (*at(UDINT) & *at(UDIEN)) avr_raise_interrupt(avr, general);
}

void bus_power(bool on) {
  const uint8_t before = *at(USBSTA);
  *at(USBSTA) = on ? before | POWERED : before & (uint8_t)~POWERED;
  if (*at(USBSTA) == before || !(*at(USBCON) & PAD_ON)) return;
  *at(USBINT) |= POWER_INTERRUPT;
  if (*at(USBCON) & POWER_INTERRUPT) avr_raise_interrupt(avr, general);
}

void bus_reset(void) {
  set_of(0, UECONX, STALL_ENDED);
  set_of(0, UEIENX, 0);
  *at(UDADDR) = 0;
  avr_ioctl(avr, AVR_IOCTL_USB_RESET, NULL);
}

void bus_frame(uint16_t number) {
  *at(UDFNUML) = (uint8_t)number;
  *at(UDFNUMH) = number >> 8 & 7;
  tell(FRAME_STARTED | WOKEN);
}

void bus_suspend(bool suspended) { tell(suspended ? SUSPENDED : WOKEN); }

void bus_repeat_interrupts(void) {
  if (*at(UDINT) & *at(UDIEN)) avr_raise_interrupt(avr, general);
  for (uint8_t endpoint = 0; endpoint < ENDPOINTS; endpoint++)
    if (get_of(endpoint, UEINTX) & get_of(endpoint, UEIENX) & INTERRUPT_FLAGS)
      avr_raise_interrupt(avr, of_endpoints);
}

/* How the device answers before its buffers are looked at. */
static enum bus_answer answer_at(uint8_t address, uint8_t endpoint) {
  const uint8_t own = *at(UDADDR);
  if (!bus_attached() || address != (own & ADDRESS_ENABLED ? own & (uint8_t)~ADDRESS_ENABLED : 0))
    return BUS_SILENT;
  const uint8_t state = get_of(endpoint, UECONX);
  if (!(state & ENABLED)) return BUS_SILENT;
  return state & STALL_REQUESTED ? BUS_STALL : BUS_DONE;
}

static enum bus_answer pass(uint32_t what, uint8_t endpoint, uint8_t *bytes, uint8_t *size) {
  struct avr_io_usb packet = {.pipe = endpoint, .sz = *size, .buf = bytes};
  const int result = avr_ioctl(avr, what, &packet);
  *size = (uint8_t)packet.sz;
  return result == 0 ? BUS_DONE : result == AVR_IOCTL_USB_STALL ? BUS_STALL : BUS_NAK;
}

enum bus_answer bus_setup(uint8_t address, const uint8_t *packet) {
  if (answer_at(address, 0) == BUS_SILENT || get_of(0, UEINTX) & SETUP_RECEIVED) return BUS_SILENT;
  uint8_t bytes[BUS_PACKET], size = 8;
  memcpy(bytes, packet, size);
  return pass(AVR_IOCTL_USB_SETUP, 0, bytes, &size);
}

enum bus_answer bus_out(uint8_t address, uint8_t endpoint, const uint8_t *bytes, uint8_t size) {
  const enum bus_answer first = answer_at(address, endpoint);
  if (first != BUS_DONE) return first;
  if (endpoint != 0 && get_of(endpoint, UECFG0X) & TO_HOST) return BUS_SILENT;
  if (get_of(endpoint, UEINTX) & (RECEIVED | SETUP_RECEIVED)) return BUS_NAK;
  uint8_t copy[BUS_PACKET];
  memcpy(copy, bytes, size);
  return pass(AVR_IOCTL_USB_WRITE, endpoint, copy, &size);
}

enum bus_answer bus_in(uint8_t address, uint8_t endpoint, uint8_t *bytes, uint8_t *size) {
  const enum bus_answer first = answer_at(address, endpoint);
  if (first != BUS_DONE) return first;
  if (endpoint != 0 && !(get_of(endpoint, UECFG0X) & TO_HOST)) return BUS_SILENT;
  const uint8_t busy = endpoint == 0 ? SENDABLE | RECEIVED | SETUP_RECEIVED : SENDABLE | HELD;
  if (get_of(endpoint, UEINTX) & busy) return BUS_NAK;
  *size = 0;
  return pass(AVR_IOCTL_USB_READ, endpoint, bytes, size);
}
