/* ATmega328P: what the files for all AVRs need to know of it. */
#ifndef CHIP_H
#define CHIP_H

#define WIRE_UART 0
#define WIRE_RX_vect USART_RX_vect
#define WIRE_UDRE_vect USART_UDRE_vect

#define CHIP_SDA PIN_A4
#define CHIP_SCL PIN_A5

#endif
