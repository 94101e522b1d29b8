/* Pins of the micro:bit V2, named as on its edge connector; the numbers are the chip's: P0.02 is 2, P1.02
 * is 34. */
#ifndef PINS_H
#define PINS_H

#define PIN_P0 2
#define PIN_P1 3
#define PIN_P2 4
#define PIN_P3 31
#define PIN_P4 28
#define PIN_P5 14
#define PIN_P6 37
#define PIN_P7 11
#define PIN_P8 10
#define PIN_P9 9
#define PIN_P10 30
#define PIN_P11 23
#define PIN_P12 12
#define PIN_P13 17
#define PIN_P14 1
#define PIN_P15 13
#define PIN_P16 34
#define PIN_P19 26
#define PIN_P20 32

/* Lines of the display that are not on the edge connector. */
#define PIN_ROW1 21
#define PIN_ROW2 22
#define PIN_ROW3 15
#define PIN_ROW4 24
#define PIN_ROW5 19

/* The bus of the accelerometer, the compass and the interface chip. */
#define PIN_I2C_INT_SDA 16
#define PIN_I2C_INT_SCL 8

#define BOARD_SDA PIN_P20
#define BOARD_SCL PIN_P19

#define BOARD_PINS 48
#define BOARD_ADC_TOP 4095

#endif
