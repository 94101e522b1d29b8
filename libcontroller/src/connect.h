/* Connect a controller to its simulator over a local socket or TCP, with retries. */
#ifndef CONNECT_H
#define CONNECT_H

#include "channel.h"

/* Connect to the simulator that the environment variables name; NULL, with an error message, on failure. */
Channel *connect_simulator(void);

#endif
