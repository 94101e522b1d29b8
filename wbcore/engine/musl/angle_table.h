// Angles whose tangents are multiples of 1/32, which atan and atan2 add to a small angle.
#pragma once

#include "exact.h"

// By octant and k: atan(k/32), pi - atan(k/32), pi/2 - atan(k/32), pi/2 + atan(k/32).
hidden extern const Exact kAngles[4][33];
