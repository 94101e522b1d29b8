/* A computer at the USB port of an AVR board under simavr, in virtual time: it sets the device up as
 * operating systems do, and a program on it opens its serial port. */
#ifndef SIMAVR_HOST_H
#define SIMAVR_HOST_H

#include <sim_avr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Plugs the board in. `give` returns the next byte for the device, or -1; `take` gets each byte from it.
 * Returns false if the processor has no USB controller. */
bool host_start(avr_t *avr, int (*give)(void), void (*take)(uint8_t byte));

/* Returns why the host cannot use the device; NULL: it has no complaint. */
const char *host_complaint(void);

/* Names that can be driven and shown: USB:CABLE, USB:POWER (of the cable), USB:SUSPENDED, USB:OPEN (a program
 * has opened the port), USB:READS (it reads), USB:FLOODS (it never stops writing), 0 or 1, and USB:BAUD.
 * Shown only: USB:PORT (0 to 3: absent, connected, set up, open), and USB:DRIVE, the keys for the boot loader
 * that the last reset has left (1: at 0x0800, 2: at the end of RAM, 3: both). */
bool host_is_name(const char *name);
bool host_drive(const char *name, double value);
void host_show(const char *name);

/* Begins a request of a driver: its setup packet and the data to the device. After `packets` with data from
 * the device it is given up; -1: never. Returns false if the device is not set up or another request has not
 * ended. */
bool host_request(const uint8_t *bytes, size_t size, int packets);

/* True until it has ended. */
bool host_is_requesting(void);

/* Prints how it has ended: "control ack" and the data from the device in hexadecimal, or "control" and
 * "stall", "timeout", "babble" (more than was asked for). */
void host_show_reply(void);

#endif
