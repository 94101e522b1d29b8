/* Pins of the ESP32-C3: the numbers of its GPIO. */
#ifndef PINS_H
#define PINS_H

#define PIN_IO0 0
#define PIN_IO1 1
#define PIN_IO3 3
#define PIN_IO4 4
#define PIN_IO5 5
#define PIN_IO6 6
#define PIN_IO7 7
#define PIN_IO10 10
#define PIN_IO20 20
#define PIN_IO21 21
#define BOARD_PINS 22

#define BOARD_SDA PIN_IO6
#define BOARD_SCL PIN_IO7

#define BOARD_ADC_TOP 1023
#define BOARD_LEDC 6            /* channels of the LED controller, which makes PWM */
#define BOARD_LEDC_PWM_TIMERS 3 /* for all its channels */
#define BOARD_ADC_IN_MILLIVOLTS /* by the chip's own calibration */

#endif
