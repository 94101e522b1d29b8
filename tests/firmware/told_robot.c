/* A robot that writes down what it is told: lines "TIME HEX" on standard input are messages, the answers go
   to standard output as calls and a last word. Built by tests/firmware/peer.py together with link.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "bytes.h"
#include "latch.h"
#include "link.h"
#include "robot.h"
#include "table.h"

static uint32_t time_ms;

void robot_set(uint16_t channel, const uint8_t *value) {
  const FLASH struct channel *one = &table_channels[channel];
  const size_t width = one->kind == NUMBER_REAL ? LINK_REAL : one->kind == NUMBER_BOOL ? 1 : 4;
  printf("set:%u:", channel);
  for (size_t k = 0; k < one->count * width; k++) printf("%02x", value[k]);
  printf(" ");
}

void robot_set_period(uint16_t slot, uint16_t period) { printf("period:%u:%u ", slot, period); }

void robot_step(uint16_t elapsed) {
  printf("step:%u ", elapsed);
  time_ms += elapsed;
}

/* A sensor shows its number, times 0.5, and so do its further numbers, plus 0.25 each. */
uint8_t robot_read(uint16_t channel, uint8_t *value) {
  uint8_t *to = value;
  for (uint16_t k = 0; k < table_channels[channel].count; k++)
    to = put_real(to, (real)(channel * 0.5 + k * 0.25));
  return (uint8_t)(to - value);
}

void robot_stop(void) { printf("stop "); }

bool robot_is_blind(void) { return false; }

uint32_t robot_time(void) { return time_ms; }

/* The cause of its last reset: an argument of the program. */
static uint8_t reset_cause;

uint8_t board_reset_cause(void) { return reset_cause; }

int main(int argc, char **argv) {
  static char line[4 * LINK_MESSAGE + 64];
  reset_cause = argc > 1 ? (uint8_t)atoi(argv[1]) : CAUSE_NONE;
  latch_start(true);
  while (fgets(line, sizeof line, stdin)) {
    static uint8_t message[LINK_MESSAGE];
    char *hex;
    const uint32_t now = (uint32_t)strtoul(line, &hex, 10);
    uint16_t size = 0;
    for (hex++; size < sizeof message && sscanf(hex, "%2hhx", &message[size]) == 1; hex += 2) size++;
    const struct answer answer = link_receive(message, size, now);
    for (uint16_t k = 0; k < answer.size; k++) printf("%02x", answer.data[k]);
    printf("%s\n", answer.size ? "" : "-");
    fflush(stdout);
  }
  return 0;
}
