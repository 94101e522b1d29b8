/* Pins of the ESP8266: labels of NodeMCU and D1 mini, numbers of the Arduino core. */
#ifndef PINS_H
#define PINS_H

#define PIN_D0 16
#define PIN_D1 5
#define PIN_D2 4
#define PIN_D5 14
#define PIN_D6 12
#define PIN_D7 13
#define PIN_D8 15
#undef PIN_A0 /* the core has one, too */
#define PIN_A0 17
#define BOARD_PINS 18

#define BOARD_ADC_TOP 1023

#endif
