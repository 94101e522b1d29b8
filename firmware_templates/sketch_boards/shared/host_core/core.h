/* Shared by the files of the Arduino API on this computer. */
#ifndef CORE_H
#define CORE_H

#include <stdint.h>

/* Called when something outside has changed the level of a pin; NULL: nobody needs it. */
extern void (*pins_changed)(uint8_t pin);

/* Prints the address of the link: of the server on a free port for "tcp", on this one for "tcp:PORT", or of
 * the broker's topic for "mqtt". */
void network_open(const char *wire);

#endif
