// ODE's configuration, which its own build writes by probing the machine. These values hold on all of them;
// none changes what ODE computes.
#pragma once

#define HAVE_ISNAN 1

#if defined(_WIN32)
#define ODE_PLATFORM_WINDOWS
#include <malloc.h>
#elif defined(__APPLE__)
#define ODE_PLATFORM_OSX
#include <alloca.h>
#else
#define ODE_PLATFORM_LINUX
#include <alloca.h>
#endif

#include <inttypes.h>
#include <stdint.h>

#include "typedefs.h"
