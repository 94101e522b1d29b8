/* Registers of the RP2040's USB controller as a device: RP2040 data sheet, section 4.1. */
#ifndef RP2040_USB_H
#define RP2040_USB_H

#include "rp2040.h"

#define RESET_PLL_USB (1u << 13)
#define RESET_USB (1u << 24)

#define CLOCK_USB REGISTER(0x40008054) /* from its PLL */

/* Memory of 4 kB that the controller and the processor share. */
#define USB_MEMORY 0x50100000u
#define USB_MEMORY_BYTES 4096u
#define USB_SETUP_PLACE 0u
#define USB_CONTROL_PLACE 0x100u /* the buffer of endpoint 0, in both directions */
#define USB_FREE_PLACE 0x180u    /* buffers begin at multiples of 64 */
#define USB_BYTES(place) ((volatile uint8_t *)(USB_MEMORY + (place)))

/* Of each endpoint but 0. */
#define USB_ENDPOINT_IN(number) REGISTER(USB_MEMORY + 8 * (number))
#define USB_ENDPOINT_OUT(number) REGISTER(USB_MEMORY + 8 * (number) + 4)
#define USB_ENDPOINT_ON (1u << 31)
#define USB_INTERRUPT_PER_BUFFER (1u << 29)
#define USB_TYPE(type) ((uint32_t)(type) << 26)
#define USB_TYPE_BULK 2u
#define USB_TYPE_INTERRUPT 3u

/* Of each endpoint. */
#define USB_BUFFER_IN(number) REGISTER(USB_MEMORY + 0x80 + 8 * (number))
#define USB_BUFFER_OUT(number) REGISTER(USB_MEMORY + 0x84 + 8 * (number))
#define USB_FULL (1u << 15)
#define USB_DATA_1 (1u << 13)
#define USB_STALL (1u << 11)
#define USB_AVAILABLE (1u << 10)
#define USB_LENGTH 0x3FFu

#define USB_ADDRESS REGISTER(0x50110000)
#define USB_CONTROL REGISTER(0x50110040)
#define USB_ENABLED 1u
#define USB_FRAME REGISTER(0x50110048) /* reading it ends the interrupt at the start of a frame */
#define USB_SERIAL_ENGINE REGISTER(0x5011004C)
#define USB_PULL_UP (1u << 16)
#define USB_INTERRUPT_PER_CONTROL_BUFFER (1u << 29)
#define USB_STATUS REGISTER(0x50110050) /* writing a bit clears it */
#define USB_STATUS_RESET (1u << 19)
#define USB_STATUS_SETUP (1u << 17)
#define USB_STATUS_RESUMED (1u << 11)
#define USB_STATUS_SUSPENDED (1u << 4)
#define USB_DONE REGISTER(0x50110058) /* two bits for each endpoint: in, out; writing a bit clears it */
#define USB_DONE_IN(number) (1u << 2 * (number))
#define USB_DONE_OUT(number) (2u << 2 * (number))
#define USB_STALL_CONTROL REGISTER(0x50110068)
#define USB_STALL_BOTH 3u
#define USB_CONNECTION REGISTER(0x50110074)
#define USB_TO_TRANSCEIVER (1u << 0 | 1u << 3)
#define USB_POWER REGISTER(0x50110078)
#define USB_POWERED (1u << 3 | 1u << 2) /* the chip has no pin for this */
#define USB_INTERRUPTS REGISTER(0x50110090)
#define USB_INTERRUPTED REGISTER(0x50110098)
#define USB_ON_FRAME (1u << 17)
#define USB_ON_SETUP (1u << 16)
#define USB_ON_RESUME (1u << 15)
#define USB_ON_SUSPEND (1u << 14)
#define USB_ON_RESET (1u << 12)
#define USB_ON_DONE (1u << 4)

#endif
