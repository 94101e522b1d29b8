/* ATmega32U4: what the files for all AVRs need to know of it. */
#ifndef CHIP_H
#define CHIP_H

#define WIRE_UART 1
#define WIRE_RX_vect USART1_RX_vect
#define WIRE_UDRE_vect USART1_UDRE_vect

/* The boot loader clears MCUSR, which tells the cause of a reset. It uses RAM up to 0x1BD, two bytes at
 * 0x800, and some at the end for its stack: variables of the section .noinit, after those of the program,
 * persist. */
#define CHIP_HIDES_CAUSE

#define CHIP_SDA PIN_D2
#define CHIP_SCL PIN_D3

#endif
