/* RP2040: the second stage of the boot. The boot ROM copies the first 256 bytes of the flash to RAM, checks
 * their last word, a CRC-32 (polynomial 0x04C11DB7, initially all ones, not reflected, not inverted) of the
 * others, and runs them: RP2040 data sheet, section 2.8.1.3.1. They make the flash readable at 0x10000000 by
 * the command 03h, which all flash chips know (section 4.10), and start the program by its vector table. */

#define CHECKSUM "0x9409F3C2"

__asm(
    ".section .boot, \"ax\", %progbits\n"
    ".thumb\n"
    ".global boot_begin\n"
    "boot_begin:\n"
    "  ldr r3, =0x18000000\n" /* the interface to the flash */
    "  movs r1, #0\n"
    "  str r1, [r3, #0x08]\n" /* SSIENR: off */
    "  movs r1, #4\n"
    "  str r1, [r3, #0x14]\n" /* BAUDR: a quarter of the system clock */
    "  ldr r1, =0x001F0300\n" /* CTRLR0: words of 32 bits, read like an EEPROM */
    "  str r1, [r3, #0x00]\n"
    "  ldr r1, =0x03000218\n" /* SPI_CTRLR0: command 03h of 8 bits, address of 24 bits */
    "  ldr r2, =0x180000F4\n"
    "  str r1, [r2]\n"
    "  movs r1, #0\n"
    "  str r1, [r3, #0x04]\n" /* CTRLR1: one word */
    "  movs r1, #1\n"
    "  str r1, [r3, #0x08]\n" /* SSIENR: on */
    "  ldr r0, =0x10000100\n" /* the vector table */
    "  ldr r1, =0xE000ED08\n" /* VTOR */
    "  str r0, [r1]\n"
    "  ldr r1, [r0]\n"
    "  msr msp, r1\n"
    "  ldr r1, [r0, #4]\n"
    "  bx r1\n"
    "  .ltorg\n"
    "  .org 252\n"
    "  .word " CHECKSUM "\n");
