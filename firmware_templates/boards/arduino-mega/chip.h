/* ATmega2560: what the files for all AVRs need to know of it. */
#ifndef CHIP_H
#define CHIP_H

#define WIRE_UART 0
#define WIRE_RX_vect USART0_RX_vect
#define WIRE_UDRE_vect USART0_UDRE_vect

/* The second serial port: D18 sends, D19 receives. */
#define SERIAL_UART 1
#define SERIAL_RX_vect USART1_RX_vect
#define SERIAL_UDRE_vect USART1_UDRE_vect

#define CHIP_SDA PIN_D20
#define CHIP_SCL PIN_D21

#endif
