/* Pins of emulated boards: 32 digital pins, 16 analog inputs. */
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
#define PIN_D17 17
#define PIN_D18 18
#define PIN_D19 19
#define PIN_D20 20
#define PIN_D21 21
#define PIN_D22 22
#define PIN_D23 23
#define PIN_D24 24
#define PIN_D25 25
#define PIN_D26 26
#define PIN_D27 27
#define PIN_D28 28
#define PIN_D29 29
#define PIN_D30 30
#define PIN_D31 31
#define PIN_A0 32
#define PIN_A1 33
#define PIN_A2 34
#define PIN_A3 35
#define PIN_A4 36
#define PIN_A5 37
#define PIN_A6 38
#define PIN_A7 39
#define PIN_A8 40
#define PIN_A9 41
#define PIN_A10 42
#define PIN_A11 43
#define PIN_A12 44
#define PIN_A13 45
#define PIN_A14 46
#define PIN_A15 47

#define BOARD_SDA PIN_D20
#define BOARD_SCL PIN_D21

#define BOARD_PINS 48
#define BOARD_ADC_TOP 4095

#endif
