/* The USB port of the Raspberry Pi Pico, for the device that boards share (usb_port.h). */
#ifndef USB_CHIP_H
#define USB_CHIP_H

#define USB_CONTROL_BYTES 16 /* its interrupt takes 12 us; with 64 bytes it would delay fast encoders */
#define USB_MILLIAMPERES 100 /* a hub without a supply of its own gives no more (USB 2.0, 7.2.1) */
#define USB_SERIAL_DIGITS 0

#endif
