/* BBC micro:bit V2 (nRF52833): what is stored in the chip. */
#include "chip.h"

#include "cortex_m.h"

#define FLASH_ROUNDS 20000 /* of at least 4 cycles: 1.2 ms; writing a word takes 41 us */

/* P8 and P9 are for an NFC antenna until this is written. The reset that makes it valid clears the pins, too;
 * without it if the word keeps its value, or the board would start for ever. */
static void free_nfc_pins(void) {
  FLASH_MODE = FLASH_MODE_WRITE;
  chip_await(&FLASH_READY, FLASH_ROUNDS);
  UICR_NFC_PINS = ~UICR_NFC_PINS_ARE_NFC;
  chip_await(&FLASH_READY, FLASH_ROUNDS);
  FLASH_MODE = FLASH_MODE_READ;
  if (!(UICR_NFC_PINS & UICR_NFC_PINS_ARE_NFC)) SCB_RESET = SCB_RESET_KEY;
}

/* Later revisions let a debugger in only if both this register and UICR.APPROTECT hold 0x5A. The latter
 * belongs to the interface chip, which erases and writes the chip; for earlier revisions, 0x5A there is no
 * defined value. */
void chip_start(void) {
  if (FICR_PAGE_SIZE != FICR_PAGE_OF_NRF52) return;
  DEBUG_PROTECTION = DEBUG_PROTECTION_OFF;
  if (UICR_NFC_PINS & UICR_NFC_PINS_ARE_NFC) free_nfc_pins();
}
