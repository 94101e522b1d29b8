/* STM32: the pins of the I2C bus. */
#ifndef I2C_PINS_H
#define I2C_PINS_H

#define BOARD_SDA PIN_PB11
#define BOARD_SCL PIN_PB10

#endif
