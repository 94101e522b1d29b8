/* Pins of the Raspberry Pi Pico W: the numbers of its GPIO. */
#ifndef PINS_H
#define PINS_H

#define PIN_GP0 0
#define PIN_GP1 1
#define PIN_GP2 2
#define PIN_GP3 3
#define PIN_GP4 4
#define PIN_GP5 5
#define PIN_GP6 6
#define PIN_GP7 7
#define PIN_GP8 8
#define PIN_GP9 9
#define PIN_GP10 10
#define PIN_GP11 11
#define PIN_GP12 12
#define PIN_GP13 13
#define PIN_GP14 14
#define PIN_GP15 15
#define PIN_GP16 16
#define PIN_GP17 17
#define PIN_GP18 18
#define PIN_GP19 19
#define PIN_GP20 20
#define PIN_GP21 21
#define PIN_GP22 22
#define PIN_GP26 26
#define PIN_GP27 27
#define PIN_GP28 28
#define BOARD_PINS 29

#define BOARD_ADC_TOP 1023

#endif
