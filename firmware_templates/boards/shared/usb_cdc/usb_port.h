/* Between the USB device that boards share (usb_device.c, usb_wire.c) and the USB controller of a chip. A
 * chip has a header usb_chip.h with the macros below and implements the functions usb_port_*(); its interrupt
 * calls usb_reset() and so on. Chapters are those of the USB 2.0 specification. */
#ifndef USB_PORT_H
#define USB_PORT_H

#include <stdbool.h>
#include <stdint.h>

/* USB_CONTROL_BYTES: size of packets of endpoint 0: 8, 16, 32 or 64.
 * USB_MILLIAMPERES: current that the board takes from the port.
 * USB_SERIAL_DIGITS: characters of the chip's serial number; 0: it has none. */
#include "usb_chip.h"

/* Endpoints besides endpoint 0, at full speed. No two have the same number, as some controllers require. */
#define USB_NOTICE_IN 1 /* interrupt; the device never sends a notification */
#define USB_BULK_OUT 2
#define USB_BULK_IN 3
#define USB_ENDPOINTS 4
#define USB_NOTICE_BYTES 8
#define USB_BULK_BYTES 64

/* Powers the controller and connects the device to the bus. */
void usb_port_start(void);

/* Endpoint 0. Only usb_setup(), usb_sent(), usb_received() and usb_reset() call these, so always in the
 * chip's interrupt. */

/* Returns the next byte of the setup packet, or of the packet that usb_received() was called for. */
uint8_t usb_port_take(void);

/* Appends a byte to the next packet to the host; at most USB_CONTROL_BYTES. */
void usb_port_give(uint8_t byte);

/* Lets the host fetch this packet, which may be empty; then the chip calls usb_sent(). The first packet after
 * a setup packet has the data toggle 1, the following ones alternate (8.5.3). */
void usb_port_reply(void);

/* Accepts a packet from the host, of at most USB_CONTROL_BYTES; then the chip calls usb_received(). Toggles
 * as above. May be called while a packet to the host waits: the host may end a transfer early. */
void usb_port_listen(void);

/* Answers all packets but a setup packet with STALL, until the next setup packet. */
void usb_port_stall(void);

/* Answers to this address from now on. */
void usb_port_address(uint8_t address);

/* The other endpoints. Also called in the chip's interrupt. */

/* Enables them with data toggle 0, or disables them. Packets to the host may wait until they are enabled. */
void usb_port_configure(bool on);

/* Answers packets of an endpoint with STALL, or ends this and sets its data toggle to 0. */
void usb_port_halt(uint8_t endpoint, bool halted);

/* The stream of bytes. The program calls these; the chip excludes its interrupt where needed. */

/* True if a byte from the host waits. */
bool usb_port_has_byte(void);

/* Returns it. When a packet is used up, the next one is accepted; until then the host waits. */
uint8_t usb_port_read(void);

/* True if the packet to the host that is being filled has room for a byte. False for a new one while the chip
 * has no free buffer. */
bool usb_port_has_room(void);

/* Appends a byte to this packet. */
void usb_port_write(uint8_t byte);

/* Completes this packet, which may be empty. */
void usb_port_send(void);

/* Resets the chip into its boot loader, which accepts a new program over USB. Does not return. */
void usb_port_boot(void);

#if USB_SERIAL_DIGITS
/* Returns a character of the chip's serial number: 0 to 9, A to F. */
uint8_t usb_port_serial(uint8_t index);
#endif

/* What the chip's interrupt calls. */

/* The bus was reset: the address is 0, all endpoints but 0 are disabled. */
void usb_reset(void);

/* A setup packet has arrived; packets of endpoint 0 that wait are void. */
void usb_setup(void);

/* The host has fetched the packet of usb_port_reply(). */
void usb_sent(void);

/* A packet of this size has arrived for usb_port_listen(). */
void usb_received(uint8_t size);

/* The bus is suspended: 3 ms without a sign of the host, as after the cable was removed (7.1.7.6); or in use
 * again. */
void usb_suspend(bool suspended);

#endif
