/* The wire of boards with an AVR: the USB port. */
#ifndef WIRE_PORT_H
#define WIRE_PORT_H

#include "usb_port.h"
#include "usb_wire.h"

static inline void wire_start(void) { usb_port_start(); }

#endif
