/* What a controller hears that found no robot: which robots wait, by the addresses that lead to them. */
#ifndef WAITING_H
#define WAITING_H

#include "address.h"

#define REFUSED "FAILED\n" /* of wbridge; the names of robots follow, one per line */

/* Robots that wait on this machine, as the end of a message; "" for a simulator elsewhere. To be freed. */
char *hint_from_here(const Address *address);

/* Robots that a simulator has named behind REFUSED; "" when it is another reply. To be freed. */
char *hint_from_reply(const Address *address, const char *reply);

#endif
