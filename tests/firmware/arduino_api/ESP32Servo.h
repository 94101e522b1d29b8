/* The library ESP32Servo has the functions of the library Servo. */
#include "Servo.h"
