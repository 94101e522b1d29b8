// Locks of a world whose islands are solved on several threads.
#pragma once

#include <ode/ode.h>

namespace wb {

// Lets ODE lock what islands share while they are solved at the same time: lists of moved geoms, and forces
// of motors. Without this, ODE locks nothing.
void give_locks(dWorldID world);

}  // namespace wb
