/* Descriptors: what the device tells the host of itself (USB 2.0 specification, 9.6). */
#ifndef USB_DESCRIPTORS_H
#define USB_DESCRIPTORS_H

#include <stdint.h>

#include "memory.h"

/* Types (table 9-5). */
#define USB_DEVICE 1
#define USB_CONFIGURATION 2
#define USB_STRING 3

#define USB_IN 0x80u /* in addresses of endpoints: to the host */

#define USB_CONTROL_INTERFACE 0
#define USB_DATA_INTERFACE 1
#define USB_INTERFACES 2

#define USB_STRING_MAKER 1
#define USB_STRING_PRODUCT 2
#define USB_STRING_SERIAL 3

/* Their first byte is their size, except that of the configuration: bytes 2 and 3 are the size with all that
 * follows, which is less than 256. */
extern const FLASH uint8_t usb_device[], usb_configuration[], usb_languages[];

/* Returns the characters of a string and writes their number, 0 if it does not exist. */
const FLASH uint8_t *usb_string(uint8_t index, uint8_t *count);

#endif
