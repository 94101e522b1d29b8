/* Means of several conversions of an analog pin, which have less noise. */
#ifndef AVERAGE_H
#define AVERAGE_H

#include <stdint.h>

#include "bytes.h"

/* The mean of `samples` conversions one after the other, 0 to BOARD_ADC_TOP (pins.h). */
real average_adc(uint8_t pin, uint8_t samples);

#endif
