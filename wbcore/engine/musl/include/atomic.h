// What musl's fma.c takes from a header of its own for each processor.
#pragma once

static inline int a_clz_64(unsigned long long number) { return __builtin_clzll(number); }
