/* Finds devices by tag and by name. */
#include "devices.h"
#include "text.h"

/* How often a call named a wrong device, and at which number that is told next: a controller that does so
   does it in each step. */
static uint32_t wrong, told_at = 1;

static void tell_wrong(uint16_t tag) {
  if (++wrong != told_at) return;
  told_at *= 2;
  SAY("wbridge: tag ");
  text_unsigned(tag);
  SAY(" is a device of another kind, or none; such calls so far: ");
  text_unsigned(wrong);
  SAY("\n");
}

uint8_t device_place(uint16_t tag, uint8_t kind) {
  if (tag <= DEVICES && devices[tag].kind == kind) return devices[tag].place;
  tell_wrong(tag);
  return NO_DEVICE;
}

uint16_t device_named(const char *name) {
  for (uint16_t tag = 1; tag <= DEVICES; tag++) {
    const FLASH char *own = devices[tag].name;
    const char *its = name;
    while (*own && *own == *its) own++, its++;
    if (*own == *its) return tag;
  }
  return 0;
}

const char *device_name(uint16_t tag) {
  static char name[LONGEST_NAME + 1];
  const FLASH char *own = devices[tag <= DEVICES ? tag : 0].name;
  uint8_t k = 0;
  for (; own[k]; k++) name[k] = own[k];
  name[k] = 0;
  return name;
}
