// The same controller as C++.
#include "../readings/readings.c"
