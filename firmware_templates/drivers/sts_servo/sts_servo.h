/* A Feetech STS or SMS servo, such as the STS3215 of LeRobot's arms. */
#ifndef STS_SERVO_H
#define STS_SERVO_H

#include "servo_protocol.h"

#define sts_servo bus_servo /* type of the table's entries */

void sts_servo_start(uint8_t k);
void sts_servo_stop(uint8_t k);
void sts_servo_update(uint8_t k, uint16_t elapsed);
void sts_servo_position(uint8_t k, real position);
void sts_servo_velocity(uint8_t k, real velocity);
bool sts_servo_torque_feedback(uint8_t k, real *torque);

#endif
