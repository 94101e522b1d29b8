/* Remote control: a gateway program between controller and simulator runs the robot's plugin.

   See hal/modes/remote/gateway.py for its protocol. */
#ifndef GATEWAY_H
#define GATEWAY_H

#include "robot.h"

/* Read from the environment variables whether a gateway runs already. */
void gateway_find(Robot *robot);

/* Request a mode; robot->mode is the actual mode afterwards. */
void gateway_set_mode(Robot *robot, int mode, const char *arg);

#endif
