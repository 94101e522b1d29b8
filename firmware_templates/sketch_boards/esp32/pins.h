/* Pins of the ESP32: the numbers of its GPIO. */
#ifndef PINS_H
#define PINS_H

#define PIN_IO4 4
#define PIN_IO13 13
#define PIN_IO14 14
#define PIN_IO16 16
#define PIN_IO17 17
#define PIN_IO18 18
#define PIN_IO19 19
#define PIN_IO21 21
#define PIN_IO22 22
#define PIN_IO23 23
#define PIN_IO25 25
#define PIN_IO26 26
#define PIN_IO27 27
#define PIN_IO32 32
#define PIN_IO33 33
#define PIN_IO34 34
#define PIN_IO35 35
#define PIN_IO36 36
#define PIN_IO39 39
#define BOARD_PINS 40

#define BOARD_ADC_TOP 1023
#define BOARD_LEDC 16           /* channels of the LED controller, which makes PWM and servo pulses */
#define BOARD_LEDC_PWM_TIMERS 2 /* of its four timers; the others are for servo pulses */
#define BOARD_ADC_IN_MILLIVOLTS /* by the chip's own calibration */

#endif
