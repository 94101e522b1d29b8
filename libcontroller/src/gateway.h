/* Remote control: a gateway program between controller and simulator runs the robot's plugin.

   See hal/gateway/gateway.py for its protocol. */
#ifndef GATEWAY_H
#define GATEWAY_H

#include "robot.h"

/* Read from the environment variables whether a gateway runs already. */
void gateway_find(Robot *robot);

/* Request a mode; robot->mode is the actual mode afterwards. */
void gateway_set_mode(Robot *robot, int mode, const char *arg);

/* Call the custom function of the robot's plugin with an argument in JSON. Returns its result in JSON, valid
 * until the next answer; NULL without a gateway. */
const Buffer *gateway_call(Robot *robot, const char *argument);

#endif
