// The length of a vector.
#pragma once

#include <stddef.h>

// The root of the sum of the squares of `count` numbers, none of them negative; they are overwritten. The
// result is rounded to the nearest number with few exceptions.
double norm(double *sizes, size_t count);
