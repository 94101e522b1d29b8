/* A bumper switch. */
#include "bumper.h"

#include "board.h"

void bumper_start(uint8_t k) { board_input(bumper_table[k].pin, bumper_table[k].inverted); }

bool bumper_value(uint8_t k, real *value) {
  *value = board_level(bumper_table[k].pin) != bumper_table[k].inverted;
  return true;
}
