/* The interface of a board: clock, serial bytes, pins. A board is a folder with board.c and pins.h. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "pins.h"

#define BOARD_NO_BYTE (-1)      /* no byte received */
#define BOARD_DISCONNECTED (-2) /* the controller has closed the connection */
#define BOARD_DUTY_FULL 255

/* Starts the clock, the wire and the watchdog. All pins are inputs. */
void board_start(int argc, char **argv);

/* Time since the start; wraps around at 2^32. */
uint32_t board_millis(void);
uint32_t board_micros(void);

/* Returns the next byte from the wire, BOARD_NO_BYTE or BOARD_DISCONNECTED. */
int16_t board_read_byte(void);

/* Sends a byte; blocks while the buffer is full. */
void board_write_byte(uint8_t byte);

/* Closes the connection, if the wire has connections. */
void board_disconnect(void);

/* Makes a pin an input, with or without a pull-up. */
void board_input(uint8_t pin, bool pull_up);

/* Makes a pin an output and sets its level. */
void board_output(uint8_t pin, bool level);

bool board_level(uint8_t pin);

/* Enables an interrupt on change of a pin; it calls robot_pins_changed(). */
void board_watch(uint8_t pin);

/* Starts a timer whose interrupt calls robot_tick() BOARD_TICKS (config.h) times per second. Required if
 * board.toml has [ticks]; called if config.h defines BOARD_TICK_TIMER. */
void board_ticks_start(void);

/* Counts an encoder by a timer whose channels 1 and 2 have these pins, or by a pulse counter, with pull-ups.
 * Required with the next function if board.toml has [encoders] or counters. */
void board_encoder_start(uint8_t timer, uint8_t first, uint8_t second);

/* Returns the count: all edges of both pins, up while channel 1 leads. Wraps around at 2^16. */
uint16_t board_encoder_count(uint8_t timer);

/* Reads the voltage of an analog pin as 0 to BOARD_ADC_TOP (pins.h); blocks during the conversion. */
uint16_t board_adc(uint8_t pin);

/* Sets the PWM duty of a pin: 0 to BOARD_DUTY_FULL. */
void board_pwm(uint8_t pin, uint8_t duty);

/* Sets the frequency (Hz) of the PWM of a pin, and of all pins of its timer, before their first duty.
 * Required if board.toml has [frequencies]. */
void board_pwm_frequency(uint8_t pin, uint32_t hertz);

/* Sends servo pulses at 50 Hz; `pulse` is their length in microseconds, 0 for none. */
void board_servo(uint8_t pin, uint16_t pulse);

/* Sends three bytes to a chain of WS2812 LEDs, with interrupts disabled for 30 us. Required if pins have the
 * function pixels. */
void board_pixel(uint8_t pin, const uint8_t *bytes);

/* Starts the I2C bus as master. Required with board_i2c() if pins have the functions sda and scl. */
void board_i2c_start(void);

/* Writes bytes to a device, then reads bytes from it without releasing the bus; either size may be 0. Returns
 * false within a few ms if the device does not answer or the bus is stuck. */
bool board_i2c(uint8_t address, const uint8_t *out, uint8_t out_size, uint8_t *in, uint8_t in_size);

/* Starts a second serial port in addition to the wire. Required with the next two functions if pins have the
 * functions rx and tx. */
void board_serial_start(uint32_t baud);

/* Returns the next received byte, or BOARD_NO_BYTE. */
int16_t board_serial_read(void);

/* Sends a byte. Returns false if the buffer is full. */
bool board_serial_write(uint8_t byte);

/* Disable and enable interrupts. The calls do not nest. */
void board_lock(void);
void board_unlock(void);

/* Causes of a reset: the faults of hal/link/faults.py, and switching on. */
enum reset_cause { CAUSE_NONE, CAUSE_BROWN_OUT, CAUSE_WATCHDOG, CAUSE_FAULT, CAUSE_HANG, CAUSE_POWER };

/* Returns the cause of the last reset as the hardware tells it: CAUSE_POWER after any loss of power,
 * CAUSE_NONE after a press of reset, or if it cannot tell. Optional. */
uint8_t board_reset_cause(void);

/* Returns a word of memory that resets keep. Before the program resets the board, it writes KEPT(cause)
 * there. Optional. */
volatile uint32_t *board_kept(void);

#define KEPT_MARK 0x77626600ul /* a value that memory has not by chance */
#define KEPT_SEEN 0x80u        /* the program has started since */
#define KEPT_CAUSE 0x7u
#define KEPT(cause) (KEPT_MARK | (cause))

/* Returns an unpredictable number from the hardware's random source, 0 on failure. Optional. */
uint32_t board_random(void);

/* Sleeps until an interrupt and feeds the watchdog, which resets a board whose program hangs. */
void board_idle(void);

#endif
