/* Pins of the Arduino Leonardo and Pro Micro, named as on the board. */
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
#define PIN_D14 14
#define PIN_D15 15
#define PIN_D16 16
#define PIN_A0 17
#define PIN_A1 18
#define PIN_A2 19
#define PIN_A3 20
#define PIN_A4 21
#define PIN_A5 22

#define BOARD_ADC_TOP 1023

#endif
