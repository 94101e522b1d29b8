/* A Dynamixel servo of the X series, with protocol 2. */
#ifndef DYNAMIXEL_SERVO_H
#define DYNAMIXEL_SERVO_H

#include "servo_protocol.h"

#define dynamixel_servo bus_servo /* type of the table's entries */

void dynamixel_servo_start(uint8_t k);
void dynamixel_servo_stop(uint8_t k);
void dynamixel_servo_update(uint8_t k, uint16_t elapsed);
void dynamixel_servo_position(uint8_t k, real position);
void dynamixel_servo_velocity(uint8_t k, real velocity);
bool dynamixel_servo_torque_feedback(uint8_t k, real *torque);

#endif
