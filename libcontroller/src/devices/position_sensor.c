/* A position sensor, which measures the position of a joint. */
#include <math.h>
#include <webots/nodes.h>
#include <webots/position_sensor.h>

#include "../generated/position_sensor_codec.h"
#include "joint_device.h"

typedef struct {
  JointDevice joint;
  POSITION_SENSOR_MEMBERS;
} PositionSensor;

double position_sensor_value(const Device *sensor) { return ((const PositionSensor *)sensor)->value; }

WbDeviceTag wb_position_sensor_get_motor(WbDeviceTag tag) {
  PositionSensor *self = device_find(tag, &position_sensor_kind, __func__);
  return self ? find_sibling(&self->joint, POSITION_SENSOR_GET_SIBLING, WB_NODE_ROTATIONAL_MOTOR, __func__)
              : 0;
}

WbDeviceTag wb_position_sensor_get_brake(WbDeviceTag tag) {
  PositionSensor *self = device_find(tag, &position_sensor_kind, __func__);
  return self ? find_sibling(&self->joint, POSITION_SENSOR_GET_SIBLING, WB_NODE_BRAKE, __func__) : 0;
}

#include "../generated/position_sensor.h"
