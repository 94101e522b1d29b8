/* Outputs of an ESP32's LED controller. */
#ifndef LEDC_H
#define LEDC_H

#include <stdint.h>

/* Makes a pin a digital one again, if it was an output of the controller. */
void ledc_release(uint8_t pin);

#endif
