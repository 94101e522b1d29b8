/* What a board gives: clock, bytes in and out, pins. A board is a folder with board.c and pins.h. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "pins.h"

#define BOARD_NOTHING (-1) /* no byte has come */
#define BOARD_GONE (-2)    /* the controller at the other end of the wire has gone */
#define BOARD_DUTY_FULL 255

/* Start clock, wire and watchdog. All pins are inputs. */
void board_start(int argc, char **argv);

/* Time since the start; both begin anew after 2^32. */
uint32_t board_millis(void);
uint32_t board_micros(void);

/* The next byte from the wire, BOARD_NOTHING or BOARD_GONE. */
int16_t board_read_byte(void);

/* Send a byte; waits while the buffer is full. */
void board_write_byte(uint8_t byte);

/* End the connection, where the wire has such. */
void board_hang_up(void);

/* Make a pin an input, with or without a pull-up. */
void board_input(uint8_t pin, bool pull_up);

/* Make a pin an output and set it. */
void board_output(uint8_t pin, bool level);

bool board_level(uint8_t pin);

/* Call robot_pins_changed() in an interrupt when the pin changes. */
void board_watch(uint8_t pin);

/* Voltage of an analog pin as 0 to BOARD_ADC_TOP (pins.h); waits for the conversion. */
uint16_t board_adc(uint8_t pin);

/* Let a pin be high for a share of the time: 0 to BOARD_DUTY_FULL. */
void board_pwm(uint8_t pin, uint8_t duty);

/* Send pulses for a servo, 50 each second; their length in microseconds, 0 for none. */
void board_servo(uint8_t pin, uint16_t pulse);

/* Become the master of the I2C bus. Boards whose pins have sda and scl have this function and the next one.
 */
void board_i2c_start(void);

/* Write bytes to a device, then read bytes from it without letting go of the bus; either may be none.
   False: it does not answer, or the bus is stuck; that takes no longer than a few ms. */
bool board_i2c(uint8_t address, const uint8_t *out, uint8_t out_size, uint8_t *in, uint8_t in_size);

/* A second serial port, beside that of the wire. Boards whose pins have rx and tx have these functions. */
void board_serial_start(uint32_t baud);

/* The next byte that has come, or BOARD_NOTHING. */
int16_t board_serial_read(void);

/* Send a byte. False: there is no room for it now. */
bool board_serial_write(uint8_t byte);

/* Between these no interrupt comes. They do not nest. */
void board_lock(void);
void board_unlock(void);

/* Has the watchdog reset the board, because the program hung? A board that cannot tell need not have this. */
bool board_hung(void);

/* A number that nobody can guess, from the board's own source of random numbers; 0: it has failed. A board
   without such a source need not have this. */
uint32_t board_random(void);

/* Wait until something may have happened; feeds the watchdog, which resets a board that hangs. */
void board_idle(void);

#endif
