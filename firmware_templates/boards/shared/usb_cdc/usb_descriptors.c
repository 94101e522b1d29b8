/* Descriptors of a device with one serial port: USB 2.0 specification, 9.6; interfaces: USB CDC 1.2, 5.2, and
 * its PSTN subclass 1.2, 5.3. An interface association groups the two interfaces, as hosts expect of a device
 * whose class is "miscellaneous". */
#include "usb_descriptors.h"

#include "config.h"
#include "usb_port.h"

#define U16(value) (value) & 0xFF, (value) >> 8

/* Types. */
#define INTERFACE 4
#define ENDPOINT 5
#define ASSOCIATION 11
#define FUNCTIONAL 0x24 /* of the class CDC */

#define USB_2_0 0x0200
#define CDC_1_2 0x0120
#define RELEASE 0x0100
#define CLASS_MISCELLANEOUS 0xEF, 2, 1 /* with interface associations */
#define CLASS_CDC 2
#define CLASS_CDC_DATA 0x0A
#define ABSTRACT_CONTROL 2 /* a serial port */
#define NO_PROTOCOL 0      /* no commands like those of a modem */
#define POWERED_BY_BUS 0x80
#define BULK 2
#define INTERRUPT 3
#define NOTICE_INTERVAL 16 /* ms */

/* Functional descriptors. */
#define HEADER 0
#define CALL_MANAGEMENT 1
#define ABSTRACT_CONTROL_MODEL 2
#define UNION 6
#define LINE_CODING_AND_STATE 2 /* requests that the device knows */

#define CONFIGURATION_BYTES 75
#define ENGLISH 0x0409

const FLASH uint8_t usb_device[] = {
    18,
    USB_DEVICE,
    U16(USB_2_0),
    CLASS_MISCELLANEOUS,
    USB_CONTROL_BYTES,
    U16(USB_VENDOR),
    U16(USB_PRODUCT),
    U16(RELEASE),
    USB_STRING_MAKER,
    USB_STRING_PRODUCT,
    USB_SERIAL_DIGITS ? USB_STRING_SERIAL : 0,
    1, /* configuration */
};

/* A descriptor in each line. */
/* clang-format off */
const FLASH uint8_t usb_configuration[] = {
    9, USB_CONFIGURATION, U16(CONFIGURATION_BYTES), USB_INTERFACES, 1, 0, POWERED_BY_BUS, USB_MILLIAMPERES / 2,

    8, ASSOCIATION, USB_CONTROL_INTERFACE, USB_INTERFACES, CLASS_CDC, ABSTRACT_CONTROL, NO_PROTOCOL, 0,

    9, INTERFACE, USB_CONTROL_INTERFACE, 0, 1, CLASS_CDC, ABSTRACT_CONTROL, NO_PROTOCOL, 0,
    5, FUNCTIONAL, HEADER, U16(CDC_1_2),
    5, FUNCTIONAL, CALL_MANAGEMENT, 0, USB_DATA_INTERFACE,
    4, FUNCTIONAL, ABSTRACT_CONTROL_MODEL, LINE_CODING_AND_STATE,
    5, FUNCTIONAL, UNION, USB_CONTROL_INTERFACE, USB_DATA_INTERFACE,
    7, ENDPOINT, USB_IN | USB_NOTICE_IN, INTERRUPT, U16(USB_NOTICE_BYTES), NOTICE_INTERVAL,

    9, INTERFACE, USB_DATA_INTERFACE, 0, 2, CLASS_CDC_DATA, 0, 0, 0,
    7, ENDPOINT, USB_BULK_OUT, BULK, U16(USB_BULK_BYTES), 0,
    7, ENDPOINT, USB_IN | USB_BULK_IN, BULK, U16(USB_BULK_BYTES), 0,
};
/* clang-format on */

_Static_assert(sizeof usb_configuration == CONFIGURATION_BYTES, "its size is one of its bytes");

const FLASH uint8_t usb_languages[] = {4, USB_STRING, U16(ENGLISH)};

static const FLASH uint8_t maker[] = "wbridge", product[] = USB_TITLE;

const FLASH uint8_t *usb_string(uint8_t index, uint8_t *count) {
  *count = index == USB_STRING_MAKER     ? sizeof maker - 1
           : index == USB_STRING_PRODUCT ? sizeof product - 1
                                         : 0;
  return index == USB_STRING_MAKER ? maker : product;
}
