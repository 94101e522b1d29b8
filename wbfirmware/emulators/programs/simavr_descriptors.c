/* Descriptors of a USB device with a serial port: USB 2.0 specification, 9.6; USB CDC 1.2, 5.2. */
#include "simavr_descriptors.h"

#include <stdbool.h>
#include <stddef.h>

#include "simavr_bus.h"

/* Types. */
#define DEVICE 1
#define CONFIGURATION 2
#define STRING 3
#define INTERFACE 4
#define ENDPOINT 5
#define FUNCTIONAL 0x24 /* of the class CDC */

#define COMMUNICATION 2 /* classes */
#define COMMUNICATION_DATA 0x0A
#define ABSTRACT_CONTROL 2 /* subclass */
#define UNION 6
#define BULK 2
#define INTERRUPT 3
#define TO_HOST 0x80

static uint16_t word(const uint8_t *bytes) { return (uint16_t)(bytes[0] | bytes[1] << 8); }

static const char *check_head(const uint8_t *bytes, uint16_t size, uint8_t length, uint8_t type) {
  if (size < length || bytes[0] != length) return "a descriptor has the wrong size";
  return bytes[1] == type ? NULL : "a descriptor has the wrong type";
}

static bool is_packet_size(uint16_t size) { return size == 8 || size == 16 || size == 32 || size == 64; }

const char *read_packet_size(struct device *device, const uint8_t *bytes, uint16_t size) {
  if (size < LEAST_PACKET || bytes[0] != DEVICE_BYTES || bytes[1] != DEVICE)
    return "its device descriptor is wrong";
  device->packet_bytes = bytes[7];
  return is_packet_size(device->packet_bytes) ? NULL : "endpoint 0 has no valid size";
}

const char *read_device(struct device *device, const uint8_t *bytes, uint16_t size) {
  const char *why = check_head(bytes, size, DEVICE_BYTES, DEVICE);
  if (why != NULL) return why;
  for (int k = 0; k < 3; k++) device->strings[k] = bytes[14 + k];
  return bytes[17] >= 1 ? NULL : "it has no configuration";
}

const char *read_configuration_head(struct device *device, const uint8_t *bytes, uint16_t size) {
  device->configuration_size = size < CONFIGURATION_BYTES ? 0 : word(bytes + 2);
  return check_head(bytes, size, CONFIGURATION_BYTES, CONFIGURATION);
}

/* Reads an endpoint of the interface with this class. */
static const char *read_endpoint(struct device *device, const uint8_t *bytes, uint8_t class) {
  const uint8_t address = bytes[2], kind = bytes[3] & 3;
  const uint16_t size = word(bytes + 4);
  if (kind == BULK ? !is_packet_size(size) : size == 0 || size > BUS_PACKET)
    return "an endpoint has no valid size";
  if (class == COMMUNICATION && kind == INTERRUPT && address & TO_HOST) device->notice_in = address & 0x0F;
  if (class == COMMUNICATION_DATA && kind == BULK && address & TO_HOST) device->bulk_in = address & 0x0F;
  if (class == COMMUNICATION_DATA && kind == BULK && !(address & TO_HOST)) {
    device->bulk_out = address;
    device->out_bytes = bytes[4];
  }
  return NULL;
}

const char *read_configuration(struct device *device, const uint8_t *bytes, uint16_t size) {
  const char *why = check_head(bytes, size, CONFIGURATION_BYTES, CONFIGURATION);
  if (why != NULL || size != device->configuration_size) return "its configuration has the wrong size";
  device->configuration = bytes[5];
  uint8_t class = 0, interfaces = 0, is_joined = 0, left = 0;
  for (uint16_t at = 0; at < size; at = (uint16_t)(at + bytes[at])) {
    const uint8_t *one = bytes + at;
    if (size - at < 2 || one[0] < 2 || one[0] > size - at) return "a descriptor has the wrong size";
    if (one[1] == INTERFACE && one[0] == 9) {
      if (left > 0) return "an interface has fewer endpoints than it says";
      class = one[5];
      left = one[4];
      interfaces++;
      if (class == COMMUNICATION && one[6] == ABSTRACT_CONTROL) device->control_interface = one[2];
    }
    if (one[1] == FUNCTIONAL && one[2] == UNION) is_joined = 1;
    if (one[1] == ENDPOINT) {
      if (one[0] != 7 || left-- == 0) return "an interface has more endpoints than it says";
      if ((why = read_endpoint(device, one, class)) != NULL) return why;
    }
  }
  if (interfaces != bytes[4] || left > 0) return "it has other interfaces than it says";
  return is_joined && device->notice_in && device->bulk_in && device->bulk_out ? NULL
                                                                               : "it is no serial port";
}

const char *read_languages(struct device *device, const uint8_t *bytes, uint16_t size) {
  device->language = size < 4 ? 0 : word(bytes + 2);
  return size < 4 ? "it has no language" : check_head(bytes, size, (uint8_t)size, STRING);
}

const char *check_string(const uint8_t *bytes, uint16_t size) {
  return size < 2 || size % 2 != 0 ? "a string has the wrong size"
                                   : check_head(bytes, size, (uint8_t)size, STRING);
}

const char *check_line(const uint8_t *bytes, uint16_t size, uint32_t baud) {
  const uint8_t wanted[LINE_BYTES] = {
      (uint8_t)baud, (uint8_t)(baud >> 8), (uint8_t)(baud >> 16), (uint8_t)(baud >> 24), 0, 0, 8};
  if (size != LINE_BYTES) return "the settings of its serial line have the wrong size";
  for (int k = 0; k < LINE_BYTES; k++)
    if (bytes[k] != wanted[k]) return "the settings of its serial line are not what it was told";
  return NULL;
}
