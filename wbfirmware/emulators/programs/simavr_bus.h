/* The bus of an AVR's USB controller under simavr: what a host does at the cable, and how the device answers.
 */
#ifndef SIMAVR_BUS_H
#define SIMAVR_BUS_H

#include <sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

#define BUS_PACKET 64 /* bytes of the largest packet at full speed */

/* How a packet ends. BUS_SILENT: no device has answered. */
enum bus_answer { BUS_DONE, BUS_NAK, BUS_STALL, BUS_SILENT };

/* Connects to the processor. Returns false if it has no USB controller. */
bool bus_start(avr_t *processor);

/* True while the device shows itself by its pull-up resistor: its controller, clock and voltage regulator are
 * on, and it has not detached itself. */
bool bus_attached(void);

/* The cable supplies power, or no longer does. */
void bus_power(bool on);

/* Ends a reset of the bus. */
void bus_reset(void);

/* Starts a frame. */
void bus_frame(uint16_t number);

/* The bus has been idle for 3 ms, or is in use again. */
void bus_suspend(bool suspended);

/* Repeats interrupts whose flags are still set, which the library raises only once. */
void bus_repeat_interrupts(void);

/* A setup packet of 8 bytes, a packet to an endpoint, one from an endpoint (of at most BUS_PACKET bytes). */
enum bus_answer bus_setup(uint8_t address, const uint8_t *packet);
enum bus_answer bus_out(uint8_t address, uint8_t endpoint, const uint8_t *bytes, uint8_t size);
enum bus_answer bus_in(uint8_t address, uint8_t endpoint, uint8_t *bytes, uint8_t *size);

#endif
