/* ATmega32U4: what the files for all AVRs need to know of it. */
#ifndef CHIP_H
#define CHIP_H

#define WIRE_UART 1
#define WIRE_RX_vect USART1_RX_vect
#define WIRE_UDRE_vect USART1_UDRE_vect

#define CHIP_SDA PIN_D2
#define CHIP_SCL PIN_D3

#endif
