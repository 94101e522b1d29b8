/* A position sensor, which measures the position of a joint. */
#include <math.h>
#include <webots/position_sensor.h>

#include "../generated/position_sensor_codec.h"
#include "joint_device.h"

typedef struct {
  JointDevice joint;
  POSITION_SENSOR_MEMBERS;
} PositionSensor;

double position_sensor_value(const Device *sensor) { return ((const PositionSensor *)sensor)->value; }

#include "../generated/position_sensor.h"
