/* Pins of the Arduino Mega 2560, named as on the board. */
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
#define PIN_D32 32
#define PIN_D33 33
#define PIN_D34 34
#define PIN_D35 35
#define PIN_D36 36
#define PIN_D37 37
#define PIN_D38 38
#define PIN_D39 39
#define PIN_D40 40
#define PIN_D41 41
#define PIN_D42 42
#define PIN_D43 43
#define PIN_D44 44
#define PIN_D45 45
#define PIN_D46 46
#define PIN_D47 47
#define PIN_D48 48
#define PIN_D49 49
#define PIN_D50 50
#define PIN_D51 51
#define PIN_D52 52
#define PIN_D53 53
#define PIN_A0 54
#define PIN_A1 55
#define PIN_A2 56
#define PIN_A3 57
#define PIN_A4 58
#define PIN_A5 59
#define PIN_A6 60
#define PIN_A7 61
#define PIN_A8 62
#define PIN_A9 63
#define PIN_A10 64
#define PIN_A11 65
#define PIN_A12 66
#define PIN_A13 67
#define PIN_A14 68
#define PIN_A15 69

#define BOARD_ADC_TOP 1023

#endif
