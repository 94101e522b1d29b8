/* Hints for a controller that found no robot: the addresses of the robots that wait. */
#ifndef WAITING_H
#define WAITING_H

#include "address.h"

#define REFUSED "FAILED\n" /* sent by wbridge; the names of robots follow, one per line */

/* A message suffix with the robots that wait on this machine; "" for another machine. Free the result. */
char *hint_from_here(const Address *address);

/* A message suffix with the robots listed after REFUSED; "" for other replies. Free the result. */
char *hint_from_reply(const Address *address, const char *reply);

#endif
