/* Connects a controller to its simulator: local sockets and TCP, with patience. */
#ifndef CONNECT_H
#define CONNECT_H

#include "channel.h"

/* A connection to the simulator that the environment names; NULL, with a message, when there is none. */
Channel *connect_simulator(void);

#endif
