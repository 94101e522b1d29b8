/* A processor whose I2C bus never finishes what it is told: time passes, and a part holds the data line low
   until it has seen some clocks. Built by tests/firmware/test_stuck_bus.py together with the Uno's i2c.c. */
#include <avr/io.h>
#include <stdio.h>
#include <stdlib.h>

#include "board.h"

volatile uint8_t TWBR, TWSR, TWCR, TWDR;

static uint32_t now;
static int clocks, needed;

uint32_t board_micros(void) { return now += 10; }

void board_input(uint8_t pin, bool pull_up) {
  (void)pull_up;
  clocks += pin == PIN_A5;
}

void board_output(uint8_t pin, bool level) {
  (void)pin;
  (void)level;
}

bool board_level(uint8_t pin) { return pin != PIN_A4 || clocks >= needed; }

int main(int argc, char **argv) {
  needed = argc > 1 ? atoi(argv[1]) : 0;
  const uint8_t out[] = {0x75};
  uint8_t in;
  board_i2c_start();
  const bool done = board_i2c(0x68, out, sizeof out, &in, 1);
  printf("%d %u %d %d\n", done, now, clocks, TWCR == _BV(TWEN));
  return 0;
}
