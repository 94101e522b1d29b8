/* Finds devices by tag and by name. */
#include "devices.h"
#include "text.h"

uint8_t device_place(uint16_t tag, uint8_t kind) {
  if (tag <= DEVICES && devices[tag].kind == kind)
    return devices[tag].place;
  SAY("wbridge: tag ");
  text_unsigned(tag);
  SAY(" is a device of another kind, or none\n");
  return NO_DEVICE;
}

uint16_t device_named(const char *name) {
  for (uint16_t tag = 1; tag <= DEVICES; tag++) {
    const FLASH char *own = devices[tag].name;
    const char *its = name;
    while (*own && *own == *its)
      own++, its++;
    if (*own == *its)
      return tag;
  }
  return 0;
}

const char *device_name(uint16_t tag) {
  static char name[LONGEST_NAME + 1];
  const FLASH char *own = devices[tag <= DEVICES ? tag : 0].name;
  uint8_t k = 0;
  for (; own[k]; k++)
    name[k] = own[k];
  name[k] = 0;
  return name;
}
