/* Finds devices by tag and by name. */
#include "devices.h"
#include "text.h"

/* Calls with a wrong tag, and the count at which to report the next one: such a controller repeats them in
 * every step, so reports become rarer. */
static uint32_t wrong_tags, next_report = 1;

static void report_wrong_tag(uint16_t tag) {
  if (++wrong_tags != next_report) return;
  next_report *= 2;
  PRINT("wbridge: tag ");
  text_unsigned(tag);
  PRINT(" is not a device of this kind; calls with wrong tags so far: ");
  text_unsigned(wrong_tags);
  PRINT("\n");
}

uint8_t device_index(uint16_t tag, uint8_t kind) {
  if (tag <= DEVICES && devices[tag].kind == kind) return devices[tag].index;
  report_wrong_tag(tag);
  return NO_DEVICE;
}

uint16_t device_named(const char *name) {
  for (uint16_t tag = 1; tag <= DEVICES; tag++) {
    const FLASH char *own = devices[tag].name;
    const char *other = name;
    while (*own && *own == *other) own++, other++;
    if (*own == *other) return tag;
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
