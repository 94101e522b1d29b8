/* What simavr has for debuggers, without their sockets: no debugger reaches a page. */
/* clang-format off: one needs the other first */
#include <sim_avr.h>
#include <sim_gdb.h>
/* clang-format on */

int avr_gdb_init(avr_t *avr) {
  (void)avr;
  return -1;
}

void avr_deinit_gdb(avr_t *avr) { (void)avr; }

int avr_gdb_processor(avr_t *avr, int sleep) {
  (void)avr;
  (void)sleep;
  return 0;
}

void avr_gdb_handle_watchpoints(avr_t *avr, uint16_t address, enum avr_gdb_watch_type type) {
  (void)avr;
  (void)address;
  (void)type;
}
