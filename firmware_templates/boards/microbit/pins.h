/* Pins of the micro:bit, named as on its edge connector; the numbers are the chip's. */
#ifndef PINS_H
#define PINS_H

#define PIN_P0 3
#define PIN_P1 2
#define PIN_P2 1
#define PIN_P3 4
#define PIN_P4 5
#define PIN_P5 17
#define PIN_P6 12
#define PIN_P7 11
#define PIN_P8 18
#define PIN_P9 10
#define PIN_P10 6
#define PIN_P11 26
#define PIN_P12 20
#define PIN_P13 23
#define PIN_P14 22
#define PIN_P15 21
#define PIN_P16 16
#define PIN_P19 0
#define PIN_P20 30

/* Lines of the display that are not on the edge connector. */
#define PIN_ROW1 13
#define PIN_ROW2 14
#define PIN_ROW3 15
#define PIN_COL4 7
#define PIN_COL5 8
#define PIN_COL6 9

#define BOARD_SDA PIN_P20
#define BOARD_SCL PIN_P19

#define BOARD_PINS 32
#define BOARD_ADC_TOP 1023

#endif
