/* ATmega32U4: its USB controller; see usb_port.h. */
#ifndef USB_CHIP_H
#define USB_CHIP_H

#define USB_CONTROL_BYTES 16 /* a packet is made in an interrupt, which delays others */
#define USB_MILLIAMPERES 100 /* a hub without a supply of its own gives no more (USB 2.0, 7.2.1) */
#define USB_SERIAL_DIGITS 0

#endif
