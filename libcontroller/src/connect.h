/* Connect a controller to its simulator over a local socket or TCP, with retries. */
#ifndef CONNECT_H
#define CONNECT_H

#include "connection.h"

/* Connect to the simulator that the environment variables name; NULL, with an error message, on failure. */
Connection *connect_simulator(void);

#endif
