/* Descriptors of a USB device with a serial port, read and checked by a host. The functions return what is
 * wrong, or NULL. */
#ifndef SIMAVR_DESCRIPTORS_H
#define SIMAVR_DESCRIPTORS_H

#include <stdint.h>

#define DEVICE_BYTES 18
#define CONFIGURATION_BYTES 9
#define LINE_BYTES 7
#define LEAST_PACKET 8

/* What a host needs to know of the device. */
struct device {
  uint8_t packet_bytes; /* of endpoint 0 */
  uint8_t strings[3];   /* numbers of maker, product, serial number; 0: none */
  uint16_t language, configuration_size;
  uint8_t configuration, control_interface;
  uint8_t notice_in, bulk_out, bulk_in; /* endpoints */
  uint8_t out_bytes;                    /* of a packet to the device */
};

/* The first bytes of the device descriptor, before the size of packets is known. */
const char *read_packet_size(struct device *device, const uint8_t *bytes, uint16_t size);

const char *read_device(struct device *device, const uint8_t *bytes, uint16_t size);
const char *read_configuration_head(struct device *device, const uint8_t *bytes, uint16_t size);
const char *read_configuration(struct device *device, const uint8_t *bytes, uint16_t size);
const char *read_languages(struct device *device, const uint8_t *bytes, uint16_t size);
const char *check_string(const uint8_t *bytes, uint16_t size);
const char *check_line(const uint8_t *bytes, uint16_t size, uint32_t baud);

#endif
