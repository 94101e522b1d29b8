/* Pins of boards with the pins of an Uno, named as on the board. The Uno itself has no A6 and A7. */
#ifndef PINS_H
#define PINS_H

#define PIN_D0 0
#define PIN_D1 1
#define PIN_D2 2
#define PIN_D3 3
#define PIN_D4 4
#define PIN_D5 5
#define PIN_D6 6
#define PIN_D7 7
#define PIN_D8 8
#define PIN_D9 9
#define PIN_D10 10
#define PIN_D11 11
#define PIN_D12 12
#define PIN_D13 13
#define PIN_A0 14
#define PIN_A1 15
#define PIN_A2 16
#define PIN_A3 17
#define PIN_A4 18
#define PIN_A5 19
#define PIN_A6 20
#define PIN_A7 21
#define BOARD_PINS 22

/* Each core numbers its analog pins in its own way. */
#define BOARD_ANALOG_PINS A0, A1, A2, A3, A4, A5

#define BOARD_ADC_TOP 1023

#endif
