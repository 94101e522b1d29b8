/* State of the USB device that usb_wire.c needs; written in the chip's interrupt. */
#ifndef USB_DEVICE_H
#define USB_DEVICE_H

#include <stdbool.h>

/* True while a program of the host has opened the port (DTR), and the bus is not suspended. */
bool usb_is_open(void);

/* True if the port was closed since the last call of usb_forget_closing(). */
bool usb_was_closed(void);
void usb_forget_closing(void);

/* True if the port was closed at 1200 baud, by which the host asks for the boot loader. */
bool usb_was_touched(void);

#endif
