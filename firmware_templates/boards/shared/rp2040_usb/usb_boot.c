/* RP2040: the way into the boot ROM's drive, as with the button BOOTSEL: data sheet, sections 2.8.2
 * and 2.8.3. */
#include "cortex_m.h"
#include "rp2040.h"
#include "usb_port.h"

/* Never returns. In assembler, as the ROM's functions are known by their addresses only: the halfword at 0x18
 * is that of the function that searches a table, whose address is at 0x14, for two letters. */
__asm(
    ".section .text.rom_reset_to_usb, \"ax\", %progbits\n"
    ".thumb_func\n"
    ".global rom_reset_to_usb\n"
    "rom_reset_to_usb:\n"
    "  movs r3, #0x14\n"
    "  ldrh r0, [r3]\n"
    "  ldrh r2, [r3, #4]\n"
    "  ldr r1, =0x4255\n" /* UB */
    "  blx r2\n"
    "  movs r3, r0\n"
    "  movs r0, #0\n" /* no pin for a lamp */
    "  movs r1, #0\n" /* all interfaces */
    "  blx r3\n"
    "1: b 1b\n"
    "  .ltorg\n");

void rom_reset_to_usb(void);

void usb_port_boot(void) {
  (void)cortex_lock();
  WATCHDOG_CONTROL = 0; /* it would reset the boot ROM */
  rom_reset_to_usb();
}
