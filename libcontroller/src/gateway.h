/* Remote control: a program stands between controller and simulator and runs the robot's plugin.

   See hal/modes/remote/gateway.py for what is said to it. */
#ifndef GATEWAY_H
#define GATEWAY_H

#include "robot.h"

/* What the environment says about a gateway that is there already. */
void gateway_find(Robot *robot);

/* Ask for a mode; robot->mode tells then what is true. */
void gateway_set_mode(Robot *robot, int mode, const char *arg);

#endif
