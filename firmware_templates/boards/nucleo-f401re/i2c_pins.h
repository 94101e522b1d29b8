/* Nucleo boards with 64 pins: the I2C bus is at D14 and D15. */
#ifndef I2C_PINS_H
#define I2C_PINS_H

#define BOARD_SDA PIN_PB9
#define BOARD_SCL PIN_PB8

#endif
